// The wizard: one step at a time, every step a tap away; its last step is the form that begins a match.

import { make } from "./board.js";
import { live, told } from "./camera.js";
import { confirmed } from "./confirm.js";
import { follow, say } from "./live.js";
import "./ruler.js";
import { send } from "./send.js";

const form = document.getElementById("setup");
const { setUp } = await import(new URL(`../games/${form.dataset.game}/setup.js`, import.meta.url));
setUp(form, say, async (match, button) => {
  if (await confirmed() && (await send("matches", { match }, button))?.ok) location.assign("/host");
});
follow(() => {}, { stay: true });

const sections = [...document.querySelectorAll(".step")];
const back = document.getElementById("back");
const next = document.getElementById("next");
const buttons = sections.map((section, index) => {
  const button = make("button", { className: "button small", type: "button", ariaLabel: `${index + 1}: ${section.querySelector("h2").textContent}` }, make("b", {}, String(index + 1)), make("span", {}, section.querySelector("h2").textContent));
  button.onclick = () => show(index, true);
  return button;
});
document.getElementById("steps").append(...buttons.map((button) => make("li", {}, button)));
let at = 0;

function show(index, moved) {
  at = index;
  sections.forEach((section, number) => (section.hidden = number !== at));
  buttons.forEach((button, number) => (number === at ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current")));
  back.disabled = at === 0;
  next.hidden = at === sections.length - 1;
  if (moved) sections[at].querySelector("h2").focus();
}
document.getElementById("walk").hidden = false;
back.onclick = () => show(at - 1, true);
next.onclick = () => show(at + 1, true);
show(Math.max(0, sections.findIndex((section) => `#${section.querySelector("h2").id}` === location.hash)), false);

for (const button of document.querySelectorAll("[data-box]")) button.onclick = () => send("box", { do: button.dataset.box }, button);

const camera = document.getElementById("camera");
const health = document.getElementById("health");
live(camera, () => !camera.closest(".step").hidden, async () => {
  const answer = await fetch("/api/v1/health", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) tell(await answer.json());
});

function tell(now) {
  const { state, lines } = told(now);
  health.textContent = state;
  if (lines.join() !== shown) document.getElementById("sends").replaceChildren(...lines.map((line) => make("li", {}, line)));
  shown = lines.join();
}
let shown = "";
