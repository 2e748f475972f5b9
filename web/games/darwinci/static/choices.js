// Words for what a move of this game is about.

import { say } from "../../static/live.js";

/** Words for one of the choices for a key; `null`: the usual words will do. @param {string} key @param {any} value */
export function label(key, value) {
  return key === "jewel" ? say(`darwinci.jewel.${value}`) : null;
}
