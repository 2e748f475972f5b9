// The form for a map tile that was just turned up: tap its spaces in a drawing, and enter their facts.

import { focusOn, make, shape, sprites, text } from "../../static/dom.js";
import { say } from "../../static/live.js";

/**
 * @typedef {{ x: number, y: number }} Point In millimetres from the tile's centre.
 * @typedef {Point & { cost: number, landmark: boolean, fire: boolean }} TileSpace
 * @typedef {object} Asked
 * @property {string} card
 * @property {DescribedTile} [told] The earlier description.
 * @property {number} side Width of a tile in millimetres.
 * @property {string} title
 * @property {Seat} by The seat that describes it.
 * @property {(move: Move, pressed?: HTMLElement) => unknown} tell Sends the description.
 */

const COSTS = [1, 2, 3];
const SIDES = [
  [0, -1],
  [1, 0],
  [0, 1],
  [-1, 0],
];
const MIDDLES = [1, 4, 7, 10]; // the dots in the middle of each side
const STICKER_MM = 18;
const STICKER_OFF_MM = 1.5;
const MOST_SPACES = 20;
/** @type {Record<string, [east: number, south: number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A form for one tile. @param {Asked} asked */
export function tileForm({ card, told, side, title, by, tell }) {
  const half = side / 2;
  const radius = 0.07 * side;
  const dots = borderDots(side);
  let spaces = told ? spacesOf(told) : [];
  /** @type {Map<string, boolean>} */
  const switched = new Map(); // ways that were added or removed by hand, by their two spaces
  const open = new Set(told ? told.exits.map(([, x, y]) => nearest(dots, { x, y })) : MIDDLES);
  /** @type {number | null} */
  let chosen = null;
  let turn = 0;
  if (told) for (const [one, other] of pairs()) switched.set(pairOf(one, other), isTold(told, one, other));

  const drawing = make("div", { class: "tile-drawing" });
  const more = make("div", { class: "of-space" });
  const ready = make("button", { class: "button main", type: "submit" }, say("lands.ask.tell"));
  const add = button("add", say("lands.tile.add"), () => put(emptiest()));
  const turning = button("turn", say("lands.tile.turn"), () => (turn = (turn + 90) % 360));
  const buttons = make("div", { class: "buttons" }, turning, add);
  const form = make("form", {}, make("p", { class: "hint" }, say("lands.tile.hint")), drawing, more, buttons, ready);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (spaces.length) tell(move(), ready);
  };
  const box = make("details", { class: "ask tile-ask", "data-tile": card }, make("summary", {}, title), form);
  box.open = true;
  redraw();
  return box;

  /** @returns {Move} */
  function move() {
    /** @param {(space: TileSpace) => boolean} test */
    const numbers = (test) => spaces.flatMap((space, at) => (test(space) ? [at + 1] : []));
    const dotNumbers = [...open].sort((a, b) => a - b);
    return {
      do: "tell",
      by,
      card,
      spaces: spaces.map(({ x, y }) => [x, y]),
      costs: spaces.map(({ cost }) => cost),
      ways: pairs().flatMap(([one, other]) => (isWay(one, other) ? [[one + 1, other + 1]] : [])),
      exits: dotNumbers.map((nth) => {
        const { x, y } = dots[nth];
        return [nearest(spaces, dots[nth]) + 1, Math.trunc(x), Math.trunc(y)];
      }),
      landmarks: numbers(({ landmark }) => landmark),
      fires: numbers(({ fire }) => fire),
    };
  }

  // -- spaces and ways -----------------------------------------------------------------------------

  /** @param {Point} at */
  function put({ x, y }) {
    if (spaces.length >= MOST_SPACES) return;
    spaces = [...spaces, { x, y, cost: 1, landmark: false, fire: false }];
    chosen = spaces.length - 1;
  }

  /** @param {number} at */
  function remove(at) {
    const before = [...switched];
    switched.clear();
    for (const [key, on] of before) {
      const pair = key.split(" ").map(Number);
      if (pair.includes(at)) continue;
      const [one, other] = pair.map((n) => (n > at ? n - 1 : n));
      switched.set(pairOf(one, other), on);
    }
    spaces = spaces.filter((_, other) => other !== at);
    chosen = null;
  }

  function pairs() {
    return spaces.flatMap((_, one) => spaces.slice(one + 1).map((__, nth) => [one, one + 1 + nth]));
  }

  // A way is proposed between two spaces if no other space lies in the circle around both.
  /** @param {number} one @param {number} other */
  function isWay(one, other) {
    const [a, b] = [spaces[one], spaces[other]];
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    const clear = spaces.every(
      (space, at) => at === one || at === other || away(space, middle) > 1.02 * away(a, middle),
    );
    return switched.get(pairOf(one, other)) ?? clear;
  }

  // The point with the most room for a new space: for use without touch.
  function emptiest() {
    const steps = [-0.25, 0, 0.25].map((step) => Math.round(step * side));
    const room = steps.flatMap((y) => steps.map((x) => ({ x, y })));
    /** @param {Point} at */
    const free = (at) => Math.min(...spaces.map((space) => away(space, at)), side);
    return room.reduce((one, other) => (free(other) > free(one) + 0.1 ? other : one), room[4]);
  }

  /** Limits a coordinate to the tile. @param {number} value */
  function within(value) {
    return Math.max(-Math.floor(half), Math.min(Math.floor(half), Math.round(value)));
  }

  // -- the picture ---------------------------------------------------------------------------------

  function redraw() {
    const focused = document.activeElement;
    const key = form.contains(focused) ? focused?.getAttribute("data-key") : null;
    const reach = half + 1.3 * radius;
    const viewBox = `${-reach} ${-reach} ${2 * reach} ${2 * reach}`;
    const attributes = { viewBox, class: "tile-picture", role: "group", "aria-label": title };
    drawing.replaceChildren(shape("svg", attributes, picture()));
    more.replaceChildren(...(chosen === null ? [] : about(chosen)));
    more.hidden = chosen === null;
    ready.disabled = !spaces.length;
    add.disabled = spaces.length >= MOST_SPACES;
    if (key) focusOn(form, `[data-key="${CSS.escape(key)}"]`);
  }

  function picture() {
    const turned = shape("g", { transform: `rotate(${turn})` });
    const ground = shape("rect", { x: -half, y: -half, width: side, height: side, rx: 3, class: "ground" });
    const at = -half + STICKER_OFF_MM;
    const middle = at + STICKER_MM / 2;
    turned.append(
      ground,
      shape("rect", { x: at, y: at, width: STICKER_MM, height: STICKER_MM, class: "tile-sticker" }),
      text(card, { x: middle, y: middle, class: "of-sticker", transform: `rotate(${-turn} ${middle} ${middle})` }),
      ...pairs().flatMap(([one, other]) => (isWay(one, other) ? [line(spaces[one], spaces[other])] : [])),
      ...(spaces.length ? [...open].map((nth) => line(dots[nth], spaces[nearest(spaces, dots[nth])])) : []),
      ...dots.map(borderDot),
      ...spaces.map(spot),
    );
    ground.onclick = ({ clientX, clientY }) => {
      const point = new DOMPoint(clientX, clientY).matrixTransform(turned.getScreenCTM()?.inverse());
      touchGround({ x: within(point.x), y: within(point.y) });
      redraw();
    };
    return turned;
  }

  /** A tap close to a space selects it. @param {Point} there */
  function touchGround(there) {
    const near = nearest(spaces, there);
    if (spaces.length && away(spaces[near], there) < 1.5 * radius) chosen = near;
    else put(there);
  }

  /** @param {Point} dot @param {number} nth */
  function borderDot({ x, y }, nth) {
    const isOpen = open.has(nth);
    const attributes = { class: `edge${isOpen ? " open" : ""}`, transform: `translate(${x} ${y})` };
    const made = shape("g", attributes, shape("circle", { r: 0.8 * radius }));
    const words = say("lands.tile.edge", { n: nth + 1, m: dots.length });
    touchable(made, `edge ${nth}`, words, isOpen, () => (isOpen ? open.delete(nth) : open.add(nth)));
    return made;
  }

  /** @param {TileSpace} space @param {number} nth */
  function spot(space, nth) {
    const choose = () => (chosen = nth === chosen ? null : nth);
    const made = shape(
      "g",
      {
        class: `space of-${space.cost}${nth === chosen ? " chosen" : ""}`,
        transform: `translate(${space.x} ${space.y}) rotate(${-turn})`,
      },
      shape("circle", { r: 1.1 * radius }),
      text(nth + 1, { class: "number" }),
      ...signs(space),
    );
    touchable(made, `space ${nth}`, say("lands.tile.space", { n: nth + 1 }), nth === chosen, choose);
    made.onkeydown = (event) => {
      if (["Enter", " "].includes(event.key)) choose();
      else if (event.key === "Delete") remove(nth);
      else if (STEPS[event.key]) {
        shove(space, STEPS[event.key]);
        chosen = nth;
      } else return;
      event.preventDefault();
      redraw();
    };
    return made;
  }

  /** Moves it by a twentieth of the tile, as seen on the screen. @param {TileSpace} space @param {number[]} step */
  function shove(space, [east, south]) {
    const radians = (-turn * Math.PI) / 180;
    const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
    space.x = within(space.x + (side / 20) * (east * cos - south * sin));
    space.y = within(space.y + (side / 20) * (east * sin + south * cos));
  }

  /** The special features below a space: its points, its number, its fire. @param {TileSpace} space */
  function signs({ cost, landmark, fire }) {
    const y = 2 * radius;
    /** @type {((x: number) => SVGElement)[]} */
    const drawn = [];
    if (cost > 1) drawn.push((x) => text(cost, { class: "signs", x, y }));
    if (landmark) {
      const d = "M-5 5V-5H6L3-1.500 6 2H-3V5z";
      drawn.push((x) => shape("path", { class: "signs", d, transform: `translate(${x} ${y}) scale(.6)` }));
    }
    if (fire) {
      const href = `${sprites.island}#fire`;
      drawn.push((x) => shape("use", { class: "fire", href, x: x - 4, y: y - 4, width: 8, height: 8 }));
    }
    return drawn.map((draw, nth) => draw(9 * (nth - (drawn.length - 1) / 2)));
  }

  /**
   * @param {SVGElement} made
   * @param {string} key
   * @param {string} words
   * @param {boolean} pressed
   * @param {() => void} act
   */
  function touchable(made, key, words, pressed, act) {
    made.setAttribute("role", "button");
    made.setAttribute("tabindex", "0");
    made.setAttribute("aria-label", words);
    made.setAttribute("aria-pressed", String(pressed));
    made.setAttribute("data-key", key);
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

  /** @param {number} at */
  function about(at) {
    const space = spaces[at];
    const costs = COSTS.map((n) => pressed(`cost ${n}`, String(n), space.cost === n, () => (space.cost = n)));
    const others = spaces.flatMap((_, other) => (other === at ? [] : [wayButton(at, other)]));
    return [
      make("b", {}, say("lands.tile.space", { n: at + 1 })),
      row(say("lands.tile.cost"), ...costs),
      ...(others.length ? [row(say("lands.tile.ways"), ...others)] : []),
      make(
        "div",
        { class: "row" },
        pressed("landmark", say("lands.space.landmark"), space.landmark, () => (space.landmark = !space.landmark)),
        pressed("fire", say("lands.tile.fire"), space.fire, () => (space.fire = !space.fire)),
        button("remove", say("lands.tile.remove"), () => remove(at)),
      ),
    ];
  }

  /** @param {number} at @param {number} other */
  function wayButton(at, other) {
    const on = isWay(at, other);
    return pressed(`way ${other}`, String(other + 1), on, () => switched.set(pairOf(at, other), !on));
  }

  /** @param {string} key @param {string} words @param {boolean} on @param {() => void} act */
  function pressed(key, words, on, act) {
    const made = button(key, words, act);
    made.setAttribute("aria-pressed", String(on));
    return made;
  }

  /** @param {string} key @param {string} words @param {() => void} act */
  function button(key, words, act) {
    const made = make("button", { class: "button small", type: "button", "data-key": key }, words);
    made.onclick = () => {
      act();
      redraw();
    };
    return made;
  }
}

