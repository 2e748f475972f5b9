// Texts for the choices in this game's moves.

import { nameOf } from "../../static/board.js";
import { currentMatch, say } from "../../static/live.js";

/**
 * The text for one value of a key; `null`: the default text.
 * @param {string} key
 * @param {any} value
 * @param {Partial<Move>} move The earlier choices.
 */
export function label(key, value, move) {
  if (key === "card" && /^F\d/.test(value)) {
    return say("carcassonne.follower", { n: value[2], who: nameOf(value[1]) });
  }
  if (key !== "segment") return null;
  const thing = currentMatch().cards.find((card) => card.id === move.tile);
  /** @type {Segment[]} */
  const segments = thing?.segments ?? [];
  const segment = segments[value - 1];
  if (!segment) return null;
  const twice = segments.filter((one) => one.terrain === segment.terrain).length > 1;
  return say(`carcassonne.terrain.${segment.terrain}`) + (twice ? ` (${edgeWords(segment)})` : "");
}

/** @param {Segment} segment */
function edgeWords({ edges }) {
  if (!edges) return say("carcassonne.inner");
  return [...edges].map((letter) => say(`carcassonne.side.${letter.toLowerCase()}`)).join(", ");
}
