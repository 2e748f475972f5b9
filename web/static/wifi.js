// The home Wi-Fi: the host chooses it, and the table's computer joins it.

import { byId, find, findAll, partsOf } from "./dom.js";
import { say } from "./live.js";
import { ask, send } from "./send.js";

const LOOK_MS = 3000;
const place = document.getElementById("wifi");
if (place instanceof HTMLDetailsElement) begin(place);

/** @param {HTMLDetailsElement} panel */
function begin(panel) {
  const part = partsOf(panel);
  const form = find(panel, "form", HTMLFormElement);
  const network = find(form, "[name=network]", HTMLSelectElement);
  const name = find(form, "[name=name]", HTMLInputElement);
  const password = find(form, "[name=password]", HTMLInputElement);
  const readable = find(form, "[name=readable]", HTMLInputElement);
  let timer = 0;
  let drawn = "";
  let waits = false;

  panel.ontoggle = look;
  network.onchange = choose;
  readable.onchange = () => (password.type = readable.checked ? "text" : "password");
  form.onsubmit = join;
  if (location.hash === "#wifi") panel.open = true;

  // While the computer changes to another Wi-Fi, it does not answer.
  async function look() {
    clearTimeout(timer);
    if (!panel.open) return;
    const now = await ask("wifi");
    if (now) show(now);
    if (waits) timer = setTimeout(look, LOOK_MS);
  }

  /** @param {WifiState} state */
  function show({ state, own, now, last, networks }) {
    waits = state === "working";
    part("where").textContent = own ? say("wifi.own") : now ? say("wifi.now", { what: now }) : say("wifi.none");
    part("last").textContent = last ?? "";
    form.hidden = part("before").hidden = waits;
    part("going").hidden = !waits;
    const names = JSON.stringify(networks);
    if (names === drawn) return;
    drawn = names;
    const listed = networks.map((one) => {
      return option(one.name, one.secured, one.secured ? one.name : say("wifi.open", { what: one.name }));
    });
    network.replaceChildren(...listed, option("", true, say("wifi.other")));
    choose();
  }

  /** @param {string} value @param {boolean} secured @param {string} text */
  function option(value, secured, text) {
    const made = new Option(text, value);
    made.dataset.secured = secured ? "yes" : "no";
    return made;
  }

  function isOpen() {
    return network.selectedOptions[0].dataset.secured === "no";
  }

  function choose() {
    part("other").hidden = network.value !== "";
    for (const one of findAll(panel, "[data-secret]")) one.hidden = isOpen();
  }

  /** @param {Event} event */
  async function join(event) {
    event.preventDefault();
    const wanted = network.value || name.value.trim();
    const body = { name: wanted, password: isOpen() ? "" : password.value };
    const outcome = await send("wifi", body, find(form, "button"));
    if (!outcome) return;
    part("why").textContent = outcome.ok ? "" : byId("note").textContent; // which may be out of sight
    if (!outcome.ok) return;
    password.value = "";
    part("going").textContent = say("wifi.going", { what: wanted, where: outcome.body.address });
    show(outcome.body);
    timer = setTimeout(look, LOOK_MS);
  }
}
