// The end on a television: who won and with how much, the best turn once more, and what comes next.

import { nameOf } from "./board.js";
import { bestTurn, countWords, ranking, record, winWords, wholeTree } from "./end.js";
import { byId, icon, make, mark, sprites } from "./dom.js";
import { currentMatch, say, signed, start } from "./live.js";
import { appear, calm } from "./motion.js";

const STEP_MS = 500; // between two cards of the best turn
const FIRST_MS = 900;
const LETTERS = 16; // of a title that fits a line

/** Returns the function that draws the end, when the match is over. @param {TableDraw} game @returns {Draw} */
export function finale(game) {
  const place = byId("end");
  const match = currentMatch();
  /** @type {string | null} */
  let drawn = null;

  return (update, fresh) => {
    const { standing } = update;
    place.hidden = !standing?.over;
    document.documentElement.classList.toggle("over", !place.hidden);
    const { winners, points, provisional, over } = standing ?? {};
    const state = over ? JSON.stringify([winners, points, provisional, update.seats]) : null;
    if (state === drawn) return;
    drawn = state;
    const hangs = update.asked.some((one) => one.hangs);
    if (standing?.over) draw(standing, update.signal === "over" ? update : (start.said ?? start.now), fresh, hangs);
  };

  /** @param {Standing} standing @param {Update} said @param {boolean} fresh @param {boolean} hangs */
  async function draw(standing, said, fresh, hangs) {
    const rows = ranking(standing, match.scored);
    const won = rows.filter(({ seat }) => standing.winners.includes(seat));
    const counts = new Set(won.map(({ count }) => count));
    const total = counts.size === 1 && match.scored ? won[0]?.count : null;
    const words = winWords(standing, said).replace(/\.$/, "");
    const size = words.length > 2 * LETTERS ? "longer" : words.length > LETTERS ? "long" : "";
    const title = make("h2", { className: size }, words);
    const crown = make("p", { className: "crown" }, icon(`${sprites.symbols}#trump`, "cup"), place.dataset.title ?? "");
    const points = make("span", { className: "points" }, total == null ? "" : signed(total));
    if (points.textContent && points.textContent.length > 2) points.classList.add("wide");
    const signs = won.map(({ seat }) => mark(seat));
    const marks = make("span", { className: signs.length > 2 ? "marks many" : "marks" }, ...signs);
    const tied = won.length > 1 && said.texts.length > 0;
    const one = won.length === 1 ? `seat-${won[0].seat}` : "shared";
    const rest = rows.filter(({ seat }) => !standing.winners.includes(seat));
    const counted = (/** @type {number} */ count) => (match.scored ? signed(count) : countWords(count, false));
    const others = rest.map(({ seat, count }) =>
      make(
        "li",
        {},
        mark(seat),
        make("span", { className: "name" }, nameOf(seat)),
        make("span", { className: match.scored ? "points" : "how" }, count === null ? "" : counted(count)),
      ),
    );
    const left = make(
      "div",
      { className: match.scored ? "finale" : "finale plain" },
      crown,
      title,
      ...(won.length ? [make("p", { className: `total ${one}` }, marks, points)] : []),
      ...(tied ? [make("p", { className: "how" }, say(match.scored ? "end.tie" : "end.shared"))] : []),
      ...(hangs ? [make("p", { className: "how" }, say("provisional"))] : []),
      ...(others.length ? [make("ol", { className: others.length > 4 ? "rest many" : "rest" }, ...others)] : []),
    );
    const below = make("div", { className: "best-turn plain" }, next());
    place.replaceChildren(left, below);
    game.ended?.(standing.winners, null, []);

    const shown = match.silent && !standing.provisional; // a Stop! may still change the end
    const told = match.scored || shown ? await record() : null;
    if (!told || drawn === null) return;
    if (shown) await wholeTree(told.entries);
    if (!match.scored) return;
    crown.append(`, ${say("end.turns", { n: told.turns })}`);
    const best = bestTurn(told.entries);
    if (!best) return;
    best.entries = best.entries.filter((entry) => entry.points);
    game.ended?.(standing.winners, best, told.entries);
    const about = make("h2", {}, say("end.best.points", { n: best.points }));
    about.append(make("small", {}, say("end.best.who", { who: nameOf(best.seat), n: best.turn })));
    const steps = (game.story?.(best) ?? []).map(({ face, words: name }) => {
      return make("li", {}, ...(face ? [face] : []), make("span", {}, name));
    });
    below.classList.remove("plain");
    below.classList.add(`seat-${best.seat}`);
    below.prepend(about, make("ol", {}, ...steps));
    if (!fresh || calm()) return;
    const cells = [...document.querySelectorAll(".table .best")];
    const at = (/** @type {Element} */ cell) => Number(cell.querySelector(".step")?.textContent ?? 0);
    cells.sort((a, b) => at(a) - at(b)).forEach((cell, nth) => appear(cell, FIRST_MS + nth * STEP_MS));
    steps.forEach((step, nth) => {
      const times = { duration: 240, delay: FIRST_MS + nth * STEP_MS, fill: /** @type {FillMode} */ ("backwards") };
      step.animate([{ opacity: 0.15 }, { opacity: 1 }], times);
    });
    if (typeof total === "number" && standing.winners.includes(best.seat)) {
      countUp(points, best.entries.map((entry) => entry.points ?? 0), total);
    }
  }

  // What the best turn brought is counted in, card by card.
  /** @param {HTMLElement} points @param {number[]} gains @param {number} total */
  function countUp(points, gains, total) {
    let sum = total - gains.reduce((a, b) => a + b, 0);
    points.textContent = signed(sum);
    gains.forEach((gain, nth) => {
      setTimeout(() => {
        sum += gain;
        points.textContent = signed(sum);
      }, FIRST_MS + 150 + nth * STEP_MS);
    });
  }

  // No seconds: a table whose visitors read the end waits longer than one that plays alone.
  function next() {
    return make("p", { className: "next-match" }, make("span", {}, say(match.simulated ? "end.soon" : "end.start")));
  }
}
