// The tiles of a box: bone, jewels, number. The number enters the tile and shows the next one that is missing.

import { byId, find, findAll, jsonOf, make, shape } from "../../static/dom.js";
import { follow, say, signed } from "../../static/live.js";
import { send } from "../../static/send.js";
import { bone } from "./map.js";

/** @typedef {Partial<BoneTile> & { kind?: string, source?: string }} Row A tile of a deck file, maybe typed by hand. */

const BONES = ["NS", "EW", "NE", "ES", "SW", "NW", "NES", "ESW", "NSW", "NEW", "N", "E", "S", "W"];
const USUAL = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6];
const MOST_VALUE = 20;
const ALL = Array.from({ length: 2 * MOST_VALUE + 1 }, (_, nth) => nth - MOST_VALUE);
const OTHERS = ALL.filter((value) => !USUAL.includes(value));
const JEWELS = ["red", "blue", "green", "yellow", "white"];
const MOST_JEWELS = 5;

/** @type {{ cards: string[] }} */
const { cards } = jsonOf("form");
/** @type {{ deck: Record<string, string>, tile?: Row[] }} */
const typed = jsonOf("typed");
/** The rows that the faults are about. */
let checked = Array.isArray(typed.tile) ? typed.tile : [];
/** @type {Map<string, Row>} */
const rows = new Map(checked.map((row) => [String(row.id), row]));
/** @type {Fault[]} */
let faults = jsonOf("checked").faults;
let at = cards.find((id) => !rows.has(id)) ?? cards[0];
let draft = draftOf(at);
let saving = Promise.resolve();

/** What is chosen of a tile so far. @param {string} id @returns {{ ends: string, jewels: string[] }} */
function draftOf(id) {
  const { ends, jewels } = rows.get(id) ?? {};
  return { ends: sorted(ends ?? ""), jewels: [...(jewels ?? [])] };
}

/** The letters of the sides in one order, as `BONES` has them. @param {string} ends */
function sorted(ends) {
  return [..."NESW"].filter((end) => ends.includes(end)).join("");
}

/** @param {string} ends */
function kindOf(ends) {
  if (ends.length === 2) return ["NS", "EW"].includes(ends) ? "straight" : "corner";
  return ends.length === 1 ? "end" : "three";
}

/** @param {string} ends */
function boneWords(ends) {
  const sides = [...ends].map((end) => say(`darwinci.side.${end.toLowerCase()}`));
  return `${say(`darwinci.bone.${kindOf(ends)}`)}: ${sides.join(", ")}`;
}

/** @param {Row} row */
function drawn({ ends = "", value = 0, jewels = [] }) {
  return shape("svg", { viewBox: "-52 -52 104 104", "aria-hidden": "true" }, bone({ id: "", ends, value, jewels }));
}

/** @param {Node[]} inside @param {string} words @param {() => void} act @param {boolean} [pressed] */
function pick(inside, words, act, pressed) {
  const button = make("button", { className: "pick", type: "button", ariaLabel: words }, ...inside);
  if (pressed !== undefined) button.setAttribute("aria-pressed", String(pressed));
  button.onclick = act;
  return make("li", {}, button);
}

/** @param {string} id @param {boolean} focus */
function open(id, focus) {
  at = id;
  draft = draftOf(id);
  show();
  if (focus) byId("which").focus();
}