/**
 * The exits of a tile: three on each side, clockwise from the north-west.
 * @param {number} side
 * @returns {Point[]}
 */
function borderDots(side) {
  return SIDES.flatMap(([east, south]) =>
    [-1, 0, 1].map((nth) => {
      const along = Math.round(((east - south > 0 ? nth : -nth) * side) / 3);
      return { x: east ? (east * side) / 2 : along, y: south ? (south * side) / 2 : along };
    }),
  );
}

/** @param {DescribedTile} told @returns {TileSpace[]} */
function spacesOf({ spaces, costs, landmarks, fires }) {
  return spaces.map(([x, y], at) => {
    return { x, y, cost: costs[at], landmark: landmarks.includes(at + 1), fire: fires.includes(at + 1) };
  });
}

/** Whether two spaces have a described way. @param {DescribedTile} told @param {number} one @param {number} other */
function isTold({ ways }, one, other) {
  return ways.some(([a, b]) => a - 1 === one && b - 1 === other);
}

/** @param {number} one @param {number} other */
function pairOf(one, other) {
  return [one, other].sort((a, b) => a - b).join(" ");
}

/** @param {Point} a @param {Point} b */
function away(a, b) {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Which of these points is the nearest; 0 if there are none. @param {Point[]} places @param {Point} point */
function nearest(places, point) {
  return places.reduce((best, one, at) => (away(one, point) < away(places[best], point) ? at : best), 0);
}

/** @param {Point} one @param {Point} other */
function line(one, other) {
  return shape("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y, class: "way" });
}

/** @param {string} label @param {...HTMLElement} buttons */
function row(label, ...buttons) {
  return make("div", { class: "row", role: "group", "aria-label": label }, make("span", {}, label), ...buttons);
}
