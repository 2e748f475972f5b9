// The table of a game without pages of its own.

import { find } from "../../static/dom.js";
import { drawMap } from "./map.js";

/** @param {HTMLElement} place @returns {Draw} */
export function draw(place) {
  const map = find(place, "svg", SVGSVGElement);
  return ({ public: view }) => {
    map.replaceChildren();
    drawMap(map, view?.things ?? []);
  };
}
