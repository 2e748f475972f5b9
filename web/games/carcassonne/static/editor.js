// The tile editor: a pattern, its terrains, its cities, each a touch. Kept as typed after every change.

import { make } from "../../static/board.js";
import { follow, say } from "../../static/live.js";
import { send } from "../../static/send.js";
import { TERRAINS, patterns as fills, shape, tileShapes } from "./map.js";

const WAIT_MS = 500;
const LOOK_MS = 700;
const SIDES = "NESW";
const SEA = "sea";
const FEW = 12; // so many colourings are shown in every direction; of more, one for each way to turn the tile
const MOST_SEGMENTS = 8;
const [typed, form, checked] = ["typed", "form", "checked"].map((id) => JSON.parse(document.getElementById(id).textContent));
const [STICKER, CODE] = [[3.3, 40], [6, 34.6]]; // from the tile's edge, and how wide, in hundredths of a tile
const place = document.getElementById("editor");
const find = (id) => document.getElementById(id);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

let deck = { ...typed, tile: (Array.isArray(typed[form.things]) ? typed[form.things] : []).filter((row) => row && typeof row === "object" && !Array.isArray(row)) };
if (!deck.deck || typeof deck.deck !== "object") deck.deck = {};
deck.deck.game ??= "carcassonne";
let faults = ofRows(checked.faults, deck.tile);
let odd = ofRows(checked.open, deck.tile);
let at = form.cards.find((id) => !rowOf(id)) ?? form.cards[0];
let draft = fresh();
let last = null; // the tile that was entered just now
let said = "";
let past = []; // what the deck was before each step, and the tile that was shown
let future = [];
let typing = "";
let timer = 0;
let saving = Promise.resolve();
let looking = 0;
let viewed = 0; // quarters by which somebody sees the table turned
const drawings = new Map();

follow(() => {}, { stay: true });
find("fills").append(fills());
know(deck.tile, checked.drawn ?? []);

// A tile that is about to be entered: how far its pictures are turned, and what was chosen so far.
function fresh() {
  return { turn: 0, pattern: null, terrains: null, again: false };
}

function rowOf(id) {
  return id.startsWith("#") ? deck.tile[Number(id.slice(1))] : deck.tile.find((row) => row.id === id);
}

// Tiles that the grid of the box has no place for: numbered beyond it, named wrong, or there twice.
function strays() {
  return deck.tile.flatMap((row, index) => (form.cards.includes(row.id) && rowOf(row.id) === row ? [] : [`#${index}`]));
}

// Faults with the rows that they are about: those stay the same when others are entered meanwhile.
function ofRows(all, rows) {
  return all.map((one) => ({ ...one, row: one.where[0] === form.things && one.where.length > 1 ? rows[one.where[1]] : null }));
}

function looksOf(row) {
  return JSON.stringify([row.segment, row.meets ?? [], row.city ?? []]);
}

// Alike but for the places of followers.
function kindOf(row) {
  return JSON.stringify([row.segment.map(({ terrain, edges }) => [terrain, edges]), row.meets ?? [], row.city ?? []]);
}

function know(rows, drawn) {
  rows.forEach((row, index) => drawn[index] && drawings.set(looksOf(row), drawn[index]));
}

// A row as it can be drawn now: what the table drew of it, or else its pattern; `null` while something is missing.
function drawable(row) {
  const drawn = row && drawings.get(looksOf(row));
  if (drawn) return { thing: drawn, turn: 0 };
  const found = row && recognised(row);
  return found ? { thing: thingOf(found.pattern, row.segment.map((one) => one.terrain), row.city ?? []), turn: found.turn } : null;
}

function thingOf(pattern, terrains, cities) {
  return {
    ground: pattern.ground,
    segments: pattern.segments.map(({ area }, index) => ({ area, terrain: terrains[index] })),
    cities: cities.flatMap((pair) => pattern.cities.filter((one) => same(one.pair, [...pair].sort()))),
  };
}

function turnedEdges(edges, turn) {
  return [...SIDES].filter((_, side) => edges.includes(SIDES[(side + 4 - turn) % 4])).join("");
}

