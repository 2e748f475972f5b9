// Scores, turn, the last verdict and the open questions: what every page with a match shows.

import { say, start } from "./live.js";
import { send } from "./send.js";

const SIGNS = {
  // A card that was only seen gets no tick, which could be taken for "right".
  recognised: "cards", played: "ok", prize: "ok", settled: "ok", corrected: "ok", started: "ok", over: "ok", found: "ok", resumed: "ok",
  suspected: "no", refused: "no", misplaced: "ask", asks: "ask", paused: "wait", lost: "away", trouble: "away",
};
const STANDING = { refused: "no", disagrees: "ask", paused: "wait", lost: "away", trouble: "away" };
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

export function board() {
  const rows = [...document.querySelectorAll(".scores > li")];
  const aloud = document.getElementById("aloud");
  const log = document.getElementById("log");
  let before = null;

  return (update, fresh) => {
    const standing = update.standing;
    const changed = [];
    for (const row of rows) {
      const seat = Number(row.dataset.seat);
      if (!standing) continue;
      const points = row.querySelector("[data-points]");
      if (points) {
        if (before && before.points[seat - 1] !== standing.points[seat - 1]) changed.push(`${nameOf(seat)} ${standing.points[seat - 1]}`);
        count(points, before?.points[seat - 1] ?? standing.points[seat - 1], standing.points[seat - 1], fresh);
      }
      row.querySelector("[data-hand]").textContent = standing.hands[seat - 1];
      row.querySelector(".turn").hidden = standing.turn !== seat;
      row.classList.toggle("acts", standing.turn === seat);
      row.classList.toggle("won", standing.winners.includes(seat));
      row.classList.toggle("leads", leads(standing, seat));
      row.querySelector("[data-away]").hidden = !update.public?.away?.includes(seat);
    }
    before = standing ?? before;
    showVerdict(update);
    showQuestions(newestOfEach(update.asked));
    showGuide(update.guide ?? []);
    if (fresh && update.entry) start.log.push({ number: update.number, signal: update.signal, texts: update.texts, entry: update.entry });
    log?.replaceChildren(...start.log.slice(-12).reverse().filter((one) => one.texts.length).map((one) => make("li", {}, one.texts[0])));
    if (fresh) aloud.textContent = [update.texts[0], changed.join(", ")].filter(Boolean).join(" ");
  };
}

function leads(standing, seat) {
  const best = Math.max(...standing.points);
  return best > 0 && standing.points[seat - 1] === best;
}

function count(where, from, to, fresh) {
  if (!fresh || reducedMotion.matches || from === to || document.hidden) {
    where.textContent = to;
    return;
  }
  const began = performance.now();
  const step = (at) => {
    const done = Math.min(1, (at - began) / 250);
    where.textContent = Math.round(from + (to - from) * done);
    if (done < 1) requestAnimationFrame(step);
  };
  requestAnimationFrame(step);
  where.parentElement.classList.remove("moved");
  requestAnimationFrame(() => where.parentElement.classList.add("moved"));
}

function showVerdict(update) {
  const card = document.getElementById("verdict");
  if (!card) return;
  const headline = card.querySelector(".said");
  // One message at a time, the newest wins; what was settled without a word takes its message with it.
  if (update.texts.length) {
    headline.textContent = update.texts[0];
    const questionTexts = update.asked.map((one) => one.text);
    card.querySelector(".why").textContent = update.texts.slice(1).filter((text) => !questionTexts.includes(text)).join(" ");
  } else if (update.alert === "none") {
    headline.textContent = "";
    card.querySelector(".why").textContent = "";
  }
  if (update.texts.length) card.dataset.sign = SIGNS[update.signal] ?? "ok";
  // What stays until it is dealt with, behind whatever was said since.
  const lasting = STANDING[update.alert];
  const sign = headline.textContent ? card.dataset.sign : (lasting ?? "none");
  const standing = card.querySelector(".stays");
  standing.textContent = lasting && lasting !== (headline.textContent ? sign : "") ? say(`alert.${update.alert}`) : "";
  card.dataset.kind = sign;
  card.querySelector("use").setAttribute("href", `/static/symbols.svg#${sign === "none" ? "ok" : sign}`);
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
      return make("section", { className: "question" }, icon("/static/symbols.svg#ask", "sign"), make("div", {}, make("p", {}, one.text), make("div", { className: "answers" }, ...answers)));
    }),
  );
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
    return make("li", { className: done ? "done" : "" }, icon(`/static/symbols.svg#${done ? "ok" : "turn"}`), make("span", {}, text), ...(done ? [make("span", { className: "unseen" }, say("guide.done"))] : []));
  });
  place.querySelector("ul").replaceChildren(...lines);
}

// The game's own drawing, when the page has a place for it.
export async function table() {
  const place = document.querySelector("[data-script]");
  if (!place) return () => {};
  const game = await import(place.dataset.script);
  return game.draw(place, start, say);
}
