// The evening at any of its moments.

import { drawMap } from "/games/discovery/map.js";
import { holdToConfirm } from "./hold.js";
import { follow } from "./live.js";
import { send } from "./send.js";

const { moments, cards, xs } = JSON.parse(document.getElementById("moments").textContent);
const scrub = document.getElementById("scrub");
const cursor = document.querySelector(".cursor");
const cells = drawMap(document.getElementById("map"), cards);

function show() {
  const place = Number(scrub.value);
  const then = moments[place];
  const laid = new Set();
  for (const moment of moments.slice(0, place + 1)) {
    if (moment.came) laid.add(moment.came);
    if (moment.went) laid.delete(moment.went);
  }
  for (const [id, cell] of Object.entries(cells)) cell.setAttribute("class", `cell era-${id[0]} ${laid.has(id) ? "laid" : ""} ${then.came === id ? "lit" : ""}`);
  document.getElementById("then").textContent = then.text;
  scrub.setAttribute("aria-valuetext", then.text);
  if (cursor && xs.length) {
    cursor.removeAttribute("hidden");
    cursor.setAttribute("d", `M${xs[place]} 14V208`);
  }
}

scrub.oninput = show;
if (moments.length) show();
follow(() => {}, { stay: true });

for (const button of document.querySelectorAll("[data-misread]")) {
  holdToConfirm(button, async () => (await send("corrections", { do: "camera-was-wrong", number: Number(button.dataset.misread) }, button))?.ok && location.reload());
}
