// Scores, turn, the last verdict and the open questions: what every page with a match shows.

import { say, signed, sprites, start } from "./live.js";
import { messages } from "./messages.js";
import { send } from "./send.js";

const SIGNS = {
  // A card that was only seen gets no tick, which could be taken for "right".
  recognised: "cards", played: "ok", prize: "ok", settled: "ok", corrected: "ok", started: "ok", over: "ok", found: "ok", resumed: "ok",
  suspected: "no", refused: "no", misplaced: "ask", asks: "ask", paused: "wait", lost: "away", trouble: "away",
};
const KIND_SIGNS = { stop: "no", win: "trump" };
const STANDING = { refused: "no", disagrees: "ask", paused: "wait", lost: "away", trouble: "away" };
const APART = new Set(["notice", "found"]); // no message of their own: see notice()
const LOG_LINES = 40;
const GUIDE_LINES = 4;
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export const nameOf = (seat) => start.match?.seats[seat - 1]?.name ?? "";

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

export function icon(href, className = "icon") {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", href);
  svg.append(use);
  return svg;
}

// The picture of a card, where there is one.
export function face(card) {
  return card?.face ? [icon(`${sprites.faces}#${card.face}`, "face")] : [];
}

export function board() {
  const rows = [...document.querySelectorAll(".scores > li")];
  const aloud = document.getElementById("aloud");
  const log = document.getElementById("log");
  const headline = messages();
  let before = null;
  if (log && matchMedia("(min-width: 1200px)").matches) log.parentElement.open = true;
  if (start.said) headline(start.said, true);
  // What was told apart before this page was opened waits in the log.
  if (APART.has(start.now.signal) && start.now.texts.length) start.log.push(start.now);

  return (update, fresh) => {
    const standing = update.standing;
    const changed = [];
    for (const row of rows) {
      const seat = Number(row.dataset.seat);
      if (!standing) continue;
      const points = row.querySelector("[data-points]");
      if (points) {
        if (before && before.points[seat - 1] !== standing.points[seat - 1]) changed.push(`${nameOf(seat)} ${signed(standing.points[seat - 1])}`);
        count(points, before?.points[seat - 1] ?? standing.points[seat - 1], standing.points[seat - 1], fresh);
      }
      const counter = row.querySelector("[data-hand]");
      counter.textContent = signed(standing[counter.dataset.hand][seat - 1]);
      row.querySelector(".turn").hidden = standing.turn !== seat;
      row.classList.toggle("acts", standing.turn === seat);
      row.classList.toggle("won", standing.winners.includes(seat));
      row.classList.toggle("leads", leads(standing, seat));
      row.querySelector("[data-away]").hidden = !update.public?.away?.includes(seat);
    }
    before = standing ?? before;
    if (fresh && update.entry) start.log.push({ number: update.number, signal: update.signal, texts: update.texts, entry: update.entry, why: update.why });
    if (fresh && APART.has(update.signal)) notice(update);
    showVerdict(headline(update, fresh), update);
    showQuestions(newestOfEach(update.asked));
    showGuide(update.guide ?? []);
    showUnread(update.unread ?? []);
    log?.replaceChildren(...start.log.filter((one) => one.texts.length).slice(-LOG_LINES).reverse().map(logLine));
    if (fresh) aloud.textContent = [update.texts[0], changed.join(", ")].filter(Boolean).join(" ");
  };
}

function leads(standing, seat) {
  const best = Math.max(...standing.points);
  return best > 0 && standing.points[seat - 1] === best;
}

