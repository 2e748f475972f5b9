// The wizard: one step at a time, every step one tap away; what was done has a tick. The last step begins a match.

import { setUpGame } from "./begin.js";
import { live, told } from "./camera.js";
import { byId, find, findAll, icon, make, sprites } from "./dom.js";
import { follow } from "./live.js";
import "./ruler.js";
import { ask, send } from "./send.js";

await setUpGame();
follow(() => {}, { stay: true });

const DONE = "setup.done";
const LOOK_MS = 5000;
const sections = findAll(document, ".step");
const titles = sections.map((section) => find(section, "h2"));
const links = findAll(document, "#steps a");
const back = byId("back", HTMLButtonElement);
const next = byId("next", HTMLButtonElement);
const skip = byId("skip", HTMLButtonElement);
const done = new Set(JSON.parse(sessionStorage.getItem(DONE) ?? "[]")); // choosing a game loads this page anew
let at = 0;

/** @param {number} index @param {boolean} moved Whether the user moved there. */
function show(index, moved) {
  at = index;
  for (const [number, section] of sections.entries()) section.hidden = number !== at;
  for (const [number, link] of links.entries()) {
    link.parentElement?.classList.toggle("done", number !== at && done.has(titles[number].id));
    if (number === at) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  const { next: onwards, skip: later } = links[at].dataset;
  back.hidden = at === 0;
  next.hidden = skip.hidden = !onwards;
  next.textContent = onwards ?? "";
  skip.textContent = later ?? "";
  look();
  if (!moved) return;
  history.replaceState(null, "", `#${titles[at].id}`);
  titles[at].focus();
  scrollTo(0, 0);
}

for (const [number, link] of links.entries()) {
  link.onclick = (event) => {
    event.preventDefault();
    show(number, true);
  };
}
byId("walk").hidden = false;
back.onclick = () => show(at - 1, true);
skip.onclick = () => show(at + 1, true);
next.onclick = () => {
  done.add(titles[at].id);
  sessionStorage.setItem(DONE, JSON.stringify([...done]));
  show(at + 1, true);
};

for (const button of findAll(document, "[data-box]")) {
  button.onclick = () => send("box", { do: button.dataset.box }, button);
}

const camera = byId("camera");
const step = camera.closest(".step");
let shown = "";
live(camera, () => step instanceof HTMLElement && !step.hidden, look);
setInterval(look, LOOK_MS);

/** What the camera says, where it matters: beside its picture, and before a match begins. */
async function look() {
  if (document.hidden || !["see", "play"].includes(titles[at].id)) return;
  const health = await ask("health");
  if (health) tell(health);
}

/** @param {Health} health */
function tell(health) {
  const { state, good, lines } = told(health);
  byId("blind").hidden = good || Boolean(health.simulated);
  const facts = [{ words: state, good }, ...lines];
  if (JSON.stringify(facts) === shown) return;
  shown = JSON.stringify(facts);
  byId("told").replaceChildren(
    ...facts.map((fact, number) => {
      const sign = icon(`${sprites.symbols}#${fact.good ? "ok" : "ask"}`, "sign");
      const words = number ? make("span", { className: "more" }, fact.words) : make("b", {}, fact.words);
      return make("li", { className: fact.good ? "ok" : "ask" }, sign, make("span", {}, words));
    }),
  );
}

const asked = () => titles.findIndex((title) => `#${title.id}` === location.hash);
addEventListener("hashchange", () => asked() >= 0 && show(asked(), true));
show(Math.max(0, asked()), false);
scrollTo(0, 0); // the browser went to the step while all of them were in sight
