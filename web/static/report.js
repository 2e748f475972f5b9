// A stored match at any of its moments, and as a film.

import { byId, find, findAll, findOptional, jsonOf, last, shape, sprites, targetOf } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { follow, gameScript, say, signed } from "./live.js";
import { send } from "./send.js";

/**
 * @typedef {object} Moment The match after one of its entries.
 * @property {number} number
 * @property {string} time
 * @property {string} text
 * @property {number[]} scores The points of all seats.
 * @property {Seat} seat
 * @property {number} gain
 * @property {string | null} came The card that was placed.
 * @property {string | null} went
 * @property {string | null} refused
 * @property {string[]} lacks The missing prerequisites of the refused card.
 * @property {boolean} fault
 */

const PACE_MS = 1100; // for a moment that changes the table; the others are shorter
const QUIET_MS = 250;

/** @type {{ drawMap: (map: SVGElement, cards: StoredCard[], named: boolean) => Record<string, Element> }} */
const { drawMap } = await gameScript(find(document, "[data-game]").dataset.game ?? "", "map.js");

/** @type {{ moments: Moment[], cards: StoredCard[], xs: number[], turns: number[], first: number | null }} */
const { moments, cards, xs, turns, first } = jsonOf("moments");
const dock = byId("dock");
const scores = findAll(byId("stand"), "[data-seat]");
const list = find(document, ".moves");
const lines = findAll(list, "[data-place]");
const later = findOptional(document, ".later", SVGElement);
const scrub = byId("scrub", HTMLInputElement);
const then = byId("then");
const playing = byId("playing");
const cursor = findOptional(document, ".cursor", SVGElement);
const cells = drawMap(byId("map", SVGElement), cards, true);
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
  find(then, ".clock").textContent = byId("clock").textContent = now.time;
  find(then, ".what").textContent = now.text;
  find(then, ".gain").textContent = now.gain ? `+${now.gain}` : "";
  then.classList.toggle("fault", now.fault);
  for (const row of scores) {
    const seat = Number(row.dataset.seat);
    row.classList.toggle("acts", seat === now.seat);
    const points = findOptional(row, ".points");
    if (points) points.textContent = signed(now.scores[seat - 1] ?? 0);
  }
  showLine(place);
  scrub.setAttribute("aria-valuetext", [now.time, now.text].filter(Boolean).join(" "));
  if (!cursor || !later || !xs.length) return;
  cursor.removeAttribute("hidden");
  cursor.setAttribute("d", `M${xs[place]} 22V220`);
  later.setAttribute("x", String(xs[place]));
  later.setAttribute("width", String(Math.max(0, xs[xs.length - 1] - xs[place])));
}

/** Marks the line of this moment, or the one before it. @param {number} place */
function showLine(place) {
  const here = last(lines, (one) => Number(one.dataset.place) <= place);
  for (const one of lines) {
    one.classList.toggle("now", one === here);
    one.classList.toggle("later", Number(one.dataset.place) > place);
    if (one === here) one.setAttribute("aria-current", "true");
    else one.removeAttribute("aria-current");
  }
  // Only the list scrolls, never the page.
  if (here) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** @param {number} place */
function go(place) {
  scrub.value = String(place);
  show();
}

// The address contains the moment, so that it can be shared.
function note() {
  history.replaceState(null, "", `#move=${moments[Number(scrub.value)].number}`);
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
  find(playing, "use", SVGElement).setAttribute("href", `${sprites.symbols}#${on ? "pause" : "play"}`);
  then.setAttribute("aria-live", on ? "off" : "polite"); // a screen reader could not keep up with a film
}

const toggle = () => (isPlaying() ? stop() : play());
/** @type {Record<string, (moment: Moment, place: number) => boolean>} */
const WANTED = { refusal: (moment) => moment.fault, turn: (_moment, place) => turns.includes(place) };

/** Goes to the next moment of this kind, after the last to the first. @param {string} kind */
function jump(kind) {
  stop();
  const from = Number(scrub.value);
  const places = moments.flatMap((moment, place) => (WANTED[kind](moment, place) ? [place] : []));
  if (!places.length) return;
  go(places.find((place) => place > from) ?? places[0]);
  note();
}

function toAddress() {
  const number = Number(location.hash.match(/^#(?:move=|entry-)(\d+)$/)?.[1]);
  const place = moments.findIndex((moment) => moment.number === number);
  if (place < 0) return;
  stop();
  go(place);
  scrollTo({ top: 0 });
}

/** @param {number} by */
function walk(by) {
  stop();
  go(Math.min(Math.max(Number(scrub.value) + by, 0), moments.length - 1));
  note();
}

playing.onclick = toggle;
for (const button of findAll(dock, "[data-step]")) button.onclick = () => walk(Number(button.dataset.step));
for (const button of findAll(dock, "[data-jump]", HTMLButtonElement)) {
  const kind = button.dataset.jump ?? "";
  button.disabled = !moments.some(WANTED[kind]);
  button.onclick = () => jump(kind);
}
scrub.oninput = () => {
  stop();
  show();
};
scrub.onchange = note;
/** @type {Record<string, () => void>} */
const KEYS = { r: () => jump("refusal"), t: () => jump("turn"), ArrowLeft: () => walk(-1), ArrowRight: () => walk(1) };
addEventListener("keydown", (event) => {
  const on = targetOf(event);
  if (event.ctrlKey || event.metaKey || event.altKey || on.matches("select")) return;
  const act = event.key === " " && !on.closest("button, a, summary") ? toggle : KEYS[event.key];
  if (!act || (event.key === "t" && !turns.length)) return;
  event.preventDefault();
  act();
});
addEventListener("hashchange", toAddress);
if (moments.length) {
  if (first !== null) scrub.value = String(first);
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
