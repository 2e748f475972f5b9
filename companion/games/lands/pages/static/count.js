// The optional counters of a seat.

import { make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { DAMAGE, FATAL, KINDS, sign } from "./says.js";

const MOST_STAMINA = 12;
const MOST_TOKENS = 99;

/**
 * A row for the dial, each damage and each token, with buttons for one more and one less.
 * @param {Seat} seat
 * @param {Sheet} sheet
 * @param {(key: string, inside: string[], move: Move, className: string) => HTMLButtonElement} button
 */
export function counters(seat, { stamina, damage, resources }, button) {
  const free = FATAL - hurt(damage);
  return [
    row("stamina", stamina, MOST_STAMINA),
    ...DAMAGE.map((kind) => row(kind, damage[kind], damage[kind] + free)),
    ...KINDS.map((kind) => row(kind, resources[kind], MOST_TOKENS)),
  ];

  /** @param {string} kind @param {number} count @param {number} most */
  function row(kind, count, most) {
    const what = say(`lands.kind.${kind}`);
    /** @param {number} n @param {string} mark */
    const step = (n, mark) => {
      const move = { do: "count", by: seat, kind, n };
      const made = button(`count ${seat} ${kind} ${mark}`, [mark], move, "button small");
      made.setAttribute("aria-label", say("lands.count.to", { what, n }));
      made.disabled = n < 0 || n > most;
      return made;
    };
    const name = make("span", {}, sign(kind), what);
    const steps = [step(count - 1, "−"), make("b", {}, String(count)), step(count + 1, "+")];
    return make("div", { class: "row", role: "group", "aria-label": what }, name, ...steps);
  }
}

/** The move for a fourth, fatal damage. @param {Seat} seat @param {Sheet} sheet @returns {Move} */
export function dies(seat, { damage }) {
  return { do: "count", by: seat, kind: "skull", n: damage.skull + FATAL - hurt(damage) };
}

/** @param {Sheet["damage"]} damage */
function hurt(damage) {
  return DAMAGE.reduce((sum, kind) => sum + damage[kind], 0);
}
