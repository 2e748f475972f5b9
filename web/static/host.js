// The host's page: moves for all seats, corrections, codes, new matches.

import { board, cardName, ending } from "./board.js";
import { live } from "./camera.js";
import { byId, find, findAll, findOptional, make } from "./dom.js";
import { guarded, report } from "./faults.js";
import { holdToConfirm } from "./hold.js";
import { lists } from "./lists.js";
import { follow, gameScript, heard, say, start } from "./live.js";
import { moveButtons } from "./offers.js";
import { places } from "./places.js";
import { get, send } from "./send.js";
import { setUpGame } from "./begin.js";

/**
 * @typedef {Record<string, any>} Correction The body of a correction, without `after`.
 * @typedef {TableDraw & { offered: (offers: Offer[], number: number) => Offer[] }} SpokenDraw
 */

const ENDS = new Set(["end_turn", "pass", "agree_end"]); // in sight; the other moves for players are behind the fold

/**
 * What does not load is lacking, and the rest of the page is there.
 * @param {Promise<any>} loading
 * @param {any} instead
 */
const orElse = (loading, instead) => loading.catch((error) => (report("game", error), instead));

await orElse(setUpGame(), null);
/** @type {{ spoken: (place: HTMLElement) => SpokenDraw } | null} */
const game = start.match?.spoken ? await orElse(gameScript(start.match.game, "host.js"), null) : null;
/** @type {{ dealt?: (view: any) => Deal | null }} */
const { dealt } = start.match ? await orElse(gameScript(start.match.game, "setup.js"), {}) : {};

for (const button of findAll(document, "[data-toggle]")) {
  const [on, off, is] = (button.dataset.toggle ?? "").split(" ");
  button.onclick = async () => {
    const outcome = await send("box", { do: button.dataset.on === "yes" ? off : on }, button);
    if (!outcome?.ok) return;
    button.dataset.on = outcome.body[is] ? "yes" : "no";
    button.textContent = say(outcome.body[is] ? off : on);
  };
}

const sitting = findOptional(document, "#sitting", HTMLSelectElement);
if (sitting) sitting.onchange = () => send("seats/mode", { mode: sitting.value }, sitting);

const rename = findOptional(document, "#rename", HTMLFormElement);
if (rename) {
  rename.onsubmit = async (event) => {
    event.preventDefault();
    const name = find(rename, "[name=name]", HTMLInputElement).value;
    if ((await send("box", { do: "name", name }, find(rename, "button")))?.ok) location.reload();
  };
}

const renumber = findOptional(document, "#renumber", HTMLButtonElement);
if (renumber) {
  renumber.onclick = async () => {
    if ((await send("box", { do: "new-number" }, renumber))?.ok) find(document, "[data-renumber]").hidden = true;
  };
}

for (const button of findAll(document, "[data-hub]")) {
  button.onclick = async () => {
    if (!(await send("hub", { do: button.dataset.hub }, button))?.ok) return;
    location.hash = "hub";
    location.reload();
  };
}
// An address names a part behind the fold.
if (/^#\w+$/.test(location.hash)) {
  for (let part = document.querySelector(location.hash); part; part = part.parentElement) {
    if (part instanceof HTMLDetailsElement) part.open = true;
  }
}

if (start.match) match();
else follow(() => {});

