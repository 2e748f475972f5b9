// A seat's page: only the buttons that the rules allow now.

import { board, cardName, ending, nameOf, table } from "./board.js";
import { cue, stayAwake } from "./cues.js";
import { byId, make } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { follow, heard, say, signed, start } from "./live.js";
import { lastClaimable, lastUndoable, moveButtons, seatAfter, takenBackBy } from "./offers.js";
import { send } from "./send.js";

if (start.match && start.me.seat) {
  const game = await table();
  const parts = [board(), game, ending()];
  const now = byId("now");
  const acts = byId("acts");
  const ownSeat = start.me.seat;
  const log = start.log;
  let requests = 0;
  let lastDrawn = "";
  const place = document.getElementById("play");
  if (place && !game.hand) place.remove(); // this game's cards cannot be placed by tapping
  const hand = place && game.hand ? (await import("./play.js")).play(place, game.hand, redraw) : null;
  if (hand) parts.push(hand.draw);

  const link = follow((update, fresh) => {
    for (const draw of parts) draw(update, fresh);
    byId("mine").textContent = state(update.standing);
    document.title = seatTitle(update.standing);
    cue(update, fresh, ownSeat);
    if (!due(update.standing)) now.textContent = "";
    drawMoves(update.number);
  });

  const sleeps = byId("sleeps");
  stayAwake(byId("awake", HTMLInputElement), sleeps);

  // Turn and points in the title, for a page in a background tab.
  /** @param {Standing | null} standing */
  function seatTitle(standing) {
    const points = standing && !document.querySelector(".pointless") ? ` ${signed(standing.points[ownSeat - 1])}` : "";
    const called = `${nameOf(ownSeat)}${points}`;
    return due(standing) ? `▶ ${called}` : called;
  }

  // It is this seat's turn, and nothing else has to be done first.
  /** @param {Standing | null} standing */
  function due(standing) {
    return standing && !standing.over && standing.turn === ownSeat && !standing.owed.length;
  }

  // What to do now, in words, for beginners.
  /** @param {Offer[]} offers */
  function advice(offers) {
    if (!due(heard.update.standing)) return "";
    if (game.advice) return game.advice(offers);
    /** @param {string} act */
    const may = (act) => offers.some((one) => one.do === act);
    if (may("flip")) return "";
    const again = (heard.update.public?.series?.index ?? 0) > 0;
    if (may("end_turn") && heard.update.public?.ended) return say("now.ended");
    if (may("end_turn")) return say(again ? "now.again" : "now.end");
    return say(may("pass") ? "now.pass" : "now.discard");
  }

  /** @param {Standing | null} standing */
  function state(standing) {
    if (!standing) return "";
    const owed = standing.owed.find((one) => one.seat === ownSeat);
    if (standing.over) return standing.winners.includes(ownSeat) ? say("won") : say("over");
    if (owed) return say(`owed.${owed.do}`);
    if (standing.turn === ownSeat) return say("your.turn");
    return standing.turn ? say("turn.of", { who: nameOf(standing.turn) }) : "";
  }

  // Requests the possible moves; an answer to an older request is ignored.
  /** @param {number} number */
  async function drawMoves(number) {
    const mark = ++requests;
    const answer = await fetch("/api/v1/seat", { cache: "no-store" }).catch(() => null);
    if (!answer || mark !== requests) return;
    if (answer.status === 403) location.assign("/join?lost");
    if (!answer.ok) return;
    /** @type {SeatAnswer} */
    const seat = await answer.json();
    if (seat.seat !== ownSeat) return location.reload(); // the player changed seats
    if (mark !== requests || seat.number < number) return;
    // The answer may be newer than this page's log: parts that depend on the log are redrawn after the update.
    const same = JSON.stringify([seat.offers, seat.number, heard.update.number]);
    if (same === lastDrawn) return;
    lastDrawn = same;
    const all = seat.offers.filter((one) => one.by === ownSeat);
    const own = game.offered?.(all, seat.number) ?? all; // a game may draw some of the buttons itself
    const offers = hand?.playing() ? own.map(asked) : own;
    const buttons = moveButtons(offers, seat.number, { rank: game.rank, sendAs: called });
    acts.replaceChildren(...buttons, ...corrections(seat.number));
    now.textContent = advice(all);
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

  /** @param {number} number */
  function corrections(number) {
    const made = [];
    const card = lastClaimable(log, heard.update.standing);
    if (card && seatAfter(card.entry.move.by, heard.update.public?.away) === ownSeat) {
      const words = say("claim", { card_name: cardName(card.entry.move.card ?? "") });
      const claim = make("button", { className: "button", type: "button" }, words);
      claim.onclick = () => send("corrections", { do: "claim", number: card.number, after: number }, claim);
      made.push(claim);
    }
    const last = lastUndoable(log);
    if (last && takenBackBy(log, last) === ownSeat) {
      const className = heard.update.standing?.over ? "button small" : "button";
      const words = say("undo", { what: last.texts[0] ?? say("undo.last") });
      const undo = make("button", { className, type: "button" }, words);
      made.push(
        holdToConfirm(undo, () => send("corrections", { do: "undo", number: last.number, after: number }, undo)),
      );
    }
    return made;
  }

  addEventListener("said", (event) => {
    if (event instanceof CustomEvent && !event.detail.ok) link.refresh();
  });
  byId("leave").onclick = async () => {
    if ((await send("leave", {}))?.ok) location.assign("/");
  };
}
