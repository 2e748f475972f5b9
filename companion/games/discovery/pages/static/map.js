// The small map of the whole tree: eras from the bottom up, a cell for each card.

import { make, shape, sprites, text } from "../../static/dom.js";

export const CELL = { width: 40, height: 28, left: 18 };
const NAMED = 41; // the height of a cell with a name

/**
 * Draws all cells of an `<svg viewBox="0 0 378 174">`; returns them by card id, to set their classes.
 * @param {Element} map
 * @param {(Thing | StoredCard)[]} cards
 * @param {boolean} [named] Higher, with the names of the cards below their pictures.
 */
export function drawMap(map, cards, named = false) {
  const height = named ? NAMED : CELL.height;
  map.setAttribute("viewBox", `0 0 378 ${6 * (height + 1)}`);
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const era of [1, 2, 3, 4, 5, 6]) {
    map.append(text(era, { x: 7, y: (6 - era) * (height + 1) + height / 2 + 5, class: "numeral" }));
  }
  map.append(shape("g", { class: "wires" }));
  for (const { id, face, family } of cards) {
    const { x, y } = corner(id, height);
    const ground = shape("rect", { width: CELL.width - 3, height: height - 3, rx: 4 });
    const cell = shape("g", { class: "cell", transform: `translate(${x} ${y})` }, ground);
    const placed = named ? { class: "face titled", x: 13 } : { class: "face", x: 7 };
    if (face) cell.append(picture(face, { ...placed, y: 1, width: 23, height: 23 }));
    else if (family) cell.append(use(family, { x: 10, y: 4, width: 17, height: 17 }));
    if (named) cell.append(nameOf(String(cards.find((card) => card.id === id)?.name ?? "")));
    map.append(cell);
    cells[id] = cell;
  }
  return cells;
}

/** A name breaks into lines as in a page. @param {string} name */
function nameOf(name) {
  const words = make("div", {}, name);
  return shape("foreignObject", { class: "name", x: 1, y: 23, width: CELL.width - 5, height: NAMED - 26 }, words);
}

/** The position of a card's cell. @param {string} id */
export function corner(id, height = CELL.height) {
  return { x: CELL.left + (Number(id[2]) - 1) * CELL.width, y: (6 - Number(id[0])) * (height + 1) };
}

/** @param {string} face @param {Record<string, string | number>} attributes */
export function picture(face, attributes = {}) {
  return shape("use", { href: `${sprites.faces}#${face}`, ...attributes });
}

/** @param {string} family @param {Record<string, string | number>} attributes */
export function use(family, attributes = {}) {
  return shape("use", { href: `${sprites.families}#${family}`, ...attributes });
}
