// The evening at any of its moments, and as a film.

import { holdToConfirm } from "./hold.js";
import { follow, say, sprites } from "./live.js";
import { send } from "./send.js";

const { drawMap, shape } = await import(new URL(`../games/${document.querySelector("[data-game]").dataset.game}/map.js`, import.meta.url));

const PACE_MS = 1100; // a moment that changes the table; the others pass quickly
const QUIET_MS = 250;

const { moments, cards, xs } = JSON.parse(document.getElementById("moments").textContent);
const replay = document.getElementById("replay");
const scrub = document.getElementById("scrub");
const then = document.getElementById("then");
const playing = document.getElementById("playing");
const cursor = document.querySelector(".cursor");
const cells = drawMap(document.getElementById("map"), cards);
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
  then.querySelector(".clock").textContent = now.time;
  then.querySelector(".what").textContent = now.text;
  then.classList.toggle("fault", now.fault);
  document.getElementById("stand").textContent = now.points;
  scrub.setAttribute("aria-valuetext", [now.time, now.text, now.points].filter(Boolean).join(" "));
  if (cursor && xs.length) {
    cursor.removeAttribute("hidden");
    cursor.setAttribute("d", `M${xs[place]} 22V220`);
  }
}

function go(place) {
  scrub.value = place;
  show();
}

// The address names the moment, so that it can be sent to somebody.
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
  timer = setTimeout(step, (came || went || fault ? PACE_MS : QUIET_MS) / Number(document.getElementById("speed").value));
}

function step() {
  go(Number(scrub.value) + 1);
  if (Number(scrub.value) < moments.length - 1) wait();
  else stop();
}

function stop() {
  clearTimeout(timer);
  if (playing.getAttribute("aria-pressed") === "true") note();
  setPlaying(false);
}

function setPlaying(on) {
  playing.setAttribute("aria-pressed", on);
  playing.querySelector("span").textContent = say(on ? "replay.pause" : "replay.play");
  playing.querySelector("use").setAttribute("href", `${sprites.symbols}#${on ? "wait" : "turn"}`);
  then.setAttribute("aria-live", on ? "off" : "polite"); // a film that is read aloud would never end
}

const toggle = () => (playing.getAttribute("aria-pressed") === "true" ? stop() : play());
const WANTED = { refusal: (moment) => moment.fault, points: (moment) => moment.scored };

// To the next one of its kind; after the last comes the first.
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
for (const button of replay.querySelectorAll("[data-jump]")) {
  button.disabled = !moments.some(WANTED[button.dataset.jump]);
  button.onclick = () => jump(button.dataset.jump);
}
scrub.oninput = () => {
  stop();
  show();
};
scrub.onchange = note;
replay.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  const act = { r: () => jump("refusal"), p: () => jump("points"), " ": event.target.tagName === "BUTTON" ? null : toggle }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
};
addEventListener("hashchange", toAddress);
if (moments.length) {
  show();
  toAddress();
}
follow(() => {}, { stay: true });

// The disputed card, cut out of its picture; a picture is fetched when it comes into sight.
const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    near.unobserve(target);
    const [width, height] = target.dataset.size.split(" ");
    target.prepend(shape("image", { href: target.dataset.cut, width, height }));
  }
}, { rootMargin: "200px" });
for (const cut of document.querySelectorAll("[data-cut]")) near.observe(cut);

for (const button of document.querySelectorAll("[data-misread]")) {
  const { misread, match } = button.dataset; // another match may begin while this page is read
  holdToConfirm(button, async () => (await send("corrections", { do: "camera-was-wrong", number: Number(misread), match }, button))?.ok && location.reload());
}
