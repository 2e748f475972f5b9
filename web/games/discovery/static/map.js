// The small map of the whole tree: eras from the bottom up, a cell for each card.

import { SVG, shape } from "../../static/svg.js";

export { SVG, shape };

export const sprites = document.documentElement.dataset;

export const CELL = { width: 40, height: 28, left: 18 };

// Draws all cells of an `<svg viewBox="0 0 378 174">`; returns them by card id, for their classes to be set.
export function drawMap(map, cards) {
  const cells = {};
  for (const era of [1, 2, 3, 4, 5, 6]) {
    const numeral = shape("text", { x: 7, y: (6 - era) * (CELL.height + 1) + 19, class: "numeral" });
    numeral.textContent = era;
    map.append(numeral);
  }
  map.append(shape("g", { class: "wires" }));
  for (const card of cards) {
    const { x, y } = corner(card.id);
    const cell = shape("g", { class: "cell", transform: `translate(${x} ${y})` });
    cell.append(shape("rect", { width: CELL.width - 3, height: CELL.height - 3, rx: 4 }));
    if (card.face || card.family) {
      const drawn = card.face ? picture(card.face) : use(card.family);
      if (card.face) drawn.setAttribute("class", "face");
      for (const [key, value] of Object.entries(card.face ? { x: 7, y: 1, width: 23, height: 23 } : { x: 10, y: 4, width: 17, height: 17 })) drawn.setAttribute(key, value);
      cell.append(drawn);
    }
    map.append(cell);
    cells[card.id] = cell;
  }
  return cells;
}

export function corner(id) {
  return { x: CELL.left + (Number(id[2]) - 1) * CELL.width, y: (6 - Number(id[0])) * (CELL.height + 1) };
}

export function picture(face) {
  return shape("use", { href: `${sprites.faces}#${face}` });
}

export function use(family) {
  return shape("use", { href: `${sprites.families}#${family}` });
}
