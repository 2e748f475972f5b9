import { shape, text } from "../../static/dom.js";

/**
 * Each thing in its cell.
 * @param {SVGGraphicsElement} map
 * @param {StoredCard[]} cards
 */
export function drawMap(map, cards) {
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const { id, x, y } of cards) {
    if (x === undefined || y === undefined) continue;
    const name = text(id, { x: 40 * x + 20, y: 40 * y + 25, "text-anchor": "middle" });
    cells[id] = shape("g", { class: "cell", "data-cell": `${x} ${y}` }, name);
    map.append(cells[id]);
  }
  const { x, y, width, height } = map.getBBox();
  map.setAttribute("viewBox", `${x - 8} ${y - 8} ${width + 16} ${height + 16}`);
  return cells;
}
