// Patterns of a tile's sides: their rows in the deck file, rotations, and possible terrains and cities.

import { TERRAINS } from "../map.js";

export const SIDES = "NESW";
const SEA = "sea";
const FEW = 12; // up to this many colourings are shown in every rotation; of more, only one rotation each

/** @param {unknown} one @param {unknown} other */
export function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** @param {number[]} pair @returns {Pair} */
function sorted([one, other]) {
  return one < other ? [one, other] : [other, one];
}

/**
 * The drawing of a tile with this pattern.
 * @param {Pattern} pattern
 * @param {(Terrain | undefined)[]} terrains
 * @param {Pair[]} cities
 */
export function thingOf(pattern, terrains, cities) {
  const segments = pattern.segments.map(({ area }, index) => ({ area, terrain: terrains[index] }));
  const drawn = cities.flatMap((pair) => pattern.cities.filter((one) => same(one.pair, sorted(pair))));
  return /** @type {TileFace} */ ({ ground: pattern.ground, segments, cities: drawn });
}

/** The letters of a segment's sides after a clockwise turn of its tile. @param {string} edges @param {number} turn */
export function turnedEdges(edges, turn) {
  return [...SIDES].filter((_, side) => edges.includes(SIDES[(side + 4 - turn) % 4])).join("");
}

/**
 * The pattern of a row and its rotation; the order of the segments matters.
 * @param {TileRow} row
 * @param {Pattern[]} patterns
 */
export function recognised(row, patterns) {
  const { segment, meets = [] } = row;
  if (!Array.isArray(segment) || !Array.isArray(meets)) return null;
  /** @param {Pair[]} pairs */
  const inOrder = (pairs) => pairs.map((pair) => [...pair].sort()).sort();
  for (const pattern of patterns) {
    if (pattern.segments.length !== segment.length || !same(inOrder(pattern.meets), inOrder(meets))) continue;
    for (let turn = 0; turn < 4; turn += 1) {
      const fits = pattern.segments.every(({ edges }, index) => turnedEdges(edges, turn) === segment[index].edges);
      if (fits) return { pattern, turn };
    }
  }
  return null;
}

/** @param {Pattern} pattern @param {number} a @param {number} b */
function touch(pattern, a, b) {
  return pattern.meets.some((pair) => same(pair, sorted([a, b])));
}

/** All assignments of terrains in which equal terrains do not meet. @param {Pattern} pattern */
export function colourings(pattern) {
  /** @type {Terrain[][]} */
  let all = [[]];
  for (const number of pattern.segments.keys()) {
    /** @param {Terrain[]} some @param {Terrain} terrain */
    const may = (some, terrain) =>
      some.every((other, before) => other !== terrain || !touch(pattern, before + 1, number + 1));
    all = all.flatMap((some) => TERRAINS.filter((terrain) => may(some, terrain)).map((terrain) => [...some, terrain]));
  }
  return all.length <= FEW ? all : oneForEachTurn(pattern, all);
}

/** @param {Pattern} pattern @param {Terrain[][]} all */
function oneForEachTurn({ segments }, all) {
  const met = new Set();
  return all.filter((terrains) => {
    const around = [...SIDES].map((letter) => terrains[segments.findIndex(({ edges }) => edges.includes(letter))]);
    const inner = terrains.filter((_, index) => !segments[index].edges);
    const turns = around.map((_, turn) => JSON.stringify([...around.slice(turn), ...around.slice(0, turn), ...inner]));
    if (turns.some((one) => met.has(one))) return false;
    met.add(turns[0]);
    return true;
  });
}

/**
 * A pattern of four single sides looks the same in all rotations: its terrains are rotated instead.
 * @param {Pattern} pattern
 * @param {Terrain[]} terrains
 * @param {number} turn
 */
export function around(pattern, terrains, turn) {
  if (!pattern.segments.slice(0, 4).every(({ edges }, side) => edges === SIDES[side])) return { terrains, turn };
  return { terrains: terrains.map((one, side) => (side < 4 ? terrains[(side + 4 - turn) % 4] : one)), turn: 0 };
}

/**
 * The borders at which a city may stand, land first.
 * @param {Pair[]} meets
 * @param {(string | undefined)[]} terrains
 * @returns {Pair[]}
 */
export function coasts(meets, terrains) {
  return meets.flatMap(([a, b]) => {
    const [one, other] = [terrains[a - 1] === SEA, terrains[b - 1] === SEA];
    if (one === other) return [];
    return [one ? [b, a] : [a, b]];
  });
}

/** Every choice of borders, the fewest first. @param {Pair[]} coast */
export function citySets(coast) {
  /** @type {Pair[][]} */
  let sets = [[]];
  for (const pair of coast) sets = [...sets, ...sets.map((some) => [...some, pair])];
  return sets.sort((one, other) => one.length - other.length);
}

/**
 * A row after a quarter turn. The sticker stays, so followers are placed where there is room beside it.
 * @param {TileRow} row
 * @param {Pattern[]} patterns
 * @returns {TileRow}
 */
export function quarterOf(row, patterns) {
  const found = recognised(row, patterns);
  const usual = found?.pattern.segments.every(({ spots }, index) => same(spots[found.turn], row.segment[index].spot));
  const segment = row.segment.map((one, index) => {
    const [x, y] = Array.isArray(one.spot) ? one.spot : [0.5, 0.5];
    /** @type {TilePoint} */
    const turned = [Math.round((1 - y) * 1000) / 1000, x];
    const spot = usual && found ? found.pattern.segments[index].spots[(found.turn + 1) % 4] : turned;
    return { ...one, edges: turnedEdges(String(one.edges), 1), spot };
  });
  return { ...row, segment };
}