// The pattern of a row and how far it is turned; the order of its segments counts.
function recognised(row) {
  if (!Array.isArray(row.segment)) return null;
  const sorted = (pairs) => pairs.map((pair) => [...pair].sort()).sort();
  for (const pattern of form.patterns) {
    if (pattern.segments.length !== row.segment.length || !Array.isArray(row.meets ?? []) || !same(sorted(pattern.meets), sorted(row.meets ?? []))) continue;
    for (let turn = 0; turn < 4; turn += 1) {
      if (pattern.segments.every((one, index) => turnedEdges(one.edges, turn) === row.segment[index].edges)) return { pattern, turn };
    }
  }
  return null;
}

// `askew`: by how many degrees it lies turned; then there is room around it for its corners.
function picture(thing, turn, { blank = false, askew = null, spots = [] } = {}) {
  const svg = shape("svg", { viewBox: askew === null ? "0 0 100 100" : "-22 -22 144 144", "aria-hidden": "true", class: blank ? "blank" : "" });
  const all = shape("g", { transform: `rotate(${askew ?? 0} 50 50)` });
  if (thing) {
    const shapes = tileShapes(thing, { x: 0, y: 0, turn });
    // The code stands upright: three large squares, and none in the south-east. Cities are drawn over it, to be seen.
    const squares = [[0, 0], [1, 0], [0, 1]].map(([x, y]) => shape("rect", { x: CODE[0] + x * 23, y: CODE[0] + y * 23, width: 11.6, height: 11.6, class: "finder" }));
    shapes.splice(thing.segments.length, 0, shape("rect", { x: STICKER[0], y: STICKER[0], width: STICKER[1], height: STICKER[1], class: "paste" }), ...squares);
    all.append(...shapes, shape("rect", { width: 100, height: 100, class: "rim" }));
  } else all.append(shape("rect", { x: 1, y: 1, width: 98, height: 98, class: "empty" }));
  spots.forEach(([x, y], index) => {
    const number = shape("text", { x: x * 100, y: y * 100 + 3.2 });
    number.textContent = index + 1;
    all.append(shape("g", { class: "spot" }, shape("circle", { cx: x * 100, cy: y * 100, r: 6 }), number));
  });
  svg.append(all);
  return svg;
}

function pick(svg, words, act, more = {}, caption = "") {
  const button = make("button", { className: "pick", type: "button", ariaLabel: words, ...more }, svg, ...(caption ? [make("span", {}, caption)] : []));
  button.onclick = act;
  return make("li", {}, button);
}

function described(segments, cities) {
  const words = segments.map(({ terrain, edges }) => [say(`carcassonne.terrain.${terrain}`), ...(edges ? [...edges].map((letter) => say(`carcassonne.side.${letter.toLowerCase()}`)) : [say("carcassonne.inner")])].join(" "));
  return [words.join(", "), ...(cities.length ? [say("carcassonne.cities", { n: cities.length })] : [])].join("; ");
}

const touch = (pattern, a, b) => pattern.meets.some((pair) => same(pair, [Math.min(a, b), Math.max(a, b)]));

// Every way to give a pattern terrains so that like ones do not meet.
function colourings(pattern) {
  let all = [[]];
  pattern.segments.forEach((_, index) => {
    all = all.flatMap((some) => TERRAINS.filter((terrain) => some.every((other, before) => other !== terrain || !touch(pattern, before + 1, index + 1))).map((terrain) => [...some, terrain]));
  });
  if (all.length <= FEW) return all;
  const met = new Set();
  return all.filter((terrains) => {
    const around = [...SIDES].map((letter) => terrains[pattern.segments.findIndex(({ edges }) => edges.includes(letter))]);
    const inner = terrains.filter((_, index) => !pattern.segments[index].edges);
    const turns = around.map((_, turn) => JSON.stringify([...around.slice(turn), ...around.slice(0, turn), ...inner]));
    if (turns.some((one) => met.has(one))) return false;
    met.add(turns[0]);
    return true;
  });
}

// The borders at which a city may stand, land first.
function coasts(pattern, terrains) {
  return pattern.meets.flatMap(([a, b]) => {
    if ((terrains[a - 1] === SEA) === (terrains[b - 1] === SEA)) return [];
    return [terrains[a - 1] === SEA ? [b, a] : [a, b]];
  });
}

