// The Wi-Fi of the house: the host names it, and the box joins it.

import { say } from "./live.js";
import { send } from "./send.js";

const LOOK_MS = 3000;
const place = document.getElementById("wifi");
if (place) begin();

function begin() {
  const part = (name) => place.querySelector(`[data-${name}]`);
  const form = place.querySelector("form");
  const fields = form.elements;
  let timer = 0;
  let drawn = "";
  let waits = false;

  place.ontoggle = look;
  fields.network.onchange = choose;
  fields.readable.onchange = () => (fields.password.type = fields.readable.checked ? "text" : "password");
  form.onsubmit = join;
  if (location.hash === "#wifi") place.open = true;

  // While the box changes from one Wi-Fi to another nobody answers.
  async function look() {
    clearTimeout(timer);
    if (!place.open) return;
    const answer = await fetch("/api/v1/wifi", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) show(await answer.json());
    if (waits) timer = setTimeout(look, LOOK_MS);
  }

  function show(now) {
    waits = now.state === "working";
    part("where").textContent = now.own ? say("wifi.own") : now.now ? say("wifi.now", { what: now.now }) : say("wifi.none");
    part("last").textContent = now.last ?? "";
    form.hidden = part("before").hidden = waits;
    part("going").hidden = !waits;
    const names = JSON.stringify(now.networks);
    if (names === drawn) return;
    drawn = names;
    fields.network.replaceChildren(
      ...now.networks.map((one) => option(one.name, one.secured ? "yes" : "no", one.secured ? one.name : say("wifi.open", { what: one.name }))),
      option("", "yes", say("wifi.other")),
    );
    choose();
  }

  function option(value, secured, text) {
    const made = new Option(text, value);
    made.dataset.secured = secured;
    return made;
  }

  function choose() {
    const chosen = fields.network.selectedOptions[0];
    part("other").hidden = chosen.value !== "";
    for (const one of place.querySelectorAll("[data-secret]")) one.hidden = chosen.dataset.secured === "no";
  }

  async function join(event) {
    event.preventDefault();
    const listed = fields.network.value;
    const name = listed || fields.name.value.trim();
    const password = fields.network.selectedOptions[0].dataset.secured === "no" ? "" : fields.password.value;
    const outcome = await send("wifi", { name, password }, form.querySelector("button"));
    if (!outcome) return;
    part("why").textContent = outcome.ok ? "" : document.getElementById("note").textContent; // which may be out of sight
    if (!outcome.ok) return;
    fields.password.value = "";
    part("going").textContent = say("wifi.going", { what: name, where: outcome.body.address });
    show(outcome.body);
    timer = setTimeout(look, LOOK_MS);
  }
}
