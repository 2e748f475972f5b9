// The host's page: speaks for every seat, corrects, hands out codes, begins matches.

import { board, cardName, ending, make, openRefusal } from "./board.js";
import { live } from "./camera.js";
import { confirmed } from "./confirm.js";
import { holdToConfirm } from "./hold.js";
import { follow, heard, say, start } from "./live.js";
import { lastClaimable, lastUndoable, moveButtons } from "./offers.js";
import { places } from "./places.js";
import { send } from "./send.js";

const form = document.getElementById("setup");
const { setUp } = await import(new URL(`../games/${form.dataset.game}/setup.js`, import.meta.url));
setUp(form, say, async (match, button) => {
  if (await confirmed() && (await send("matches", { match }, button))?.ok) location.assign("/host");
});
const game = start.match?.spoken ? await import(new URL(`../games/${start.match.game}/host.js`, import.meta.url)) : null;
const { dealt } = start.match ? await import(new URL(`../games/${start.match.game}/setup.js`, import.meta.url)) : {};

for (const button of document.querySelectorAll("[data-toggle]")) {
  const [on, off, is] = button.dataset.toggle.split(" ");
  button.onclick = async () => {
    const outcome = await send("box", { do: button.dataset.on === "yes" ? off : on }, button);
    if (!outcome?.ok) return;
    button.dataset.on = outcome.body[is] ? "yes" : "no";
    button.textContent = say(outcome.body[is] ? off : on);
  };
}

const rename = document.getElementById("rename");
if (rename) rename.onsubmit = async (event) => {
  event.preventDefault();
  const named = await send("box", { do: "name", name: rename.elements.namedItem("name").value }, rename.querySelector("button"));
  if (named?.ok) location.reload();
};

for (const button of document.querySelectorAll("[data-hub]")) {
  button.onclick = async () => {
    if (!(await send("hub", { do: button.dataset.hub }, button))?.ok) return;
    location.hash = "hub";
    location.reload();
  };
}
if (location.hash === "#hub") document.getElementById("hub")?.setAttribute("open", "");

if (start.match) match();
else follow(() => {});

