// The library: the host deletes, takes that back, and imports.

import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";
import "./plain.js";

for (const button of document.querySelectorAll("[data-forget]")) {
  const path = `matches/${encodeURIComponent(button.dataset.forget)}`;
  const link = button.parentElement.querySelector("a");
  const words = button.textContent;
  const label = button.getAttribute("aria-label");
  let gone = false;
  holdToConfirm(button, async () => {
    if (gone || !(await send(`${path}/delete`, {}, button))?.ok) return;
    gone = true;
    link.hidden = true;
    button.textContent = say("restore");
    button.removeAttribute("aria-label");
    delete button.dataset.hold;
    // The tap that ends the hold must not be the one that takes it back.
    setTimeout(() => (button.onclick = back), 300);
  });
  const back = async () => {
    if (!(await send(`${path}/restore`, {}, button))?.ok) return;
    gone = false;
    link.hidden = false;
    button.textContent = words;
    button.setAttribute("aria-label", label);
    button.dataset.hold = say("hold");
    button.onclick = null;
  };
}

// An interrupted match is closed, or gone on with.
for (const [name, action] of [["close", "close"], ["goOn", "go-on"]]) {
  for (const button of document.querySelectorAll(`[data-${action}]`)) {
    holdToConfirm(button, async () => {
      if (!(await send(`matches/${encodeURIComponent(button.dataset[name])}/${action}`, {}, button))?.ok) return;
      if (action === "close") location.reload();
      else location.assign("/");
    });
  }
}

const file = document.getElementById("import");
if (file) {
  file.onchange = async () => {
    const [chosen] = file.files;
    if (chosen && (await send("records", { record: await chosen.text() }))?.ok) location.reload();
    file.value = "";
  };
}
