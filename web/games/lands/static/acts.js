// What may be said in Lands Unknown: the fight with its dice, what is asked of a card, and a button for every other act.

import { KINDS, called, movesOf, sign, words } from "./says.js";
import { tileForm } from "./tile.js";
import { make } from "../../static/board.js";
import { send } from "../../static/send.js";

const FACES = 12;
const USUAL_COST = 3; // what an object or an ability mostly takes at most; more is asked for
const GROUPS = [
  ["travel", ["travel"]], ["fight", ["support", "flee"]], ["gather", ["gather"]], ["here", ["investigate", "cook", "relight"]], ["rest", ["rest"]],
  ["drink", ["drink"]], ["use", ["use"]], ["throw", ["throw"]], ["give", ["give"]], ["loot", ["loot"]], ["gain", ["gain"]], ["hurt", ["hurt"]],
  ["card", ["fire", "fight", "leave"]],
];
const DICE = new Set(["roll", "change", "accept", "tell"]);

// A page of a match. `own`: the seat that speaks there; `all`: the host speaks for each. `render(view, over)` draws it, and
// is called where something has changed; what has the focus keeps it.
export function page(place, start, say, { own = null, all = false, render }) {
  const { match } = start;
  const nameOf = (seat) => match.seats[seat - 1]?.name ?? "";
  const cardName = (id) => called(id, match, view);
  const speaks = speech({ say, nameOf, cardName, own, all, redraw });
  const correcting = new Map(); // tiles that somebody describes anew, with what was told of them
  let view = {};
  let over = false;
  let drawnAs = "";

  // Takes the offers that have buttons of their own, and answers with the others.
  show.offered = (offers, number) => {
    speaks.update(view, offers, number);
    redraw();
    place.dataset.offers = number; // of the entry after which they hold
    return speaks.rest(all);
  };
  return { show, speaks, asks, nameOf, cardName, seats: match.seats.map((seat) => seat.number) };

  function show(update) {
    view = update.public ?? {};
    over = Boolean(update.standing?.over);
    speaks.update(view);
    redraw();
  }

  function redraw() {
    const drawing = JSON.stringify([...speaks.state(), over]);
    if (drawing === drawnAs || !view.sheets) return;
    drawnAs = drawing;
    const focus = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    render(view, over);
    if (focus) place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  // What is asked of cards and tiles that nobody has described, and tiles that somebody corrects. A form that somebody is
  // filling in stays.
  function asks(box) {
    const told = new Map(speaks.described().map((tile) => [tile.card, JSON.stringify(tile)]));
    for (const [card, before] of correcting) if (told.get(card) !== before) correcting.delete(card);
    const asked = over ? [] : speaks.asked();
    const corrected = over ? [] : [...correcting.keys()].map((card) => ({ card, keys: ["spaces"], told: JSON.parse(told.get(card)) }));
    const choices = over ? [] : [...told.keys()].filter((card) => !correcting.has(card));
    const wanted = [...asked, ...corrected].map((one) => [JSON.stringify(one), () => speaks.form(one)]);
    if (choices.length) wanted.push([JSON.stringify(choices), () => again(choices)]);
    const there = new Map([...box.children].map((element) => [element.dataset.asked, element]));
    const gone = [...there].filter(([key]) => !wanted.some(([one]) => one === key)).map(([, element]) => element);
    for (const element of gone) element.remove();
    wanted.forEach(([key, draw], nth) => {
      if (there.has(key)) return;
      const made = draw();
      made.dataset.asked = key;
      if (made.matches(".tile-ask")) made.open = !box.querySelector(".tile-ask[open]"); // one picture at a time
      box.insertBefore(made, box.children[nth] ?? null);
    });
    const next = box.querySelector(".tile-ask");
    if (next && !box.querySelector(".tile-ask[open]") && gone.some((element) => element.open && element.matches(".tile-ask"))) next.open = true;
  }

  function again(cards) {
    const buttons = cards.map((card) => {
      const made = make("button", { class: "button small", type: "button", "data-key": `again ${card}` }, card);
      made.onclick = () => {
        correcting.set(card, JSON.stringify(speaks.described().find((tile) => tile.card === card)));
        asks(made.closest("[data-asks], .asks"));
      };
      return made;
    });
    return make("details", { class: "again" }, make("summary", {}, say("lands.tile.again")), make("div", { class: "buttons" }, ...buttons));
  }
}

// What may be said, as parts of a page. `redraw()` is called when something was chosen.
function speech({ say, nameOf, cardName, own = null, all = false, redraw }) {
  let view = {};
  let offers = [];
  let number = 0;
  let grey = null; // chosen on the grey dial, until the red one is

  return { update, may, tell, button, fight, asked, described, form, groups, rest, state: () => [view, offers, number, grey] };

  function update(newView, newOffers = offers, at = number) {
    [view, offers, number] = [newView, newOffers, at];
    if (!may("roll").length) grey = null;
  }

  function may(act, seat = null) {
    return offers.filter((one) => one.do === act && (seat === null || one.by === seat)).flatMap(movesOf);
  }

  function tell(move, button) {
    return send("moves", { move, after: number }, button);
  }

  function button(key, inside, move, className = "button") {
    const made = make("button", { class: className, type: "button", "data-key": key }, ...inside);
    made.onclick = () => tell(move, made);
    return made;
  }

  // -- the fight -----------------------------------------------------------------------------------

  function fight(box) {
    const now = view.fight;
    box.hidden = !now;
    if (!now) return box.replaceChildren();
    const known = [now.defence, now.attack, now.life].every((one) => one !== null);
    const rolls = may("roll").length > 0;
    const changes = may("change");
    const reroll = (die) => changes.filter((move) => move[die] !== undefined);
    const title = make("h2", {}, sign("enemy"), say("lands.fight.who", { who: nameOf(now.fighter), card_name: now.card }), ...(now.lethal ? [make("small", {}, say("lands.fight.lethal"))] : []));
    const numbers = known ? [make("p", {}, say("lands.fight.life", { n: now.life - now.wounds, m: now.life }))] : [];
    const choose = (die) => {
      if (rolls) return (value, button) => {
        if (die === "grey") {
          grey = value;
          redraw();
        } else if (grey) tell({ do: "roll", by: now.fighter, grey, red: value }, button);
      };
      const moves = reroll(die);
      return moves.length ? (value, button) => tell(moves.find((move) => move[die] === value), button) : null;
    };
    const dials = make("div", { class: "dice" }, die("grey", now.grey || grey, now.defence, now.grey > 0, choose("grey"), rolls), die("red", now.red, now.attack, now.red > 0, rolls && !grey ? null : choose("red"), rolls));
    box.replaceChildren(title, ...numbers, dials);
    if (rolls) box.append(make("p", { class: "hint" }, say(grey ? "lands.fight.red" : "lands.fight.grey")));
    if (now.grey) box.append(make("p", { class: "outcome" }, say("lands.fight.now", { what: outcome(now.now) })));
    const shifts = now.grey ? now.changes.filter((one) => one.have || (own !== now.fighter && !all)) : [];
    const list = make("ul", { class: "changes" });
    for (const one of shifts) {
      const text = [sign(one.with), say(`lands.change.${one.with}`), " → ", outcome(one)];
      const move = changes.find((other) => other.with === one.with);
      list.append(make("li", {}, move ? button(`change ${one.with}`, text, move) : make("span", {}, ...text)));
    }
    if (list.children.length) box.append(list);
    const [accept] = may("accept");
    if (accept) box.append(button("accept", [say("lands.do.accept")], accept, "button main"));
    return undefined;
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

  // The cards of which this page asks something.
  function asked() {
    if (all) return view.asks;
    return own ? view.asks.filter(isAsked) : [];
  }

  // A tile is asked of whoever acts, a card of whoever has it.
  function isAsked({ card }) {
    if (card.startsWith("M")) return asksTiles();
    return !"PO".includes(card[0]) || view.sheets[own - 1].cards.some((one) => one.card === card);
  }

  function asksTiles() {
    return all || (own !== null && own === (view.turn || view.first || 1));
  }

  // The tiles that people have described, for whoever may correct them here.
  function described() {
    return asksTiles() ? view.described : [];
  }

  function form({ card, keys, told = null }) {
    const title = say("lands.ask", { card_name: card });
    if (keys.includes("spaces")) return tileForm({ card, told, side: view.tile_mm, say, title, by: own ?? 0, tell });
    const fields = keys.map((key) => make("label", {}, `${say(`lands.ask.${key}`)} `, field(key)));
    if (keys.includes("defence")) fields.push(tick("lethal"));
    if (keys.includes("colour")) fields.push(tick("tribal"));
    if (keys.includes("name")) fields.push(tick("quest"));
    const made = make("form", { class: "ask" }, make("h2", {}, title), ...fields, make("button", { class: "button main" }, say("lands.ask.tell")));
    made.onsubmit = (event) => {
      event.preventDefault();
      const move = { do: "tell", by: own ?? 0, card };
      for (const [key, value] of new FormData(made)) {
        if (key === "makes") move[key] = value.trim().toUpperCase();
        else if (value === "on") move[key] = true;
        else if (value.trim() !== "") move[key] = ["colour", "cost", "name"].includes(key) ? value.trim() : Number(value);
      }
      if (keys.includes("cost")) move.cost = [...made.querySelectorAll("[data-kind]")].flatMap((one) => Array(Number(one.value)).fill(one.dataset.kind)).join(" ");
      tell(move, made.querySelector(".button"));
    };
    return made;
  }

  function field(key) {
    if (key === "colour") return make("select", { name: key }, ...["blue", "orange"].map((one) => make("option", { value: one }, say(`lands.colour.${one}`))));
    if (key === "name") return make("input", { name: key, required: true, maxlength: 40, autocomplete: "off" });
    if (key === "makes") return make("input", { name: key, pattern: "[Oo][0-9]{2}", required: true, placeholder: "O01", size: 4, autocomplete: "off" });
    if (key === "cost") return make("span", { class: "costs" }, ...KINDS.map((kind) => make("label", {}, sign(kind, say(`lands.kind.${kind}`)), make("select", { "data-kind": kind, "aria-label": say(`lands.kind.${kind}`) }, ...[0, 1, 2, 3, 4].map((n) => make("option", { value: n }, String(n)))))));
    return make("input", { name: key, type: "number", min: 1, max: FACES, required: true, inputmode: "numeric" });
  }

  function tick(key) {
    return make("label", { class: "option" }, make("input", { type: "checkbox", name: key }), make("span", {}, say(`lands.ask.${key}`)));
  }

  // -- what may be said, a button each ---------------------------------------------------------------

  // The acts of a seat in groups: `[name, title, buttons]`. Without `whole`, what the seat's page says elsewhere is left
  // out: its steps are touched on the map, and acts without a choice have buttons beside it.
  function groups(seat, whole) {
    return GROUPS.flatMap(([name, acts]) => {
      if (!whole && ["travel", "fight"].includes(name)) return [];
      const moves = acts.flatMap((act) => may(act, seat)).filter((move) => isUsual(move));
      if (!moves.length) return [];
      const buttons = name === "use" ? uses(moves) : moves.map((move) => {
        const icon = move.kind && move.do !== "rest" ? [sign(move.kind)] : [];
        const what = whole && move.do === "leave" ? say("lands.host.leave") : words(move, say, nameOf, cardName);
        return button(JSON.stringify(move), [...icon, what], move, "button small");
      });
      const title = say(whole && ["gain", "hurt", "card"].includes(name) ? `lands.host.${name}` : `lands.group.${name}`);
      return [[name, title + (name === "gather" ? ` · ${say(view.free ? "lands.free" : "lands.one_point")}` : ""), buttons]];
    });
  }

  // A row for each thing that is used, with what it takes.
  function uses(moves) {
    const rows = new Map();
    for (const move of moves) {
      const what = move.card ? cardName(move.card) : say("lands.use.ability");
      const row = rows.get(what) ?? make("div", { class: "row" }, make("span", {}, what));
      const made = button(JSON.stringify(move), [String(move.cost ?? 0)], move, "button small");
      made.setAttribute("aria-label", words(move, say, nameOf, cardName));
      row.append(made);
      rows.set(what, row);
    }
    return [...rows.values()];
  }

  // What has a button of its own: the cheapest way, and what an object takes as a rule.
  function isUsual(move) {
    return move.do === "travel" ? move.cost === undefined : move.do !== "use" || (move.cost ?? 0) <= USUAL_COST;
  }

  // The offers that have no button here. `whole` as in `groups`, which is then the host's.
  function rest(whole) {
    const drawn = new Set(GROUPS.flatMap(([name, acts]) => (!whole && name === "fight" ? [] : acts)));
    if (whole) for (const act of ["end_turn", "lead"]) drawn.add(act);
    return offers.flatMap((one) => {
      if (DICE.has(one.do)) return [];
      if (!drawn.has(one.do)) return [one];
      if (one.do === "travel") return whole && !one.choices.cost ? [] : [one];
      if (one.do !== "use") return [];
      const cost = one.choices.cost.filter((n) => n > USUAL_COST);
      return cost.length ? [{ ...one, choices: { ...one.choices, cost } }] : [];
    });
  }
}
