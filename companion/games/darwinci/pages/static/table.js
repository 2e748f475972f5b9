// Darwinci's table: the tiles for sale with the stones beside them, the plots, the reserves, and the next step.

import { nameOf } from "../../static/board.js";
import { icon, make, mark, partsOf, shape, sprites } from "../../static/dom.js";
import { currentMatch, say, start } from "../../static/live.js";
import { LETTERS, bone, stone, withSign } from "./map.js";

/**
 * @typedef {{ seat?: Seat, words: string }} Line What a player must do or answer now.
 * @typedef {PlotTile & { refused?: true }} DrawnTile
 */

const SIDE = 100; // a tile's, in the units of the drawing
const TURNS = 3;
const FULL = 12;

/** @param {HTMLElement} place @returns {TableDraw} */
export function draw(place) {
  const match = currentMatch();
  const things = new Map(match.cards.map((one) => [one.id, /** @type {Thing & BoneTile} */ (one)]));
  const seats = match.seats.map((seat) => seat.number);
  const part = partsOf(place);
  const own = start.me.seat;
  /** @type {DarwinciView} */
  let view;
  let drawnAs = "";
  /** @type {Move | null} */
  let refused = null;

  const large = document.documentElement.classList.contains("tv");
  /** @type {Map<Seat, StoneGroup[]>} The bids for each seat's tile, which go home when it is sold. */
  const bidFor = new Map();

  return Object.assign(show, { advice: () => "", token, place: placeOf, ended });

  // -- on a television -----------------------------------------------------------------------------

  /** @param {Entry} entry */
  function token({ move }) {
    if (move?.do === "bid") {
      const colour = view.colours.find((one) => one[0].toUpperCase() === move.card?.[0]);
      return colour ? stone(colour, move.card?.endsWith("0")) : null;
    }
    return move?.card && things.get(move.card)?.ends !== undefined ? tile(move.card) : null;
  }

  /** @param {Entry} entry @returns {SVGElement | null} */
  function placeOf({ move }) {
    if (!move?.card || !["offer", "lay"].includes(move.do)) return null;
    return place.querySelector(`svg[data-card="${move.card}"], g[data-card="${move.card}"] .bone`);
  }

  /** @param {Seat[]} winners */
  function ended(winners) {
    for (const one of place.querySelectorAll(".plot")) {
      one.classList.toggle("hers", winners.includes(Number(one.getAttribute("data-seat"))));
    }
  }

  /** @param {Update} update */
  function show(update) {
    const latest = update.public ?? {};
    if (update.entry?.event === "refused") refused = update.entry.move ?? null;
    if (update.alert !== "refused") refused = null;
    const drawing = JSON.stringify([latest, refused, update.standing?.over]);
    if (drawing === drawnAs) return;
    drawnAs = drawing;
    if (!latest.colours) return;
    view = latest;
    for (const one of view.offers ?? []) bidFor.set(one.seat, one.stones);
    part("round").textContent = phase();
    const lines = update.standing?.over ? [] : todo();
    const items = lines.map(({ seat, words }) => {
      return make("li", {}, ...(seat ? [mark(seat)] : []), make("span", {}, words));
    });
    part("todo").replaceChildren(...items);
    ring();
    plots();
    key();
  }

  /** @param {string} card */
  function thing(card) {
    return /** @type {Thing & BoneTile} */ (things.get(card));
  }

  /** The seats clockwise, from this one on. @param {Seat} first */
  function from(first) {
    return [...seats.slice(first - 1), ...seats.slice(0, first - 1)];
  }

  // -- the next step -------------------------------------------------------------------------------

  function phase() {
    if (!view.round && !dealt()) return say("darwinci.phase.deal");
    if (view.ending) return say("darwinci.phase.ending");
    const round = view.round || 1;
    if (view.bidding) return say("darwinci.phase.bids", { n: round, m: view.bidding, who: TURNS });
    if (view.won?.length) return say("darwinci.phase.laying", { n: round });
    return say("darwinci.phase.offers", { n: view.offers?.length ? round : round + (view.round ? 1 : 0) });
  }

  function dealt() {
    return (view.plots ?? []).some((plot) => plot.length);
  }

  // What players must do or answer now, one line each, this page's seat first.
  function todo() {
    return steps().sort((a, b) => Number(b.seat === own) - Number(a.seat === own));
  }

  /** @returns {Line[]} */
  function steps() {
    if (!dealt()) return [{ words: say("darwinci.todo.deal") }];
    if (view.bidding) return bids();
    if (view.won?.length) return view.won.map(laying);
    if (view.ending) {
      return [
        ...(view.tied ?? []).map((seat) => ({ seat, words: say("darwinci.todo.creature", { who: nameOf(seat) }) })),
        ...seats.map((seat) => ({ seat, words: say("darwinci.todo.jewel", { who: nameOf(seat) }) })),
        { words: say("darwinci.todo.end") },
      ];
    }
    const waiting = seats.filter((seat) => !view.offers.some((one) => one.seat === seat));
    return [
      { words: say("darwinci.todo.offer", { list: waiting.map(nameOf).join(", ") }) },
      ...(view.offers.length ? [] : [{ words: say("darwinci.todo.buy") }]),
    ];
  }

  /** @param {{ to: Seat, from: Seat }} won */
  function laying({ to, from: seller }) {
    const full = view.plots[to - 1].length >= FULL;
    const values = { who: nameOf(to), what: nameOf(seller) };
    return { seat: to, words: say(full ? "darwinci.todo.drop" : "darwinci.todo.lay", values) };
  }

  function bids() {
    return from(view.first).flatMap((seat) => {
      const bid = view.bids.find((one) => one.seat === seat);
      if (!bid || bid.done) return [];
      const words = bid.must ? "darwinci.bids.must" : bid.may ? "darwinci.bids.may" : "darwinci.bids.none";
      const said = say(words, { who: nameOf(seat), n: bid.must || bid.may, m: bid.may });
      return [{ seat, words: seat === view.turn ? say("darwinci.bids.now", { what: said }) : said }];
    });
  }

  // -- tiles for sale ------------------------------------------------------------------------------

  // Clockwise as players sit: this page's seat, else seat 1, is at the near right.
  function ring() {
    const order = from(own ?? 1);
    const near = order.length > 3 ? 2 : 1;
    const spots = large ? seats : [...order.slice(near), ...order.slice(0, near).reverse()];
    const list = part("ring");
    list.className = `ring of-${order.length}`;
    const sales = spots.map((seat) => {
      const offer = view.offers?.find((one) => one.seat === seat);
      return offer ? forSale(offer) : sold(seat);
    });
    list.replaceChildren(...sales);
  }

  /** @param {Seat} seat @param {...(Node | string)} parts */
  function saleBox(seat, ...parts) {
    return make("li", { class: `offer${view.turn === seat ? " acts-now" : ""}` }, who(seat), ...parts);
  }

  /** @param {TileOffer} offer */
  function forSale({ seat, card, stones: beside, leads }) {
    const best = leads
      ? [mark(leads), say("darwinci.sale.leads", { who: nameOf(leads) })]
      : [say("darwinci.sale.nobody")];
    const box = saleBox(
      seat,
      tile(card),
      stones(beside, say("darwinci.sale.stones", { who: nameOf(seat) })),
      make("p", { class: "leads" }, ...best),
    );
    if (refused?.do === "bid" && refused.to === seat) box.classList.add("against");
    return box;
  }

  /** @param {Seat} seat */
  function sold(seat) {
    const won = (view.won ?? []).filter((one) => one.from === seat);
    const nothing = say(view.bidding ? "darwinci.sale.none" : "darwinci.sale.not_yet");
    return saleBox(
      seat,
      ...won.map(({ card }) => tile(card)),
      ...(won.length ? [] : [make("p", { class: "nothing" }, nothing)]),
      ...(large && won.length ? [paid(seat)] : []),
      ...won.map(({ to }) => make("p", { class: "leads" }, mark(to), say("darwinci.sale.won", { who: nameOf(to) }))),
    );
  }

  /** The stones that were bid for a seat's tile. @param {Seat} seat */
  function paid(seat) {
    return stones(bidFor.get(seat) ?? [], say("darwinci.sale.stones", { who: nameOf(seat) }));
  }

  /** @param {string} card */
  function tile(card) {
    const { value, jewels } = thing(card);
    const list = jewels.map((jewel) => say(`darwinci.jewel.${jewel}`)).join(", ");
    const title = say("darwinci.tile", { n: withSign(value), list });
    const attributes = { viewBox: "-50 -50 100 100", class: "tile", role: "img", "aria-label": title };
    return shape("svg", { ...attributes, "data-card": card }, bone(thing(card)));
  }

  // A shape for each stone, with its letter; screen readers get the number of each colour in words.
  /** @param {StoneGroup[]} groups @param {string} title */
  function stones(groups, title) {
    const items = groups.map(({ seat, n, big }) => {
      const colour = view.colours[seat - 1];
      const words = say("darwinci.stones.n", { n: n + (big ? 1 : 0), what: say(`darwinci.stones.${colour}`) });
      const small = Array.from({ length: n }, () => stone(colour));
      return make("li", {}, make("span", { class: "unseen" }, words), ...(big ? [stone(colour, true)] : []), ...small);
    });
    return make("ul", { class: "stones", "aria-label": title }, ...items);
  }

  // -- plots, reserves and money ------------------------------------------------------------------

  function plots() {
    const order = own ? [own, ...seats.filter((seat) => seat !== own)] : seats;
    part("plots").replaceChildren(...order.map(plot));
  }

  /** @param {Seat} seat */
  function plot(seat) {
    const laid = view.plots[seat - 1];
    const jewels = laid.flatMap((one) => one.jewels);
    const counts = Object.keys(LETTERS).flatMap((jewel) => {
      const n = jewels.filter((one) => one === jewel).length;
      return n ? [`${say(`darwinci.jewel.${jewel}`)} ×${n}`] : [];
    });
    const words = [say("darwinci.plot.tiles", { n: laid.length, m: FULL }), ...counts].join(" · ");
    const money = make("b", { class: "darwin" }, say("darwinci.money", { n: view.darwin[seat - 1] }));
    return make(
      "li",
      { class: "plot", "data-seat": seat },
      who(seat, money),
      land(seat, laid),
      make("p", { class: "hint" }, words),
      stones(view.reserves[seat - 1] ?? [], say("darwinci.reserve", { who: nameOf(seat) })),
    );
  }

  /** @param {Seat} seat @returns {DrawnTile[]} The refused tile on this plot, if any. */
  function ghostOf(seat) {
    if (refused?.do !== "lay" || refused.by !== seat) return [];
    const { card = "", x, y, turn } = refused;
    return [{ ...thing(card), card, x, y, turn, refused: true }];
  }

  /** @param {Seat} seat @param {PlotTile[]} laid */
  function land(seat, laid) {
    const all = [...laid, ...ghostOf(seat)];
    const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
    const [left, top] = all.length ? [Math.min(...xs), Math.min(...ys)] : [0, 0];
    const [columns, rows] = all.length ? [Math.max(...xs) - left + 1, Math.max(...ys) - top + 1] : [2, 1];
    const corner = [left * SIDE - SIDE / 2 - 4, top * SIDE - SIDE / 2 - 4];
    const box = [...corner, Math.max(columns, 4) * SIDE + 8, Math.max(rows, 3) * SIDE + 8];
    const title = say("darwinci.plot", { who: nameOf(seat), n: laid.length });
    const attributes = { viewBox: box.join(" "), class: "land", role: "img", "aria-label": title };
    return shape("svg", attributes, ...all.map(laidTile));
  }

  /** @param {DrawnTile} tile */
  function laidTile({ card, x, y, turn, refused: wrong }) {
    const transform = `translate(${x * SIDE} ${y * SIDE})`;
    return shape("g", { transform, "data-card": card, class: wrong ? "wrong" : "" }, bone(thing(card), turn));
  }

  /** @param {Seat} seat @param {...Node} more */
  function who(seat, ...more) {
    const signs = [
      ...(view.first === seat ? [sign("die", say("darwinci.die"))] : []),
      ...(view.holder === seat ? [sign("darwin", say("darwinci.holder"))] : []),
    ];
    const name = make("span", { class: "name", "data-name": seat }, nameOf(seat));
    return make("h3", {}, mark(seat), name, ...signs, ...more);
  }

  function key() {
    part("key").replaceChildren(
      ...seats.map((seat) => make("li", {}, stone(view.colours[seat - 1]), ` ${nameOf(seat)}`)),
      make("li", {}, sign("die"), ` ${say("darwinci.die")}`),
      make("li", {}, sign("darwin"), ` ${say("darwinci.holder")}`),
    );
  }
}

/** @param {string} name @param {string} title For screen readers, if the symbol stands alone. */
function sign(name, title = "") {
  const drawn = icon(`${sprites.bones}#${name}`);
  if (!title) return drawn;
  drawn.removeAttribute("aria-hidden");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", title);
  return drawn;
}
