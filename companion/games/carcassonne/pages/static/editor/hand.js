// A form for everything that a deck file contains about a tile.

import { byId, find, findAll, make } from "../../../static/dom.js";
import { say } from "../../../static/live.js";
import { TERRAINS } from "../map.js";
import { SIDES, coasts, same } from "./patterns.js";
import { keep, later, remember, rowOf, state } from "./state.js";

/**
 * @typedef {{ segment: RowSegment[], meets: Pair[], city: Pair[] }} Read The content of the form.
 * @typedef {Partial<RowSegment> | null | undefined} WrittenSegment As it may be in a file written by hand.
 */

const MOST_SEGMENTS = 8;
const MOST_CITIES = 4;

/** @returns {TileRow} */
function shownRow() {
  return rowOf(state.at) ?? { id: state.at, segment: [] };
}

/** Draws the form. @param {() => void} show Redraws the tile. */
export function showHand(show) {
  const row = shownRow();
  const segments = Array.isArray(row.segment) ? row.segment : [];
  const words = say("carcassonne.editor.hand.add");
  const how = { className: "button small", type: "button", id: "hand-add", disabled: segments.length >= MOST_SEGMENTS };
  const add = make("button", how, words);
  add.onclick = () => {
    changeParts(
      (read) => ({ ...read, segment: [...read.segment, { terrain: TERRAINS[1], edges: "", spot: [0.6, 0.6] }] }),
      show,
    );
  };
  const parts = segments.map((segment, index) => segmentPart(segment, index, show));
  byId("hand").replaceChildren(...parts, add, ...meetsPart(row, segments), ...citiesPart(row, segments));
}

/** Stores the content of the form. @param {Element} changed The field that changed. @param {() => void} show */
export function handChanged(changed, show) {
  const name = changed.getAttribute("name") ?? "";
  if (changed instanceof HTMLInputElement && name === "side" && changed.checked) takeSide(changed);
  change((read) => read, `hand ${state.at}`);
  show();
  if (name === "terrain" || name === "meets") {
    const row = shownRow();
    document.getElementById("hand-cities")?.remove(); // the borders for cities may have changed
    byId("hand").append(...citiesPart(row, row.segment));
  }
  later();
}

/** A side belongs to one segment: ticking it clears it in the others. @param {HTMLInputElement} ticked */
function takeSide(ticked) {
  for (const box of findAll(byId("hand"), `[name=side][value=${ticked.value}]`, HTMLInputElement)) {
    if (box !== ticked) box.checked = false;
  }
}

/** Changes the parts of the form. @param {(read: Read) => Read} how @param {() => void} show */
function changeParts(how, show) {
  change(how, "");
  show();
  showHand(show);
  later();
}

/** @param {(read: Read) => Read} how @param {string} field */
function change(how, field) {
  remember(field);
  const { segment, meets, city } = how(readHand());
  const terrains = segment.map((one) => one.terrain);
  const coast = coasts(meets, terrains);
  const standing = city.filter((pair) => coast.some((one) => same(one, pair)));
  const { meets: _meets, city: _city, ...rest } = shownRow();
  keep({ ...rest, segment, ...(meets.length ? { meets } : {}), ...(standing.length ? { city: standing } : {}) });
}

/** @param {WrittenSegment} segment @param {number} index @param {() => void} show */
function segmentPart(segment, index, show) {
  const number = index + 1;
  const gone = make(
    "button",
    { className: "button small", type: "button" },
    say("carcassonne.editor.hand.gone", { n: number }),
  );
  gone.onclick = () => changeParts((read) => without(read, number), show);
  const sides = { className: "sides", role: "group", ariaLabel: say("carcassonne.editor.hand.sides") };
  return make(
    "fieldset",
    { className: "part", name: "segment" },
    make("legend", {}, say("carcassonne.editor.hand.segment", { n: number })),
    make("label", {}, say("carcassonne.editor.hand.terrain"), terrainSelect(segment?.terrain)),
    make("div", sides, ...[...SIDES].map((letter) => sideBox(letter, String(segment?.edges ?? "").includes(letter)))),
    make(
      "div",
      { className: "spots" },
      spotField("x", say("carcassonne.editor.hand.x"), segment?.spot?.[0]),
      spotField("y", say("carcassonne.editor.hand.y"), segment?.spot?.[1]),
    ),
    gone,
  );
}

