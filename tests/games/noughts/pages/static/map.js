import { shape } from "../../static/svg.js";

export { shape };

// Each thing in its cell.
export function drawMap(map, cards) {
  const cells = {};
  for (const { id, x, y } of cards.filter((card) => card.x !== undefined)) {
    const name = shape("text", { x: 40 * x + 20, y: 40 * y + 25, "text-anchor": "middle" });
    name.textContent = id;
    map.append((cells[id] = shape("g", { class: "cell", "data-cell": `${x} ${y}` }, name)));
  }
  const { x, y, width, height } = map.getBBox();
  map.setAttribute("viewBox", `${x - 8} ${y - 8} ${width + 16} ${height + 16}`);
  return cells;
}