function match() {
  const parts = [board(), lists()];
  const drawEnd = ending();
  const spoken = guarded("spoken", () => game?.spoken(byId("spoken"))); // drawn by the game
  /** @param {string} act */
  const button = (act) => find(document, `[data-do="${act}"]`, HTMLButtonElement);
  // What can be corrected now, as the server says it.
  /** @param {OfferedCorrection["do"]} act */
  const offered = (act) => heard.update.corrections.find((one) => one.do === act);
  let number = start.now.number;
  let requests = 0;
  let lastDrawn = "";
  /** @type {Correction} */
  let refusedCorrection = {};

  /** @param {Correction} correction @param {HTMLElement} pressed */
  const correct = (correction, pressed) => send("corrections", { ...correction, after: number }, pressed);
  for (const act of ["pause", "resume", "log-is-right"]) button(act).onclick = () => correct({ do: act }, button(act));
  // The table becomes the position: points earned since then may be lost.
  const tableIsRight = button("table-is-right");
  holdToConfirm(tableIsRight, () => correct({ do: "table-is-right" }, tableIsRight));
  button("allow").onclick = () => correct({ do: "allow", number: offered("allow")?.number }, button("allow"));
  holdToCorrect("undo");
  holdToCorrect("camera-was-wrong");
  holdToConfirm(button("anyway"), () => {
    button("anyway").hidden = true;
    correct({ ...refusedCorrection, anyway: true }, button("anyway"));
  });
  const drawPlaces = places((change, pressed) => correct({ do: "seat", ...change }, pressed));

  const link = follow((update, fresh) => {
    number = update.number;
    if (fresh) button("anyway").hidden = true;
    for (const part of [...parts, spoken, drawEnd, deal]) guarded("board", () => part?.(update, fresh));
    if (fresh && update.signal === "over") {
      for (const fold of ["more", "new"]) byId(fold, HTMLDetailsElement).open = true;
    }
    byId("differ").hidden = update.alert === "none";
    if (update.alert === "disagrees") byId("differ", HTMLDetailsElement).open = true;
    button("pause").hidden = update.alert === "paused";
    button("resume").hidden = update.alert !== "paused";
    button("allow").hidden = !offered("allow");
    showCorrection("undo", "undo");
    showCorrection("camera-was-wrong", "camera.wrong");
    place("camera-was-wrong", offered("allow") ? "corrections" : "rarely");
    showClaim();
    drawMoves();
  });
  addEventListener("said", (event) => {
    if (event instanceof CustomEvent && !event.detail.ok) link.refresh();
  });

  /** @param {OfferedCorrection["do"]} act */
  function holdToCorrect(act) {
    const held = button(act);
    holdToConfirm(held, async () => {
      const correction = { do: act, number: offered(act)?.number };
      const outcome = await correct(correction, held);
      // Refused, but not out of date: later entries would become invalid. The host may insist.
      if (outcome?.status === 409 && outcome.body.number === number) insist(correction);
    });
  }

  /** @param {Correction} correction */
  function insist(correction) {
    refusedCorrection = correction;
    byId("note").textContent = say("breaks");
    button("anyway").hidden = false;
  }

  /** @param {OfferedCorrection["do"]} act @param {string} words */
  function showCorrection(act, words) {
    const one = offered(act);
    button(act).hidden = !one;
    if (one) button(act).textContent = say(words, { what: one.text });
  }

  // In sight only while it is likely to be wanted.
  /** @param {string} act @param {string} where */
  function place(act, where) {
    if (button(act).parentElement?.id !== where) byId(where).append(button(act));
  }

  function showClaim() {
    const claimed = offered("claim");
    byId("claim").hidden = !claimed;
    showInstead();
    if (claimed) find(byId("claim"), "summary").textContent = say("whose", { card_name: cardName(claimed.card ?? "") });
    for (const one of findAll(document, "[data-claim]")) one.hidden = Number(one.dataset.claim) === claimed?.by;
  }

  async function drawMoves() {
    const mark = ++requests;
    const answer = await get("seat");
    if (!answer || mark !== requests) return;
    if (answer.status === 403) location.assign("/join");
    if (!answer.ok) return;
    /** @type {SeatAnswer} */
    const seat = answer.body;
    const same = JSON.stringify([seat.offers, seat.number, seat.seats]);
    if (same === lastDrawn) return;
    lastDrawn = same;
    drawPlaces(seat.seats);
    const left = spoken ? spoken.offered(seat.offers, seat.number) : seat.offers;
    const buttons = moveButtons(left, seat.number, { naming: true });
    const ends = buttons.filter((one) => ENDS.has(one.dataset.act ?? ""));
    byId("ends").replaceChildren(...ends);
    byId("others").replaceChildren(...buttons.filter((one) => !ends.includes(one)));
    showInstead();
  }

  // A heading with nothing below it says nothing.
  function showInstead() {
    const parts = [byId("others"), byId("rarely")].flatMap((part) => findAll(part, "button"));
    byId("instead").hidden = byId("claim").hidden && parts.every((one) => one.hidden);
  }

  for (const one of findAll(document, "[data-claim]")) {
    one.onclick = () => {
      correct({ do: "claim", by: Number(one.dataset.claim), number: offered("claim")?.number }, one);
    };
  }

  const counts = findOptional(document, "#counts", HTMLFormElement);
  if (counts) {
    counts.onsubmit = (event) => {
      event.preventDefault();
      /** @param {string} name */
      const values = (name) => findAll(counts, `[name=${name}]`, HTMLInputElement).map((input) => input.value);
      const [seats, [table]] = [values("seat"), values("table")];
      /** @type {Correction} */
      const correction = { do: "counts" };
      if (seats.every((value) => value !== "")) correction[counts.dataset.seat ?? ""] = seats.map(Number);
      if (table) correction[counts.dataset.table ?? ""] = Number(table);
      correct(correction, find(counts, "button"));
    };
  }

  const codes = byId("codes", HTMLDetailsElement);
  for (const one of findAll(codes, "[data-renew]")) {
    const whose = one.dataset.renew;
    holdToConfirm(one, async () => {
      const body = Number(whose) ? { renew: "seat", seat: Number(whose) } : { renew: whose };
      if (!(await send("invitations", body, one))?.ok) return;
      location.hash = "codes";
      location.reload();
    });
  }

  const camera = byId("camera", HTMLDetailsElement);
  camera.ontoggle = live(camera, () => camera.open);

  const shown = findOptional(document, "#shown", HTMLInputElement);
  if (shown) {
    shown.onchange = async () => {
      if (!(await send("table-picture", { shown: shown.checked }, shown))?.ok) shown.checked = !shown.checked;
    };
  }

  const off = document.getElementById("off");
  if (off) holdToConfirm(off, () => send("box", { do: "shut-down" }, off));

  // After "Begin": how much of the initial deal was seen.
  /** @param {Update} update */
  function deal(update) {
    const place = byId("deal");
    const dealing = update.number > 1 || update.standing?.over ? null : dealt?.(update.public);
    const waits = dealing && dealing.seen < dealing.of;
    place.hidden = !waits;
    if (!waits) return;
    find(place, "p").textContent = dealing.words;
    const dots = Array.from({ length: dealing.of }, (_, index) => {
      return make("li", { className: index < dealing.seen ? "seen" : "" });
    });
    find(place, ".dots").replaceChildren(...dots);
  }
}
