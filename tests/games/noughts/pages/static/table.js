import { find } from "../../static/dom.js";
import { drawMap } from "./map.js";

/** @param {HTMLElement} place @returns {Draw} */
export function draw(place) {
  const map = find(place, "svg", SVGSVGElement);
  return ({ public: view }) => {
    /** @type {Record<string, number[]>} */
    const cells = view?.cells ?? {};
    map.replaceChildren();
    drawMap(
      map,
      Object.entries(cells).map(([id, [x, y]]) => ({ id, x, y })),
    );
  };
}
