// A tile is entered in three steps, one tap each: its pattern, its terrains, its cities.

import { byId, findAll } from "../../../static/dom.js";
import { say } from "../../../static/live.js";
import { around, citySets, coasts, colourings, thingOf, turnedEdges } from "./patterns.js";
import { described, drawable, drawnRow, pick, picture } from "./pictures.js";
import { form, state } from "./state.js";

/**
 * @typedef {Pick<TileRow, "segment" | "meets" | "city">} Entered The choices for a tile.
 * @typedef {{ show: () => void, enter: (entered: Entered) => void }} Next
 * @typedef {{ pattern: Pattern, terrains: Terrain[], turn: number }} Coloured A pattern with its terrains.
 */

/** The current step. */
export function stageOf() {
  const { pattern, terrains } = state.draft;
  if (!pattern) return "pattern";
  return terrains ? "cities" : "terrains";
}

/** @param {Next} next Called after a tap. */
export function showStep(next) {
  const stage = stageOf();
  const { pattern, terrains, turn } = state.draft;
  for (const section of findAll(document, "[data-step]")) section.hidden = section.dataset.step !== stage;
  if (!pattern) pickPattern(next);
  else if (!terrains) pickTerrains(pattern, next);
  else pickCities({ pattern, terrains, turn }, next);
}

/** @param {Next} next */
function pickPattern({ show, enter }) {
  byId("patterns").replaceChildren(
    ...form.patterns.map((pattern) => {
      const svg = picture(thingOf(pattern, [], []), state.draft.turn, { blank: true });
      return pick(svg, say(`carcassonne.editor.pattern.${pattern.name}`), () => {
        state.draft = { ...state.draft, pattern };
        show();
      });
    }),
  );
  /** @type {Map<string, TileRow[]>} */
  const kinds = new Map();
  for (const row of state.deck.tile.filter(drawable)) kinds.set(kindOf(row), [...(kinds.get(kindOf(row)) ?? []), row]);
  byId("known").hidden = !kinds.size;
  byId("kinds").replaceChildren(
    ...[...kinds.values()].map((rows) => {
      const [row] = rows;
      const count = `× ${rows.length}`;
      return pick(drawnRow(row), `${described(row.segment, row.city ?? [])} ${count}`, () => enter(row), {}, count);
    }),
  );
}

/** Rows of a kind differ only in the places of followers. @param {TileRow} row */
function kindOf({ segment, meets = [], city = [] }) {
  return JSON.stringify([segment.map(({ terrain, edges }) => [terrain, edges]), meets, city]);
}

/** @param {Pattern} pattern @param {Next} next */
function pickTerrains(pattern, { show, enter }) {
  byId("terrains").replaceChildren(
    ...colourings(pattern).map((colouring) => {
      const coloured = { pattern, ...around(pattern, colouring, state.draft.turn) };
      const { terrains, turn } = coloured;
      const svg = picture(thingOf(pattern, terrains, []), turn);
      return pick(svg, described(entered(coloured, []).segment, []), () => {
        state.draft = { ...state.draft, terrains, turn };
        if (coasts(pattern.meets, terrains).length) show();
        else enter(entered(coloured, []));
      });
    }),
  );
}

/** @param {Coloured} coloured @param {Next} next */
function pickCities(coloured, { enter }) {
  const { pattern, terrains, turn } = coloured;
  byId("cities").replaceChildren(
    ...citySets(coasts(pattern.meets, terrains)).map((cities) => {
      const svg = picture(thingOf(pattern, terrains, cities), turn);
      return pick(svg, cityWords(coloured, cities), () => enter(entered(coloured, cities)));
    }),
  );
}

/** @param {Coloured} coloured @param {Pair[]} cities */
function cityWords(coloured, cities) {
  if (!cities.length) return say("carcassonne.editor.cities.none");
  const { segment } = entered(coloured, []);
  /** @param {number} number */
  const of = (number) => described([segment[number - 1]], []);
  return cities.map(([land, sea]) => `${say("carcassonne.cities", { n: 1 })}: ${of(land)} – ${of(sea)}`).join("; ");
}

/** @param {Coloured} coloured @param {Pair[]} city @returns {Entered} */
function entered({ pattern, terrains, turn }, city) {
  const segment = pattern.segments.map(({ edges, spots }, index) => {
    return { terrain: terrains[index], edges: turnedEdges(edges, turn), spot: spots[turn] };
  });
  return { segment, meets: pattern.meets, city };
}