function count(where, from, to, fresh) {
  if (!fresh || reducedMotion.matches || from === to || document.hidden) {
    where.textContent = signed(to);
    return;
  }
  const began = performance.now();
  const step = (at) => {
    const done = Math.min(1, (at - began) / 250);
    where.textContent = signed(Math.round(from + (to - from) * done));
    if (done < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  where.parentElement.classList.remove("moved");
  requestAnimationFrame(() => where.parentElement.classList.add("moved"));
}

// A word that is about no card stands apart for a moment, and waits in the log; whoever polls hears it once.
function notice({ number, signal, texts, unread = [] }) {
  const last = start.log.at(-1);
  if (last?.signal === signal && last.number === number && last.texts[0] === texts[0]) return;
  const told = start.log.flatMap((one) => one.texts);
  start.log.push({ number, signal, texts: texts.filter((text, place) => !place || !told.includes(text)) });
  if (unread.some((one) => one.text === texts[0])) return; // its own place on the page says it for as long as it is so
  if (!document.documentElement.classList.contains("overlay")) import("./toast.js").then(({ toast }) => toast(texts[0]), () => {});
}

// What happened, with the mark of who did it and the reasons in smaller words.
function logLine(one) {
  const seat = one.entry?.move?.by;
  const sign = one.entry?.event === "refused" ? "no" : one.signal === "over" || one.signal === "prize" ? "trump" : one.entry?.move?.do === "stop" ? "no" : null;
  const [said, ...why] = one.texts;
  return make(
    "li",
    {},
    seat ? icon(`${sprites.symbols}#s${seat}`, `mark seat-${seat}`) : make("span", { className: "mark" }),
    make("span", {}, ...(sign ? [icon(`${sprites.symbols}#${sign}`, `icon ${sign}`), " "] : []), said, ...(why.length ? [make("small", {}, ` ${why.join(" ")}`)] : []), ...because(one.why)),
  );
}

function showVerdict(shown, update) {
  const card = document.getElementById("verdict");
  if (!card) return;
  const questionTexts = update.asked.map((one) => one.text);
  card.querySelector(".said").textContent = shown?.texts[0] ?? "";
  const reasons = [...(shown?.texts.slice(1).filter((text) => !questionTexts.includes(text)) ?? []), about(shown, update)].filter(Boolean).join(" ");
  const links = because(shown?.why.length || update.alert !== "refused" ? shown?.why : openRefusal()?.why);
  const said = JSON.stringify([reasons, links.map((link) => link.href)]);
  const place = card.querySelector(".why");
  if (place.dataset.said !== said) place.replaceChildren(reasons, ...links); // else a link that has the focus would lose it
  place.dataset.said = said;
  // What stays until it is dealt with, behind whatever was said since.
  const lasting = STANDING[update.alert];
  const sign = shown ? (KIND_SIGNS[shown.kind] ?? (shown.entry?.event === "refused" ? "no" : shown.denial ? "info" : (SIGNS[shown.signal] ?? "ok"))) : (lasting ?? "none");
  card.querySelector(".stays").textContent = update.alert === "refused" ? stillThere(update) : lasting && (!shown || lasting !== sign) ? say(`alert.${update.alert}`) : "";
  card.dataset.kind = shown && shown.kind in KIND_SIGNS ? shown.kind : sign === "info" ? "wait" : sign;
  card.querySelector("use").setAttribute("href", `${sprites.symbols}#${sign === "none" ? "ok" : sign}`);
}

// A link to the first rule behind a refusal or a verdict; no screen without touch shows it.
function because(rules = []) {
  return rules.slice(0, 1).flatMap(({ rule, section }) => [" ", make("a", { className: "because", href: `/how#rule-${rule}` }, say(section ? "why.section" : "why", { where: section }))]);
}

// A Stop! says against what, as far as everybody saw it.
function about(shown, update) {
  if (shown?.entry?.move?.do !== "stop") return "";
  const number = shown.entry.move.number ?? update.public?.contest?.number;
  const move = start.log.find((one) => one.number === number)?.entry?.move;
  return move?.card ? say("stop.about", { who: nameOf(move.by), card_name: cardName(move.card) }) : "";
}

export function cardName(id) {
  return start.match?.cards.find((card) => card.id === id)?.name ?? id;
}

// The refused move that is still open, if the page knows it; usually a card that still lies there.
export function openRefusal(counts = (one) => one.signal === "refused") {
  const done = new Set(start.log.flatMap((one) => [one.entry?.settles, one.entry?.allows, one.entry?.strikes]));
  const last = start.log.findLast((one) => one.entry?.event === "refused" && counts(one));
  return last && !done.has(last.number) ? last : null;
}

// Who laid it, and what to do with it.
function stillThere() {
  const move = openRefusal()?.entry.move;
  if (!move?.card) return say("alert.refused");
  const words = { card_name: cardName(move.card), who: nameOf(move.by) };
  if (start.me.role === "host") return say("refused.host", words);
  return say(move.by === start.me.seat ? "refused.mine" : move.by ? "refused.by" : "refused.card", words);
}

// The same question about two cards is one question to people: the newest is asked.
function newestOfEach(questions) {
  return questions.filter((one, index) => !questions.slice(index + 1).some((later) => later.text === one.text));
}

function showQuestions(questions) {
  const place = document.getElementById("questions");
  if (!place) return;
  const numbers = questions.map((one) => one.number).join();
  if (place.dataset.shown === numbers) return;
  place.dataset.shown = numbers;
  place.replaceChildren(
    ...questions.map((one) => {
      const answers = one.answers.map((answer, index) => {
        const own = start.me.role === "host" || (start.me.seat && (!answer.seats.length || answer.seats.includes(start.me.seat)));
        if (!own) return make("span", { className: "answer" }, answer.text);
        const button = make("button", { className: "button", type: "button" }, answer.text);
        button.onclick = () => send("answers", { question: one.number, answer: index }, button);
        return button;
      });
      return make("section", { className: "question" }, icon(`${sprites.symbols}#ask`, "sign"), make("div", {}, make("p", {}, one.text), make("div", { className: "answers" }, ...answers)));
    }),
  );
}

// Where something lies that cannot be read: marked for as long as it lies there, and nobody has to answer.
function showUnread(places) {
  const section = document.getElementById("unread");
  if (!section) return;
  section.hidden = !places.length;
  const spots = places.map(({ at: [x, y] }) => {
    const spot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [name, value] of Object.entries({ cx: 40 * x, cy: 24 * y, r: 2.6 })) spot.setAttribute(name, value);
    return spot;
  });
  section.querySelector("svg").replaceChildren(section.querySelector("rect"), ...spots);
  section.querySelector("ul").replaceChildren(...places.map((one) => make("li", {}, one.text)));
}

// What to move: each line is ticked off when it is done, and the list goes when nothing is left.
const guideLines = [];

function showGuide(steps) {
  const place = document.getElementById("guide");
  if (!place) return;
  place.hidden = !steps.length;
  if (!steps.length) guideLines.length = 0;
  for (const text of steps) if (!guideLines.includes(text)) guideLines.push(text);
  const lines = guideLines.map((text) => {
    const done = !steps.includes(text);
    return make("li", { className: done ? "done" : "" }, icon(`${sprites.symbols}#${done ? "ok" : "turn"}`), make("span", {}, text), ...(done ? [make("span", { className: "unseen" }, say("guide.done"))] : []));
  });
  // Who sits on the sofa is told how much there is, not all of it.
  const open = steps.length;
  if (document.documentElement.classList.contains("tv") && open > GUIDE_LINES) {
    const first = lines.filter((line) => !line.classList.contains("done")).slice(0, GUIDE_LINES - 1);
    lines.splice(0, lines.length, ...first, make("li", {}, say("guide.more", { n: open - first.length })));
  }
  place.querySelector("ul").replaceChildren(...lines);
}

// The end of the match has a script of its own, which is fetched when it is needed.
export function ending() {
  let loaded = null;
  return (update) => {
    if (!loaded && !update.standing?.over) return;
    loaded ??= import("./end.js").then((end) => end.ending());
    loaded.then((draw) => draw(update)).catch(() => (loaded = null));
  };
}

// The game's own drawing, when the page has a place for it.
export async function table() {
  const place = document.querySelector("[data-script]");
  if (!place) return () => {};
  const game = await import(place.dataset.script);
  return game.draw(place, start, say);
}
