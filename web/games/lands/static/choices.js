// Texts for the choices in this game's moves.

import { cardName, nameOf } from "../../static/board.js";
import { say } from "../../static/live.js";

/** The text for one value of a key; `null`: the default text. @param {string} key @param {any} value */
export function label(key, value) {
  if (key === "card") return cardName(value);
  if (["to", "seat"].includes(key) && Number.isInteger(value)) return nameOf(value);
  if (key === "cost" && value === null) return say("lands.cost.way");
  return null;
}