function chosenSets(coast) {
  return coast.reduce((sets, pair) => [...sets, ...sets.map((some) => [...some, pair])], [[]]).sort((one, other) => one.length - other.length);
}

function remember(field = "") {
  if (field && typing === field) return;
  typing = field;
  past = [...past.slice(-199), { at, deck: JSON.stringify(deck) }];
  future = [];
}

function step(from, onto) {
  if (!from.length) return;
  const before = from.pop();
  onto.push({ at, deck: JSON.stringify(deck) });
  deck = JSON.parse(before.deck);
  typing = "";
  last = null;
  said = "";
  open(before.at);
  later();
}

function later() {
  find("undo").disabled = !past.length;
  find("redo").disabled = !future.length;
  clearTimeout(timer);
  timer = setTimeout(save, WAIT_MS);
}

// One after the other: a later answer is about a later state.
function save() {
  clearTimeout(timer);
  timer = 0;
  saving = saving.then(async () => {
    const rows = deck.tile;
    const kept = { deck: deck.deck, [form.things]: rows };
    const outcome = await send("decks", { name: place.dataset.name, deck: kept });
    if (outcome === null) return later(); // the camera is asked just now
    if (!outcome.ok) return;
    know(kept[form.things], outcome.body.drawn ?? []);
    [faults, odd] = [outcome.body.faults, outcome.body.open].map((all) => ofRows(all, rows));
    if (timer) return;
    if (rowOf(at)) showEntered(rowOf(at));
    showAll();
  });
  return saving;
}

function keep(row) {
  const index = deck.tile.indexOf(rowOf(at));
  const rows = [...deck.tile];
  if (index >= 0) rows[index] = row;
  else {
    const after = rows.findIndex((one) => String(one.id) > row.id);
    rows.splice(after < 0 ? rows.length : after, 0, row);
  }
  deck.tile = rows;
}

// Enters the tile that is shown, and shows the next one that lacks.
function enter({ segment, meets, city }) {
  remember();
  const before = rowOf(at);
  const row = { id: before?.id ?? at, ...(before?.start === true ? { start: true } : {}), segment, ...(meets?.length ? { meets } : {}), ...(city?.length ? { city } : {}), ...(before?.source ? { source: before.source } : {}) };
  keep(row);
  last = at;
  const from = form.cards.indexOf(at) + 1;
  const lacking = [...form.cards.slice(from), ...form.cards.slice(0, from)].find((id) => !rowOf(id));
  said = lacking ? say("carcassonne.editor.next", { piece: row.id, what: lacking }) : say("carcassonne.editor.all", { m: form.cards.length });
  open(lacking ?? at, true);
  later();
}

function open(id, focus = false) {
  at = id.startsWith("#") || form.cards.includes(id) ? id : form.cards[0];
  if (at.startsWith("#") && !rowOf(at)) at = form.cards[0];
  draft = fresh();
  find("by-hand").open = false;
  show(focus);
}

function show(focus = true) {
  const row = rowOf(at);
  const stage = !draft.pattern ? "pattern" : !draft.terrains ? "terrains" : "cities";
  find("which").textContent = row?.id ?? at;
  find("done").textContent = said;
  find("steps").hidden = Boolean(row) && !draft.again;
  find("entered").hidden = !row || draft.again;
  find("turn").hidden = stage === "pattern" && !form.patterns.length;
  find("back").hidden = stage === "pattern" && !draft.again;
  for (const section of document.querySelectorAll("[data-step]")) section.hidden = section.dataset.step !== stage;
  if (!find("steps").hidden) ({ pattern: pickPattern, terrains: pickTerrains, cities: pickCities })[stage]();
  const lately = last && last !== at ? rowOf(last) : null;
  find("last").hidden = !lately || stage !== "pattern" || find("steps").hidden;
  if (lately) find("last").querySelector("[data-picture]").replaceChildren(drawnRow(lately), String(lately.id));
  if (row) showEntered(row);
  showAll();
  if (focus) {
    find("which").focus({ preventScroll: true });
    if (find("which").getBoundingClientRect().top < 0) find("which").scrollIntoView({ block: "start" });
  }
}

