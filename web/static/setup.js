// The wizard: one step at a time, every step one tap away; what was done has a tick. The last step begins a match.

import { setUpGame } from "./begin.js";
import { live, told } from "./camera.js";
import { remember, remembered } from "./device.js";
import { byId, find, findAll, icon, make, sprites } from "./dom.js";
import { report } from "./faults.js";
import { follow } from "./live.js";
import "./ruler.js";
import { ask, send } from "./send.js";

follow(() => {}, { stay: true });
await setUpGame().catch((error) => report("game", error));

const DONE = "setup.done";
const LOOK_MS = 5000;
const sections = findAll(document, ".step");
const titles = sections.map((section) => find(section, "h2"));
const links = findAll(document, "#steps a");
const back = byId("back", HTMLButtonElement);
const next = byId("next", HTMLButtonElement);
const skip = byId("skip", HTMLButtonElement);
const done = new Set(JSON.parse(remembered(DONE, "tab") ?? "[]")); // choosing a game loads this page anew
const wizard = find(document, ".wizard");
const answers = byId("go-on");
let at = 0;
let sees = "sees" in wizard.dataset; // the camera sees the table, or the table is drawn
let without = "without" in wizard.dataset; // the host goes on without a picture
let begins = false; // the form of the last step is there: it stays when a hand covers a tag

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
  wait();
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
skip.onclick = async () => {
  if (titles[at].id !== "see" || sees || (await goOn(true))) show(at + 1, true);
};
find(answers, "button").onclick = () => goOn(true);
next.onclick = async () => {
  if (titles[at].id === "see" && without) await goOn(false);
  done.add(titles[at].id);
  remember(DONE, JSON.stringify([...done]), "tab");
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

/** Goes on without a picture, or no longer does; the table remembers it. @param {boolean} on */
async function goOn(on) {
  const outcome = await send("without-picture", { without: on });
  if (outcome?.ok) without = on;
  wait();
  return without === on;
}

/** Without a picture the way on is to say so. */
function wait() {
  const { id } = titles[at];
  next.disabled = id === "see" && !sees;
  skip.hidden = !next.textContent || (id === "see" && sees);
  begins ||= sees || without;
  byId("game").hidden = !begins;
  answers.hidden = begins;
}

/** What the camera says, where it matters: beside its picture, and before a match begins. */
async function look() {
  if (document.hidden || !["see", "play"].includes(titles[at].id)) return;
  const health = await ask("health");
  if (health) tell(health);
}

/** @param {Health} health */
function tell(health) {
  const { state, good, lines } = told(health);
  sees = good || Boolean(health.simulated);
  byId("blind").hidden = sees;
  wait();
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
