// The island as shapes: tiles, ways, spaces and figures. A space can be touched where it can be gone to.

import { shape } from "../../static/svg.js";
import { sprites } from "./says.js";

export { shape };

const ROOM = 14; // around the tiles, in millimetres

// Draws the whole map; `touch(space)` is called for a space of `open`, and `named(space)` says what it is.
export function island(view, { open = new Set(), touch = null, named }) {
  const half = view.tile_mm / 2;
  const xs = view.tiles.map((tile) => tile.x);
  const ys = view.tiles.map((tile) => tile.y);
  const [left, top] = [Math.min(...xs) - half - ROOM, Math.min(...ys) - half - ROOM];
  const size = [Math.max(...xs) - left + half + ROOM, Math.max(...ys) - top + half + ROOM];
  const map = shape("svg", { viewBox: [left, top, ...size].map((n) => n.toFixed(1)).join(" "), class: "island", role: "group" });
  const spaces = Object.fromEntries(view.map.map((space) => [space.space, space]));
  for (const { card, x, y, turn } of view.tiles) {
    const known = view.map.some((space) => space.space.startsWith(`${card}-`));
    const tile = shape("g", { transform: `translate(${x} ${y})`, "data-card": card, class: known ? "tile" : "tile unknown" });
    tile.append(shape("rect", { x: -half + 0.5, y: -half + 0.5, width: 2 * half - 1, height: 2 * half - 1, rx: 4, transform: `rotate(${turn})` }), text(known ? card : `${card} ?`, -half + 4, -half + 10, "name"));
    map.append(tile);
  }
  for (const space of view.map) {
    for (const other of space.to) {
      const there = spaces[other];
      if (!there || other < space.space) continue;
      const crossing = between(space, there);
      map.append(shape("path", { class: "way", d: `M${space.x} ${space.y}L${crossing.map((point) => point.join(" ")).join("L")}` }));
    }
  }
  for (const space of view.map) map.append(spot(space, open, touch, named));
  return map;
}

// Over the exits where two tiles meet, else straight.
function between(one, other) {
  const straight = [[other.x, other.y]];
  if (one.space.split("-")[0] === other.space.split("-")[0]) return straight;
  const pairs = one.exits.flatMap((a) => other.exits.map((b) => [Math.hypot(a[0] - b[0], a[1] - b[1]), a]));
  const [best] = pairs.sort((a, b) => a[0] - b[0]);
  return best && best[0] < 12 ? [best[1], ...straight] : straight;
}

function spot(space, open, touch, named) {
  const reachable = touch && open.has(space.space);
  const group = shape("g", { transform: `translate(${space.x} ${space.y})`, "data-space": space.space, class: `space of-${Math.min(space.cost, 4)}${reachable ? " open" : ""}` });
  group.append(shape("circle", { r: reachable ? 15 : 12 }));
  const both = space.landmark && space.fire !== null ? 4.5 : 0; // beside each other
  if (space.landmark) group.append(shape("path", { class: "landmark", d: "M-5 5V-5H6L3-1.500 6 2H-3V5z", transform: `translate(${both} -1) scale(${both ? 0.7 : 1})` }));
  if (space.fire !== null) group.append(shape("use", { href: `${sprites.island}#fire`, x: both ? -10 : -7, y: both ? -5.5 : -7, width: both ? 10 : 14, height: both ? 10 : 14, class: space.fire ? "fire" : "fire out" }));
  if (space.cost > 1) group.append(text(space.cost, 0, space.fire !== null || space.landmark ? 22 : 4.5, "cost"));
  if (space.spring) group.append(shape("use", { href: `${sprites.island}#${space.spring}`, x: -16, y: 4, width: 11, height: 11, class: `spring of-${space.spring}` }));
  space.seats.forEach((seat, nth) => {
    const [x, y] = [[7, -17], [-19, -17], [7, 5], [-19, 5]][nth];
    group.append(shape("rect", { class: "plate", x: x - 1, y: y - 1, width: 14, height: 14, rx: 3 }), shape("use", { href: `${sprites.symbols}#s${seat}`, x, y, width: 12, height: 12, class: `figure seat-${seat}` }));
  });
  const title = shape("title");
  title.textContent = named(space);
  group.prepend(title);
  if (!reachable) return group;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", 0);
  group.setAttribute("aria-label", named(space));
  group.onclick = () => touch(space.space);
  group.onkeydown = (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), touch(space.space));
  return group;
}

function text(words, x, y, className) {
  const made = shape("text", { x, y, class: className });
  made.textContent = words;
  return made;
}

// The tiles of a stored match in the order in which they were turned up.
export function drawMap(map, cards) {
  const laid = cards.filter((card) => card.x !== undefined);
  const found = {};
  for (const card of laid) {
    const name = text(card.id, card.x * 30 + 15, card.y * 30 + 20, "");
    const cell = shape("g", { class: card.dealt ? "cell laid" : "cell" }, shape("rect", { x: card.x * 30 + 1, y: card.y * 30 + 1, width: 28, height: 28, rx: 3 }), name);
    map.append(cell);
    if (!card.dealt) found[card.id] = cell; // what lay open from the start was there from the first moment
  }
  const [wide, high] = [Math.max(1, ...laid.map(({ x }) => x + 1)), Math.max(1, ...laid.map(({ y }) => y + 1))];
  map.setAttribute("viewBox", `-2 -2 ${wide * 30 + 4} ${high * 30 + 4}`);
  return found;
}
