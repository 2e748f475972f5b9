// Carcassonne's table: the map, the followers on it, and the value of each territory.

import { readings } from "../../static/asked.js";
import { nameOf } from "../../static/board.js";
import { find, findAll, focusOn, last, make, mark, shape, sprites, targetOf, text } from "../../static/dom.js";
import { currentMatch, say, start } from "../../static/live.js";
import { SIDE, STEPS, patterns, points, rim, sides, tileShapes, turned } from "./map.js";

/**
 * @typedef {object} Refusal The refused tile and its place.
 * @property {string | undefined} card
 * @property {number | undefined} x
 * @property {number | undefined} y
 * @property {number} turn
 * @property {boolean} fits The tile was discarded, although it fits somewhere.
 * @property {string[]} cards The tiles that conflict with it.
 * @typedef {"" | "fits" | "refused"} Ghost The style of a tile that is not on the table.
 */

const LIT_MS = 2000;
const MANY = 11; // followers that a television shows in one column
const LONG = 11; // a map of more columns than this is scrolled on a phone
const ACTS = ["end_turn", "deploy", "score", "discard"];
const ARROWS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];

/** @param {HTMLElement} place @returns {TableDraw} */
export function draw(place) {
  const things = new Map(currentMatch().cards.map((one) => [one.id, /** @type {Thing & Tile} */ (one)]));
  const frame = find(place, "[data-frame]");
  const map = find(place, "[data-map]", SVGSVGElement);
  const detail = find(place, "[data-detail]");
  const list = find(place, "[data-followers]");
  /** @type {CarcassonneView} */
  let view = {};
  /** @type {SegmentOf | null} */
  let chosen = null;
  /** @type {string[] | null} */
  let before = null;
  /** @type {string | null} */
  let lit = null;
  let drawnAs = "";
  const large = document.documentElement.classList.contains("tv");
  /** @type {SegmentOf[]} Where the last event brought points, on a television. */
  let scored = [];
  let gain = 0;
  /** @type {Move[]} What an open question is about. */
  let asked = [];
  let over = false;
  let zoom = 1; // how much larger figures and points are drawn on a map of many tiles, on a television
  /** @type {Map<string, SegmentOf>} Where each follower stood, by its last place. */
  const stood = new Map();
  let refusal = objected(last(start.log, (one) => one.entry?.event === "refused")?.entry);
  // The refusal of a tile on the table is shown until it is resolved, that of a move from a phone until the next move.
  let told = true;

  const layers = {
    open: shape("g", { class: "open" }),
    tiles: shape("g", { class: "tiles" }),
    marks: shape("g", { class: "marks" }),
    news: shape("g", { class: "news" }),
    followers: shape("g", { class: "followers" }),
  };
  map.append(patterns(), layers.open, layers.tiles, layers.news, layers.marks, layers.followers);
  map.addEventListener("click", (event) => choose(segmentOf(targetOf(event))));
  map.addEventListener("keydown", walk);
  return Object.assign(show, { advice, token, place: placeOf, ended, story });

  /** @param {Update} update @param {boolean} fresh */
  function show(update, fresh) {
    view = update.public ?? {};
    if (update.entry?.event === "refused" && fresh) {
      [refusal, told] = [objected(update.entry), update.alert === "refused"];
    } else if (told ? update.alert !== "refused" : update.entry && fresh) refusal = null;
    const laid = tiles().map((tile) => tile.card);
    const lay = before ?? laid;
    const came = fresh ? laid.filter((card) => !lay.includes(card)) : [];
    before = laid;
    const newest = last(came);
    if (newest) light(newest);
    else if (large && fresh && update.entry?.event === "played") lit = null;
    if (fresh && update.entry?.event) scores(update.entry);
    for (const one of view.followers ?? []) stood.set(one.card, [one.tile, one.segment]);
    over = Boolean(update.standing?.over);
    asked = readings(update).filter((move) => move.do === "deploy");
    counts();
    const drawing = JSON.stringify([view.map, view.followers, refusal, lit, scored, asked, over]);
    if (drawing !== drawnAs) drawTable();
    drawnAs = drawing;
    followers();
    choose(chosen && tileAt(chosen[0]) ? chosen : null);
    if (newest || !place.dataset.seen) bringIntoSight(newest ?? last(laid));
    place.dataset.seen = "yes";
  }

  function tiles() {
    return view.map ?? [];
  }

  /** @param {string} card */
  function thing(card) {
    return /** @type {Thing & Tile} */ (things.get(card));
  }

  /** @param {SegmentOf} of */
  function segment([card, number]) {
    return thing(card).segments[number - 1];
  }

  /** @param {string} card */
  function tileAt(card) {
    return tiles().find((tile) => tile.card === card);
  }

  // What the current player may do now, in words.
  /** @param {Offer[]} offers */
  function advice(offers) {
    if (!offers.some((one) => ACTS.includes(one.do)) && view.tile) return "";
    if (!tiles().length) return "";
    if (view.tile !== null) return say("carcassonne.now.follower");
    return say(view.tiles ? "carcassonne.now.tile" : "carcassonne.now.end");
  }

  function counts() {
    const words = [
      tiles().length ? "" : say("carcassonne.start"),
      view.tiles == null ? "" : say(view.tiles ? "carcassonne.left" : "carcassonne.left.none", { n: view.tiles }),
      view.to_remove ? say("carcassonne.to_remove", { n: view.to_remove }) : "",
      view.discarded?.length ? say("carcassonne.discarded", { n: view.discarded.length }) : "",
    ];
    find(place, "[data-tiles]").textContent = words.filter(Boolean).join(" · ");
  }

  // -- the map -------------------------------------------------------------------------------------

  function drawTable() {
    const laid = tiles();
    const open = openPlaces(laid);
    const ghosts = ghostsOf(open);
    fit([...laid, ...ghosts]);
    const walkedTo = map.querySelector(".tile:focus")?.getAttribute("data-card"); // keep the focus of the keyboard
    frame.hidden = !laid.length && refusal?.x === undefined;
    const size = { width: SIDE - 12, height: SIDE - 12, rx: 8 };
    layers.open.replaceChildren(...open.map(([x, y]) => shape("rect", { x: x * SIDE + 6, y: y * SIDE + 6, ...size })));
    layers.tiles.replaceChildren(...laid.map((tile, index) => drawTile(tile, index === 0)));
    layers.followers.replaceChildren(...(view.followers ?? []).flatMap(drawFollower));
    layers.news.replaceChildren(...(scored.length ? flagged(scored, gain) : []), ...asked.flatMap(numbered));
    layers.tiles.append(...ghosts.map((tile) => drawTile(tile, false, refusal?.fits ? "fits" : "refused")));
    if (walkedTo) focusTile(walkedTo, { preventScroll: true });
  }

  // The place of the refused tile; for a discarded one, a place where it fits.
  /** @param {number[][]} open @returns {LaidTile[]} */
  function ghostsOf(open) {
    if (!refusal?.card) return [];
    const { card, x, y, turn, fits } = refusal;
    if (fits && !tileAt(card)) return fitting(card, open);
    return x === undefined || y === undefined ? [] : [{ card, x, y, turn }];
  }

  // The place nearest to the start tile where a tile fits, and its rotation there.
  /** @param {string} card @param {number[][]} open @returns {LaidTile[]} */
  function fitting(card, open) {
    const taken = new Map(tiles().map((tile) => [`${tile.x},${tile.y}`, tile]));
    /** @param {number[]} at */
    const far = ([x, y]) => Math.abs(x) + Math.abs(y);
    for (const [x, y] of [...open].sort((a, b) => far(a) - far(b) || a[1] - b[1] || a[0] - b[0])) {
      for (let turn = 0; turn < 4; turn += 1) {
        const own = terrains(card, turn);
        const agrees = STEPS.every(([dx, dy], side) => {
          const beside = taken.get(`${x + dx},${y + dy}`);
          return !beside || terrains(beside.card, beside.turn)[(side + 2) % 4] === own[side];
        });
        if (agrees) return [{ card, x, y, turn }];
      }
    }
    return [];
  }

  /** The terrains around a tile, by the side of the map. @param {string} card @param {number} turn */
  function terrains(card, turn) {
    /** @type {Terrain[]} */
    const around = [];
    for (const one of thing(card).segments) for (const side of sides(one, turn)) around[side] = one.terrain;
    return around;
  }

  // One free row or column on each side, for the places of new tiles.
  /** @param {LaidTile[]} laid */
  function fit(laid) {
    if (!laid.length) return;
    const [xs, ys] = [laid.map(({ x }) => x), laid.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - 1, Math.min(...ys) - 1];
    const [columns, rows] = [Math.max(...xs) + 2 - left, Math.max(...ys) + 2 - top];
    map.setAttribute("viewBox", `${left * SIDE} ${top * SIDE} ${columns * SIDE} ${rows * SIDE}`);
    map.style.setProperty("--columns", String(columns));
    map.style.setProperty("--rows", String(rows));
    map.classList.toggle("long", columns > LONG);
    zoom = large ? Math.min(1.8, Math.max(1, columns / 11, rows / 7)) : 1;
  }

  /** @param {LaidTile} tile @param {boolean} first The tab key stops at it. @param {Ghost} ghost */
  function drawTile(tile, first, ghost = "") {
    const { card } = tile;
    const states = [ghost, refusal?.cards.includes(card) && "against", lit === card && "lit"].filter(Boolean);
    const words = new Set(thing(card).segments.map((one) => say(`carcassonne.terrain.${one.terrain}`)));
    return shape(
      "g",
      {
        class: ["tile", ...states].join(" "),
        "data-card": card,
        role: "button",
        tabindex: first ? 0 : -1,
        "aria-label": [...words].join(", "),
      },
      ...tileShapes(thing(card), tile),
      rim(tile),
    );
  }

  // A follower: its seat's symbol besides its colour, and its number among the four.
  /** @param {Follower} follower */
  function drawFollower({ card, seat, tile: name, segment: number }) {
    const tile = tileAt(name);
    if (!tile) return [];
    const [x, y] = turned(segment([name, number]).spot, tile.turn);
    const stopped = refusal?.cards.includes(card) || refusal?.card === card ? "against" : "";
    const transform = `translate(${(tile.x + x) * SIDE} ${(tile.y + y) * SIDE}) scale(${zoom})`;
    const territory = territoryOf([name, number]);
    const worth = (over ? territory?.final : territory?.now) ?? 0;
    return [
      shape(
        "g",
        { class: `follower seat-${seat} ${stopped}`, "data-follower": card, transform },
        shape(
          "g",
          { class: "figure" },
          shape("circle", { r: 19 }),
          shape("use", { href: `${sprites.symbols}#s${seat}`, x: -15, y: -9, width: 18, height: 18 }),
          text(large ? worth : card.slice(2), { x: 9, y: 6 }),
        ),
      ),
    ];
  }

  /** @param {string} card */
  function light(card) {
    lit = card;
    if (large) return; // until the next event
    setTimeout(() => {
      if (lit !== card) return;
      lit = null;
      map.querySelector(`[data-card="${card}"]`)?.classList.remove("lit");
    }, LIT_MS);
  }

  /** @param {string | undefined} card */
  function bringIntoSight(card) {
    const tile = card ? tileAt(card) : undefined;
    const box = map.viewBox.baseVal;
    if (!tile || frame.scrollWidth <= frame.clientWidth + 4) return;
    const scale = map.getBoundingClientRect().width / box.width;
    frame.scrollTo({
      left: ((tile.x + 0.5) * SIDE - box.x) * scale - frame.clientWidth / 2,
      top: ((tile.y + 0.5) * SIDE - box.y) * scale - frame.clientHeight / 2,
    });
  }

  // -- on a television ---------------------------------------------------------------------------

  /** @param {Entry} entry */
  function token({ move }) {
    if (!move?.card || !things.get(move.card)?.segments) return move?.do === "deploy" ? mark(move.by) : null;
    const attributes = { viewBox: `0 0 ${SIDE} ${SIDE}`, class: "one-tile" };
    return shape("svg", attributes, ...tileShapes(thing(move.card), { x: 0, y: 0, turn: move.turn ?? 0 }));
  }

  /** @param {Entry} entry @returns {SVGElement | null} */
  function placeOf({ move }) {
    if (move?.do === "deploy") return map.querySelector(`[data-follower="${move.card}"] .figure`);
    return move?.do === "place" ? map.querySelector(`.tile[data-card="${move.card}"]`) : null;
  }

  // The territory that a follower leaves is lit, and its points rise from it.
  /** @param {Entry} entry */
  function scores({ event, move, points }) {
    const of = event === "played" && move?.do === "score" && points ? stood.get(move.card ?? "") : undefined;
    [scored, gain] = [large && of ? (territoryOf(of)?.segments ?? []) : [], points ?? 0];
  }

  /** The areas of a territory, and a flag above it. @param {SegmentOf[]} segments @param {number} n */
  function flagged(segments, n) {
    const there = segments.flatMap((of) => {
      const tile = tileAt(of[0]);
      return tile ? [{ of, tile }] : [];
    });
    if (!there.length) return [];
    const areas = there.map(({ of, tile }) => {
      const { terrain, area } = segment(of);
      return shape("polygon", { points: points(area, tile), fill: `url(#of-${terrain})`, class: "area" });
    });
    const top = there.reduce((high, one) => (one.tile.y < high.tile.y ? one : high));
    const [x, y] = turned(segment(top.of).spot, top.tile.turn);
    const words = `+${n} ${say(`carcassonne.terrain.${segment(top.of).terrain}`)}`;
    const wide = words.length * 15 + 30;
    const flag = shape(
      "g",
      { class: "flag", transform: `translate(${(top.tile.x + x) * SIDE} ${(top.tile.y + y) * SIDE}) scale(${zoom})` },
      shape("path", { d: `M0 -8L-10 -40H${-wide / 2}V-84H${wide / 2}V-40H10Z` }),
      text(words, { y: -53 }),
    );
    return [...areas, flag];
  }

  /** The number of an answer on the segment that it means. @param {Move} move @param {number} at */
  function numbered({ tile: card, segment: number }, at) {
    const tile = tileAt(card);
    if (!tile) return [];
    const { area, spot } = segment([card, number]);
    const [x, y] = turned(spot, tile.turn);
    return [
      shape("polygon", { points: points(area, tile), class: "meant" }),
      shape(
        "g",
        { class: "number", transform: `translate(${(tile.x + x) * SIDE} ${(tile.y + y) * SIDE}) scale(${zoom})` },
        shape("circle", { r: 16 }),
        text(at + 1, { y: 8 }),
      ),
    ];
  }

  /** @param {Seat[]} winners @param {BestTurn | null} best @param {Entry[]} entries */
  function ended(winners, best, entries) {
    for (const { move } of entries) if (move?.do === "deploy") stood.set(move.card ?? "", [move.tile, move.segment]);
    for (const one of map.querySelectorAll(".follower")) {
      const seat = Number(one.getAttribute("data-follower")?.[1]);
      one.classList.toggle("hers", winners.includes(seat));
    }
    const of = best?.entries.map(({ move }) => stood.get(move?.card ?? "")).find(Boolean);
    if (!best || !of) return;
    const areas = flagged(territoryOf(of)?.segments ?? [of], best.points);
    last(areas)?.classList.add("best");
    layers.news.replaceChildren(...areas);
  }

  /** @param {BestTurn} best */
  function story({ entries }) {
    return entries.flatMap(({ move }) => {
      const of = stood.get(move?.card ?? "");
      return of && move ? [{ face: mark(move.by), words: say(`carcassonne.stands.${segment(of).terrain}`) }] : [];
    });
  }

  // -- selection ---------------------------------------------------------------------------------

  /** @param {Element} target @returns {SegmentOf | null} */
  function segmentOf(target) {
    const card = target.closest("[data-follower]")?.getAttribute("data-follower");
    const follower = view.followers?.find((one) => one.card === card);
    if (follower) return [follower.tile, follower.segment];
    const tile = target.closest("[data-card]");
    const area = target.closest("[data-segment]");
    if (!tile || !area || tile.matches(".refused, .fits")) return null;
    /** @type {SegmentOf} */
    const touched = [tile.getAttribute("data-card") ?? "", Number(area.getAttribute("data-segment"))];
    return String(touched) === String(chosen) ? null : touched;
  }

  /** @param {SegmentOf} of */
  function territoryOf(of) {
    return (view.territories ?? []).find((one) => one.segments.some((other) => String(other) === String(of)));
  }

  // The open sides of a territory, as lines of the drawing.
  /** @param {Territory} territory */
  function openEdges(territory) {
    const taken = new Set(tiles().map(({ x, y }) => `${x},${y}`));
    return territory.segments.flatMap((of) => {
      const tile = tileAt(of[0]);
      if (!tile) return [];
      const { x, y, turn } = tile;
      const open = sides(segment(of), turn).filter((side) => !taken.has(`${x + STEPS[side][0]},${y + STEPS[side][1]}`));
      return open.map((side) => {
        const ends = [turned([0, 0], side), turned([1, 0], side)];
        const corners = ends.map(([dx, dy]) => `${(x + dx) * SIDE} ${(y + dy) * SIDE}`);
        return shape("path", { d: `M${corners.join("L")}`, class: "edge" });
      });
    });
  }

  /** @param {SegmentOf | null} of */
  function choose(of) {
    chosen = of;
    const territory = of ? territoryOf(of) : undefined;
    detail.hidden = !territory;
    layers.marks.replaceChildren();
    for (const button of findAll(list, "button")) {
      button.setAttribute("aria-pressed", String(button.dataset.of === String(territory?.segments[0])));
    }
    if (!territory) return;
    const open = openEdges(territory);
    const areas = territory.segments.flatMap((one) => {
      const tile = tileAt(one[0]);
      return tile ? [shape("polygon", { points: points(segment(one).area, tile), class: "chosen" })] : [];
    });
    layers.marks.append(...areas, ...open);
    const whose = territory.followers.map((card) => nameOf(Number(card[1]))).join(", ");
    const name = make("b", {}, say(`carcassonne.terrain.${territory.terrain}`));
    detail.replaceChildren(name, ` · ${about(territory, open.length)}${whose ? ` · ${whose}` : ""}`);
  }

  // -- the followers in words ----------------------------------------------------------------------

  function followers() {
    list.replaceChildren(...(view.followers ?? []).flatMap(followerLine));
    list.classList.toggle("many", list.children.length > MANY);
    /** @type {HTMLElement} */ (list.parentElement).hidden = !list.children.length;
  }

  /** @param {Follower} follower */
  function followerLine({ card, seat, tile, segment: number }) {
    const territory = territoryOf([tile, number]);
    if (!territory) return [];
    const button = make(
      "button",
      { type: "button", className: "out", "data-of": String(territory.segments[0]) },
      mark(seat),
      make("b", {}, nameOf(seat)),
      make("span", {}, `${say(`carcassonne.stands.${territory.terrain}`)} ${card.slice(2)}`),
      make("span", { className: "worth" }, `${territory.now} / ${territory.final}`),
    );
    button.onclick = () => choose([tile, number]);
    return [make("li", {}, button)];
  }

  // -- arrow keys ----------------------------------------------------------------------------------

  /** @param {string} card @param {FocusOptions} how */
  function focusTile(card, how = {}) {
    if (!tileAt(card)) return;
    for (const tile of map.querySelectorAll(".tile")) {
      tile.setAttribute("tabindex", tile.getAttribute("data-card") === card ? "0" : "-1");
    }
    focusOn(map, `.tile[data-card="${card}"]`, how);
  }

  // Arrow keys move from tile to tile, Enter through the segments of one.
  /** @param {KeyboardEvent} event */
  function walk(event) {
    const tile = tileAt(targetOf(event).closest("[data-card]")?.getAttribute("data-card") ?? "");
    if (!tile) return;
    const side = ARROWS.indexOf(event.key);
    if (side >= 0) {
      event.preventDefault();
      const [dx, dy] = STEPS[side];
      const next = tiles().find(({ x, y }) => x === tile.x + dx && y === tile.y + dy);
      if (next) focusTile(next.card);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const count = thing(tile.card).segments.length;
      const now = chosen?.[0] === tile.card ? chosen[1] : 0;
      choose(now < count ? [tile.card, now + 1] : null);
    } else if (event.key === "Escape") choose(null);
  }
}

/** @param {Entry | null | undefined} entry @returns {Refusal | null} */
function objected(entry) {
  if (!entry?.move) return null;
  const { card, x, y, turn } = entry.move;
  const objections = entry.objections ?? [];
  const fits = objections.some((one) => one.rule === "placeable");
  return { card, x, y, turn, fits, cards: objections.flatMap((one) => one.cards ?? []) };
}

/** The free places beside tiles. @param {LaidTile[]} laid */
function openPlaces(laid) {
  const taken = new Set(laid.map(({ x, y }) => `${x},${y}`));
  const beside = laid.flatMap(({ x, y }) => STEPS.map(([dx, dy]) => `${x + dx},${y + dy}`));
  const open = new Set(beside.filter((at) => !taken.has(at)));
  return [...open].map((at) => at.split(",").map(Number));
}

/** @param {Territory} territory @param {number} open The number of its open sides. */
function about({ tiles, cities, now, final }, open) {
  return [
    say("carcassonne.tiles", { n: tiles }),
    say("carcassonne.cities", { n: cities }),
    open ? say("carcassonne.open", { n: open }) : say("carcassonne.complete"),
    say("carcassonne.value", { n: now, m: final }),
  ].join(" · ");
}
