// Texts for the choices in this game's moves.

import { say } from "../../static/live.js";

/** The text for one value of a key; `null`: the default text. @param {string} key @param {any} value */
export function label(key, value) {
  return key === "jewel" ? say(`darwinci.jewel.${value}`) : null;
}
