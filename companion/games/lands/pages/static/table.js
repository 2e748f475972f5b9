// Lands Unknown: the player's sheet, the map, the fight, and what no camera sees.

import { nameOf } from "../../static/board.js";
import { last, make, mark, partsOf, shape, text } from "../../static/dom.js";
import { currentMatch, say, start } from "../../static/live.js";
import { page } from "./acts.js";
import { island } from "./map.js";
import { DAMAGE, FATAL, KINDS, called, sign, spaceName } from "./says.js";

/** @typedef {{ seat?: Seat | null, text: string }} Line What a player must do now. */

const RADIUS = 26; // of the dial of stamina

/** @param {HTMLElement} place @returns {TableDraw} */
export function draw(place) {
  const { seat: own } = start.me;
  const part = partsOf(place);
  const seats = currentMatch().seats.map((seat) => seat.number);
  const { show, speaks, asks } = page(place, { own, render });
  /** @type {LandsView} */
  let view;

  const table = Object.assign(news, {
    offered: show.offered,
    advice: () => say(view?.free ? "lands.now.free" : "lands.now"),
    place: placeOf,
    token,
  });
  return table;

  // -- on a television -----------------------------------------------------------------------------

  // What the last event was about is lit until the next one: the space where somebody went, or the new tile.
  /** @param {Update} update @param {boolean} fresh */
  function news(update, fresh) {
    show(update);
    if (!update.entry && fresh) return;
    const move = update.entry?.move ?? last(start.log, (one) => Boolean(one.entry?.move))?.entry?.move;
    for (const lit of place.querySelectorAll(".now")) lit.classList.remove("now");
    if (move) about(move)?.classList.add("now");
  }

  /** @param {Move} move */
  function about(move) {
    if (move.do === "travel") return place.querySelector(`[data-space="${move.to}"]`);
    return ["scout", "tell", "join"].includes(move.do) ? place.querySelector(`.tile[data-card="${move.card}"]`) : null;
  }

  /** @param {Entry} entry */
  function token({ move }) {
    return move?.by ? mark(move.by) : null;
  }

  /** @param {Entry} entry @returns {SVGElement | null} */
  function placeOf({ move }) {
    return move?.do === "travel" ? place.querySelector(`[data-space="${move.to}"] .figure.seat-${move.by}`) : null;
  }

  /** @param {LandsView} newView @param {boolean} over @param {Move[]} asked */
  function render(newView, over, asked) {
    view = newView;
    part("day").textContent = dayLine();
    const items = (over ? [] : todo()).map((line) => {
      return make("li", {}, ...(line.seat ? [mark(line.seat)] : []), make("span", {}, line.text));
    });
    part("todo").replaceChildren(...items);
    speaks.fight(part("fight"));
    asks(part("asks"));
    part("mine").replaceChildren(...(own ? [sheet(own, true)] : []));
    part("chart").replaceChildren(chart(asked));
    part("says").replaceChildren(...(own ? says(own) : []));
    const others = seats.filter((seat) => seat !== own);
    part("sheets").replaceChildren(...others.map((seat) => make("li", {}, sheet(seat, false))));
  }

  // -- day and night -------------------------------------------------------------------------------

  function dayLine() {
    if (!view.tiles.length) return say("lands.day.before");
    if (!view.day) return say("lands.day.first");
    const day = say(view.night ? "lands.day.night" : "lands.day", { n: view.day });
    return view.turn ? `${day} · ${say("lands.day.turn", { who: nameOf(view.turn) })}` : day;
  }

  // What players must do now, one line each, this page's seat first.
  /** @returns {Line[]} */
  function todo() {
    if (!view.tiles.length) return [{ text: say("lands.todo.deal") }];
    if (!view.day) return [...seats.flatMap(projects), { text: say("lands.todo.first") }];
    const { fight, night, first } = view;
    /** @type {Line[]} */
    const lines = [];
    lines.push(...seats.flatMap(drops));
    if (night && !fight) {
      const words = view.resolved ? "lands.todo.lead" : "lands.todo.night";
      lines.push({ seat: first, text: say(words, { who: nameOf(first ?? 0) }) });
    }
    const asked = new Set(speaks.asked().map(({ card }) => card));
    if (view.unknown.some((card) => !asked.has(card))) lines.push({ text: say("lands.todo.tile") });
    return lines.sort((a, b) => Number(b.seat === own) - Number(a.seat === own));
  }

  /** The projects that a seat has yet to draw. @param {Seat} seat @returns {Line[]} */
  function projects(seat) {
    const drawn = sheetOf(seat).cards.filter(({ card }) => card.startsWith("P")).length;
    const lacks = view.projects - drawn;
    return lacks > 0 ? [{ seat, text: say("lands.todo.projects", { who: nameOf(seat), n: lacks }) }] : [];
  }

  /** @param {Seat} seat @returns {Line[]} */
  function drops(seat) {
    const { items, dead, left, counted } = sheetOf(seat);
    const over = items - view.most_items;
    if (dead || left || !counted || over <= 0) return [];
    return [{ seat, text: say("lands.todo.drop", { who: nameOf(seat), n: over }) }];
  }

  /** @param {Seat} seat */
  function sheetOf(seat) {
    return view.sheets[seat - 1];
  }

  // -- sheets --------------------------------------------------------------------------------------

  /** @param {Seat} seat @param {boolean} whole */
  function sheet(seat, whole) {
    const one = sheetOf(seat);
    const out = one.dead || one.left;
    const classes = ["sheet", whole && "own", view.turn === seat && "acts-now", out && "out"].filter(Boolean);
    const box = { class: classes.join(" ") };
    const beside = one.counted ? hearts(one.damage) : make("p", { class: "hint" }, say("lands.dial.seen"));
    return make("section", box, sheetHead(seat, one), dial(one.stamina), beside, pack(one));
  }

  /** @param {Seat} seat @param {Sheet} sheet */
  function sheetHead(seat, { dead, left }) {
    const done = view.done.includes(seat) ? say("lands.sheet.done") : "";
    const state = dead ? say("lands.sheet.dead") : left ? say("lands.sheet.left") : done;
    return make(
      "h2",
      {},
      mark(seat),
      make("span", { class: "name", "data-name": seat }, nameOf(seat)),
      ...(view.first === seat ? [sign("first", say("lands.first"))] : []),
      ...(state ? [make("small", {}, state)] : []),
    );
  }

  // Stamina as a dial that empties.
  /** @param {number} left */
  function dial(left) {
    const most = Math.max(view.most_stamina, left, 1);
    const title = say("lands.stamina", { n: left, m: view.most_stamina });
    const points = Array.from({ length: most }, (_, nth) => {
      const [from, to] = [nth + 0.08, nth + 0.92].map((at) => dialPoint(at / most));
      const d = `M${from}A${RADIUS} ${RADIUS} 0 0 1 ${to}`;
      return shape("path", { d, class: nth < left ? "point full" : "point" });
    });
    const attributes = { viewBox: "-32 -32 64 64", class: "dial", role: "img", "aria-label": title };
    return shape("svg", attributes, ...points, text(left, { y: 8 }));
  }

  // Four hearts; each damage fills one with its kind.
  /** @param {Sheet["damage"]} damage */
  function hearts(damage) {
    const taken = DAMAGE.flatMap((kind) => Array(damage[kind]).fill(kind));
    const items = Array.from({ length: FATAL }, (_, nth) => {
      const kind = taken[nth];
      return kind
        ? make("li", { class: "taken" }, sign(kind, say(`lands.kind.${kind}`)))
        : make("li", { class: "" }, sign("heart"));
    });
    return make("ul", { class: "hearts", "aria-label": say("lands.damage", { n: taken.length }) }, ...items);
  }

  // Objects and projects; if the seat uses counters, also ten places for tokens.
  /** @param {Sheet} sheet */
  function pack({ resources, cards, items, counted }) {
    const tokens = counted ? KINDS.flatMap((kind) => Array(resources[kind]).fill(kind)) : [];
    const objects = cards.filter(({ card }) => card.startsWith("O"));
    const projectCards = cards.filter(({ card }) => card.startsWith("P"));
    const title = counted
      ? say("lands.pack", { n: items, m: view.most_items })
      : say("lands.objects", { n: objects.length });
    const list = make("ul", { class: "pack", "aria-label": title });
    list.append(...tokens.map((kind) => make("li", { class: `of-${kind}` }, sign(kind, say(`lands.kind.${kind}`)))));
    for (const { card, quest } of objects) {
      const name = cardName(card);
      list.append(make("li", { class: quest ? "object quest" : "object", title: name }, initial(name)));
    }
    for (let nth = counted ? items : view.most_items; nth < view.most_items; nth += 1) {
      list.append(make("li", { class: "empty", "aria-hidden": "true" }));
    }
    const made = projectCards.map(({ card, makes, cost }) => {
      const takes = cost.length ? ` (${cost.map((kind) => say(`lands.kind.${kind}`)).join(", ")})` : "";
      return (makes ? say("lands.project", { what: cardName(makes) }) : cardName(card)) + takes;
    });
    const named = [...objects.map(({ card }) => cardName(card)), ...made];
    const hint = named.length ? [make("p", { class: "hint" }, named.join(" · "))] : [];
    return make("div", { class: "carries" }, list, ...hint);
  }

  // An object fills one of ten small places: its name stands below them.
  /** @param {string} name */
  function initial(name) {
    return [...name][0].toUpperCase();
  }

  /** @param {string} id */
  function cardName(id) {
    return called(id, view);
  }

  // -- the map -------------------------------------------------------------------------------------

  /** @param {Move[]} asked */
  function chart(asked) {
    if (!view.tiles.length) return make("p", { class: "hint" }, say("lands.map.none"));
    const ways = speaks.may("travel").filter((move) => move.cost === undefined);
    const reach = new Map(ways.map((move) => [move.to, move]));
    /** @param {string} space */
    const touch = (space) => {
      const way = reach.get(space);
      if (way) speaks.tell(way);
    };
    return island(view, new Set(reach.keys()), touch, spaceName, asked);
  }

  /** @param {Seat} seat */
  function says(seat) {
    const ends = speaks.ends(seat);
    return [...(ends.length ? [make("div", { class: "buttons" }, ...ends)] : []), ...speaks.count(seat)];
  }
}

/** A point of the dial, clockwise from the top. @param {number} share Fraction of the full circle. */
function dialPoint(share) {
  const angle = share * 2 * Math.PI - Math.PI / 2;
  return `${(RADIUS * Math.cos(angle)).toFixed(2)} ${(RADIUS * Math.sin(angle)).toFixed(2)}`;
}
