// A seat's page: what is possible now, and only the buttons that the rules allow.

import { board, cardName, count, ending, nameOf, openRefusal, table } from "./board.js";
import { familySign, token } from "./card.js";
import { cue, stayAwake } from "./cues.js";
import { byId, find, findOptional, make } from "./dom.js";
import { guarded, report } from "./faults.js";
import { exchange, focusThere } from "./focus.js";
import { holdToConfirm } from "./hold.js";
import { lists } from "./lists.js";
import { follow, heard, say, signed, start } from "./live.js";
import { lastCard, moveButtons } from "./offers.js";
import { get, send } from "./send.js";

const LOUD = new Set(["stop", "verify", "concede"]); // above everything else
const ENDING = new Set(["end_turn", "pass"]); // in the bar at the foot
const ROOM = 18; // the bar stays in view where at least this many letters' heights fit beside each other

if (start.match && start.me.seat) {
  const game = await table();
  const parts = [board(), lists(), game, ending()];
  const now = byId("now");
  const acts = byId("acts");
  const loud = byId("loud");
  const bar = byId("bar");
  const verdict = byId("verdict");
  const ownSeat = start.me.seat;
  const log = start.log;
  let requests = 0;
  let lastDrawn = "";
  const place = document.getElementById("play");
  if (place && !game.hand) place.remove(); // this game's cards cannot be placed by tapping
  const hand = place && game.hand ? await placing(place, game.hand) : null;
  if (hand) parts.push(hand.draw);
  /** @type {Offer[]} */
  let offered = [];
  /** @type {Standing | null} */
  let before = null;

  const link = follow((update, fresh) => {
    for (const draw of parts) guarded("board", () => draw(update, fresh));
    byId("mine").textContent = state(update.standing);
    guarded("header", () => header(update.standing, fresh));
    guarded("verdict", refused);
    document.title = seatTitle(update.standing);
    guarded("cues", () => cue(update, fresh, ownSeat));
    if (!due(update.standing)) now.textContent = advice(offered);
    drawMoves(update.number);
  });

  // With large text the bar would cover what is to be read.
  new ResizeObserver(() => {
    const letter = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    bar.classList.toggle("stays", bar.offsetWidth >= ROOM * letter);
  }).observe(bar);
  // The button that opened the picker may be gone when it closes.
  byId("picker").addEventListener("close", () => {
    if (document.activeElement === document.body) focusThere(heading());
  });
  const sleeps = byId("sleeps");
  stayAwake(byId("awake", HTMLInputElement), sleeps);

  // Says whose seat it is and whose turn: there the keyboard goes on when its button is gone.
  function heading() {
    return find(document, ".me h1");
  }

  // The points and cards of this seat.
  /** @param {Standing | null} standing @param {boolean} fresh */
  function header(standing, fresh) {
    if (!standing) return;
    const points = findOptional(document, ".me [data-points]");
    const now = standing.points[ownSeat - 1];
    if (points) count(points, before?.points[ownSeat - 1] ?? now, now, fresh ? 0 : null);
    const counter = findOptional(document, ".me [data-hand]");
    if (counter) counter.textContent = signed(standing[counter.dataset.hand ?? ""][ownSeat - 1]);
    before = standing;
  }

  // Without its cards a seat can still say everything.
  /** @param {HTMLElement} place @param {TableHand} cards */
  async function placing(place, cards) {
    try {
      return (await import("./play.js")).play(place, cards, redraw, handChanged);
    } catch (error) {
      report("play", error);
      return null;
    }
  }

  function handChanged() {
    refused();
    now.textContent = advice(offered);
  }

  // A refusal of this seat's card: where each missing card is, and one button that takes the card back.
  function refused() {
    const entry = heard.update.alert === "refused" ? openRefusal()?.entry : null;
    const mine = entry?.move?.by === ownSeat;
    const needs = mine ? (entry?.objections ?? []).filter((one) => one.rule === "prerequisites") : [];
    const lines = needs.flatMap((one) => one.cards ?? []).map((card) => ({ card, words: whereabouts(card) }));
    const backs = hand?.back() ?? [];
    verdict.classList.toggle("mine", mine || backs.length > 0);
    const shown = JSON.stringify([lines, backs.map((one) => one.textContent)]);
    if (verdict.dataset.shown === shown) return; // keeps a focused button
    verdict.dataset.shown = shown;
    const list = find(verdict, "[data-missing]");
    list.hidden = !lines.length;
    list.replaceChildren(
      ...lines.map(({ card, words }) => {
        return make("li", {}, token(card), make("span", {}, make("b", {}, cardName(card)), ` ${words}`));
      }),
    );
    exchange(find(verdict, "[data-backs]"), backs, heading);
  }

  // Where a missing card is, as far as this seat may know.
  /** @param {string} card */
  function whereabouts(card) {
    const view = heard.update.public ?? {};
    const held = hand?.held();
    if (held?.hand.includes(card)) return say(held.gains?.[card] === undefined ? "where.hand" : "where.hand.fits");
    if (game.hand?.open(view).includes(card)) return say("where.pool");
    const owner = game.hand?.discarded(view).find(([one]) => one === card)?.[1];
    return owner ? say("where.discard", { who: nameOf(owner) }) : say("where.none");
  }

  // Turn and points in the title, for a page in a background tab.
  /** @param {Standing | null} standing */
  function seatTitle(standing) {
    const points = standing && !document.querySelector(".pointless") ? ` ${signed(standing.points[ownSeat - 1])}` : "";
    const called = `${nameOf(ownSeat)}${points}`;
    return due(standing) ? `▶ ${called}` : called;
  }

  // What this seat has to do before anything else.
  function owing() {
    const { over = true, owed = [] } = heard.update.standing ?? {};
    return over ? [] : owed.filter((one) => one.seat === ownSeat).map((one) => one.do);
  }

  // It is this seat's turn, and nothing else has to be done first.
  /** @param {Standing | null} standing */
  function due(standing) {
    return standing && !standing.over && standing.turn === ownSeat && !standing.owed.length;
  }

  // What to do now, in words, for beginners.
  /** @param {Offer[]} offers */
  function advice(offers) {
    const [owed] = owing();
    if (owed) return sentence(say(`owed.${owed}`));
    if (!due(heard.update.standing)) return question(offers);
    /** @param {string} act */
    const may = (act) => offers.some((one) => one.do === act);
    if (may("verify") || may("concede")) return ""; // a Stop! comes first, and the verdict says whose it is
    const fits = fitting();
    if (fits) return fits;
    if (game.advice) return game.advice(offers);
    if (may("flip")) return "";
    const again = (heard.update.public?.series?.index ?? 0) > 0;
    if (may("end_turn") && heard.update.public?.ended) return say("now.ended");
    if (may("end_turn")) return say(again ? "now.again" : "now.end");
    return say(may("pass") ? "now.pass" : "now.discard");
  }

  /** @param {string} words */
  function sentence(words) {
    return `${words.charAt(0).toLocaleUpperCase(start.language)}${words.slice(1)}.`;
  }

  // How many of the visitor's cards fit now; nothing is known of it in a silent game.
  function fitting() {
    const held = hand?.held();
    const fits = Object.keys(held?.gains ?? {});
    if (!held || !fits.length) return "";
    const own = fits.filter((card) => held.hand.includes(card)).length;
    return own ? say("now.fits", { n: own }) : say("now.fits.pool", { n: fits.length });
  }

  // While another seat plays and may be stopped.
  /** @param {Offer[]} offers */
  function question(offers) {
    const move = lastCard(log)?.entry.move;
    const asks = offers.some((one) => one.do === "stop") && move?.card && move.by !== ownSeat;
    return asks ? say("now.stop", { who: nameOf(move.by), card_name: cardName(move.card ?? "") }) : "";
  }

  /** @param {Standing | null} standing */
  function state(standing) {
    if (!standing) return "";
    if (standing.over) return standing.winners.includes(ownSeat) ? say("won") : say("over");
    if (standing.turn === ownSeat) return say("your.turn");
    return standing.turn ? say("turn.of", { who: nameOf(standing.turn) }) : "";
  }

  // Requests the possible moves; an answer to an older request is ignored.
  /** @param {number} number */
  async function drawMoves(number) {
    const mark = ++requests;
    const answer = await get("seat");
    if (!answer || mark !== requests) return;
    if (answer.status === 403) location.assign("/join?lost");
    if (!answer.ok) return;
    /** @type {SeatAnswer} */
    const seat = answer.body;
    if (seat.seat !== ownSeat) return location.reload(); // the player changed seats
    if (mark !== requests || seat.number < number) return;
    // The answer may be newer than this page's log: parts that depend on the log are redrawn after the update.
    const same = JSON.stringify([seat.offers, seat.corrections, seat.number, heard.update.number]);
    if (same === lastDrawn) return;
    lastDrawn = same;
    const all = seat.offers.filter((one) => one.by === ownSeat);
    const own = game.offered?.(all, seat.number) ?? all; // a game may draw some of the buttons itself
    const offers = hand?.playing() ? own.map(asked) : own;
    const buttons = moveButtons(offers, seat.number, { rank: game.rank, sendAs: called });
    /** @param {Set<string>} wanted */
    const those = (wanted) => buttons.filter((one) => wanted.has(one.dataset.act ?? ""));
    const first = those(new Set([...LOUD, ...owing()]));
    exchange(loud, [...first, ...stoppable(buttons)], heading);
    exchange(bar, those(ENDING), heading);
    const rest = buttons.filter((one) => !first.includes(one) && !those(ENDING).includes(one));
    exchange(acts, [...rest, ...corrections(seat)], heading);
    offered = all;
    now.textContent = advice(all);
  }

  // The card that a Stop! would be against: what a silent game may say of it.
  /** @param {HTMLElement[]} buttons */
  function stoppable(buttons) {
    const { card, by } = lastCard(log)?.entry.move ?? {};
    if (!card || !start.match?.silent || heard.update.standing?.over) return [];
    if (!buttons.some((one) => one.dataset.act === "stop")) {
      return by === ownSeat ? [make("p", { className: "own" }, say("stop.own"))] : [];
    }
    if (!buttons.some((one) => one.matches(".stop"))) return [];
    const words = make("span", {}, make("b", {}, cardName(card)), " ", say("stop.look"));
    const cost = make("p", { className: "hint" }, say("stop.cost"));
    return [cost, make("p", { className: "just" }, token(card), words, ...familySign(card))];
  }

  // A visitor at a simulated seat calls for a card, and the player who has it answers.
  /** @param {Offer} offer */
  function asked(offer) {
    return offer.do === "call" ? { ...offer, choices: { card: offer.choices.card } } : offer;
  }

  /** @param {Move} move @param {HTMLElement} button */
  function called(move, button) {
    return hand?.playing() && move.do === "call" ? hand.call(move.card, button) : false;
  }

  function redraw() {
    lastDrawn = "";
    drawMoves(link.number());
  }

  // What this seat can take back or claim now, as the server says it.
  /** @param {SeatAnswer} seat */
  function corrections({ corrections: offered, number }) {
    return offered.flatMap((one) => {
      const { do: act } = one;
      const claim = act === "claim";
      const words = claim ? say("claim", { card_name: cardName(one.card ?? "") }) : say("undo", { what: one.text });
      const className = act === "undo" && heard.update.standing?.over ? "button small" : "button";
      const button = make("button", { className, type: "button", "data-correction": act }, words);
      const correct = () => send("corrections", { do: act, number: one.number, after: number }, button);
      if (act === "undo") return [holdToConfirm(button, correct)];
      button.onclick = correct;
      return claim ? [button] : [];
    });
  }

  addEventListener("said", (event) => {
    if (event instanceof CustomEvent && !event.detail.ok) link.refresh();
  });
  byId("leave").onclick = async () => {
    if ((await send("leave", {}))?.ok) location.assign("/");
  };
}
