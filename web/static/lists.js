// What a board lists: open questions, what to move, what the camera cannot read, and what happened.

import { because } from "./board.js";
import { find, icon, make, mark, shape, sprites } from "./dom.js";
import { say, start } from "./live.js";

const LOG_LINES = 40;
const GUIDE_LINES = 4;
const UNIT = { width: 40, height: 24 }; // the field, in units of the drawing

/** Returns the function that draws the lists of this page, after its board. @returns {Draw} */
export function lists() {
  const log = document.getElementById("log");
  if (log && matchMedia("(min-width: 1200px)").matches) log.parentElement?.setAttribute("open", "");
  return (update) => {
    showQuestions(newestOfEach(update.asked));
    showGuide(update.guide ?? []);
    showUnread(update.unread ?? []);
    const lines = start.log.filter((one) => one.texts.length).slice(-LOG_LINES);
    log?.replaceChildren(...lines.reverse().map(logLine));
  };
}

/** Of equal questions about two cards only the newest is shown. @param {Question[]} questions */
function newestOfEach(questions) {
  return questions.filter((one, index) => !questions.slice(index + 1).some((later) => later.text === one.text));
}

/** @param {Question[]} questions */
function showQuestions(questions) {
  const place = document.getElementById("questions");
  if (!place) return;
  const shown = questions.map((one) => `${one.number}${one.hangs ? "?" : ""}`).join();
  if (place.dataset.shown === shown) return;
  place.dataset.shown = shown;
  place.replaceChildren(...questions.map(question));
}

/** @param {Question} one */
function question(one) {
  const { role, seat } = start.me;
  const answers = one.answers.map((answer, index) => {
    const own = role === "host" || (seat && (!answer.seats.length || answer.seats.includes(seat)));
    if (!own) return make("span", { className: "answer" }, answer.text);
    const button = make("button", { className: "button", type: "button" }, answer.text);
    button.onclick = async () => {
      const { send } = await import("./send.js"); // who only watches needs none
      send("answers", { question: one.number, answer: index }, button);
    };
    return button;
  });
  const hangs = one.hangs ? [make("small", {}, say("provisional"))] : [];
  const words = make("div", {}, make("p", {}, one.text), ...hangs, make("div", { className: "answers" }, ...answers));
  return make("section", { className: "question" }, icon(`${sprites.symbols}#ask`, "sign"), words);
}

/**
 * Marks the places of unreadable things while they are there; no answer is needed.
 * @param {UnreadPlace[]} places
 */
function showUnread(places) {
  const section = document.getElementById("unread");
  if (!section) return;
  section.hidden = !places.length;
  const spots = places.map(({ at: [x, y] }) => shape("circle", { cx: UNIT.width * x, cy: UNIT.height * y, r: 2.6 }));
  find(section, "svg", SVGElement).replaceChildren(find(section, "rect", SVGElement), ...spots);
  const sentences = new Set(places.map(({ text }) => text));
  find(section, "ul").replaceChildren(...[...sentences].map((text) => make("li", {}, text)));
}

/** @type {string[]} */
const guideLines = [];

/**
 * What to move: each line is ticked off when done, and the list disappears when all are.
 * @param {string[]} steps
 */
function showGuide(steps) {
  const place = document.getElementById("guide");
  if (!place) return;
  place.hidden = !steps.length;
  if (!steps.length) guideLines.length = 0;
  // Things that look alike have equal lines: each is a line of its own.
  const left = [...steps];
  for (const line of guideLines) if (left.includes(line)) left.splice(left.indexOf(line), 1);
  guideLines.push(...left);
  const open = [...steps];
  const lines = guideLines.map((step) => {
    const at = open.indexOf(step);
    if (at >= 0) open.splice(at, 1);
    return guideLine(step, at < 0);
  });
  // The television shows only how many steps there are.
  if (document.documentElement.classList.contains("tv") && steps.length > GUIDE_LINES) {
    const first = lines.filter((line) => !line.classList.contains("done")).slice(0, GUIDE_LINES - 1);
    lines.splice(0, lines.length, ...first, make("li", {}, say("guide.more", { n: steps.length - first.length })));
  }
  find(place, "ul").replaceChildren(...lines);
}

/** @param {string} step @param {boolean} done */
function guideLine(step, done) {
  const tick = done ? [make("span", { className: "unseen" }, say("guide.done"))] : [];
  const sign = icon(`${sprites.symbols}#${done ? "ok" : "turn"}`);
  return make("li", { className: done ? "done" : "" }, sign, make("span", {}, step), ...tick);
}

/** What happened, with the symbol of the seat and the reasons in small print. @param {LogLine} line */
function logLine(line) {
  const seat = line.entry?.move?.by;
  const sign = logSign(line);
  const [said, ...why] = line.texts;
  return make(
    "li",
    {},
    seat ? mark(seat) : make("span", { className: "mark" }),
    make(
      "span",
      {},
      ...(sign ? [icon(`${sprites.symbols}#${sign}`, `icon ${sign}`), " "] : []),
      said,
      ...(why.length ? [make("small", {}, ` ${why.join(" ")}`)] : []),
      ...because(line.why),
    ),
  );
}

/** @param {LogLine} line */
function logSign({ signal, entry }) {
  if (entry?.event === "refused") return "no";
  if (signal === "over" || signal === "prize") return "trump";
  return entry?.move?.do === "stop" ? "no" : null;
}
