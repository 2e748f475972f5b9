// Darwinci's table: the tiles for sale with the stones beside them, the plots, the reserves, and what comes next.

import { LETTERS, bone, shape, sprites, stone } from "./map.js";
import { make } from "../../static/board.js";

const SIDE = 100; // a tile's, in the units of the drawing
const TURNS = 3;
const FULL = 12;

export function draw(place, start, say) {
  const { match } = start;
  const things = Object.fromEntries(match.cards.map((one) => [one.id, one]));
  const seats = match.seats.map((seat) => seat.number);
  const nameOf = (seat) => match.seats[seat - 1]?.name ?? "";
  const part = (name) => place.querySelector(`[data-${name}]`);
  const own = start.me?.seat ?? null;
  let view = {};
  let drawnAs = "";
  let refused = null;

  show.advice = () => "";
  return show;

  function show(update) {
    view = update.public ?? {};
    const entry = update.entry?.event === "refused" ? update.entry : null;
    if (entry) refused = entry.move ?? null;
    if (update.alert !== "refused") refused = null;
    const drawing = JSON.stringify([view, refused, update.standing?.over]);
    if (drawing === drawnAs) return;
    drawnAs = drawing;
    if (!view.colours) return;
    part("round").textContent = phase();
    part("todo").replaceChildren(...(update.standing?.over ? [] : todo()).map(({ seat, words }) => make("li", {}, ...(seat ? [mark(seat)] : []), make("span", {}, words))));
    ring();
    plots();
    key();
  }

  // -- what comes next ----------------------------------------------------------------------------

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

  // What somebody must do or answer now, a line each, one's own first.
  function todo() {
    const lines = [];
    if (!dealt()) lines.push({ words: say("darwinci.todo.deal") });
    else if (view.bidding) lines.push(...bids());
    else if (view.won?.length) {
      for (const { card, to, from } of view.won) {
        const full = view.plots[to - 1].length >= FULL;
        lines.push({ seat: to, words: say(full ? "darwinci.todo.drop" : "darwinci.todo.lay", { who: nameOf(to), card_name: card, what: nameOf(from) }) });
      }
    } else if (view.ending) {
      for (const seat of view.tied ?? []) lines.push({ seat, words: say("darwinci.todo.creature", { who: nameOf(seat) }) });
      for (const seat of seats) lines.push({ seat, words: say("darwinci.todo.jewel", { who: nameOf(seat) }) });
      lines.push({ words: say("darwinci.todo.end") });
    } else {
      const waiting = seats.filter((seat) => !view.offers.some((one) => one.seat === seat));
      lines.push({ words: say("darwinci.todo.offer", { list: waiting.map(nameOf).join(", ") }) });
      if (!view.offers.length) lines.push({ words: say("darwinci.todo.buy") });
    }
    return lines.sort((a, b) => (b.seat === own) - (a.seat === own));
  }

  function bids() {
    const order = [...seats.slice(view.first - 1), ...seats.slice(0, view.first - 1)];
    return order.flatMap((seat) => {
      const bid = view.bids.find((one) => one.seat === seat);
      if (!bid || bid.done) return [];
      const words = bid.must ? "darwinci.bids.must" : bid.may ? "darwinci.bids.may" : "darwinci.bids.none";
      const said = say(words, { who: nameOf(seat), n: bid.must || bid.may, m: bid.may });
      return [{ seat, words: seat === view.turn ? say("darwinci.bids.now", { what: said }) : said }];
    });
  }

  // -- what is for sale ---------------------------------------------------------------------------

  // Clockwise as people sit: whose page this is, else seat 1, sits near on the right.
  function ring() {
    const from = own ?? 1;
    const order = [...seats.slice(from - 1), ...seats.slice(0, from - 1)];
    const near = order.length > 3 ? 2 : 1;
    const spots = [...order.slice(near), ...order.slice(0, near).reverse()];
    const list = part("ring");
    list.className = `ring of-${order.length}`;
    list.replaceChildren(...spots.map((seat) => sale(seat, view.offers?.find((one) => one.seat === seat))));
  }

  function sale(seat, offer) {
    const won = (view.won ?? []).filter((one) => one.from === seat);
    const box = make("li", { class: `offer${view.turn === seat ? " acts-now" : ""}` }, who(seat));
    for (const card of offer ? [offer.card] : won.map((one) => one.card)) box.append(tile(card, say("darwinci.tile", about(card))));
    if (!offer && !won.length) box.append(make("p", { class: "nothing" }, say(view.bidding ? "darwinci.sale.none" : "darwinci.sale.not_yet")));
    if (!offer) box.append(...won.map(({ to }) => make("p", { class: "leads" }, mark(to), say("darwinci.sale.won", { who: nameOf(to) }))));
    if (!offer) return box;
    box.append(stones(offer.stones, say("darwinci.sale.stones", { who: nameOf(seat) })));
    const leads = offer.leads ? [mark(offer.leads), say("darwinci.sale.leads", { who: nameOf(offer.leads) })] : [say("darwinci.sale.nobody")];
    box.append(make("p", { class: "leads" }, ...leads));
    if (refused?.do === "bid" && refused.to === seat) box.classList.add("against");
    return box;
  }

  function about(card) {
    const { value, jewels } = things[card];
    const worth = value < 0 ? `−${-value}` : `+${value}`;
    return { card_name: card, n: worth, list: jewels.map((jewel) => say(`darwinci.jewel.${jewel}`)).join(", ") };
  }

  function tile(card, title) {
    return shape("svg", { viewBox: "-50 -50 100 100", class: "tile", role: "img", "aria-label": title }, bone(things[card]));
  }

  // A form for each stone, with its letter; how many of each colour is said in words to whoever cannot see them.
  function stones(groups, title) {
    const list = make("ul", { class: "stones", "aria-label": title });
    for (const { seat, n, big } of groups) {
      const colour = view.colours[seat - 1];
      const item = make("li", {}, make("span", { class: "unseen" }, say("darwinci.stones.n", { n: n + (big ? 1 : 0), what: say(`darwinci.stones.${colour}`) })));
      if (big) item.append(stone(colour, true));
      for (let nth = 0; nth < n; nth += 1) item.append(stone(colour));
      list.append(item);
    }
    return list;
  }

  // -- plots, reserves and money ------------------------------------------------------------------

  function plots() {
    const order = own ? [own, ...seats.filter((seat) => seat !== own)] : seats;
    part("plots").replaceChildren(...order.map(plot));
  }

  function plot(seat) {
    const laid = view.plots[seat - 1];
    const box = make("li", { class: "plot" }, who(seat, make("b", { class: "darwin" }, say("darwinci.money", { n: view.darwin[seat - 1] }))), drawing(seat, laid));
    const jewels = laid.flatMap((one) => one.jewels);
    const counts = Object.keys(LETTERS).flatMap((jewel) => {
      const n = jewels.filter((one) => one === jewel).length;
      return n ? [`${say(`darwinci.jewel.${jewel}`)} ×${n}`] : [];
    });
    const words = [say("darwinci.plot.tiles", { n: laid.length, m: FULL }), ...counts].join(" · ");
    box.append(make("p", { class: "hint" }, words), stones(view.reserves[seat - 1] ?? [], say("darwinci.reserve", { who: nameOf(seat) })));
    return box;
  }

  function drawing(seat, laid) {
    const ghost = refused?.do === "lay" && refused.by === seat ? [{ ...things[refused.card], card: refused.card, x: refused.x, y: refused.y, turn: refused.turn, refused: true }] : [];
    const all = [...laid, ...ghost];
    const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
    const [left, top] = all.length ? [Math.min(...xs), Math.min(...ys)] : [0, 0];
    const [columns, rows] = all.length ? [Math.max(...xs) - left + 1, Math.max(...ys) - top + 1] : [2, 1];
    const box = [left * SIDE - SIDE / 2 - 4, top * SIDE - SIDE / 2 - 4, Math.max(columns, 4) * SIDE + 8, Math.max(rows, 3) * SIDE + 8];
    const drawn = shape("svg", { viewBox: box.join(" "), class: "land", role: "img", "aria-label": say("darwinci.plot", { who: nameOf(seat), n: laid.length }) });
    for (const { card, x, y, turn, refused: wrong } of all) {
      const group = shape("g", { transform: `translate(${x * SIDE} ${y * SIDE})`, "data-card": card, class: wrong ? "wrong" : "" }, bone(things[card], turn));
      drawn.append(group);
    }
    return drawn;
  }

  function who(seat, ...more) {
    const signs = [];
    if (view.first === seat) signs.push(sign("die", say("darwinci.die")));
    if (view.holder === seat) signs.push(sign("darwin", say("darwinci.holder")));
    return make("h3", {}, mark(seat), make("span", { class: "name", "data-name": seat }, nameOf(seat)), ...signs, ...more);
  }

  function key() {
    part("key").replaceChildren(
      ...seats.map((seat) => make("li", {}, stone(view.colours[seat - 1]), ` ${nameOf(seat)}`)),
      make("li", {}, sign("die"), ` ${say("darwinci.die")}`),
      make("li", {}, sign("darwin"), ` ${say("darwinci.holder")}`),
    );
  }

  function sign(name, title = "") {
    const named = title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" };
    return shape("svg", { class: "icon", ...named }, shape("use", { href: `${sprites.bones}#${name}` }));
  }

  function mark(seat) {
    return shape("svg", { class: `mark seat-${seat}`, "aria-hidden": "true" }, shape("use", { href: `${sprites.symbols}#s${seat}` }));
  }
}