function drawnRow(row, more = {}) {
  const drawn = drawable(row);
  return picture(drawn?.thing, drawn?.turn ?? 0, more);
}

function pickPattern() {
  find("patterns").replaceChildren(
    ...form.patterns.map((pattern) => {
      const words = say(`carcassonne.editor.pattern.${pattern.name}`);
      return pick(picture(thingOf(pattern, [], []), draft.turn, { blank: true }), words, () => {
        draft = { ...draft, pattern };
        show();
      });
    }),
  );
  const kinds = new Map();
  for (const row of deck.tile) if (drawable(row)) kinds.set(kindOf(row), [...(kinds.get(kindOf(row)) ?? []), row]);
  find("known").hidden = !kinds.size;
  find("kinds").replaceChildren(
    ...[...kinds.values()].map((rows) => pick(drawnRow(rows[0]), `${described(rows[0].segment, rows[0].city ?? [])} × ${rows.length}`, () => enter(rows[0]), {}, `× ${rows.length}`)),
  );
}

// A pattern of four single sides is the same however it is turned: its terrains go around instead.
function around(pattern, terrains, turn) {
  if (!pattern.segments.slice(0, 4).every(({ edges }, side) => edges === SIDES[side])) return { terrains, turn };
  return { terrains: terrains.map((one, side) => (side < 4 ? terrains[(side + 4 - turn) % 4] : one)), turn: 0 };
}

function pickTerrains() {
  const { pattern } = draft;
  find("terrains").replaceChildren(
    ...colourings(pattern).map((colouring) => {
      const { terrains, turn } = around(pattern, colouring, draft.turn);
      const segments = pattern.segments.map(({ edges }, index) => ({ terrain: terrains[index], edges: turnedEdges(edges, turn) }));
      return pick(picture(thingOf(pattern, terrains, []), turn), described(segments, []), () => {
        draft = { ...draft, terrains, turn };
        if (coasts(pattern, terrains).length) show();
        else enter(made([]));
      });
    }),
  );
}

function pickCities() {
  const { pattern, terrains, turn } = draft;
  find("cities").replaceChildren(
    ...chosenSets(coasts(pattern, terrains)).map((cities) => pick(picture(thingOf(pattern, terrains, cities), turn), cityWords(cities), () => enter(made(cities)))),
  );
}

function cityWords(cities) {
  const { pattern, terrains, turn } = draft;
  if (!cities.length) return say("carcassonne.editor.cities.none");
  const of = (number) => described([{ terrain: terrains[number - 1], edges: turnedEdges(pattern.segments[number - 1].edges, turn) }], []);
  return cities.map(([land, sea]) => `${say("carcassonne.cities", { n: 1 })}: ${of(land)} – ${of(sea)}`).join("; ");
}

function made(city) {
  const { pattern, terrains, turn } = draft;
  const segment = pattern.segments.map(({ edges, spots }, index) => ({ terrain: terrains[index], edges: turnedEdges(edges, turn), spot: spots[turn] }));
  return { segment, meets: pattern.meets, city };
}

function showEntered(row) {
  const spots = Array.isArray(row.segment) ? row.segment.map((one) => one?.spot).filter((spot) => Array.isArray(spot)) : [];
  const svg = drawnRow(row, { spots });
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", Array.isArray(row.segment) ? described(row.segment.map((one) => ({ terrain: one?.terrain, edges: String(one?.edges ?? "") })), row.city ?? []) : String(row.id));
  find("large").replaceChildren(svg);
  find("start-tile").checked = row.start === true;
}

