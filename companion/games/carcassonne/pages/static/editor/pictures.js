// Pictures of tiles, to show and to choose from.

import { make, shape, text } from "../../../static/dom.js";
import { say } from "../../../static/live.js";
import { tileShapes } from "../map.js";
import { recognised, thingOf } from "./patterns.js";
import { drawingOf, form } from "./state.js";

/**
 * @typedef {object} How
 * @property {boolean} [blank] Without its terrains.
 * @property {number} [askew] Its rotation in degrees; the picture then has room for its corners.
 * @property {TilePoint[]} [spots] The places of followers, numbered.
 */

const STICKER = { x: 3.3, y: 3.3, width: 40, height: 40 }; // in hundredths of a tile
const CODE = { at: 6, step: 23, square: 11.6 };

/**
 * The drawing of a row: from the table's answer, or else from its pattern; `null` if incomplete.
 * @param {TileRow | undefined} row
 */
export function drawable(row) {
  const drawn = row && drawingOf(row);
  if (drawn) return { thing: drawn, turn: 0 };
  const found = row && recognised(row, form.patterns);
  if (!found) return null;
  const terrains = row.segment.map((one) => one.terrain);
  return { thing: thingOf(found.pattern, terrains, row.city ?? []), turn: found.turn };
}

/** @param {TileRow | undefined} row @param {How} how */
export function drawnRow(row, how = {}) {
  const drawn = drawable(row);
  return picture(drawn?.thing, drawn?.turn ?? 0, how);
}

/** @param {TileFace | undefined} thing An empty square if there is none. @param {number} turn @param {How} how */
export function picture(thing, turn, { blank = false, askew, spots = [] } = {}) {
  const viewBox = askew === undefined ? "0 0 100 100" : "-22 -22 144 144";
  const empty = shape("rect", { x: 1, y: 1, width: 98, height: 98, class: "empty" });
  const shapes = thing ? faceShapes(thing, turn) : [empty];
  const all = shape("g", { transform: `rotate(${askew ?? 0} 50 50)` }, ...shapes, ...spots.map(spotSign));
  return shape("svg", { viewBox, "aria-hidden": "true", class: blank ? "blank" : "" }, all);
}

/** Cities are drawn over the sticker, so that they are visible. @param {TileFace} thing @param {number} turn */
function faceShapes(thing, turn) {
  const shapes = tileShapes(thing, { x: 0, y: 0, turn });
  const areas = thing.segments.length;
  const rim = shape("rect", { width: 100, height: 100, class: "rim" });
  return [...shapes.slice(0, areas), ...stickerShapes(), ...shapes.slice(areas), rim];
}

/** A QR code that is upright: three large squares, and none in the south-east. */
function stickerShapes() {
  const { at, step, square } = CODE;
  const corners = [
    [at, at],
    [at + step, at],
    [at, at + step],
  ];
  return [
    shape("rect", { ...STICKER, class: "paste" }),
    ...corners.map(([x, y]) => shape("rect", { x, y, width: square, height: square, class: "finder" })),
  ];
}

/** @param {TilePoint} spot @param {number} index */
function spotSign([x, y], index) {
  const [cx, cy] = [x * 100, y * 100];
  return shape("g", { class: "spot" }, shape("circle", { cx, cy, r: 6 }), text(index + 1, { x: cx, y: cy + 3.2 }));
}

/**
 * A button with a picture.
 * @param {Node | null} svg
 * @param {string} words
 * @param {() => void} act
 * @param {Record<string, string>} more
 * @param {string} caption
 */
export function pick(svg, words, act, more = {}, caption = "") {
  const inside = [...(svg ? [svg] : []), ...(caption ? [make("span", {}, caption)] : [])];
  const button = make("button", { className: "pick", type: "button", ariaLabel: words, ...more }, ...inside);
  button.onclick = act;
  return make("li", {}, button);
}

/**
 * A tile in words.
 * @param {{ terrain: string, edges: string }[]} segments
 * @param {Pair[]} cities
 */
export function described(segments, cities) {
  const words = segments.map(({ terrain, edges }) =>
    [say(`carcassonne.terrain.${terrain}`), ...sideWords(edges)].join(" "),
  );
  return [words.join(", "), ...(cities.length ? [say("carcassonne.cities", { n: cities.length })] : [])].join("; ");
}

/** @param {string} edges */
function sideWords(edges) {
  if (!edges) return [say("carcassonne.inner")];
  return [...edges].map((letter) => say(`carcassonne.side.${letter.toLowerCase()}`));
}