/** Shows the tile that is being entered, and the box. The pressed button keeps the focus. */
function show() {
  const focused = document.activeElement?.getAttribute("aria-label");
  const row = rows.get(at);
  byId("which").textContent = at;
  byId("bones").replaceChildren(
    ...BONES.map((ends) => {
      const choose = () => change({ ...draft, ends });
      return pick([drawn({ ends })], boneWords(ends), choose, draft.ends === ends);
    }),
  );
  byId("jewels").replaceChildren(
    ...JEWELS.map((jewel) => {
      const number = draft.jewels.filter((one) => one === jewel).length;
      const what = say(`darwinci.jewel.${jewel}`);
      const words = number ? say("darwinci.stones.n", { what, n: number }) : what;
      const add = () => change({ ...draft, jewels: [...draft.jewels, jewel].slice(0, MOST_JEWELS) });
      return pick([document.createTextNode(words)], words, add);
    }),
  );
  byId("none", HTMLButtonElement).disabled = !draft.jewels.length;
  byId("values").replaceChildren(...USUAL.map((value) => numberOf(value, row)));
  byId("others").replaceChildren(...OTHERS.map((value) => numberOf(value, row)));
  byId("progress", HTMLProgressElement).value = rows.size;
  byId("count").textContent = say("darwinci.editor.count", { n: rows.size, m: cards.length });
  byId("grid").replaceChildren(
    ...cards.map((id) => {
      const entered = rows.get(id);
      const caption = entered ? `${id} ${signed(entered.value ?? 0)}` : id;
      const words = say(entered ? "darwinci.editor.entered" : "darwinci.editor.open", { piece: caption });
      const inside = [...(entered ? [drawn(entered)] : []), make("span", {}, caption)];
      const cell = pick(inside, words, () => open(id, true));
      if (id === at) cell.firstElementChild?.setAttribute("aria-current", "true");
      return cell;
    }),
  );
  // Before the box is whole only what is wrong with a tile by itself is a fault.
  const whole = rows.size >= cards.length;
  const wrong = faults.filter(({ where }) => whole || typeof where[1] === "number");
  const fine = say(rows.size ? "darwinci.editor.sound" : "darwinci.editor.empty");
  byId("sound").textContent = rows.size && wrong.length ? "" : fine;
  byId("faults").replaceChildren(...(rows.size ? wrong.map((fault) => make("li", {}, faultWords(fault))) : []));
  const same = findAll(byId("editor"), "[aria-label]").find((one) => one.getAttribute("aria-label") === focused);
  if (focused) same?.focus();
}

/** A fault with its tile in the place of its path in the file. @param {Fault} fault */
function faultWords({ what, where }) {
  const path = where.map((part) => (typeof part === "number" ? part + 1 : part)).join(".");
  const words = what.startsWith(path) ? what.slice(path.length).replace(/^\s*:\s*/, "") : what;
  const [, nth] = where;
  return typeof nth === "number" && checked[nth]?.id ? `${checked[nth].id}: ${words}` : words;
}

/** @param {number} value @param {Row} [row] The tile as it was entered. */
function numberOf(value, row) {
  const words = signed(value);
  const one = pick([document.createTextNode(words)], words, () => enter(value), row?.value === value);
  find(one, "button", HTMLButtonElement).disabled = !draft.ends;
  return one;
}

/** @param {{ ends: string, jewels: string[] }} chosen */
function change(chosen) {
  draft = chosen;
  show();
}

/** Enters the tile with this number, and shows the next missing one. @param {number} value */
function enter(value) {
  const { ends, jewels } = draft;
  const { source } = rows.get(at) ?? {};
  const more = { ...(jewels.length ? { jewels } : {}), ...(source ? { source } : {}) };
  rows.set(at, { id: at, kind: kindOf(ends), ends, value, ...more });
  const from = cards.indexOf(at) + 1;
  const next = [...cards.slice(from), ...cards.slice(0, from)].find((id) => !rows.has(id));
  byId("done").textContent = next
    ? say("darwinci.editor.next", { piece: at, what: next })
    : say("darwinci.editor.whole", { m: cards.length });
  open(next ?? at, true);
  save();
}

/** Saves one state after the other. */
function save() {
  saving = saving.then(async () => {
    const tile = [...rows.values()].sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    const name = byId("editor").dataset.name;
    const outcome = await send("decks", { name, deck: { deck: typed.deck, tile } });
    if (!outcome?.ok) return;
    checked = tile;
    faults = outcome.body.faults;
    show();
  });
}

/** @param {number} by */
function beside(by) {
  open(cards[(cards.indexOf(at) + by + cards.length) % cards.length], true);
}

byId("before").onclick = () => beside(-1);
byId("after").onclick = () => beside(1);
byId("none").onclick = () => change({ ...draft, jewels: [] });
follow(() => {}, { stay: true });
show();
