// Lines from card to card, in the gaps between the other cards.

import { shape } from "../../static/dom.js";

/**
 * @typedef {{ x: number, y: number, width: number, height: number }} Box The centre and size of a card.
 * @typedef {{ x: number, y: number }} Gap Between two cards, horizontally and vertically.
 */

/**
 * Lines with a background stroke each.
 * @param {string[][]} pairs The first and last card of each line.
 * @param {(id: string) => Box | null} place A card's box.
 * @param {Gap} gap
 */
export function wires(pairs, place, gap) {
  const ways = pairs.flatMap(([from, to]) => {
    const [start, end] = [place(from), place(to)];
    return start && end ? [route(start, end, gap)] : [];
  });
  return [...ways.map((d) => shape("path", { d, class: "halo" })), ...ways.map((d) => shape("path", { d }))];
}

/** A line that touches no other card. @param {Box} from @param {Box} to @param {Gap} gap */
function route(from, to, gap) {
  const level = Math.abs(from.y - to.y) < 1;
  const way = level || from.y > to.y ? -1 : 1; // most lines go up, as the tree grows
  const out = from.y + (way * (from.height + gap.y)) / 2;
  const into = level ? out : to.y - (way * (to.height + gap.y)) / 2;
  const aside = to.x + ((from.x < to.x ? -1 : 1) * (to.width + gap.x)) / 2;
  const points = [
    [from.x, from.y + (way * from.height) / 2],
    [from.x, out],
  ];
  if (Math.abs(into - out) > 1) points.push([aside, out], [aside, into]);
  points.push([to.x, into], [to.x, to.y + ((level ? way : -way) * to.height) / 2]);
  return `M${points.join("L")}`;
}
