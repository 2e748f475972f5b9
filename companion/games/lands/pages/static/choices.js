// Texts for the choices in this game's moves.

import { nameOf } from "../../static/board.js";
import { make } from "../../static/dom.js";
import { heard, say } from "../../static/live.js";
import { island } from "./map.js";
import { spaceName } from "./says.js";

/** The text for one value of a key; `null`: the default text. @param {string} key @param {any} value */
export function label(key, value) {
  if (["to", "seat"].includes(key) && Number.isInteger(value)) return nameOf(value);
  if (key === "cost" && value === null) return say("lands.cost.way");
  return null;
}

/**
 * Spaces have no names: they are chosen on the map.
 * @param {string} key
 * @param {any[]} values
 * @param {(space: string) => void} choose
 */
export function map(key, values, choose) {
  if (key !== "to" || values.some(Number.isInteger)) return null;
  return make("div", { class: "lands" }, island(heard.update.public, new Set(values), choose, spaceName));
}
