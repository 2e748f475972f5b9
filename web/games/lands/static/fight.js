// A fight with its two dice of twelve faces: what was thrown, what it would come to, and what may change it.

import { nameOf } from "../../static/board.js";
import { make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { sign } from "./says.js";

/**
 * @typedef {object} Fighter Who speaks in it, and how.
 * @property {Seat | null} own
 * @property {boolean} all
 * @property {number} grey What was chosen on the grey die before the red one is; 0 = nothing.
 * @property {(act: string) => Move[]} may
 * @property {(move: Move, pressed?: HTMLElement) => unknown} tell
 * @property {(key: string, inside: (Node | string)[], move: Move, className?: string) => HTMLElement} button
 * @property {(face: number) => void} choose Chooses a face of the grey die.
 * @typedef {(face: number, pressed: HTMLElement) => void} Touch
 * @typedef {"grey" | "red"} Colour
 */

const FACES = 12;

/** @param {Fight} fight @param {Fighter} by */
export function fightParts(fight, { own, all, grey, may, tell, button, choose }) {
  const rolls = may("roll").length > 0;
  const changes = may("change");
  const known = fight.defence !== null && fight.attack !== null && fight.life !== null;
  const left = known
    ? [make("p", {}, say("lands.fight.life", { n: Number(fight.life) - fight.wounds, m: fight.life }))]
    : [];
  const shifts = fight.grey ? fight.changes.filter((one) => one.have || (own !== fight.fighter && !all)) : [];
  const [accept] = may("accept");
  return [
    title(fight),
    ...left,
    make("div", { class: "dice" }, die("grey"), die("red")),
    ...(rolls ? [make("p", { class: "hint" }, say(grey ? "lands.fight.red" : "lands.fight.grey"))] : []),
    ...(fight.grey ? [make("p", { class: "outcome" }, say("lands.fight.now", { what: outcome(fight.now) }))] : []),
    ...(shifts.length ? [make("ul", { class: "changes" }, ...shifts.map(shift))] : []),
    ...(accept ? [button("accept", [say("lands.do.accept")], accept, "button main")] : []),
  ];

  /** What a touch of a face says; `null` where none says anything. @param {Colour} colour @returns {Touch | null} */
  function touchOf(colour) {
    if (rolls && colour === "grey") return choose;
    if (rolls)
      return grey ? (face, pressed) => tell({ do: "roll", by: fight.fighter, grey, red: face }, pressed) : null;
    const moves = changes.filter((move) => move[colour] !== undefined);
    if (!moves.length) return null;
    return (face, pressed) => {
      const move = moves.find((one) => one[colour] === face);
      if (move) tell(move, pressed);
    };
  }

  /** A die; from the enemy's number on it counts. A face can be touched where it may be said. @param {Colour} colour */
  function die(colour) {
    const thrown = fight[colour];
    const value = thrown || (colour === "grey" ? grey : 0);
    const bound = colour === "grey" ? fight.defence : fight.attack;
    const touch = touchOf(colour);
    const needs = bound === null ? say("lands.die.unknown") : say(`lands.die.${colour}.from`, { n: bound });
    const change = say(`lands.change.${colour === "grey" ? "wood" : "stone"}`);
    const name = say(`lands.die.${colour}`);
    const shown = make("b", { class: thrown ? "" : "open" }, value ? String(value) : "–");
    return make(
      "div",
      { class: `die of-${colour}`, role: "group", "aria-label": name },
      make("p", {}, shown, make("span", {}, name, make("small", {}, needs))),
      make("div", { class: "pips" }, ...pips(colour, value, bound, touch)),
      ...(touch && !rolls ? [make("small", {}, change)] : []),
    );
  }

  /** What a poison or a find would change. @param {Fight["changes"][number]} one */
  function shift(one) {
    const words = [sign(one.with), say(`lands.change.${one.with}`), " → ", outcome(one)];
    const move = changes.find((other) => other.with === one.with);
    return make("li", {}, move ? button(`change ${one.with}`, words, move) : make("span", {}, ...words));
  }
}

/** @param {Fight} fight */
function title({ fighter, card, lethal }) {
  const words = say("lands.fight.who", { who: nameOf(fighter), card_name: card });
  return make("h2", {}, sign("enemy"), words, ...(lethal ? [make("small", {}, say("lands.fight.lethal"))] : []));
}

/** @param {Colour} colour @param {number} value @param {number | null} bound @param {Touch | null} touch */
function pips(colour, value, bound, touch) {
  return Array.from({ length: FACES }, (_, index) => {
    const face = index + 1;
    const states = ["pip", bound !== null && face >= bound && "from", face === value && "shows"].filter(Boolean);
    const how = { class: states.join(" ") };
    if (!touch) return make("span", how, String(face));
    const key = { type: "button", "data-key": `${colour} ${face}`, "aria-pressed": face === value };
    const made = make("button", { ...how, ...key }, String(face));
    made.onclick = () => touch(face, made);
    return made;
  });
}

/** @param {Outlook} outlook */
function outcome({ hit, hurt, dead }) {
  const struck = say(dead ? "lands.out.dead" : hit ? "lands.out.hit" : "lands.out.miss");
  return `${struck}, ${say(hurt ? "lands.out.hurt" : "lands.out.safe")}`;
}
