// Tiles as shapes, for the table, the editor and the page of a stored match.

import { shape } from "../../static/dom.js";

export const SIDE = 100; // a tile's, in the units of the drawing

/** The offset of the neighbour, by side: north, east, south, west. */
export const STEPS = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];
/** @type {Terrain[]} */
export const TERRAINS = ["mountain", "grassland", "sea"];

/** @typedef {Pick<LaidTile, "x" | "y" | "turn">} Pose */

/**
 * A point of a tile after clockwise quarter turns of the tile.
 * @param {TilePoint} point
 * @param {number} quarters
 * @returns {TilePoint}
 */
export function turned([x, y], quarters) {
  for (let n = 0; n < quarters; n += 1) [x, y] = [1 - y, x];
  return [x, y];
}

/**
 * The sides of the map, 0 = north, that a segment of a laid tile reaches.
 * @param {Segment} segment
 * @param {number} turn
 */
export function sides(segment, turn) {
  return [...segment.edges].map((letter) => ("NESW".indexOf(letter) + turn) % 4);
}

/** A polygon's points in the drawing. @param {TilePoint[]} area @param {Pose} tile */
export function points(area, tile) {
  return area.map((point) => drawnAt(point, tile).join(",")).join(" ");
}

/** A point of a tile in the drawing. @param {TilePoint} point @param {Pose} tile */
function drawnAt(point, tile) {
  const [x, y] = turned(point, tile.turn);
  return [((tile.x + x) * SIDE).toFixed(1), ((tile.y + y) * SIDE).toFixed(1)];
}

// A pattern for each terrain, so that they can be distinguished without colours.
export function patterns() {
  /** @param {Terrain} terrain @param {number} size @param {string} d */
  const pattern = (terrain, size, d) =>
    shape(
      "pattern",
      { id: `of-${terrain}`, patternUnits: "userSpaceOnUse", width: size, height: size },
      shape("rect", { width: size, height: size, class: terrain }),
      shape("path", { d, class: "stroke" }),
    );
  return shape(
    "defs",
    {},
    pattern("mountain", 25, "M3 19l6-10 6 10M14 12l4-6 4 6"),
    pattern("grassland", 20, "M4 8v-4M7 8l2-3M14 17v-4M17 17l2-3"),
    pattern("sea", 25, "M1 8q3-4 6 0t6 0M12 20q3-4 6 0t6 0"),
  );
}

/**
 * The areas of a laid tile, the ground first, each with its terrain and its number; then its cities.
 * @param {TileFace} thing
 * @param {Pose} tile
 * @returns {SVGElement[]}
 */
export function tileShapes(thing, tile) {
  const numbers = thing.segments.map((_, index) => index + 1);
  const order = [...numbers.filter((one) => one === thing.ground), ...numbers.filter((one) => one !== thing.ground)];
  const areas = order.map((number) => {
    const { terrain, area } = thing.segments[number - 1];
    const fill = `url(#of-${terrain})`;
    return shape("polygon", { points: points(area, tile), fill, class: "area", "data-segment": number });
  });
  return [...areas, ...thing.cities.map(({ at }) => city(drawnAt(at, tile)))];
}

/** @param {string[]} at */
function city(at) {
  return shape("path", { d: "M-13 11V-4h7v-9H6v9h7v15z", class: "city", transform: `translate(${at.join(" ")})` });
}

/** The square of a tile. @param {{ x: number, y: number }} tile */
export function rim({ x, y }) {
  return shape("rect", { x: x * SIDE, y: y * SIDE, width: SIDE, height: SIDE, class: "rim" });
}

/**
 * The map of a stored match: each tile in its place.
 * @param {Element} map
 * @param {StoredCard[]} cards
 */
export function drawMap(map, cards) {
  const laid = cards.flatMap(({ id, x, y, turn, ...card }) => {
    return x === undefined || y === undefined ? [] : [{ id, pose: { x, y, turn }, face: faceOf(card) }];
  });
  const [xs, ys] = [laid.map(({ pose }) => pose.x), laid.map(({ pose }) => pose.y)];
  const [left, top] = [Math.min(0, ...xs), Math.min(0, ...ys)];
  const [columns, rows] = [Math.max(0, ...xs) - left + 1, Math.max(0, ...ys) - top + 1];
  const box = [left * SIDE - 4, top * SIDE - 4, columns * SIDE + 8, rows * SIDE + 8];
  map.setAttribute("viewBox", box.join(" "));
  map.classList.add("drawn");
  map.append(patterns());
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const { id, pose, face } of laid) {
    const cell = shape("g", { class: "cell" }, ...(face ? tileShapes(face, pose) : []), rim(pose));
    map.append(cell);
    cells[id] = cell;
  }
  return cells;
}

/** The face of a tile of a stored match, if known. @param {Record<string, any>} card */
function faceOf(card) {
  return card.segments ? /** @type {TileFace} */ (card) : null;
}