function showAll() {
  const entered = form.cards.filter((id) => drawable(rowOf(id))).length;
  find("progress").value = entered;
  find("count").textContent = say("carcassonne.editor.count", { n: entered, m: form.cards.length });
  const wrong = new Set(faults.flatMap(({ row }) => (row ? [row] : [])));
  const marked = (row) => wrong.has(row) || (row && !drawable(row));
  find("grid").replaceChildren(
    ...[...form.cards, ...strays()].map((id) => {
      const row = rowOf(id);
      const state = !row ? say("carcassonne.editor.state.open") : marked(row) ? say("carcassonne.editor.state.wrong") : say("carcassonne.editor.state.done");
      const more = { className: `pick ${row && marked(row) ? "wrong" : ""}` };
      if (id === at) more["aria-current"] = "true";
      return pick(row ? drawnRow(row) : "", `${row?.id ?? id}: ${state}`, () => {
        said = "";
        open(id, true);
      }, more, String(row?.id ?? id));
    }),
  );
  const begun = deck.tile.length > 0;
  find("faults").replaceChildren(...(begun ? faults.map(told) : []));
  find("odd").replaceChildren(...(begun ? odd.map(told) : []));
  const words = !begun ? say("carcassonne.editor.faults.empty") : faults.length ? say("carcassonne.editor.faults.some", { n: faults.length }) : say("carcassonne.editor.faults.none");
  if (find("sound").textContent !== words) find("sound").textContent = words;
}

// A fault of one tile leads to it; its path in the file is for who edits that.
function told({ what, where, row }) {
  const path = where.map((part) => (typeof part === "number" ? part + 1 : part)).join(".");
  const words = path && what.startsWith(path) ? what.slice(path.length).replace(/^\s*:\s*/, "") : what;
  if (!row) return make("li", {}, words);
  const stray = rowOf(String(row.id)) !== row || !form.cards.includes(row.id);
  const button = make("button", { type: "button" }, `${row.id}: ${words}`);
  button.onclick = () => open(stray && deck.tile.includes(row) ? `#${deck.tile.indexOf(row)}` : String(row.id), true);
  return make("li", {}, button);
}

// A row turned by a quarter, its sticker where it was: followers stand where there is room beside it.
function quarterOf(row) {
  const found = recognised(row);
  const usual = found?.pattern.segments.every(({ spots }, index) => same(spots[found.turn], row.segment[index].spot));
  const segment = row.segment.map((one, index) => {
    const [x, y] = Array.isArray(one.spot) ? one.spot : [0.5, 0.5];
    const spot = usual ? found.pattern.segments[index].spots[(found.turn + 1) % 4] : [Math.round((1 - y) * 1000) / 1000, x];
    return { ...one, edges: turnedEdges(String(one.edges), 1), spot };
  });
  return { ...row, segment };
}

function turnRow(id) {
  const row = rowOf(id);
  if (!row || !Array.isArray(row.segment)) return;
  remember();
  deck.tile = deck.tile.map((one) => (one === row ? quarterOf(row) : one));
  show(false);
  if (find("by-hand").open) hand();
  later();
}

// ---- By hand: everything that a deck file says of a tile.

function hand() {
  const row = rowOf(at) ?? { segment: [] };
  const segments = Array.isArray(row.segment) ? row.segment : [];
  const add = make("button", { className: "button small", type: "button", id: "hand-add", disabled: segments.length >= MOST_SEGMENTS }, say("carcassonne.editor.hand.add"));
  add.onclick = () => changeHand((read) => ({ ...read, segment: [...read.segment, { terrain: TERRAINS[1], edges: "", spot: [0.6, 0.6] }] }), { anew: true });
  find("hand").replaceChildren(...segments.map(handSegment), add, ...handMeets(row, segments), ...handCities(row, segments));
}

function handSegment(segment, index) {
  const number = index + 1;
  const terrain = make("select", { name: "terrain" }, ...TERRAINS.map((one) => make("option", { value: one, selected: one === segment?.terrain }, say(`carcassonne.terrain.${one}`))));
  const sides = [...SIDES].map((letter) => {
    const box = make("input", { type: "checkbox", name: "side", value: letter, checked: String(segment?.edges ?? "").includes(letter) });
    return make("label", {}, box, say(`carcassonne.side.${letter.toLowerCase()}`));
  });
  const spot = [["x", say("carcassonne.editor.hand.x")], ["y", say("carcassonne.editor.hand.y")]].map(([axis, words], part) => {
    const input = make("input", { name: axis, type: "number", min: 0, max: 100, step: 0.5, inputMode: "decimal", value: Math.round((segment?.spot?.[part] ?? 0.5) * 1000) / 10 });
    return make("label", {}, words, input);
  });
  const gone = make("button", { className: "button small", type: "button" }, say("carcassonne.editor.hand.gone", { n: number }));
  gone.onclick = () => changeHand((read) => {
    const shifted = (pairs) => pairs.filter((pair) => !pair.includes(number)).map((pair) => pair.map((one) => one - (one > number)));
    return { segment: read.segment.filter((_, place_) => place_ !== index), meets: shifted(read.meets), city: shifted(read.city) };
  }, { anew: true });
  return make("fieldset", { className: "part", name: "segment" }, make("legend", {}, say("carcassonne.editor.hand.segment", { n: number })), make("label", {}, say("carcassonne.editor.hand.terrain"), terrain), make("div", { className: "sides", role: "group", ariaLabel: say("carcassonne.editor.hand.sides") }, ...sides), make("div", { className: "spots" }, ...spot), gone);
}

