// A seat's page: only its buttons, only those that the rules offer now.

import { board, make, nameOf, table } from "./board.js";
import { cue } from "./cues.js";
import { follow, say, start } from "./live.js";
import { offerButtons, undoable } from "./offers.js";
import { held } from "./hold.js";
import { send } from "./send.js";

if (start.match) {
  const game = await table();
  const parts = [board(), game];
  const acts = document.getElementById("acts");
  const mine = start.me.seat;
  const told = start.log;
  let asked = 0;
  let shown = null;

  const link = follow((news, fresh) => {
    for (const draw of parts) draw(news, fresh);
    document.getElementById("mine").textContent = state(news.standing);
    document.title = nameOf(mine);
    cue(news, fresh, mine);
    offered(news.number);
  });

  function state(standing) {
    if (!standing) return "";
    const owed = standing.owed.find((one) => one.seat === mine);
    if (standing.over) return standing.winners.includes(mine) ? say("won") : say("over");
    if (owed) return say(`owed.${owed.do}`);
    return standing.turn === mine ? say("your.turn") : standing.turn ? say("turn.of", { who: nameOf(standing.turn) }) : "";
  }

  // Asks what may be said now; an answer that comes after a later question is thrown away.
  async function offered(number) {
    const mark = ++asked;
    const answer = await fetch("/api/v1/seat", { cache: "no-store" }).catch(() => null);
    if (!answer || mark !== asked) return;
    if (answer.status === 403) return location.assign("/join");
    if (!answer.ok) return;
    const seat = await answer.json();
    if (seat.seat !== mine) return location.reload(); // changed places: another seat's buttons
    if (mark !== asked || seat.number < number) return;
    const same = JSON.stringify([seat.offers, seat.number]);
    if (same === shown) return;
    shown = same;
    acts.replaceChildren(...offerButtons(seat.offers.filter((one) => one.by === mine), seat.number, start.match, { likely: game.likely }), ...corrections(seat.number));
  }

  function corrections(number) {
    const claim = make("button", { className: "button", type: "button" }, say("claim"));
    claim.onclick = () => send("corrections", { do: "claim", after: number }, claim);
    const last = undoable(told);
    if (!last) return [];
    const undo = held(make("button", { className: "button hold", type: "button" }, say("undo", { what: last.texts[0] ?? say("undo.last") })), () =>
      send("corrections", { do: "undo", number: last.number, after: number }, undo),
    );
    const laid = told.findLast((one) => one.entry?.move?.card);
    return laid && laid.entry.move.by !== mine && !start.match.silent ? [claim, undo] : [undo];
  }

  addEventListener("said", (event) => event.detail.ok || link.ask());
  document.getElementById("leave").onclick = async () => (await send("leave", {}))?.ok && location.assign("/");
}
