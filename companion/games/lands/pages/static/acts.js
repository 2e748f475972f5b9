// Input in Lands Unknown: the facts of a tile, who has won or died, and counters.

import { readings } from "../../static/asked.js";
import { findAll, findOptional, focusOn, make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { send } from "../../static/send.js";
import { askForm } from "./asks.js";
import { counters, dies } from "./count.js";
import { fightParts } from "./fight.js";
import { movesOf } from "./says.js";

/**
 * @typedef {object} Page Whose page it is, and how to draw it.
 * @property {Seat | null} [own] The page's seat.
 * @property {boolean} [all] The host acts for all seats.
 * @property {(view: LandsView, over: boolean, asked: Move[]) => void} render Called after a change, with the moves that
 *   an open question is about.
 * @typedef {ReturnType<typeof speech>} Speech
 */

/**
 * A page of a match; redrawing it keeps the focus.
 * @param {HTMLElement} place
 * @param {Page} page
 */
export function page(place, { own = null, all = false, render }) {
  const speaks = speech(own, all);
  const correcting = new Map(); // tiles being described again, with their known facts
  const telling = new Set(); // cards being described
  let view = /** @type {LandsView} */ ({}); // until the first update
  let over = false;
  /** @type {Move[]} */
  let meant = [];
  let drawnAs = "";
  return { show: Object.assign(show, { offered }), speaks, asks };

  // Takes the offers that have their own buttons here, and returns the others.
  /** @param {Offer[]} offers @param {number} number */
  function offered(offers, number) {
    speaks.update(view, offers, number);
    redraw();
    place.dataset.offers = String(number); // the entry after which the offers hold
    return speaks.rest(all);
  }

  /** @param {Update} update */
  function show(update) {
    view = update.public ?? {};
    over = Boolean(update.standing?.over);
    meant = readings(update);
    speaks.update(view);
    redraw();
  }

  function redraw() {
    const drawing = JSON.stringify([...speaks.state(), over, meant]);
    if (drawing === drawnAs || !view.sheets) return;
    drawnAs = drawing;
    const focus = document.activeElement?.closest("[data-key]")?.getAttribute("data-key");
    render(view, over, meant);
    if (focus) focusOn(place, `[data-key="${CSS.escape(focus)}"]`);
  }

  // The forms for tiles that are not described, and for cards that are being described or corrected. A form with input
  // stays.
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
   * The forms to show, each with a key that changes with its content.
   * @param {HTMLElement} box
   * @param {Map<string, string>} told The described tiles, as JSON.
   * @returns {{ key: string, draw: () => HTMLElement }[]}
   */
  function wantedForms(box, told) {
    const corrected = [...correcting.keys()].map((card) => {
      return { card, keys: ["spaces"], told: JSON.parse(told.get(card) ?? "null") };
    });
    const untold = speaks.untold();
    const asked = [...speaks.asked(), ...untold.filter(({ card }) => telling.has(card)), ...corrected];
    const forms = asked.map((one) => ({ key: JSON.stringify(one), draw: () => speaks.form(one) }));
    const cards = untold.map(({ card }) => card).filter((card) => !telling.has(card));
    const tiles = [...told.keys()].filter((card) => !correcting.has(card));
    return [
      ...forms,
      ...fold("lands.ask.cards", cards, (card) => telling.add(card), box),
      ...fold("lands.tile.again", tiles, correct, box),
    ];
  }

  /** @param {string} card */
  function correct(card) {
    correcting.set(card, JSON.stringify(speaks.described().find((tile) => tile.card === card)));
  }

  /**
   * Optional forms, folded away: a button for each card or tile that opens its form.
   * @param {string} title
   * @param {string[]} cards
   * @param {(card: string) => unknown} open
   * @param {HTMLElement} box
   */
  function fold(title, cards, open, box) {
    if (!cards.length) return [];
    const draw = () => {
      const buttons = cards.map((card) => {
        const made = make("button", { class: "button small", type: "button", "data-key": `again ${card}` }, card);
        made.onclick = () => {
          open(card);
          asks(box);
        };
        return made;
      });
      const inside = make("div", { class: "buttons" }, ...buttons);
      return make("details", { class: "again" }, make("summary", {}, say(title)), inside);
    };
    return [{ key: JSON.stringify([title, cards]), draw }];
  }
}

/** @param {HTMLElement} element @returns {element is HTMLDetailsElement} */
function isTile(element) {
  return element.matches(".tile-ask");
}

/**
 * The controls of a page.
 * @param {Seat | null} own
 * @param {boolean} all
 */
function speech(own, all) {
  let view = /** @type {LandsView} */ ({}); // until the first update
  /** @type {Offer[]} */
  let offers = [];
  let number = 0;
  const counting = new Set(); // seats with open counters

  return { update, may, tell, button, fight, asked, untold, described, form, ends, count, rest, state };

  function state() {
    return [view, offers, number];
  }

  /** @param {LandsView} newView @param {Offer[]} newOffers @param {number} at */
  function update(newView, newOffers = offers, at = number) {
    [view, offers, number] = [newView, newOffers, at];
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
    box.replaceChildren(...(view.fight ? fightParts(view.fight) : []));
  }

  // -- the facts of tiles and cards ------------------------------------------------------------------

  // The tiles that this page asks about.
  function asked() {
    return asksTiles() ? view.asks : [];
  }

  // The cards that may be described here: by their owner, and cards without an owner by everyone.
  function untold() {
    return all ? view.untold : own ? view.untold.filter(isOwn) : [];
  }

  /** @param {AskedCard} asked */
  function isOwn({ card }) {
    return !"PO".includes(card[0]) || view.sheets[(own ?? 0) - 1].cards.some((one) => one.card === card);
  }

  function asksTiles() {
    return all || (own !== null && own === (view.turn || view.first || 1));
  }

  // The described tiles that may be corrected here.
  function described() {
    return asksTiles() ? view.described : [];
  }

  /** @param {AskedCard} card */
  function form(card) {
    return askForm(card, own ?? 0, view.tile_mm, tell);
  }

  // -- the acts of a seat ----------------------------------------------------------------------------

  /** Winning and dying. @param {Seat} seat */
  function ends(seat) {
    const [leave] = may("leave", seat);
    if (!leave) return [];
    const who = all ? "host" : "do";
    return [
      button(`leave ${seat}`, [say(`lands.${who}.leave`)], leave, "button small"),
      button(`dies ${seat}`, [say(`lands.${who}.dies`)], dies(seat, view.sheets[seat - 1]), "button small"),
    ];
  }

  /** The counters of a seat, folded away because counting is optional. @param {Seat} seat */
  function count(seat) {
    if (!may("leave", seat).length) return [];
    const title = make("summary", {}, say("lands.count"));
    const rows = counters(seat, view.sheets[seat - 1], button);
    const box = make("details", { class: "group counting" }, title, make("p", {}, say("lands.count.hint")), ...rows);
    box.open = counting.has(seat);
    box.ontoggle = () => (box.open ? counting.add(seat) : counting.delete(seat));
    return [box];
  }

  /** The offers that have no button here. @param {boolean} whole Whether this is the host's page. */
  function rest(whole) {
    const drawn = new Set(["leave", ...(whole ? ["end_turn", "lead"] : [])]);
    return offers.filter((one) => !drawn.has(one.do) && !(whole && one.do === "travel" && !one.choices.cost));
  }
}
