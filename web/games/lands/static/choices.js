// Words for what a move of this game is about.

import { cardName, nameOf } from "../../static/board.js";
import { say } from "../../static/live.js";

/** Words for one of the choices for a key; `null`: the usual words will do. @param {string} key @param {any} value */
export function label(key, value) {
  if (key === "card") return cardName(value);
  if (["to", "seat"].includes(key) && Number.isInteger(value)) return nameOf(value);
  if (key === "cost" && value === null) return say("lands.cost.way");
  return null;
}
