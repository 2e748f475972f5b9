// Bone tiles and stones as shapes: what the table and the page of a stored match draw.

import { shape } from "../../static/svg.js";

export { shape };

export const sprites = document.documentElement.dataset;

const WAYS = { N: [0, -1], E: [1, 0], S: [0, 1], W: [-1, 0] };
const HALF = 50; // of a tile's side, in the units of the drawing

// A tile about its own middle, turned clockwise by quarters: its bone, its number, its jewels, and what it is called.
export function bone({ id, ends, value, jewels }, turn = 0) {
  const rotten = value < 0;
  const spin = shape("g", { transform: `rotate(${90 * turn})`, class: rotten ? "rotten" : "sound" });
  for (const end of ends) {
    const [x, y] = WAYS[end];
    spin.append(shape("path", { d: `M0 0L${x * HALF} ${y * HALF}`, class: "shaft" }));
    spin.append(shape("path", { d: `M0 0L${x * HALF} ${y * HALF}`, class: "marrow" }));
  }
  spin.append(shape("circle", { r: 19, class: "joint" }));
  const number = shape("text", { y: 9, class: "value" });
  number.textContent = value < 0 ? `−${-value}` : value ? `+${value}` : "";
  const name = shape("text", { x: -44, y: -33, class: "name" });
  name.textContent = id.slice(1);
  const gems = jewels.map((jewel, nth) => gem(jewel, 38 - 20 * nth, 38));
  return shape("g", { class: "bone" }, shape("rect", { x: -HALF + 1, y: -HALF + 1, width: 98, height: 98, rx: 6, class: "earth" }), spin, number, name, ...gems);
}

// A jewel on a tile, small and cut; a letter says its colour.
function gem(colour, x, y) {
  const letter = shape("text", { x, y: y + 4.5 });
  letter.textContent = LETTERS[colour];
  return shape("g", { class: `gem of-${colour}` }, shape("path", { d: `M${x - 9} ${y - 3}l4-6h10l4 6-9 12z` }), letter);
}

// Colours of stones, each with the letter that is on its chips and a form of its own. Red, blue, green and yellow have the
// forms of the marks of the seats that usually play them.
export const LETTERS = { red: "R", blue: "B", green: "G", yellow: "Y", white: "W" };
const FORMS = {
  red: "M12 1.500 23 21.500H1z",
  blue: "M12 1.500a10.500 10.500 0 1 1 0 21 10.500 10.500 0 0 1 0-21z",
  green: "M2.500 2.500h19v19h-19z",
  yellow: "M12 .8 23.200 12 12 23.200.8 12z",
  white: "M6.500 2h11L23 12l-5.500 10h-11L1 12z",
};

export function stone(colour, big = false) {
  const letter = shape("text", { x: 12, y: colour === "red" ? 19 : 16.5 });
  letter.textContent = LETTERS[colour];
  return shape("svg", { viewBox: "-1 -1 26 26", class: `stone of-${colour}${big ? " big" : ""}`, "aria-hidden": "true" }, shape("path", { d: FORMS[colour] }), letter);
}

// The plots of a stored match side by side, which knows where tiles lay and not what is on them.
export function drawMap(map, cards) {
  const laid = cards.filter((card) => card.x !== undefined);
  const found = {};
  let [left, high] = [0, 1];
  for (const seat of [...new Set(laid.map((card) => card.by))].sort()) {
    const own = laid.filter((card) => card.by === seat);
    const [x, y] = [Math.min(...own.map((one) => one.x)), Math.min(...own.map((one) => one.y))];
    const sign = shape("g", { class: `seat-${seat}` }, shape("use", { href: `${sprites.symbols}#s${seat}`, x: left * 30, y: 2, width: 18, height: 18 }));
    map.append(sign);
    for (const card of own) {
      const [column, row] = [left + card.x - x, card.y - y];
      const name = shape("text", { x: column * 30 + 15, y: row * 30 + 45 });
      name.textContent = card.id.slice(1);
      const cell = shape("g", { class: "cell laid" }, shape("rect", { x: column * 30 + 1, y: row * 30 + 26, width: 28, height: 28, rx: 3 }), name);
      map.append(cell);
      if (!card.dealt) found[card.id] = cell; // what was dealt lies there from the first moment
      high = Math.max(high, row + 1);
    }
    left += Math.max(...own.map((one) => one.x)) - x + 1.5;
  }
  map.setAttribute("viewBox", `-2 0 ${Math.max(1, left) * 30 + 4} ${high * 30 + 30}`);
  return found;
}
