// The small map of the whole tree: eras from the bottom up, a cell for each card.

import { shape, sprites, text } from "../../static/dom.js";

export const CELL = { width: 40, height: 28, left: 18 };

/**
 * Draws all cells of an `<svg viewBox="0 0 378 174">`; returns them by card id, to set their classes.
 * @param {Element} map
 * @param {(Thing | StoredCard)[]} cards
 */
export function drawMap(map, cards) {
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const era of [1, 2, 3, 4, 5, 6]) {
    map.append(text(era, { x: 7, y: (6 - era) * (CELL.height + 1) + 19, class: "numeral" }));
  }
  map.append(shape("g", { class: "wires" }));
  for (const { id, face, family } of cards) {
    const { x, y } = corner(id);
    const ground = shape("rect", { width: CELL.width - 3, height: CELL.height - 3, rx: 4 });
    const cell = shape("g", { class: "cell", transform: `translate(${x} ${y})` }, ground);
    if (face) cell.append(picture(face, { class: "face", x: 7, y: 1, width: 23, height: 23 }));
    else if (family) cell.append(use(family, { x: 10, y: 4, width: 17, height: 17 }));
    map.append(cell);
    cells[id] = cell;
  }
  return cells;
}

/** The position of a card's cell. @param {string} id */
export function corner(id) {
  return { x: CELL.left + (Number(id[2]) - 1) * CELL.width, y: (6 - Number(id[0])) * (CELL.height + 1) };
}

/** @param {string} face @param {Record<string, string | number>} attributes */
export function picture(face, attributes = {}) {
  return shape("use", { href: `${sprites.faces}#${face}`, ...attributes });
}

/** @param {string} family @param {Record<string, string | number>} attributes */
export function use(family, attributes = {}) {
  return shape("use", { href: `${sprites.families}#${family}`, ...attributes });
}
