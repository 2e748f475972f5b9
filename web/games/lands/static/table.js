// Lands Unknown: the own sheet, the map, the fight, and a button for whatever may be said.

import { island, shape } from "./map.js";
import { page } from "./acts.js";
import { DAMAGE, KINDS, mark, sign } from "./says.js";
import { make } from "../../static/board.js";

const FATAL = 4;

export function draw(place, start, say) {
  const own = start.me?.seat ?? null;
  const { show, speaks, asks, nameOf, cardName, seats } = page(place, start, say, { own, render });
  const part = (name) => place.querySelector(`[data-${name}]`);
  const closed = new Map(); // groups that somebody opened or closed: every act is one touch, unless he folds it away
  let view = {};

  show.advice = () => (view.free ? say("lands.now.free") : say("lands.now"));
  return show;

  function render(newView, over) {
    view = newView;
    part("day").replaceChildren(...dayLine());
    part("todo").replaceChildren(...(over ? [] : todo()).map(({ seat, text }) => make("li", {}, ...(seat ? [mark(seat)] : []), make("span", {}, text))));
    speaks.fight(part("fight"));
    asks(part("asks"));
    part("mine").replaceChildren(...(own ? [sheet(own, true)] : []));
    chart();
    says();
    part("sheets").replaceChildren(...seats.filter((seat) => seat !== own).map((seat) => make("li", {}, sheet(seat, false))));
  }

  // -- day and night -------------------------------------------------------------------------------

  function dayLine() {
    if (!view.tiles.length) return [say("lands.day.before")];
    if (!view.day) return [say("lands.day.first")];
    const line = [say(view.night ? "lands.day.night" : "lands.day", { n: view.day })];
    if (view.turn) line.push(" · ", say("lands.day.turn", { who: nameOf(view.turn) }));
    return line;
  }

  function todo() {
    const lines = [];
    if (!view.tiles.length) return [{ text: say("lands.todo.deal") }];
    if (!view.day) {
      for (const seat of seats) {
        const drawn = sheetOf(seat).cards.filter(({ card }) => card.startsWith("P")).length;
        if (drawn < view.projects) lines.push({ seat, text: say("lands.todo.projects", { who: nameOf(seat), n: view.projects - drawn }) });
      }
      return [...lines, { text: say("lands.todo.first") }];
    }
    if (view.hunted) lines.push({ seat: view.hunted, text: say("lands.todo.hunted", { who: nameOf(view.hunted) }) });
    if (view.fight && !view.fight.grey) lines.push({ seat: view.fight.fighter, text: say("lands.todo.roll", { who: nameOf(view.fight.fighter) }) });
    for (const seat of seats) {
      const { items, dead, left, drinks } = sheetOf(seat);
      if (dead || left) continue;
      if (drinks) lines.push({ seat, text: say("lands.todo.drink", { who: nameOf(seat) }) });
      if (items > view.most_items) lines.push({ seat, text: say("lands.todo.drop", { who: nameOf(seat), n: items - view.most_items }) });
    }
    if (view.night && !view.fight) lines.push({ seat: view.first, text: say(view.resolved ? "lands.todo.lead" : "lands.todo.night", { who: nameOf(view.first) }) });
    const asked = new Set(speaks.asked().map(({ card }) => card));
    for (const tile of view.unknown.filter((card) => !asked.has(card))) lines.push({ text: say("lands.todo.tile", { card_name: tile }) });
    return lines.sort((a, b) => (b.seat === own) - (a.seat === own));
  }

  function sheetOf(seat) {
    return view.sheets[seat - 1];
  }

  // -- sheets --------------------------------------------------------------------------------------

  function sheet(seat, whole) {
    const one = sheetOf(seat);
    const state = one.dead ? say("lands.sheet.dead") : one.left ? say("lands.sheet.left") : view.done.includes(seat) ? say("lands.sheet.done") : "";
    const head = make("h2", {}, mark(seat), make("span", { class: "name", "data-name": seat }, nameOf(seat)), ...(view.first === seat ? [sign("first", say("lands.first"))] : []), ...(state ? [make("small", {}, state)] : []));
    const box = make("section", { class: `sheet${whole ? " own" : ""}${view.turn === seat ? " acts-now" : ""}${one.dead || one.left ? " out" : ""}` }, head, dial(one.stamina), hearts(one.damage), pack(one));
    return box;
  }

  // Stamina as a dial that empties.
  function dial(left) {
    const most = Math.max(view.most_stamina, left, 1);
    const drawn = shape("svg", { viewBox: "-32 -32 64 64", class: "dial", role: "img", "aria-label": say("lands.stamina", { n: left, m: view.most_stamina }) });
    for (let nth = 0; nth < most; nth += 1) {
      const [from, to] = [(nth + 0.08) / most, (nth + 0.92) / most].map((part) => part * 2 * Math.PI - Math.PI / 2);
      const point = (angle) => `${(26 * Math.cos(angle)).toFixed(2)} ${(26 * Math.sin(angle)).toFixed(2)}`;
      drawn.append(shape("path", { d: `M${point(from)}A26 26 0 0 1 ${point(to)}`, class: nth < left ? "point full" : "point" }));
    }
    const count = shape("text", { y: 8 });
    count.textContent = left;
    drawn.append(count);
    return drawn;
  }

  // Four hearts; each damage fills one with its kind.
  function hearts(damage) {
    const taken = DAMAGE.flatMap((kind) => Array(damage[kind]).fill(kind));
    const list = make("ul", { class: "hearts", "aria-label": say("lands.damage", { n: taken.length }) });
    for (let nth = 0; nth < FATAL; nth += 1) {
      const kind = taken[nth];
      list.append(make("li", { class: kind ? "taken" : "" }, kind ? sign(kind, say(`lands.kind.${kind}`)) : sign("heart")));
    }
    return list;
  }

  // Ten places: tokens, then objects; projects beside them.
  function pack(one) {
    const tokens = KINDS.flatMap((kind) => Array(one.resources[kind]).fill(kind));
    const objects = one.cards.filter(({ card }) => card.startsWith("O"));
    const projects = one.cards.filter(({ card }) => card.startsWith("P"));
    const list = make("ul", { class: "pack", "aria-label": say("lands.pack", { n: one.items, m: view.most_items }) });
    list.append(...tokens.map((kind) => make("li", { class: `of-${kind}` }, sign(kind, say(`lands.kind.${kind}`)))));
    list.append(...objects.map(({ card, quest }) => make("li", { class: `object${quest ? " quest" : ""}`, title: cardName(card) }, card)));
    for (let nth = one.items; nth < view.most_items; nth += 1) list.append(make("li", { class: "empty", "aria-hidden": "true" }));
    const named = [...objects.map(({ card }) => cardName(card)), ...projects.map(({ card, makes }) => (makes ? say("lands.project", { card_name: card, what: cardName(makes) }) : card))];
    return make("div", { class: "carries" }, list, ...(named.length ? [make("p", { class: "hint" }, named.join(" · "))] : []));
  }

  // -- the map -------------------------------------------------------------------------------------

  function chart() {
    if (!view.tiles.length) return part("chart").replaceChildren(make("p", { class: "hint" }, say("lands.map.none")));
    const ways = speaks.may("travel").filter((move) => move.cost === undefined);
    const reach = new Map(ways.map((move) => [move.to, move]));
    const touch = reach.size ? (space) => reach.has(space) && speaks.tell(reach.get(space)) : null;
    part("chart").replaceChildren(island(view, { open: new Set(reach.keys()), touch, named: spaceName }));
    return undefined;
  }

  function spaceName(space) {
    const signs = [space.landmark ? say("lands.space.landmark") : "", space.fire === null ? "" : say(space.fire ? "lands.space.fire" : "lands.space.out")];
    const there = space.seats.map(nameOf).join(", ");
    return [say("lands.space", { what: space.space, n: space.cost }), ...signs, there].filter(Boolean).join(", ");
  }

  // -- what may be said, a button each ---------------------------------------------------------------

  function says() {
    const groups = own ? speaks.groups(own, false).map(([name, title, buttons]) => {
      const box = make("details", { class: `group of-${name}`, "data-group": name }, make("summary", {}, title), make("div", { class: "buttons" }, ...buttons));
      const usual = name !== "drink" || sheetOf(own).drinks > 0; // it takes a row for each face of the die
      box.open = closed.has(name) ? !closed.get(name) : usual;
      box.ontoggle = () => closed.set(name, !box.open);
      return box;
    }) : [];
    part("says").replaceChildren(...groups);
  }
}
