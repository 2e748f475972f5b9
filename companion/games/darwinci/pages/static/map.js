// Bone tiles and stones as shapes, for the table and the page of a stored match.

import { shape, sprites, text } from "../../static/dom.js";
import { signed } from "../../static/live.js";

/** @type {Record<string, [x: number, y: number]>} */
const WAYS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const HALF = 50; // of a tile's side, in the units of the drawing
const CELL = 30; // of a stored match's map

// The colours of stones, each with the letter on its chips and its own shape. Red, blue, green and yellow have the
// shapes of the seats that usually play them.
/** @type {Record<string, string>} */
export const LETTERS = { red: "R", blue: "B", green: "G", yellow: "Y", white: "W" };
/** @type {Record<string, string>} */
const FORMS = {
  red: "M12 1.500 23 21.500H1z",
  blue: "M12 1.500a10.500 10.500 0 1 1 0 21 10.500 10.500 0 0 1 0-21z",
  green: "M2.500 2.500h19v19h-19z",
  yellow: "M12 .8 23.200 12 12 23.200.8 12z",
  white: "M6.500 2h11L23 12l-5.500 10h-11L1 12z",
};

/**
 * A tile around its centre, after clockwise quarter turns: its bone, number and jewels.
 * @param {BoneTile} tile
 * @param {number} turn
 */
export function bone({ ends, value, jewels }, turn = 0) {
  const shafts = [...ends].flatMap((end) => {
    const [x, y] = WAYS[end];
    const d = `M0 0L${x * HALF} ${y * HALF}`;
    return [shape("path", { d, class: "shaft" }), shape("path", { d, class: "marrow" })];
  });
  const joint = shape("circle", { r: 19, class: "joint" });
  const className = value < 0 ? "rotten" : "sound";
  const words = value ? withSign(value) : "";
  return shape(
    "g",
    { class: "bone" },
    shape("rect", { x: -HALF + 1, y: -HALF + 1, width: 98, height: 98, rx: 6, class: "earth" }),
    shape("g", { transform: `rotate(${90 * turn})`, class: className }, ...shafts, joint),
    text(words, { y: 9, class: "value" }),
    ...jewels.map((jewel, nth) => gem(jewel, 38 - 20 * nth, 38)),
  );
}

/** @param {number} value */
export function withSign(value) {
  return value < 0 ? signed(value) : `+${value}`;
}

/**
 * A small cut jewel on a tile, with the letter of its colour.
 * @param {string} colour
 * @param {number} x
 * @param {number} y
 */
function gem(colour, x, y) {
  const cut = shape("path", { d: `M${x - 9} ${y - 3}l4-6h10l4 6-9 12z` });
  return shape("g", { class: `gem of-${colour}` }, cut, text(LETTERS[colour], { x, y: y + 4.5 }));
}

/** @param {string} colour */
export function stone(colour, big = false) {
  return shape(
    "svg",
    { viewBox: "-1 -1 26 26", class: `stone of-${colour}${big ? " big" : ""}`, "aria-hidden": "true" },
    shape("path", { d: FORMS[colour] }),
    text(LETTERS[colour], { x: 12, y: colour === "red" ? 19 : 16.5 }),
  );
}

/**
 * The plots of a stored match side by side. Each tile with its face, if it is known.
 * @param {Element} map
 * @param {StoredCard[]} cards
 */
export function drawMap(map, cards) {
  const laid = cards.flatMap(({ x, y, by, ...card }) => {
    if (x === undefined || y === undefined || by === undefined) return [];
    return [{ ...card, x, y, by, face: faceOf(card), turn: Number(card.turn ?? 0) }];
  });
  /** @type {Record<string, SVGElement>} */
  const found = {};
  let [left, high] = [0, 1];
  for (const seat of [...new Set(laid.map((card) => card.by))].sort()) {
    const own = laid.filter((card) => card.by === seat);
    const [x, y] = [Math.min(...own.map((one) => one.x)), Math.min(...own.map((one) => one.y))];
    const sign = shape("use", { href: `${sprites.symbols}#s${seat}`, x: left * CELL, y: 2, width: 18, height: 18 });
    map.append(shape("g", { class: `seat-${seat}` }, sign));
    for (const card of own) {
      const [column, row] = [left + card.x - x, card.y - y];
      const rim = shape("rect", { x: column * CELL + 1, y: row * CELL + 26, width: 28, height: 28, rx: 3 });
      const inside = shape("g", { transform: `translate(${column * CELL + 15} ${row * CELL + 40}) scale(.28)` });
      if (card.face) inside.append(bone(card.face, card.turn));
      const cell = shape("g", { class: "cell laid" }, rim, inside);
      map.append(cell);
      if (!card.dealt) found[card.id] = cell; // dealt tiles are there from the first moment
      high = Math.max(high, row + 1);
    }
    left += Math.max(...own.map((one) => one.x)) - x + 1.5;
  }
  map.setAttribute("viewBox", `-2 0 ${Math.max(1, left) * CELL + 4} ${high * CELL + 30}`);
  return found;
}

/** The face of a tile of a stored match, if known. @param {Record<string, any>} card */
function faceOf(card) {
  return card.ends === undefined ? null : /** @type {BoneTile} */ (card);
}
