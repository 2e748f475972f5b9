// The things of a board in their cells, in the colour of their seat; one that is turned points in its direction.

import { shape, text } from "../../static/dom.js";

const SIDE = 40; // of a cell, in units of the drawing
const DISC = 17;
const POINTED = "M-17 17V-9L0-19L17-9V17z";
const LETTERS = 34; // for a name's letters side by side, in the same units

/**
 * @param {SVGElement} map
 * @param {StoredCard[]} cards Those without a place are left out.
 */
export function drawMap(map, cards) {
  const laid = cards.filter((card) => card.x !== undefined && card.y !== undefined);
  const xs = laid.map(({ x = 0 }) => x);
  const ys = laid.map(({ y = 0 }) => y);
  const [left, right] = [Math.min(0, ...xs) - 1, Math.max(0, ...xs) + 1];
  const [top, bottom] = [Math.min(0, ...ys) - 1, Math.max(0, ...ys) + 1];
  map.setAttribute(
    "viewBox",
    [left, top, right - left + 1, bottom - top + 1].map((side) => side * SIDE).join(" "),
  );
  map.classList.add("squares");
  for (let x = left; x <= right; x += 1) {
    for (let y = top; y <= bottom; y += 1) {
      map.append(shape("rect", { class: "square", x: x * SIDE, y: y * SIDE, width: SIDE, height: SIDE }));
    }
  }
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const card of laid) {
    cells[card.id] = thing(card);
    map.append(cells[card.id]);
  }
  return cells;
}

/** @param {StoredCard} card */
function thing({ id, x = 0, y = 0, by, turn }) {
  const at = `translate(${(x + 0.5) * SIDE} ${(y + 0.5) * SIDE})`;
  const outline =
    turn === undefined
      ? shape("circle", { r: DISC })
      : shape("path", { d: POINTED, transform: `rotate(${90 * turn})` });
  const size = Math.min(15, LETTERS / id.length);
  const seat = shape("g", { class: by ? `outline seat-${by}` : "outline", transform: at }, outline);
  const name = text(id, { transform: at, y: size / 3, "font-size": size });
  return shape("g", { class: "cell laid", "data-cell": `${x} ${y}` }, seat, name);
}
