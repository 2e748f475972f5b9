// What may be said in Lands Unknown: the fight with its dice, what is asked of a card, and buttons for all other acts.

import { findAll, findOptional, focusOn, make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { send } from "../../static/send.js";
import { askForm } from "./asks.js";
import { fightParts } from "./fight.js";
import { called, movesOf, sign, words } from "./says.js";

/**
 * @typedef {object} Page Who speaks on a page, and how it is drawn.
 * @property {Seat | null} [own] The seat that speaks there.
 * @property {boolean} [all] The host speaks for each.
 * @property {(view: LandsView, over: boolean) => void} render Called where something has changed.
 * @typedef {{ name: string, title: string, buttons: HTMLElement[] }} Group
 * @typedef {ReturnType<typeof speech>} Speech
 */

const USUAL_COST = 3; // what an object or an ability mostly takes at most; more is asked for
/** @type {Record<string, string[]>} */
const GROUPS = {
  travel: ["travel"],
  fight: ["support", "flee"],
  gather: ["gather"],
  here: ["investigate", "cook", "relight"],
  rest: ["rest"],
  drink: ["drink"],
  use: ["use"],
  throw: ["throw"],
  give: ["give"],
  loot: ["loot"],
  gain: ["gain"],
  hurt: ["hurt"],
  card: ["fire", "fight", "leave"],
};
const DICE = new Set(["roll", "change", "accept", "tell"]);

/**
 * A page of a match; what has the focus keeps it.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export function page(place, { own = null, all = false, render }) {
  const speaks = speech(own, all, redraw);
  const correcting = new Map(); // tiles that somebody describes anew, with what was told of them
  let view = /** @type {LandsView} */ ({}); // until the first update
  let over = false;
  let drawnAs = "";
  return { show: Object.assign(show, { offered }), speaks, asks };

  // Takes the offers that have buttons of their own, and answers with the others.
  /** @param {Offer[]} offers @param {number} number */
  function offered(offers, number) {
    speaks.update(view, offers, number);
    redraw();
    place.dataset.offers = String(number); // of the entry after which they hold
    return speaks.rest(all);
  }

  /** @param {Update} update */
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
    const focus = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
    render(view, over);
    if (focus) focusOn(place, `[data-key="${CSS.escape(focus)}"]`);
  }

  // What is asked of cards and tiles that nobody has described, and tiles that somebody corrects. A form that somebody
  // is filling in stays.
  /** @param {HTMLElement} box */
  function asks(box) {
    const told = new Map(speaks.described().map((tile) => [tile.card, JSON.stringify(tile)]));
    for (const [card, before] of correcting) if (told.get(card) !== before) correcting.delete(card);
    const wanted = over ? [] : wantedForms(box, told);
    const there = new Map(findAll(box, "[data-asked]").map((element) => [element.dataset.asked ?? "", element]));
    const gone = [...there].filter(([key]) => !wanted.some((one) => one.key === key)).map(([, element]) => element);
    for (const element of gone) element.remove();
    for (const [nth, { key, draw }] of wanted.entries()) {
      if (there.has(key)) continue;
      const made = draw();
      made.dataset.asked = key;
      if (isTile(made)) made.open = !box.querySelector(".tile-ask[open]"); // one picture at a time
      box.insertBefore(made, box.children[nth] ?? null);
    }
    const next = findOptional(box, ".tile-ask", HTMLDetailsElement);
    const wasOpen = gone.some((element) => isTile(element) && element.open);
    if (next && wasOpen && !box.querySelector(".tile-ask[open]")) next.open = true;
  }

  /**
   * The forms that should be there, each with a key that is another when it asks something else.
   * @param {HTMLElement} box
   * @param {Map<string, string>} told The tiles that were described, as JSON.
   * @returns {{ key: string, draw: () => HTMLElement }[]}
   */
  function wantedForms(box, told) {
    const corrected = [...correcting.keys()].map((card) => {
      return { card, keys: ["spaces"], told: JSON.parse(told.get(card) ?? "null") };
    });
    const choices = [...told.keys()].filter((card) => !correcting.has(card));
    const forms = [...speaks.asked(), ...corrected].map((one) => {
      return { key: JSON.stringify(one), draw: () => speaks.form(one) };
    });
    if (!choices.length) return forms;
    return [...forms, { key: JSON.stringify(choices), draw: () => again(choices, box) }];
  }

  /** @param {string[]} cards @param {HTMLElement} box */
  function again(cards, box) {
    const buttons = cards.map((card) => {
      const made = make("button", { class: "button small", type: "button", "data-key": `again ${card}` }, card);
      made.onclick = () => {
        const told = speaks.described().find((tile) => tile.card === card);
        correcting.set(card, JSON.stringify(told));
        asks(box);
      };
      return made;
    });
    const title = make("summary", {}, say("lands.tile.again"));
    return make("details", { class: "again" }, title, make("div", { class: "buttons" }, ...buttons));
  }
}

/** @param {HTMLElement} element @returns {element is HTMLDetailsElement} */
function isTile(element) {
  return element.matches(".tile-ask");
}

/**
 * What may be said, as parts of a page.
 * @param {Seat | null} own
 * @param {boolean} all
 * @param {() => void} redraw Called when something was chosen.
 */
