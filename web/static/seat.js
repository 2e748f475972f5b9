// A seat's page: only its buttons, only those that the rules allow now.

import { board, make, nameOf, table } from "./board.js";
import { cue } from "./cues.js";
import { follow, say, start } from "./live.js";
import { moveButtons, lastUndoable, takenBackBy } from "./offers.js";
import { holdToConfirm } from "./hold.js";
import { send } from "./send.js";

if (start.match) {
  const game = await table();
  const parts = [board(), game];
  const acts = document.getElementById("acts");
  const ownSeat = start.me.seat;
  const log = start.log;
  let requests = 0;
  let lastDrawn = null;

  const link = follow((update, fresh) => {
    for (const draw of parts) draw(update, fresh);
    document.getElementById("mine").textContent = state(update.standing);
    document.title = nameOf(ownSeat);
    cue(update, fresh, ownSeat);
    drawMoves(update.number);
  });

  function state(standing) {
    if (!standing) return "";
    const owed = standing.owed.find((one) => one.seat === ownSeat);
    if (standing.over) return standing.winners.includes(ownSeat) ? say("won") : say("over");
    if (owed) return say(`owed.${owed.do}`);
    return standing.turn === ownSeat ? say("your.turn") : standing.turn ? say("turn.of", { who: nameOf(standing.turn) }) : "";
  }

  // Asks which moves may be made now; an answer that comes after a later request is thrown away.
  async function drawMoves(number) {
    const mark = ++requests;
    const answer = await fetch("/api/v1/seat", { cache: "no-store" }).catch(() => null);
    if (!answer || mark !== requests) return;
    if (answer.status === 403) return location.assign("/join");
    if (!answer.ok) return;
    const seat = await answer.json();
    if (seat.seat !== ownSeat) return location.reload(); // changed places: another seat's buttons
    if (mark !== requests || seat.number < number) return;
    const same = JSON.stringify([seat.offers, seat.number]);
    if (same === lastDrawn) return;
    lastDrawn = same;
    acts.replaceChildren(...moveButtons(seat.offers.filter((one) => one.by === ownSeat), seat.number, start.match, { likely: game.likely }), ...corrections(seat.number));
  }

  function corrections(number) {
    const claim = make("button", { className: "button", type: "button" }, say("claim"));
    claim.onclick = () => send("corrections", { do: "claim", after: number }, claim);
    const last = lastUndoable(log);
    if (!last) return [];
    const undo = holdToConfirm(make("button", { className: "button hold", type: "button" }, say("undo", { what: last.texts[0] ?? say("undo.last") })), () =>
      send("corrections", { do: "undo", number: last.number, after: number }, undo),
    );
    const lastCard = log.findLast((one) => one.entry?.move?.card);
    const claims = lastCard && lastCard.entry.move.by !== ownSeat && !start.match.silent;
    return [...(claims ? [claim] : []), ...(takenBackBy(log, last) === ownSeat ? [undo] : [])];
  }

  addEventListener("said", (event) => event.detail.ok || link.refresh());
  document.getElementById("leave").onclick = async () => (await send("leave", {}))?.ok && location.assign("/");
}
