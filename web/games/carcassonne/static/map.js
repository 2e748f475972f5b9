// Tiles as shapes: what the table, the pickers and the page of a stored match draw.

import { shape } from "../../static/svg.js";

export { shape };

export const sprites = document.documentElement.dataset;

export const SIDE = 100; // a tile's, in the units of the drawing

export const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // the place beside, by side: north, east, south, west
export const TERRAINS = ["mountain", "grassland", "sea"];

// A point of a tile, in tile widths from its own north-west corner, where it is when the tile is turned clockwise.
export function turned([x, y], quarters) {
  for (let n = 0; n < quarters; n += 1) [x, y] = [1 - y, x];
  return [x, y];
}

// The sides of the map, 0 = north, that a segment of a laid tile reaches.
export function sides(segment, turn) {
  return [...segment.edges].map((letter) => ("NESW".indexOf(letter) + turn) % 4);
}

export function points(area, tile) {
  return area.map((point) => turned(point, tile.turn)).map(([x, y]) => `${((tile.x + x) * SIDE).toFixed(1)},${((tile.y + y) * SIDE).toFixed(1)}`).join(" ");
}

// A drawn pattern for each terrain, so that nobody has to tell them by colour.
export function patterns() {
  const pattern = (terrain, size, d) =>
    shape("pattern", { id: `of-${terrain}`, patternUnits: "userSpaceOnUse", width: size, height: size }, shape("rect", { width: size, height: size, class: terrain }), shape("path", { d, class: "stroke" }));
  return shape(
    "defs",
    {},
    pattern("mountain", 25, "M3 19l6-10 6 10M14 12l4-6 4 6"),
    pattern("grassland", 20, "M4 8v-4M7 8l2-3M14 17v-4M17 17l2-3"),
    pattern("sea", 25, "M1 8q3-4 6 0t6 0M12 20q3-4 6 0t6 0"),
  );
}

// The areas of a laid tile, the ground first, each with its terrain and its number; then its cities.
export function tileShapes(thing, tile) {
  const order = thing.segments.map((_, index) => index).sort((a, b) => (b + 1 === thing.ground) - (a + 1 === thing.ground));
  const areas = order.map((index) => {
    const { terrain, area } = thing.segments[index];
    return shape("polygon", { points: points(area, tile), fill: `url(#of-${terrain})`, class: "area", "data-segment": index + 1 });
  });
  return [...areas, ...thing.cities.map(({ at }) => city(turned(at, tile.turn), tile))];
}

function city([x, y], tile) {
  const d = "M-13 11V-4h7v-9H6v9h7v15z";
  return shape("path", { d, class: "city", transform: `translate(${((tile.x + x) * SIDE).toFixed(1)} ${((tile.y + y) * SIDE).toFixed(1)})` });
}

// The map of a stored match: each tile as it lay, with its number.
export function drawMap(map, cards) {
  const laid = cards.filter((card) => card.x !== undefined);
  const [left, top] = [Math.min(0, ...laid.map(({ x }) => x)), Math.min(0, ...laid.map(({ y }) => y))];
  const [right, bottom] = [Math.max(0, ...laid.map(({ x }) => x)), Math.max(0, ...laid.map(({ y }) => y))];
  map.setAttribute("viewBox", [left * SIDE - 4, top * SIDE - 4, (right - left + 1) * SIDE + 8, (bottom - top + 1) * SIDE + 8].join(" "));
  map.classList.add("drawn");
  map.append(patterns());
  return Object.fromEntries(
    laid.map((card) => {
      const name = shape("text", { x: (card.x + 0.5) * SIDE, y: (card.y + 0.5) * SIDE + 9 });
      name.textContent = card.id.slice(1);
      const rim = shape("rect", { x: card.x * SIDE, y: card.y * SIDE, width: SIDE, height: SIDE, class: "rim" });
      const cell = shape("g", { class: "cell" }, ...(card.segments ? tileShapes(card, card) : []), rim, name);
      map.append(cell);
      return [card.id, cell];
    }),
  );
}
