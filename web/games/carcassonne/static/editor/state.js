// What the editor holds: the deck as typed, the tile that is shown, and what was before. It is kept after every change.

import { byId, jsonOf } from "../../../static/dom.js";
import { send } from "../../../static/send.js";

/**
 * @typedef {{ patterns: Pattern[], cards: string[], things: string }} Form `things`: what a deck file calls its tiles.
 * @typedef {{ faults: Fault[], open: Fault[], drawn?: (TileFace | null)[] }} Checked
 * @typedef {Fault & { row: TileRow | null }} RowFault A fault with the row that it is about, which stays the same when
 *   others are entered meanwhile.
 * @typedef {{ deck: Record<string, any>, tile: TileRow[] }} Deck
 * @typedef {{ at: string, deck: string }} Step What the deck was before it, as JSON, and the tile that was shown.
 * @typedef {object} Draft A tile that is about to be entered.
 * @property {number} turn Quarters by which its pictures are turned.
 * @property {Pattern | null} pattern What was chosen so far.
 * @property {Terrain[] | null} terrains
 * @property {boolean} again It was entered before.
 */

const WAIT_MS = 500;
const MOST_STEPS = 200;
/** @type {Form} */
export const form = jsonOf("form");
const name = byId("editor").dataset.name ?? "";
/** @type {Checked} */
const checked = jsonOf("checked");
/** What the table drew of rows, by what they look like. @type {Map<string, TileFace>} */
const drawings = new Map();
let timer = 0;
let saving = Promise.resolve();

const deck = deckOf(jsonOf("typed"));
export const state = {
  deck,
  faults: ofRows(checked.faults, deck.tile),
  odd: ofRows(checked.open, deck.tile),
  /** The tile that is shown: its id, or `#` and its row where no id will do. */
  at: form.cards.find((id) => !deck.tile.some((row) => row.id === id)) ?? form.cards[0],
  draft: fresh(),
  /** The tile that was entered just now. @type {string | null} */
  last: null,
  said: "",
  /** @type {Step[]} */
  past: [],
  /** @type {Step[]} */
  future: [],
  /** The field that is typed in, so that typing on in it is one step. */
  typing: "",
};
know(deck.tile, checked.drawn);

/** A deck as typed, whatever somebody wrote into its file. @param {Record<string, any>} typed @returns {Deck} */
function deckOf(typed) {
  /** @type {any[]} */
  const things = Array.isArray(typed[form.things]) ? typed[form.things] : [];
  const tile = things.filter((row) => row && typeof row === "object" && !Array.isArray(row));
  const head = typed.deck && typeof typed.deck === "object" ? typed.deck : {};
  return { ...typed, tile, deck: { ...head, game: head.game ?? "carcassonne" } };
}

/** @returns {Draft} */
export function fresh() {
  return { turn: 0, pattern: null, terrains: null, again: false };
}

/** @param {string} id @returns {TileRow | undefined} */
export function rowOf(id) {
  const { tile } = state.deck;
  return id.startsWith("#") ? tile[Number(id.slice(1))] : tile.find((row) => row.id === id);
}

/** Tiles that the grid of the box has no place for: numbered beyond it, named wrong, or there twice. */
export function strays() {
  return state.deck.tile.flatMap((row, index) => (isStray(row) ? [`#${index}`] : []));
}

/** @param {TileRow} row */
export function isStray(row) {
  return !form.cards.includes(row.id) || rowOf(row.id) !== row;
}

/** @param {Fault[]} faults @param {TileRow[]} rows @returns {RowFault[]} */
function ofRows(faults, rows) {
  return faults.map((one) => {
    const [things, nth] = one.where;
    return { ...one, row: things === form.things && typeof nth === "number" ? rows[nth] : null };
  });
}

/** @param {TileRow} row */
function looksOf(row) {
  return JSON.stringify([row.segment, row.meets ?? [], row.city ?? []]);
}

/** @param {TileRow[]} rows @param {(TileFace | null)[]} drawn */
function know(rows, drawn = []) {
  for (const [index, row] of rows.entries()) {
    const face = drawn[index];
    if (face) drawings.set(looksOf(row), face);
  }
}

/** What the table drew of a row; nothing before it was kept. @param {TileRow} row */
export function drawingOf(row) {
  return drawings.get(looksOf(row));
}

/** Before a change. @param {string} field The one that is typed in, if any. */
export function remember(field = "") {
  if (field && state.typing === field) return;
  state.typing = field;
  state.past = [...state.past.slice(1 - MOST_STEPS), { at: state.at, deck: JSON.stringify(state.deck) }];
  state.future = [];
}

/** Takes a step back or forth. Answers with the tile that was shown then. @param {Step[]} from @param {Step[]} onto */
export function step(from, onto) {
  const before = from.pop();
  if (!before) return null;
  onto.push({ at: state.at, deck: JSON.stringify(state.deck) });
  state.deck = JSON.parse(before.deck);
  state.typing = "";
  state.last = null;
  state.said = "";
  later();
  return before.at;
}

/** Puts a row in the place of the one that is shown, or where it belongs. @param {TileRow} row */
export function keep(row) {
  const shown = rowOf(state.at);
  const rows = [...state.deck.tile];
  if (shown) rows[rows.indexOf(shown)] = row;
  else {
    const after = rows.findIndex((one) => String(one.id) > row.id);
    rows.splice(after < 0 ? rows.length : after, 0, row);
  }
  state.deck.tile = rows;
}

export function later() {
  byId("undo", HTMLButtonElement).disabled = !state.past.length;
  byId("redo", HTMLButtonElement).disabled = !state.future.length;
  clearTimeout(timer);
  timer = setTimeout(save, WAIT_MS);
}

export function isWaiting() {
  return timer !== 0;
}

/** One after the other: a later answer is about a later state. The event `checked` says that faults may be others. */
export function save() {
  clearTimeout(timer);
  timer = 0;
  saving = saving.then(async () => {
    const rows = state.deck.tile;
    const outcome = await send("decks", { name, deck: { deck: state.deck.deck, [form.things]: rows } });
    if (outcome === null) return later(); // the camera is asked just now
    if (!outcome.ok) return;
    know(rows, outcome.body.drawn);
    state.faults = ofRows(outcome.body.faults, rows);
    state.odd = ofRows(outcome.body.open, rows);
    if (!timer) dispatchEvent(new Event("checked"));
  });
  return saving;
}
