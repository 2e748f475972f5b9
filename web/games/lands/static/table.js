// Lands Unknown: the own sheet, the map, the fight, and a button for whatever may be said.

import { island, shape } from "./map.js";
import { DAMAGE, KINDS, movesOf, sign, sprites, words } from "./says.js";
import { make } from "../../static/board.js";
import { send } from "../../static/send.js";

const FACES = 12;
const FATAL = 4;
const GROUPS = [
  ["gather", ["gather"]], ["here", ["investigate", "cook", "relight"]], ["rest", ["rest"]], ["drink", ["drink"]],
  ["throw", ["throw"]], ["give", ["give"]], ["loot", ["loot"]], ["gain", ["gain"]], ["hurt", ["hurt"]], ["card", ["fire", "fight", "leave"]],
];
const CLOSED = new Set(["throw", "give", "gain", "hurt", "card"]); // not of every turn

export function draw(place, start, say) {
  const { match } = start;
  const seats = match.seats.map((seat) => seat.number);
  const own = start.me?.seat ?? null;
  const nameOf = (seat) => match.seats[seat - 1]?.name ?? "";
  const cardName = (id) => match.cards.find((card) => card.id === id)?.name ?? id;
  const part = (name) => place.querySelector(`[data-${name}]`);
  const closed = new Map(); // groups that somebody opened or closed
  let view = {};
  let over = false;
  let offers = [];
  let number = 0;
  let grey = null; // chosen on the grey dial, until the red one is
  let drawnAs = "";

  show.advice = () => (view.free ? say("lands.now.free") : say("lands.now"));
  show.offered = offered;
  return show;

  function show(update) {
    view = update.public ?? {};
    over = Boolean(update.standing?.over);
    redraw();
  }

  // Takes the offers that have buttons of their own, and answers with the others.
  function offered(all, at) {
    offers = all;
    number = at;
    if (!may("roll").length) grey = null;
    redraw();
    const drawn = new Set([...GROUPS.flatMap(([, acts]) => acts), "roll", "change", "accept", "tell"]);
    return all.filter((one) => !drawn.has(one.do));
  }

  function may(act) {
    return offers.filter((one) => one.do === act).flatMap(movesOf);
  }

  function tell(move, button) {
    return send("moves", { move, after: number }, button);
  }

  function redraw() {
    const drawing = JSON.stringify([view, offers, number, over, grey]);
    if (drawing === drawnAs || !view.sheets) return;
    drawnAs = drawing;
    const focus = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    part("day").replaceChildren(...dayLine());
    part("todo").replaceChildren(...(over ? [] : todo()).map(({ seat, text }) => make("li", {}, ...(seat ? [mark(seat)] : []), make("span", {}, text))));
    fight();
    asks();
    part("mine").replaceChildren(...(own ? [sheet(own, true)] : []));
    chart();
    says();
    part("sheets").replaceChildren(...seats.filter((seat) => seat !== own).map((seat) => make("li", {}, sheet(seat, false))));
    if (focus) place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
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
    for (const tile of view.unknown) lines.push({ text: say("lands.todo.tile", { card_name: tile }) });
    return lines.sort((a, b) => (b.seat === own) - (a.seat === own));
  }

  function sheetOf(seat) {
    return view.sheets[seat - 1];
  }

  // -- sheets --------------------------------------------------------------------------------------

  function sheet(seat, whole) {
    const one = sheetOf(seat);
    const state = one.dead ? say("lands.sheet.dead") : one.left ? say("lands.sheet.left") : view.done.includes(seat) ? say("lands.sheet.done") : "";
    const head = make("h3", {}, mark(seat), make("span", { class: "name", "data-name": seat }, nameOf(seat)), ...(view.first === seat ? [sign("first", say("lands.first"))] : []), ...(state ? [make("small", {}, state)] : []));
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
    const ways = may("travel").filter((move) => move.cost === undefined);
    const reach = new Map(ways.map((move) => [move.to, move]));
    const touch = reach.size ? (space) => reach.has(space) && tell(reach.get(space)) : null;
    part("chart").replaceChildren(island(view, { open: new Set(reach.keys()), touch, named: spaceName }));
    return undefined;
  }

  function spaceName(space) {
    const signs = [space.landmark ? say("lands.space.landmark") : "", space.fire === null ? "" : say(space.fire ? "lands.space.fire" : "lands.space.out")];
    const there = space.seats.map(nameOf).join(", ");
    return [say("lands.space", { what: space.space, n: space.cost }), ...signs, there].filter(Boolean).join(", ");
  }

  // -- the fight -----------------------------------------------------------------------------------

  function fight() {
    const box = part("fight");
    const now = view.fight;
    box.hidden = !now;
    if (!now) return;
    const known = [now.defence, now.attack, now.life].every((one) => one !== null);
    const rolls = may("roll").length > 0;
    const changes = may("change");
    const reroll = (die) => changes.filter((move) => move[die] !== undefined);
    const title = make("h3", {}, sign("enemy"), say("lands.fight.who", { who: nameOf(now.fighter), card_name: now.card }), ...(now.lethal ? [make("small", {}, say("lands.fight.lethal"))] : []));
    const numbers = known ? [make("p", {}, say("lands.fight.life", { n: now.life - now.wounds, m: now.life }))] : [];
    const choose = (die) => {
      if (rolls) return (value, button) => {
        if (die === "grey") {
          grey = value;
          redraw();
        } else if (grey) tell({ do: "roll", by: own, grey, red: value }, button);
      };
      const moves = reroll(die);
      return moves.length ? (value, button) => tell(moves.find((move) => move[die] === value), button) : null;
    };
    const dials = make("div", { class: "dice" }, die("grey", now.grey || grey, now.defence, now.grey > 0, choose("grey"), rolls), die("red", now.red, now.attack, now.red > 0, rolls && !grey ? null : choose("red"), rolls));
    box.replaceChildren(title, ...numbers, dials);
    if (rolls) box.append(make("p", { class: "hint" }, say(grey ? "lands.fight.red" : "lands.fight.grey")));
    if (now.grey) box.append(make("p", { class: "outcome" }, say("lands.fight.now", { what: outcome(now.now) })));
    const shifts = now.grey ? now.changes.filter((one) => one.have || own !== now.fighter) : [];
    const list = make("ul", { class: "changes" });
    for (const one of shifts) {
      const text = [sign(one.with), say(`lands.change.${one.with}`), " → ", outcome(one)];
      const move = changes.find((other) => other.with === one.with);
      list.append(make("li", {}, move ? button(`change ${one.with}`, text, move) : make("span", {}, ...text)));
    }
    if (list.children.length) box.append(list);
    const [accept] = may("accept");
    if (accept) box.append(button("accept", [say("lands.do.accept")], accept, "button main"));
  }

  function outcome({ hit, hurt, dead }) {
    return [say(dead ? "lands.out.dead" : hit ? "lands.out.hit" : "lands.out.miss"), say(hurt ? "lands.out.hurt" : "lands.out.safe")].join(", ");
  }

  // A die of twelve faces; from the enemy's number on it counts. A face can be touched where it may be said.
  function die(colour, value, bound, thrown, choose, rolls) {
    const faces = make("div", { class: "pips" });
    for (let face = 1; face <= FACES; face += 1) {
      const counts = bound !== null && face >= bound;
      const className = `pip${counts ? " from" : ""}${face === value ? " shows" : ""}`;
      const key = `${colour} ${face}`;
      const made = choose ? make("button", { class: className, type: "button", "data-key": key, "aria-pressed": face === value }, String(face)) : make("span", { class: className }, String(face));
      if (choose) made.onclick = () => choose(face, made);
      faces.append(made);
    }
    const shown = value ? String(value) : "–";
    const needs = bound === null ? say("lands.die.unknown") : say(`lands.die.${colour}.from`, { n: bound });
    const again = choose && !rolls ? [make("small", {}, say(`lands.change.${colour === "grey" ? "wood" : "stone"}`))] : [];
    return make("div", { class: `die of-${colour}`, role: "group", "aria-label": say(`lands.die.${colour}`) }, make("p", {}, make("b", { class: thrown ? "" : "open" }, shown), make("span", {}, say(`lands.die.${colour}`), make("small", {}, needs))), faces, ...again);
  }

  // -- what is asked of a card that nobody has described ---------------------------------------------

  function asks() {
    const speaks = own && !over;
    const asked = speaks ? view.asks.filter(({ card }) => !card.startsWith("P") || sheetOf(own).cards.some((one) => one.card === card)) : [];
    const box = part("asks");
    const shown = JSON.stringify(asked);
    if (box.dataset.shown === shown) return;
    box.dataset.shown = shown;
    box.replaceChildren(...asked.map(({ card, keys }) => form(card, keys)));
  }

  function form(card, keys) {
    const fields = keys.map((key) => make("label", {}, `${say(`lands.ask.${key}`)} `, field(key)));
    if (keys.includes("defence")) fields.push(tick("lethal"));
    if (keys.includes("colour")) fields.push(tick("tribal"));
    const made = make("form", { class: "ask" }, make("h3", {}, say("lands.ask", { card_name: card })), ...fields, make("button", { class: "button main" }, say("lands.ask.tell")));
    made.onsubmit = (event) => {
      event.preventDefault();
      const move = { do: "tell", by: own, card };
      for (const [key, value] of new FormData(made)) {
        if (key === "makes") move[key] = value.trim().toUpperCase();
        else if (value === "on") move[key] = true;
        else if (value !== "") move[key] = ["colour", "cost"].includes(key) ? value : Number(value);
      }
      if (keys.includes("cost")) move.cost = [...made.querySelectorAll("[data-kind]")].flatMap((one) => Array(Number(one.value)).fill(one.dataset.kind)).join(" ");
      tell(move, made.querySelector(".button"));
    };
    return made;
  }

  function field(key) {
    if (key === "colour") return make("select", { name: key }, ...["blue", "orange"].map((one) => make("option", { value: one }, say(`lands.colour.${one}`))));
    if (key === "makes") return make("input", { name: key, pattern: "[Oo][0-9]{2}", required: true, placeholder: "O01", size: 4, autocomplete: "off" });
    if (key === "cost") return make("span", { class: "costs" }, ...KINDS.map((kind) => make("label", {}, sign(kind, say(`lands.kind.${kind}`)), make("select", { "data-kind": kind, "aria-label": say(`lands.kind.${kind}`) }, ...[0, 1, 2, 3, 4].map((n) => make("option", { value: n }, String(n)))))));
    return make("input", { name: key, type: "number", min: 1, max: FACES, required: true, inputmode: "numeric" });
  }

  function tick(key) {
    return make("label", { class: "option" }, make("input", { type: "checkbox", name: key }), make("span", {}, say(`lands.ask.${key}`)));
  }

  // -- what may be said, a button each ---------------------------------------------------------------

  function says() {
    const groups = GROUPS.flatMap(([name, acts]) => {
      const moves = acts.flatMap(may);
      if (!moves.length) return [];
      const buttons = moves.map((move) => {
        const icon = move.kind && move.do !== "rest" ? [sign(move.kind)] : [];
        return button(JSON.stringify(move), [...icon, words(move, say, nameOf)], move, "button small");
      });
      const title = say(`lands.group.${name}`) + (name === "gather" ? ` · ${say(view.free ? "lands.free" : "lands.one_point")}` : "");
      const box = make("details", { class: `group of-${name}`, "data-group": name }, make("summary", {}, title), make("div", { class: "buttons" }, ...buttons));
      const usual = name === "drink" ? sheetOf(own).drinks > 0 : !CLOSED.has(name);
      box.open = closed.has(name) ? !closed.get(name) : usual;
      box.ontoggle = () => closed.set(name, !box.open);
      return [box];
    });
    part("says").replaceChildren(...groups);
  }

  function button(key, inside, move, className = "button") {
    const made = make("button", { class: className, type: "button", "data-key": key }, ...inside);
    made.onclick = () => tell(move, made);
    return made;
  }

  function mark(seat) {
    return shape("svg", { class: `mark seat-${seat}`, "aria-hidden": "true" }, shape("use", { href: `${sprites.symbols}#s${seat}` }));
  }
}
