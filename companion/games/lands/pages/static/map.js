// The island as shapes: tiles, ways, spaces and figures. Spaces that can be reached are buttons.

import { shape, sprites, text } from "../../static/dom.js";

const ROOM = 14; // around the tiles, in millimetres
const MEETING_MM = 12; // exits of two tiles this close are connected
const CELL = 30; // of a stored match's map
const SEATED = [
  [7, -17],
  [-19, -17],
  [7, 5],
  [-19, 5],
]; // the places of figures around the centre of a space

/**
 * Draws the whole map.
 * @param {LandsView} view
 * @param {Set<string>} open The spaces that are buttons.
 * @param {(space: string) => void} touch Called when one is pressed.
 * @param {(space: Space) => string} named Describes a space.
 * @param {Move[]} asked The moves of an open question: their spaces bear the numbers of its answers.
 */
export function island(view, open, touch, named, asked = []) {
  const numbers = new Map(asked.map((move, at) => [move.to, at + 1]));
  const half = view.tile_mm / 2;
  const [xs, ys] = [view.tiles.map((tile) => tile.x), view.tiles.map((tile) => tile.y)];
  const [left, top] = [Math.min(...xs) - half - ROOM, Math.min(...ys) - half - ROOM];
  const size = [Math.max(...xs) - left + half + ROOM, Math.max(...ys) - top + half + ROOM];
  const viewBox = [left, top, ...size].map((n) => n.toFixed(1)).join(" ");
  return shape(
    "svg",
    { viewBox, class: "island", role: "group" },
    ...view.tiles.map((tile) => tileShape(tile, half, view.map)),
    ...ways(view.map),
    ...view.map.map((space) => {
      return spot(space, open.has(space.space) ? touch : null, named(space), numbers.get(space.space));
    }),
  );
}

/** @param {LandsView["tiles"][number]} tile @param {number} half Half of its side. @param {Space[]} spaces */
function tileShape({ card, x, y, turn }, half, spaces) {
  const known = spaces.some((space) => space.space.startsWith(`${card}-`));
  const square = { x: -half + 0.5, y: -half + 0.5, width: 2 * half - 1, height: 2 * half - 1, rx: 4 };
  return shape(
    "g",
    { transform: `translate(${x} ${y})`, "data-card": card, class: known ? "tile" : "tile unknown" },
    shape("rect", { ...square, transform: `rotate(${turn})` }),
    text(known ? "" : "?", { x: -half + 4, y: -half + 10, class: "name" }),
  );
}

/** A line for each way between two spaces. @param {Space[]} map */
function ways(map) {
  const spaces = new Map(map.map((space) => [space.space, space]));
  return map.flatMap((space) =>
    space.to.flatMap((other) => {
      const there = spaces.get(other);
      if (!there || other < space.space) return [];
      const crossing = between(space, there).map((point) => point.join(" "));
      return [shape("path", { class: "way", d: `M${space.x} ${space.y}L${crossing.join("L")}` })];
    }),
  );
}

/** Through the exits if two tiles meet there, else straight. @param {Space} one @param {Space} other */
function between(one, other) {
  const end = [other.x, other.y];
  if (one.space.split("-")[0] === other.space.split("-")[0]) return [end];
  const pairs = one.exits.flatMap((a) => other.exits.map((b) => ({ apart: Math.hypot(a[0] - b[0], a[1] - b[1]), a })));
  const [best] = pairs.sort((a, b) => a.apart - b.apart);
  return best && best.apart < MEETING_MM ? [best.a, end] : [end];
}

/**
 * @param {Space} space
 * @param {((space: string) => void) | null} touch `null` if it is not a button.
 * @param {string} name
 * @param {number} [number] Of the answer that means it.
 */
function spot(space, touch, name, number) {
  const group = shape(
    "g",
    {
      transform: `translate(${space.x} ${space.y})`,
      "data-space": space.space,
      class: `space of-${Math.min(space.cost, 4)}${touch ? " open" : ""}${number ? " asked" : ""}`,
    },
    shape("title", {}, number ? `${number}: ${name}` : name),
    shape("circle", { r: touch || number ? 15 : 12 }),
    ...(number ? [text(number, { y: 7, class: "number" })] : spaceSigns(space)),
    ...space.seats.flatMap(figure),
  );
  if (!touch) return group;
  group.setAttribute("role", "button");
  group.setAttribute("tabindex", "0");
  group.setAttribute("aria-label", name);
  group.onclick = () => touch(space.space);
  group.onkeydown = (event) => {
    if (!["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    touch(space.space);
  };
  return group;
}

/** Its landmark, its fire, what it costs, and its spring. @param {Space} space */
function spaceSigns({ landmark, fire, cost, spring }) {
  const both = landmark && fire !== null; // beside each other
  const signs = [];
  if (landmark) {
    const transform = both ? "translate(4.5 -1) scale(0.7)" : "translate(0 -1) scale(1)";
    signs.push(shape("path", { class: "landmark", d: "M-5 5V-5H6L3-1.500 6 2H-3V5z", transform }));
  }
  if (fire !== null) {
    const box = both ? { x: -10, y: -5.5, width: 10, height: 10 } : { x: -7, y: -7, width: 14, height: 14 };
    signs.push(shape("use", { href: `${sprites.island}#fire`, ...box, class: fire ? "fire" : "fire out" }));
  }
  const taken = fire !== null || landmark;
  if (cost > 1) signs.push(text(cost, { x: 0, y: taken ? 22 : 4.5, class: taken ? "cost below" : "cost" }));
  if (spring) {
    const box = { x: -16, y: 4, width: 11, height: 11 };
    signs.push(shape("use", { href: `${sprites.island}#${spring}`, ...box, class: `spring of-${spring}` }));
  }
  return signs;
}

/** @param {Seat} seat @param {number} nth Its place among the figures there. */
function figure(seat, nth) {
  const [x, y] = SEATED[nth];
  const sign = { href: `${sprites.symbols}#s${seat}`, x, y, width: 12, height: 12, class: `figure seat-${seat}` };
  return [shape("rect", { class: "plate", x: x - 1, y: y - 1, width: 14, height: 14, rx: 3 }), shape("use", sign)];
}

/**
 * The tiles of a stored match in the order in which they were turned up.
 * @param {Element} map
 * @param {StoredCard[]} cards
 */
export function drawMap(map, cards) {
  const laid = cards.flatMap(({ id, x, y, dealt }) => {
    return x === undefined || y === undefined ? [] : [{ id, x, y, dealt }];
  });
  /** @type {Record<string, SVGElement>} */
  const found = {};
  laid.forEach(({ id, x, y, dealt }, nth) => {
    const name = text(nth + 1, { x: x * CELL + 15, y: y * CELL + 20 }); // which tile it was in this match
    const rim = shape("rect", { x: x * CELL + 1, y: y * CELL + 1, width: 28, height: 28, rx: 3 });
    const cell = shape("g", { class: dealt ? "cell laid" : "cell" }, rim, name);
    map.append(cell);
    if (!dealt) found[id] = cell; // face-up tiles are there from the first moment
  });
  const [wide, high] = [Math.max(1, ...laid.map(({ x }) => x + 1)), Math.max(1, ...laid.map(({ y }) => y + 1))];
  map.setAttribute("viewBox", `-2 -2 ${wide * CELL + 4} ${high * CELL + 4}`);
  return found;
}
