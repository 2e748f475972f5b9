// The wizard: one step at a time, every step one tap away; the last step begins a match.

import { setUpGame } from "./begin.js";
import { live, told } from "./camera.js";
import { byId, find, findAll, make } from "./dom.js";
import { follow } from "./live.js";
import "./ruler.js";
import { ask, send } from "./send.js";

await setUpGame();
follow(() => {}, { stay: true });

const sections = findAll(document, ".step");
const titles = sections.map((section) => find(section, "h2"));
const back = byId("back", HTMLButtonElement);
const next = byId("next", HTMLButtonElement);
const buttons = titles.map(({ textContent }, index) => {
  const words = textContent ?? "";
  const button = make(
    "button",
    { className: "button small", type: "button", ariaLabel: `${index + 1}: ${words}` },
    make("b", {}, String(index + 1)),
    make("span", {}, words),
  );
  button.onclick = () => show(index, true);
  return button;
});
byId("steps").append(...buttons.map((button) => make("li", {}, button)));
let at = 0;

/** @param {number} index @param {boolean} moved Whether the user moved there. */
function show(index, moved) {
  at = index;
  for (const [number, section] of sections.entries()) section.hidden = number !== at;
  for (const [number, button] of buttons.entries()) {
    if (number === at) button.setAttribute("aria-current", "step");
    else button.removeAttribute("aria-current");
  }
  back.disabled = at === 0;
  next.hidden = at === sections.length - 1;
  if (moved) titles[at].focus();
}
byId("walk").hidden = false;
back.onclick = () => show(at - 1, true);
next.onclick = () => show(at + 1, true);
const asked = titles.findIndex((title) => `#${title.id}` === location.hash);
show(Math.max(0, asked), false);

for (const button of findAll(document, "[data-box]")) {
  button.onclick = () => send("box", { do: button.dataset.box }, button);
}

const camera = byId("camera");
const step = camera.closest(".step");
let shown = "";
live(
  camera,
  () => step instanceof HTMLElement && !step.hidden,
  async () => {
    const health = await ask("health");
    if (health) tell(health);
  },
);

/** @param {Health} health */
function tell(health) {
  const { state, lines } = told(health);
  byId("health").textContent = state;
  if (lines.join() !== shown) byId("sends").replaceChildren(...lines.map((line) => make("li", {}, line)));
  shown = lines.join();
}
