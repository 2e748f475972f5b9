// A stored match at any of its moments, and as a film.

import { byId, find, findAll, findOptional, jsonOf, shape, sprites, targetOf } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { follow, gameScript, say } from "./live.js";
import { send } from "./send.js";

/**
 * @typedef {object} Moment The match after one of its entries.
 * @property {number} number
 * @property {string} time
 * @property {string} text
 * @property {string} points
 * @property {string | null} came The card that was placed.
 * @property {string | null} went
 * @property {string | null} refused
 * @property {string[]} lacks The missing prerequisites of the refused card.
 * @property {boolean} fault
 * @property {boolean} scored
 */

const PACE_MS = 1100; // for a moment that changes the table; the others are shorter
const QUIET_MS = 250;

/** @type {{ drawMap: (map: SVGElement, cards: StoredCard[]) => Record<string, Element> }} */
const { drawMap } = await gameScript(find(document, "[data-game]").dataset.game ?? "", "map.js");

/** @type {{ moments: Moment[], cards: StoredCard[], xs: number[] }} */
const { moments, cards, xs } = jsonOf("moments");
const replay = byId("replay");
const scrub = byId("scrub", HTMLInputElement);
const then = byId("then");
const playing = byId("playing");
const cursor = findOptional(document, ".cursor", SVGElement);
const cells = drawMap(byId("map", SVGElement), cards);
let timer = 0;

function show() {
  const place = Number(scrub.value);
  const now = moments[place];
  const laid = new Set();
  for (const moment of moments.slice(0, place + 1)) {
    if (moment.came) laid.add(moment.came);
    if (moment.went) laid.delete(moment.went);
  }
  for (const [id, cell] of Object.entries(cells)) {
    const state = id === now.refused ? "refused" : laid.has(id) ? "laid" : now.lacks.includes(id) ? "missing" : "";
    cell.setAttribute("class", `cell era-${id[0]} ${state} ${now.came === id ? "lit" : ""}`);
  }
  find(then, ".clock").textContent = now.time;
  find(then, ".what").textContent = now.text;
  then.classList.toggle("fault", now.fault);
  byId("stand").textContent = now.points;
  scrub.setAttribute("aria-valuetext", [now.time, now.text, now.points].filter(Boolean).join(" "));
  if (cursor && xs.length) {
    cursor.removeAttribute("hidden");
    cursor.setAttribute("d", `M${xs[place]} 22V220`);
  }
}

/** @param {number} place */
function go(place) {
  scrub.value = String(place);
  show();
}

// The address contains the moment, so that it can be shared.
function note() {
  history.replaceState(null, "", `#entry-${moments[Number(scrub.value)].number}`);
}

function play() {
  if (Number(scrub.value) === moments.length - 1) go(0);
  setPlaying(true);
  wait();
}

function wait() {
  const { came, went, fault } = moments[Number(scrub.value)];
  const speed = Number(byId("speed", HTMLSelectElement).value);
  timer = setTimeout(step, (came || went || fault ? PACE_MS : QUIET_MS) / speed);
}

function step() {
  go(Number(scrub.value) + 1);
  if (Number(scrub.value) < moments.length - 1) wait();
  else stop();
}

function stop() {
  clearTimeout(timer);
  if (isPlaying()) note();
  setPlaying(false);
}

function isPlaying() {
  return playing.getAttribute("aria-pressed") === "true";
}

/** @param {boolean} on */
function setPlaying(on) {
  playing.setAttribute("aria-pressed", String(on));
  find(playing, "span").textContent = say(on ? "replay.pause" : "replay.play");
  find(playing, "use", SVGElement).setAttribute("href", `${sprites.symbols}#${on ? "wait" : "turn"}`);
  then.setAttribute("aria-live", on ? "off" : "polite"); // a screen reader could not keep up with a film
}

const toggle = () => (isPlaying() ? stop() : play());
/** @type {Record<string, (moment: Moment) => boolean>} */
const WANTED = { refusal: (moment) => moment.fault, points: (moment) => moment.scored };

/** Goes to the next moment of this kind, after the last to the first. @param {string} kind */
function jump(kind) {
  stop();
  const from = Number(scrub.value);
  const places = moments.flatMap((moment, place) => (WANTED[kind](moment) ? [place] : []));
  if (!places.length) return;
  go(places.find((place) => place > from) ?? places[0]);
  note();
}

function toAddress() {
  const number = Number(location.hash.match(/^#entry-(\d+)$/)?.[1]);
  const place = moments.findIndex((moment) => moment.number === number);
  if (place < 0) return;
  stop();
  go(place);
  replay.scrollIntoView({ block: "start" });
}

playing.onclick = toggle;
for (const button of findAll(replay, "[data-jump]", HTMLButtonElement)) {
  const kind = button.dataset.jump ?? "";
  button.disabled = !moments.some(WANTED[kind]);
  button.onclick = () => jump(kind);
}
scrub.oninput = () => {
  stop();
  show();
};
scrub.onchange = note;
replay.onkeydown = (/** @type {KeyboardEvent} */ event) => {
  const { tagName } = targetOf(event);
  if (event.ctrlKey || event.metaKey || event.altKey || tagName === "SELECT") return;
  if (event.key === "r") jump("refusal");
  else if (event.key === "p") jump("points");
  else if (event.key === " " && tagName !== "BUTTON") toggle();
  else return;
  event.preventDefault();
};
addEventListener("hashchange", toAddress);
if (moments.length) {
  show();
  toAddress();
}
follow(() => {}, { stay: true });

// The disputed card, cut out of its picture; pictures are loaded when they become visible.
const near = new IntersectionObserver(
  (seen) => {
    for (const { target, isIntersecting } of seen) {
      if (!isIntersecting || !(target instanceof SVGElement)) continue;
      near.unobserve(target);
      const { size = "", cut = "" } = target.dataset;
      const [width, height] = size.split(" ");
      target.prepend(shape("image", { href: cut, width, height }));
    }
  },
  { rootMargin: "200px" },
);
for (const cut of findAll(document, "[data-cut]", SVGElement)) near.observe(cut);

for (const button of findAll(document, "[data-misread]")) {
  const { misread, match } = button.dataset; // another match may begin while this page is read
  holdToConfirm(button, async () => {
    const correction = { do: "camera-was-wrong", number: Number(misread), match };
    if ((await send("corrections", correction, button))?.ok) location.reload();
  });
}