/** Removes a segment; the later ones are renumbered. @param {Read} read @param {number} number @returns {Read} */
function without({ segment, meets, city }, number) {
  /** @param {number} one */
  const shifted = (one) => (one > number ? one - 1 : one);
  /** @param {Pair[]} pairs @returns {Pair[]} */
  const kept = (pairs) => {
    return pairs.flatMap(([a, b]) => (a === number || b === number ? [] : [[shifted(a), shifted(b)]]));
  };
  return { segment: segment.filter((_, index) => index + 1 !== number), meets: kept(meets), city: kept(city) };
}

/** @param {string | undefined} chosen */
function terrainSelect(chosen) {
  const options = TERRAINS.map((one) => {
    return make("option", { value: one, selected: one === chosen }, say(`carcassonne.terrain.${one}`));
  });
  return make("select", { name: "terrain" }, ...options);
}

/** @param {string} letter @param {boolean} checked */
function sideBox(letter, checked) {
  const box = make("input", { type: "checkbox", name: "side", value: letter, checked });
  return make("label", {}, box, say(`carcassonne.side.${letter.toLowerCase()}`));
}

/** @param {string} name @param {string} words @param {number} share A fraction of the tile's width. */
function spotField(name, words, share = 0.5) {
  const range = { min: 0, max: 100, step: 0.5, value: Math.round(share * 1000) / 10 };
  return make("label", {}, words, make("input", { name, type: "number", ...range, inputMode: "decimal" }));
}

/** @param {unknown} value @returns {Pair[]} */
function pairsOf(value) {
  return Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && pair.length === 2) : [];
}

/** @param {TileRow} row @param {WrittenSegment[]} segments */
function meetsPart(row, segments) {
  const pairs = segments.flatMap((_, a) => segments.slice(a + 1).map((__, more) => [a + 1, a + more + 2]));
  const boxes = pairs.map((pair) => {
    const checked = pairsOf(row.meets).some((one) => same([...one].sort(), pair));
    const box = make("input", { type: "checkbox", name: "meets", value: pair.join("-"), checked });
    return make("label", {}, box, pair.join(" – "));
  });
  if (!boxes.length) return [];
  const legend = make("legend", {}, say("carcassonne.editor.hand.meets"));
  return [make("fieldset", { className: "part" }, legend, make("div", { className: "sides" }, ...boxes))];
}

/** @param {TileRow} row @param {WrittenSegment[]} segments */
function citiesPart(row, segments) {
  const terrains = segments.map((one) => one?.terrain);
  const fields = coasts(pairsOf(row.meets), terrains).map((pair) => {
    const value = pairsOf(row.city).filter((one) => same(one, pair)).length;
    const range = { min: 0, max: MOST_CITIES, step: 1, value, "data-pair": pair.join("-") };
    const input = make("input", { name: "city", type: "number", inputMode: "numeric", ...range });
    return make("label", {}, say("carcassonne.editor.hand.cities", { n: pair[0], m: pair[1] }), input);
  });
  if (!fields.length) return [];
  const legend = make("legend", {}, say("carcassonne.editor.hand.city"));
  return [make("fieldset", { className: "part", id: "hand-cities" }, legend, ...fields)];
}

/** @param {string} words @returns {Pair} */
function pairOf(words) {
  const [one, other] = words.split("-").map(Number);
  return [one, other];
}

/** @returns {Read} */
function readHand() {
  const hand = byId("hand");
  const meets = findAll(hand, "[name=meets]:checked", HTMLInputElement).map((box) => pairOf(box.value));
  const city = findAll(hand, "[name=city]", HTMLInputElement).flatMap((input) => {
    const count = Math.min(MOST_CITIES, Math.max(0, Math.trunc(Number(input.value)) || 0));
    return Array.from({ length: count }, () => pairOf(input.dataset.pair ?? ""));
  });
  return { segment: findAll(hand, "[name=segment]").map(readSegment), meets, city };
}

/** @param {HTMLElement} part @returns {RowSegment} */
function readSegment(part) {
  /** @param {string} axis */
  const share = (axis) => {
    const { value } = find(part, `[name=${axis}]`, HTMLInputElement);
    return Math.min(1, Math.max(0, Math.round(Number(value) * 10) / 1000));
  };
  const terrain = /** @type {Terrain} */ (find(part, "[name=terrain]", HTMLSelectElement).value);
  const sides = findAll(part, "[name=side]:checked", HTMLInputElement).map((box) => box.value);
  return { terrain, edges: sides.join(""), spot: [share("x"), share("y")] };
}
