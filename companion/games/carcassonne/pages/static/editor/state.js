// The state of the editor: the deck as entered, the current tile, and the steps to undo. Saved after every change.

import { byId, jsonOf } from "../../../static/dom.js";
import { send } from "../../../static/send.js";

/**
 * @typedef {{ patterns: Pattern[], cards: string[], things: string }} Form `things`: the tiles' key in a deck file.
 * @typedef {{ faults: Fault[], open: Fault[], drawn?: (TileFace | null)[] }} Checked
 * @typedef {Fault & { row: TileRow | null }} RowFault A fault with its row, which stays the same when other
 *   rows are added meanwhile.
 * @typedef {{ deck: Record<string, any>, tile: TileRow[] }} Deck
 * @typedef {{ at: string, deck: string }} Step The deck before a change, as JSON, and the current tile.
 * @typedef {object} Draft A tile that is being entered.
 * @property {number} turn Quarter turns of its pictures.
 * @property {Pattern | null} pattern The choice so far.
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
/** The table's drawings of rows, by the content of the row. @type {Map<string, TileFace>} */
const drawings = new Map();
let timer = 0;
let saving = Promise.resolve();

const deck = deckOf(jsonOf("typed"));
export const state = {
  deck,
  faults: ofRows(checked.faults, deck.tile),
  odd: ofRows(checked.open, deck.tile),
  /** The current tile: its id, or `#` and its row number if the id is not usable. */
  at: form.cards.find((id) => !deck.tile.some((row) => row.id === id)) ?? form.cards[0],
  draft: fresh(),
  /** The tile that was entered last. @type {string | null} */
  last: null,
  said: "",
  /** @type {Step[]} */
  past: [],
  /** @type {Step[]} */
  future: [],
  /** The field with the focus: all typing in it is one step. */
  typing: "",
};
know(deck.tile, checked.drawn);

/** The deck, whatever a file written by hand contains. @param {Record<string, any>} typed @returns {Deck} */
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

/** Tiles that do not fit in the grid of the box: numbers beyond it, invalid ids, duplicates. */
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

/** The table's drawing of a row; none before it was saved. @param {TileRow} row */
export function drawingOf(row) {
  return drawings.get(looksOf(row));
}

/** Call before a change. @param {string} field The field with the focus, if any. */
export function remember(field = "") {
  if (field && state.typing === field) return;
  state.typing = field;
  state.past = [...state.past.slice(1 - MOST_STEPS), { at: state.at, deck: JSON.stringify(state.deck) }];
  state.future = [];
}

/** Undoes or redoes a step. Returns the tile that was shown then. @param {Step[]} from @param {Step[]} onto */
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

/** Replaces the current row, or inserts it in its place. @param {TileRow} row */
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

/** Saves one state after the other. The event `checked` means that the faults may have changed. */
export function save() {
  clearTimeout(timer);
  timer = 0;
  saving = saving.then(async () => {
    const rows = state.deck.tile;
    const outcome = await send("decks", { name, deck: { deck: state.deck.deck, [form.things]: rows } });
    if (outcome === null) return later(); // the camera request is still running
    if (!outcome.ok) return;
    know(rows, outcome.body.drawn);
    state.faults = ofRows(outcome.body.faults, rows);
    state.odd = ofRows(outcome.body.open, rows);
    if (!timer) dispatchEvent(new Event("checked"));
  });
  return saving;
}