function match() {
  const draw = board();
  const drawEnd = ending();
  const acts = document.getElementById("acts");
  const spoken = start.match.spoken ? game.spoken(document.getElementById("spoken"), start, say) : null; // what a game draws itself
  const log = start.log;
  const buttons = Object.fromEntries([...document.querySelectorAll("[data-do]")].map((button) => [button.dataset.do, button]));
  const refusal = () => openRefusal(() => true);
  let number = start.now.number;
  let requests = 0;
  let lastDrawn = null;

  const correct = (correction, button) => send("corrections", { ...correction, after: number }, button);
  for (const act of ["pause", "resume", "log-is-right"]) buttons[act].onclick = () => correct({ do: act }, buttons[act]);
  // What lies there becomes the position: points that were earned since may not be found again.
  holdToConfirm(buttons["table-is-right"], () => correct({ do: "table-is-right" }, buttons["table-is-right"]));
  buttons.allow.onclick = () => correct({ do: "allow", number: refusal()?.number }, buttons.allow);
  const holdToCorrect = (button, makeCorrection) => holdToConfirm(button, async () => {
    const correction = makeCorrection();
    const outcome = await correct(correction, button);
    // Fresh and yet refused: later entries would no longer hold. The host may insist.
    if (outcome?.status === 409 && outcome.body.number === number) insist(correction);
  });
  holdToCorrect(buttons.undo, () => ({ do: "undo", number: lastUndoable(log)?.number }));
  holdToCorrect(buttons["camera-was-wrong"], () => ({ do: "camera-was-wrong", number: seenLast()?.number }));
  holdToConfirm(buttons.anyway, () => {
    buttons.anyway.hidden = true;
    correct({ ...refusedCorrection, anyway: true }, buttons.anyway);
  });
  let refusedCorrection = null;
  const drawPlaces = places((change, button) => correct({ do: "seat", ...change }, button));

  const link = follow((update, fresh) => {
    number = update.number;
    if (fresh) buttons.anyway.hidden = true;
    draw(update, fresh);
    spoken?.(update);
    drawEnd(update, fresh);
    deal(update);
    if (fresh && update.signal === "over") document.getElementById("new").open = true;
    if (update.alert === "disagrees") document.getElementById("differ").open = true;
    buttons.pause.hidden = update.alert === "paused";
    buttons.resume.hidden = update.alert !== "paused";
    buttons.allow.hidden = !refusal();
    const last = lastUndoable(log);
    buttons.undo.hidden = !last;
    if (last) buttons.undo.textContent = say("undo", { what: last.texts[0] ?? say("undo.last") });
    const seen = seenLast();
    buttons["camera-was-wrong"].hidden = !seen;
    if (seen) buttons["camera-was-wrong"].textContent = say("camera.wrong", { what: seen.texts[0] ?? say("undo.last") });
    const card = lastClaimable(log, update.standing);
    document.getElementById("claim").hidden = !card;
    if (card) document.querySelector("#claim > summary").textContent = say("whose", { card_name: cardName(card.entry.move.card) });
    for (const button of document.querySelectorAll("[data-claim]")) button.hidden = Number(button.dataset.claim) === card?.entry.move.by;
    drawMoves();
  });
  addEventListener("said", (event) => event.detail.ok || link.refresh());

  function insist(correction) {
    refusedCorrection = correction;
    document.getElementById("note").textContent = say("breaks");
    buttons.anyway.hidden = false;
  }

  // What the camera reported last, unless it was put right already.
  function seenLast() {
    const done = new Set(log.flatMap((one) => [one.entry?.settles, one.entry?.allows, one.entry?.strikes]));
    return log.findLast((one) => one.entry?.origin === "camera" && ["played", "refused"].includes(one.entry.event) && one.entry.move?.by && one.entry.move.card && one.texts.length && !done.has(one.number));
  }

  async function drawMoves() {
    const mark = ++requests;
    const answer = await fetch("/api/v1/seat", { cache: "no-store" }).catch(() => null);
    if (!answer || mark !== requests) return;
    if (answer.status === 403) return location.assign("/join");
    if (!answer.ok) return;
    const seat = await answer.json();
    const same = JSON.stringify([seat.offers, seat.number, seat.seats]);
    if (same === lastDrawn) return;
    lastDrawn = same;
    drawPlaces(seat.seats);
    const left = spoken ? spoken.offered(seat.offers, seat.number) : seat.offers;
    acts.replaceChildren(...moveButtons(left, seat.number, start.match, { naming: true }));
  }

  for (const button of document.querySelectorAll("[data-claim]")) {
    button.onclick = () => correct({ do: "claim", by: Number(button.dataset.claim), number: lastClaimable(log, heard.update.standing)?.number }, button);
  }

  const counts = document.getElementById("counts");
  if (counts) counts.onsubmit = (event) => {
    event.preventDefault();
    const values = (name) => [...counts.querySelectorAll(`[name=${name}]`)].map((input) => input.value);
    const [seats, [table]] = [values("seat"), values("table")];
    const correction = { do: "counts" };
    if (seats.every((value) => value !== "")) correction[counts.dataset.seat] = seats.map(Number);
    if (table) correction[counts.dataset.table] = Number(table);
    correct(correction, counts.querySelector("button"));
  };

  const codes = document.getElementById("codes");
  if (location.hash === "#codes") codes.open = true;
  for (const button of codes.querySelectorAll("[data-renew]")) {
    const whose = button.dataset.renew;
    holdToConfirm(button, async () => {
      const body = Number(whose) ? { renew: "seat", seat: Number(whose) } : { renew: whose };
      if (!(await send("invitations", body, button))?.ok) return;
      location.hash = "codes";
      location.reload();
    });
  }

  const camera = document.getElementById("camera");
  camera.ontoggle = live(camera, () => camera.open);

  const off = document.getElementById("off");
  if (off) holdToConfirm(off, () => send("box", { do: "shut-down" }, off));

  // After "Begin": how much of what the game wants on the table first was seen.
  function deal(update) {
    const place = document.getElementById("deal");
    const dealing = update.number > 1 || update.standing?.over ? null : dealt?.(update.public, say);
    place.hidden = !dealing || dealing.seen >= dealing.of;
    if (place.hidden) return;
    place.querySelector("p").textContent = dealing.words;
    const dots = Array.from({ length: dealing.of }, (_, index) => make("li", { className: index < dealing.seen ? "seen" : "" }));
    place.querySelector(".dots").replaceChildren(...dots);
  }
}