const pairsOf = (value) => (Array.isArray(value) ? value.filter((pair) => Array.isArray(pair) && pair.length === 2) : []);

function handMeets(row, segments) {
  const boxes = segments.flatMap((_, a) => segments.slice(a + 1).map((__, more) => [a + 1, a + more + 2])).map((pair) => {
    const there = pairsOf(row.meets).some((one) => same([...one].sort(), pair));
    return make("label", {}, make("input", { type: "checkbox", name: "meets", value: pair.join("-"), checked: there }), pair.join(" – "));
  });
  return boxes.length ? [make("fieldset", { className: "part" }, make("legend", {}, say("carcassonne.editor.hand.meets")), make("div", { className: "sides" }, ...boxes))] : [];
}

function handCities(row, segments) {
  const coast = coasts({ meets: pairsOf(row.meets) }, segments.map((one) => one?.terrain));
  const inputs = coast.map((pair) => {
    const count = pairsOf(row.city).filter((one) => same(one, pair)).length;
    return make("label", {}, say("carcassonne.editor.hand.cities", { n: pair[0], m: pair[1] }), make("input", { name: "city", type: "number", min: 0, max: 4, step: 1, inputMode: "numeric", value: count, "data-pair": pair.join("-") }));
  });
  return inputs.length ? [make("fieldset", { className: "part", id: "hand-cities" }, make("legend", {}, say("carcassonne.editor.hand.city")), ...inputs)] : [];
}

const numbers = (words) => words.split("-").map(Number);

function readHand() {
  const within = (selector) => [...find("hand").querySelectorAll(selector)];
  const segment = within("[name=segment]").map((part) => {
    const of = (name) => part.querySelector(`[name=${name}]`);
    const spot = ["x", "y"].map((axis) => Math.min(1, Math.max(0, Math.round(Number(of(axis).value) * 10) / 1000)));
    return { terrain: of("terrain").value, edges: [...part.querySelectorAll("[name=side]:checked")].map((box) => box.value).join(""), spot };
  });
  const meets = within("[name=meets]:checked").map((box) => numbers(box.value));
  const city = within("[name=city]").flatMap((input) => Array(Math.min(4, Math.max(0, Math.trunc(Number(input.value)) || 0))).fill(numbers(input.dataset.pair)));
  return { segment, meets, city };
}

// `anew`: the form has other parts now; `borders`: cities may stand elsewhere.
function changeHand(change, { anew = false, borders = false } = {}) {
  remember(anew ? "" : `hand ${at}`);
  const before = rowOf(at) ?? { id: at };
  const { segment, meets, city } = change(readHand());
  const coast = coasts({ meets }, segment.map((one) => one.terrain));
  const standing = city.filter((pair) => coast.some((one) => same(one, pair)));
  const { meets: _, city: __, ...rest } = before;
  keep({ ...rest, segment, ...(meets.length ? { meets } : {}), ...(standing.length ? { city: standing } : {}) });
  show(false);
  const row = rowOf(at);
  if (anew) hand();
  else if (borders) {
    find("hand-cities")?.remove();
    find("hand").append(...handCities(row, row.segment));
  }
  later();
}

// ---- Under the camera: what was entered, drawn as each tile lies.

async function look() {
  looking = -1;
  if (!document.hidden && !timer) {
    const outcome = await send("box-check", { do: "see", game: deck.deck.game });
    if (outcome && !outcome.ok) return stopLooking();
    if (outcome && looking) showSeen(outcome.body);
  }
  if (looking) looking = setTimeout(look, LOOK_MS);
}