function speech(own, all, redraw) {
  let view = /** @type {LandsView} */ ({}); // until the first update
  /** @type {Offer[]} */
  let offers = [];
  let number = 0;
  let grey = 0; // chosen on the grey die, until the red one is; 0 = none

  return { update, may, tell, button, fight, asked, described, form, groups, rest, state };

  function state() {
    return [view, offers, number, grey];
  }

  /** @param {LandsView} newView @param {Offer[]} newOffers @param {number} at */
  function update(newView, newOffers = offers, at = number) {
    [view, offers, number] = [newView, newOffers, at];
    if (!may("roll").length) grey = 0;
  }

  /** @param {string} act @param {Seat | null} seat */
  function may(act, seat = null) {
    return offers.filter((one) => one.do === act && (seat === null || one.by === seat)).flatMap(movesOf);
  }

  /** @param {Move} move @param {HTMLElement} [pressed] */
  function tell(move, pressed) {
    return send("moves", { move, after: number }, pressed);
  }

  /** @param {string} key @param {(Node | string)[]} inside @param {Move} move @param {string} className */
  function button(key, inside, move, className = "button") {
    const made = make("button", { class: className, type: "button", "data-key": key }, ...inside);
    made.onclick = () => tell(move, made);
    return made;
  }

  /** @param {HTMLElement} box */
  function fight(box) {
    box.hidden = !view.fight;
    const named = { own, all, grey, may, tell, button, choose };
    box.replaceChildren(...(view.fight ? fightParts(view.fight, named) : []));
  }

  /** The grey die is chosen first. @param {number} face */
  function choose(face) {
    grey = face;
    redraw();
  }

  // -- what is asked of a card that nobody has described ---------------------------------------------

  // The cards of which this page asks something.
  function asked() {
    if (all) return view.asks;
    return own ? view.asks.filter(isAsked) : [];
  }

  // A tile is asked of whoever acts, a card of whoever has it.
  /** @param {AskedCard} asked */
  function isAsked({ card }) {
    if (card.startsWith("M")) return asksTiles();
    return !"PO".includes(card[0]) || view.sheets[(own ?? 0) - 1].cards.some((one) => one.card === card);
  }

  function asksTiles() {
    return all || (own !== null && own === (view.turn || view.first || 1));
  }

  // The tiles that people have described, for whoever may correct them here.
  function described() {
    return asksTiles() ? view.described : [];
  }

  /** @param {AskedCard} card */
  function form(card) {
    return askForm(card, own ?? 0, view.tile_mm, tell);
  }

  // -- what may be said, a button each ---------------------------------------------------------------

  /**
   * The acts of a seat in groups. Without `whole`, what the seat's page says elsewhere is left out: its steps are
   * touched on the map, and acts without a choice have buttons beside it.
   * @param {Seat} seat
   * @param {boolean} whole
   * @returns {Group[]}
   */
  function groups(seat, whole) {
    return Object.entries(GROUPS).flatMap(([name, acts]) => {
      if (!whole && ["travel", "fight"].includes(name)) return [];
      const moves = acts.flatMap((act) => may(act, seat)).filter(isUsual);
      if (!moves.length) return [];
      const buttons = name === "use" ? uses(moves) : moves.map((move) => moveButton(move, whole));
      return [{ name, title: groupTitle(name, whole), buttons }];
    });
  }

  /** @param {string} name @param {boolean} whole */
  function groupTitle(name, whole) {
    const title = say(whole && ["gain", "hurt", "card"].includes(name) ? `lands.host.${name}` : `lands.group.${name}`);
    return name === "gather" ? `${title} · ${say(view.free ? "lands.free" : "lands.one_point")}` : title;
  }

  /** @param {Move} move @param {boolean} whole */
  function moveButton(move, whole) {
    const icon = move.kind && move.do !== "rest" ? [sign(move.kind)] : [];
    const what = whole && move.do === "leave" ? say("lands.host.leave") : words(move, view);
    return button(JSON.stringify(move), [...icon, what], move, "button small");
  }

  // A row for each thing that is used, with what it takes.
  /** @param {Move[]} moves */
  function uses(moves) {
    /** @type {Map<string, HTMLElement>} */
    const rows = new Map();
    for (const move of moves) {
      const what = move.card ? called(move.card, view) : say("lands.use.ability");
      const row = rows.get(what) ?? make("div", { class: "row" }, make("span", {}, what));
      const made = button(JSON.stringify(move), [String(move.cost ?? 0)], move, "button small");
      made.setAttribute("aria-label", words(move, view));
      row.append(made);
      rows.set(what, row);
    }
    return [...rows.values()];
  }

  /** The offers that have no button here. @param {boolean} whole As in `groups`, which is then the host's. */
  function rest(whole) {
    const groupActs = Object.entries(GROUPS).flatMap(([name, acts]) => (!whole && name === "fight" ? [] : acts));
    const drawn = new Set([...groupActs, ...(whole ? ["end_turn", "lead"] : [])]);
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

/** What has a button of its own: the cheapest way, and what an object takes as a rule. @param {Move} move */
function isUsual(move) {
  return move.do === "travel" ? move.cost === undefined : move.do !== "use" || (move.cost ?? 0) <= USUAL_COST;
}
