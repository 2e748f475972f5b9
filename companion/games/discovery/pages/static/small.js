// The tree at a glance: a cell for each card, with the pictures of those on the table.

import { shape, sprites, text } from "../../static/dom.js";
import { currentMatch } from "../../static/live.js";

const CELL = { width: 84, height: 37, left: 30, gap: 5 };

/** @param {SVGElement} place @returns {Draw} */
export function draw(place) {
  /** @type {Record<string, SVGElement>} */
  const cells = {};
  for (const era of [1, 2, 3, 4, 5, 6]) {
    const y = (6 - era) * CELL.height;
    place.append(
      text(era, { x: 8, y: y + 22, class: "numeral" }),
      shape("rect", { class: `bar era-${era}`, x: 22, y, width: 4, height: CELL.height - CELL.gap }),
    );
  }
  for (const { id, face } of currentMatch().cards) {
    if (!/^\d-\d$/.test(id)) continue;
    const x = CELL.left + (Number(id[2]) - 1) * CELL.width;
    const y = (6 - Number(id[0])) * CELL.height;
    const ground = shape("rect", { width: CELL.width - CELL.gap, height: CELL.height - CELL.gap, rx: 6 });
    const cell = shape("g", { class: `cell era-${id[0]}`, transform: `translate(${x} ${y})` }, ground);
    cells[id] = cell;
    if (face) cell.dataset.face = face;
    place.append(cell);
  }
  /** @type {string | null} */
  let newest = null; // until another card is laid
  return (update) => {
    const { tree = [], pool = [] } = update.public ?? {};
    const laid = new Set(tree.map((/** @type {TreeEntry} */ entry) => entry.joker ?? entry.card));
    const { move, event } = update.entry ?? {};
    if (event === "played" && move?.do === "place") newest = move.as ?? move.card ?? null;
    if (newest && !laid.has(newest)) newest = null;
    for (const [id, cell] of Object.entries(cells)) {
      const state = id === newest ? "now" : laid.has(id) ? "laid" : pool.includes(id) ? "pooled" : "";
      cell.setAttribute("class", `cell era-${id[0]} ${state}`);
      // A face is loaded when its card is first on the table.
      if (!state || !cell.dataset.face) continue;
      const href = `${sprites.faces}#${cell.dataset.face}`;
      cell.append(shape("use", { href, x: 29, y: 5, width: 22, height: 22 }));
      delete cell.dataset.face;
    }
  };
}