function stopLooking() {
  clearTimeout(looking);
  looking = 0;
  find("look").setAttribute("aria-pressed", "false");
  find("look").textContent = say("carcassonne.editor.look.begin");
  find("side").hidden = true;
}

function showSeen({ seen, unread }) {
  const tiles = seen.filter(({ token }) => form.cards.includes(token) || rowOf(token)).sort((one, other) => one.y - other.y || one.x - other.x);
  find("seen").replaceChildren(
    ...tiles.map(({ token, turned_deg: turned }) => {
      const row = rowOf(token);
      const words = row ? say("carcassonne.editor.look.lies", { piece: token, n: Math.round(turned) }) : say("carcassonne.editor.look.open", { piece: token });
      return pick(drawnRow(row, { askew: row ? turned + 90 * viewed : 0 }), words, () => open(token, true), {}, token);
    }),
  );
  const words = [say("carcassonne.editor.look.count", { n: tiles.length }), unread ? say("carcassonne.editor.look.unread", { n: unread }) : ""].filter(Boolean).join(" ");
  if (find("seen-count").textContent !== words) find("seen-count").textContent = words;
}

// ---- What can be pressed.

find("undo").onclick = () => step(past, future);
find("redo").onclick = () => step(future, past);
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input")) return;
  event.preventDefault();
  (event.shiftKey ? find("redo") : find("undo")).click();
});
function beside(by) {
  const all = [...form.cards, ...strays()];
  said = "";
  open(all[(all.indexOf(at) + by + all.length) % all.length], true);
}
find("before").onclick = () => beside(-1);
find("after").onclick = () => beside(1);
find("turn").onclick = () => {
  draft.turn = (draft.turn + 1) % 4;
  show(false);
};
find("back").onclick = () => {
  if (draft.terrains) draft.terrains = null;
  else if (draft.pattern) draft.pattern = null;
  else draft.again = false;
  show();
};
find("more").onclick = () => last && enter(rowOf(last));
find("last-turn").onclick = () => turnRow(last);
find("quarter").onclick = () => turnRow(at);
find("again").onclick = () => {
  draft = { ...fresh(), again: true };
  show();
};
find("remove").onclick = () => {
  const row = rowOf(at);
  remember();
  deck.tile = deck.tile.filter((one) => one !== row);
  said = say("carcassonne.editor.removed", { piece: row.id });
  last = null;
  open(at, true);
  later();
};
find("start-tile").onchange = (event) => {
  const row = rowOf(at);
  remember();
  const begins = event.target.checked;
  deck.tile = deck.tile.map((one) => {
    if (one !== row && (!begins || one.start !== true)) return one; // who marks one takes the mark from the other
    const { start: _, ...rest } = one;
    return one === row && begins ? { ...rest, start: true } : rest;
  });
  show(false);
  later();
};
find("by-hand").ontoggle = () => find("by-hand").open && hand();
find("hand").onsubmit = (event) => event.preventDefault();
find("hand").onchange = ({ target }) => {
  // A side belongs to one segment: who ticks it takes it from the others.
  if (target.name === "side" && target.checked) {
    for (const box of find("hand").querySelectorAll(`[name=side][value=${target.value}]`)) if (box !== target) box.checked = false;
  }
  changeHand((read) => read, { borders: ["terrain", "meets"].includes(target.name) });
};
for (const key of ["name", "edition"]) {
  const input = find(`head-${key}`);
  input.value = deck.deck[key] ?? "";
  input.oninput = () => {
    remember(`head ${key}`);
    deck.deck = { ...deck.deck, [key]: input.value };
    if (key === "name") find("title").textContent = input.value || place.dataset.name;
    later();
  };
}
find("look").onclick = () => {
  if (looking) return stopLooking();
  find("look").setAttribute("aria-pressed", "true");
  find("look").textContent = say("carcassonne.editor.look.end");
  find("side").hidden = false;
  look();
};
find("side").onclick = () => {
  viewed = (viewed + 1) % 4;
};
addEventListener("pagehide", () => timer && save());
show(false);
