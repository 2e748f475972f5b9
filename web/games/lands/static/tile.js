// What is asked of a map tile that was just turned up: touch its spaces on a drawing of it, and say what is so.

import { shape } from "./map.js";
import { sprites } from "./says.js";
import { make } from "../../static/board.js";

const COSTS = [1, 2, 3];
const SIDES = [[0, -1], [1, 0], [0, 1], [-1, 0]];
const STICKER_MM = 18;
const STICKER_OFF_MM = 1.5;
const MOST_SPACES = 20;
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

// A form for one tile. `told`: what was told of it before, `tell(move, button)` sends what is told now.
export function tileForm({ card, told = null, side, say, title, by, tell }) {
  const half = side / 2;
  const radius = 0.07 * side;
  const slots = SIDES.flatMap(([east, south]) => [-1, 0, 1].map((nth) => place(east, south, east - south > 0 ? nth : -nth))); // clockwise from the north-west
  let spaces = (told?.spaces ?? []).map(([x, y], at) => ({ x, y, cost: told.costs[at], landmark: told.landmarks.includes(at + 1), fire: told.fires.includes(at + 1) }));
  const switched = new Map(); // ways that somebody opened or closed, by their two spaces
  const open = new Set(told ? told.exits.map(([, x, y]) => nearest(slots, { x, y })) : [1, 4, 7, 10]); // the middle of each side
  let chosen = null;
  let turn = 0;
  if (told) for (const [one, other] of pairs()) switched.set(pairOf(one, other), told.ways.some(([a, b]) => a - 1 === one && b - 1 === other));

  const drawing = make("div", { class: "tile-drawing" });
  const more = make("div", { class: "of-space" });
  const ready = make("button", { class: "button main", type: "submit" }, say("lands.ask.tell"));
  const add = button("add", say("lands.tile.add"), () => put(...emptiest()));
  const turning = button("turn", say("lands.tile.turn"), () => (turn = (turn + 90) % 360));
  const form = make("form", {}, make("p", { class: "hint" }, say("lands.tile.hint")), drawing, more, make("div", { class: "buttons" }, turning, add), ready);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (spaces.length) tell(move(), ready);
  };
  const box = make("details", { class: "ask tile-ask", "data-tile": card }, make("summary", {}, title), form);
  box.open = true;
  redraw();
  return box;

  function place(east, south, nth) {
    const along = Math.round((nth * side) / 3);
    return { x: east ? east * half : along, y: south ? south * half : along };
  }

  function move() {
    const numbers = (test) => spaces.flatMap((space, at) => (test(space) ? [at + 1] : []));
    const ends = [...open].sort((a, b) => a - b).map((slot) => [nearest(spaces, slots[slot]) + 1, Math.trunc(slots[slot].x), Math.trunc(slots[slot].y)]);
    return {
      do: "tell", by, card, spaces: spaces.map(({ x, y }) => [x, y]), costs: spaces.map(({ cost }) => cost),
      ways: pairs().filter(([one, other]) => isWay(one, other)).map(([one, other]) => [one + 1, other + 1]),
      exits: ends, landmarks: numbers(({ landmark }) => landmark), fires: numbers(({ fire }) => fire),
    };
  }

  // -- spaces and ways -----------------------------------------------------------------------------

  function put(x, y) {
    if (spaces.length >= MOST_SPACES) return;
    spaces = [...spaces, { x, y, cost: 1, landmark: false, fire: false }];
    chosen = spaces.length - 1;
  }

  function remove(at) {
    const kept = [...switched].map(([key, on]) => [key.split(" ").map(Number), on]).filter(([pair]) => !pair.includes(at));
    switched.clear();
    for (const [pair, on] of kept) switched.set(pairOf(...pair.map((n) => (n > at ? n - 1 : n))), on);
    spaces = spaces.filter((_, other) => other !== at);
    chosen = null;
  }

  function pairs() {
    return spaces.flatMap((_, one) => spaces.slice(one + 1).map((__, nth) => [one, one + 1 + nth]));
  }

  function pairOf(one, other) {
    return [one, other].sort((a, b) => a - b).join(" ");
  }

  // Proposed are ways between spaces with no other one between them: none lies in the circle around both.
  function isWay(one, other) {
    const [a, b] = [spaces[one], spaces[other]];
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const clear = spaces.every((space, at) => at === one || at === other || away(space, middle) > 1.02 * away(a, middle));
    return switched.get(pairOf(one, other)) ?? clear;
  }

  function away(a, b) {
    return Math.hypot(a.x - b.x, a.y - b.y);
  }

  function nearest(places, point) {
    return places.reduce((best, one, at) => (away(one, point) < away(places[best], point) ? at : best), 0);
  }

  // Where a new space has the most room: for whoever has no finger on the picture.
  function emptiest() {
    const room = [-0.25, 0, 0.25].flatMap((y) => [-0.25, 0, 0.25].map((x) => ({ x: Math.round(x * side), y: Math.round(y * side) })));
    const free = ({ x, y }) => Math.min(...spaces.map((space) => away(space, { x, y })), side);
    const best = room.reduce((one, other) => (free(other) > free(one) + 0.1 ? other : one), room[4]);
    return [best.x, best.y];
  }

  // -- the picture ---------------------------------------------------------------------------------

  function redraw() {
    const key = form.contains(document.activeElement) ? document.activeElement.dataset.key : undefined;
    const reach = half + 1.3 * radius;
    const picture = shape("svg", { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, class: "tile-picture", role: "group", "aria-label": title });
    const turned = shape("g", { transform: `rotate(${turn})` });
    const ground = shape("rect", { x: -half, y: -half, width: side, height: side, rx: 3, class: "ground" });
    const at = -half + STICKER_OFF_MM;
    turned.append(ground, shape("rect", { x: at, y: at, width: STICKER_MM, height: STICKER_MM, class: "tile-sticker" }));
    const word = shape("text", { x: at + STICKER_MM / 2, y: at + STICKER_MM / 2, class: "of-sticker", transform: `rotate(${-turn} ${at + STICKER_MM / 2} ${at + STICKER_MM / 2})` });
    word.textContent = card;
    turned.append(word);
    for (const [one, other] of pairs()) if (isWay(one, other)) turned.append(line(spaces[one], spaces[other]));
    for (const slot of open) if (spaces.length) turned.append(line(slots[slot], spaces[nearest(spaces, slots[slot])]));
    slots.forEach((slot, nth) => turned.append(borderDot(slot, nth)));
    spaces.forEach((space, nth) => turned.append(spot(space, nth)));
    ground.onclick = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(turned.getScreenCTM().inverse());
      const there = { x: within(point.x), y: within(point.y) };
      const near = spaces.length ? nearest(spaces, there) : null;
      if (near !== null && away(spaces[near], there) < 1.5 * radius) chosen = near;
      else put(there.x, there.y);
      redraw();
    };
    picture.append(turned);
    drawing.replaceChildren(picture);
    more.replaceChildren(...(chosen === null ? [] : about(chosen)));
    more.hidden = chosen === null;
    ready.disabled = !spaces.length;
    add.disabled = spaces.length >= MOST_SPACES;
    if (key) form.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  function within(value) {
    return Math.max(-Math.floor(half), Math.min(Math.floor(half), Math.round(value)));
  }

  function line(one, other) {
    return shape("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y, class: "way" });
  }

  function borderDot(slot, nth) {
    const dot = shape("g", { class: `edge${open.has(nth) ? " open" : ""}`, transform: `translate(${slot.x} ${slot.y})` }, shape("circle", { r: 0.8 * radius }));
    touched(dot, `edge ${nth}`, say("lands.tile.edge", { n: nth + 1, m: slots.length }), open.has(nth), () => (open.has(nth) ? open.delete(nth) : open.add(nth)));
    return dot;
  }

  function spot(space, nth) {
    const made = shape("g", { class: `space of-${space.cost}${nth === chosen ? " chosen" : ""}`, transform: `translate(${space.x} ${space.y}) rotate(${-turn})` }, shape("circle", { r: 1.1 * radius }));
    const number = shape("text", { class: "number" });
    number.textContent = String(nth + 1);
    made.append(number, ...signs(space));
    touched(made, `space ${nth}`, say("lands.tile.space", { n: nth + 1 }), nth === chosen, () => (chosen = nth === chosen ? null : nth));
    made.onkeydown = (event) => {
      if (["Enter", " "].includes(event.key)) chosen = nth === chosen ? null : nth;
      else if (event.key === "Delete") remove(nth);
      else if (STEPS[event.key]) {
        const [east, south] = STEPS[event.key];
        const radians = (-turn * Math.PI) / 180;
        const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
        Object.assign(space, { x: within(space.x + (side / 20) * (east * cos - south * sin)), y: within(space.y + (side / 20) * (east * sin + south * cos)) });
        chosen = nth;
      } else return;
      event.preventDefault();
      redraw();
    };
    return made;
  }

  // Below a space what makes it another one: its points, its number, its fire.
  function signs(space) {
    const drawn = [];
    if (space.cost > 1) drawn.push((x) => shape("text", { class: "signs", x, y: 2 * radius }, String(space.cost)));
    if (space.landmark) drawn.push((x) => shape("path", { class: "signs", d: "M-5 5V-5H6L3-1.500 6 2H-3V5z", transform: `translate(${x} ${2 * radius}) scale(.6)` }));
    if (space.fire) drawn.push((x) => shape("use", { class: "fire", href: `${sprites.island}#fire`, x: x - 4, y: 2 * radius - 4, width: 8, height: 8 }));
    return drawn.map((draw, nth) => draw(9 * (nth - (drawn.length - 1) / 2)));
  }

  function touched(made, key, label, pressed, act) {
    for (const [name, value] of Object.entries({ role: "button", tabindex: 0, "aria-label": label, "aria-pressed": pressed, "data-key": key })) made.setAttribute(name, value);
    made.onclick = (event) => {
      event.stopPropagation();
      act();
      redraw();
    };
    made.onkeydown = (event) => {
      if (!["Enter", " "].includes(event.key)) return;
      event.preventDefault();
      act();
      redraw();
    };
  }

  // -- one space -----------------------------------------------------------------------------------

  function about(at) {
    const space = spaces[at];
    const row = (label, ...buttons) => make("div", { class: "row", role: "group", "aria-label": label }, make("span", {}, label), ...buttons);
    const costs = COSTS.map((n) => pressed(`cost ${n}`, String(n), space.cost === n, () => (space.cost = n)));
    const others = spaces.flatMap((_, other) => (other === at ? [] : [pressed(`way ${other}`, String(other + 1), isWay(at, other), () => switched.set(pairOf(at, other), !isWay(at, other)))]));
    return [
      make("b", {}, say("lands.tile.space", { n: at + 1 })),
      row(say("lands.tile.cost"), ...costs),
      ...(others.length ? [row(say("lands.tile.ways"), ...others)] : []),
      make("div", { class: "row" }, pressed("landmark", say("lands.space.landmark"), space.landmark, () => (space.landmark = !space.landmark)), pressed("fire", say("lands.tile.fire"), space.fire, () => (space.fire = !space.fire)), button("remove", say("lands.tile.remove"), () => remove(at))),
    ];
  }

  function pressed(key, words, on, act) {
    const made = button(key, words, act);
    made.setAttribute("aria-pressed", on);
    return made;
  }

  function button(key, words, act) {
    const made = make("button", { class: "button small", type: "button", "data-key": key }, words);
    made.onclick = () => {
      act();
      redraw();
    };
    return made;
  }
}
