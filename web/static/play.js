// A visitor plays a seat of the simulated table: tap a card, then its place. The simulated hand moves it, the camera
// sees it, and the referee judges it like any other card.

import { cardName, face, nameOf } from "./board.js";
import { byId, find, focusOn, make, partsOf, targetOf } from "./dom.js";
import { currentMatch, heard, say, start } from "./live.js";
import { ask, send } from "./send.js";

const LOOK_MS = 1500; // between two requests for the hand
const JUDGED_MS = 2500; // after this time a placed card has been judged, if at all
const COMMANDS = { KEND: "play.KEND", KPASS: "play.KPASS", KUNDO: "play.KUNDO", KSTOP: "play.KSTOP" };

/**
 * Returns functions: for each update, whether the visitor plays, and to call for a card.
 * @param {HTMLElement} section
 * @param {TableHand} game What can be taken from the table, and where things can be placed.
 * @param {() => void} onSwitch Called when the seat was taken over or given back.
 */
export function play(section, game, onSwitch) {
  const part = partsOf(section);
  const box = find(section, "#playing", HTMLInputElement);
  const { cards, pictured, pictures } = currentMatch();
  const things = new Map(cards.map((card) => [card.id, card]));
  /** @type {PlayedSeat | null} */
  let held = null; // the server's last answer
  /** @type {string | null} */
  let chosen = null;
  let drawn = "";
  let asked = 0;
  /** @type {Record<string, number>} */
  let astraySince = {};

  box.onchange = async () => {
    const outcome = await send("simulated/seat", { playing: box.checked });
    if (outcome?.ok) take(outcome.body, true);
    else box.checked = Boolean(held?.playing);
    onSwitch();
  };
  for (const [card, words] of Object.entries(COMMANDS)) {
    const button = make("button", { className: "button small", type: "button" }, say(words));
    button.onclick = () => act({ do: "show", card }, button);
    part("commands").append(button);
  }
  section.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && chosen) choose(null, true);
  });
  // A tap on the picture of the table places the selected card there: beside a card, or where there is room.
  game.surface?.setAttribute("data-aim", "");
  game.surface?.addEventListener("click", layAtTouch, true);
  setInterval(() => {
    if (held?.playing && document.visibilityState === "visible") refresh();
  }, LOOK_MS);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") refresh();
  });
  return { draw, playing: () => Boolean(held?.playing), call };

  function draw() {
    refresh();
    show();
  }

  /** @param {string | undefined} card @param {HTMLElement} button */
  function call(card, button) {
    return act({ do: "call", card }, button);
  }

  /** @param {Event} event */
  function layAtTouch(event) {
    if (!chosen) return;
    event.stopPropagation();
    event.preventDefault();
    lay(game.surfaceZone(), targetOf(event).closest("[data-card]")?.getAttribute("data-card"));
  }

  async function refresh() {
    const mark = ++asked;
    const now = await ask("simulated/seat");
    if (now && mark === asked) take(now);
  }

  /** @param {PlayedSeat} now */
  function take(now, switched = false) {
    const before = held?.playing;
    held = now;
    const times = (now.astray ?? []).map((card) => [card, astraySince[card] ?? performance.now()]);
    astraySince = Object.fromEntries(times);
    if (switched) part("told").textContent = "";
    else if (before && !now.playing) part("told").textContent = say("play.given");
    if (chosen && !reachable(now).includes(chosen)) chosen = null;
    box.checked = now.playing;
    show();
    if (before !== undefined && before !== now.playing) onSwitch();
  }

  /** @param {PlayedSeat} seat */
  function mine(seat) {
    return [...(seat.called ? [seat.called] : []), ...seat.hand];
  }

  function open() {
    return game.open(heard.update.public ?? {});
  }

  function discarded() {
    return game.discarded(heard.update.public ?? {});
  }

  function laid() {
    return game.beside(heard.update.public ?? {});
  }

  /** @param {PlayedSeat} seat */
  function reachable(seat) {
    return seat.playing ? [...mine(seat), ...seat.astray, ...open(), ...discarded().map(([card]) => card)] : [];
  }

  // The cards to take back; a card that was just placed may still be judged legal.
  /** @param {PlayedSeat} seat */
  function wrong(seat) {
    return seat.astray.filter(
      (card) => heard.update.alert !== "none" || performance.now() - astraySince[card] > JUDGED_MS,
    );
  }

  function show() {
    const seat = held?.playing && !heard.update.standing?.over ? held : null;
    section.toggleAttribute("data-playing", Boolean(seat));
    part("hint").hidden = Boolean(seat);
    part("cards").hidden = !seat;
    document.body.classList.toggle("aims", Boolean(seat && chosen));
    if (!seat) return;
    const now = JSON.stringify([seat, chosen, open(), discarded(), laid(), wrong(seat)]);
    if (now === drawn) return;
    drawn = now;
    const focused = document.activeElement?.closest("#play [data-touch]");
    part("hand").replaceChildren(...mine(seat).map((card) => item(card)));
    part("none").hidden = mine(seat).length > 0;
    part("open").replaceChildren(...open().map((card) => item(card)));
    part("discarded").replaceChildren(...discarded().map(([card, whose]) => item(card, nameOf(whose))));
    part("discards").hidden = !discarded().length;
    part("astray").replaceChildren(...wrong(seat).map(back));
    showPlaces();
    focusTouch(focused?.getAttribute("data-touch") ?? null);
    const waiting = say("play.waiting");
    if (seat.waiting) part("told").textContent = waiting;
    else if (part("told").textContent === waiting) part("told").textContent = "";
  }

  /** @param {string | null} touch The `data-touch` of the focused element. */
  function focusTouch(touch) {
    if (touch !== null) focusOn(section, `[data-touch="${CSS.escape(touch)}"]`);
  }

  /** @param {string} card @param {() => void} onclick @param {...HTMLElement} more */
  function touch(card, onclick, ...more) {
    const button = make(
      "button",
      { className: `button touch era-${card[0]}`, type: "button", "data-touch": card },
      ...picture(card),
      cardName(card),
      make("span", { className: "number" }, things.has(card) ? card : ""),
      ...more,
    );
    button.onclick = onclick;
    return button;
  }

  /** @param {string} card */
  function picture(card) {
    if (!pictured.includes(card)) return face(things.get(card));
    return [make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${pictures}/pictures/${card}` })];
  }

  /** @param {string} card */
  function item(card, whose = "") {
    const from = whose ? [make("span", { className: "number" }, whose)] : [];
    const button = touch(card, () => choose(chosen === card ? null : card), ...from);
    button.setAttribute("aria-pressed", String(chosen === card));
    return make("li", {}, button);
  }

  /** @param {string} card */
  function back(card) {
    const words = say("play.back", { card_name: cardName(card) });
    const button = make("button", { className: "button back", type: "button", "data-touch": `back ${card}` }, words);
    button.onclick = () => act({ do: "take", card }, button);
    return button;
  }

  /** @param {string | null} card */
  function choose(card, refocus = false) {
    const before = chosen;
    chosen = card;
    part("told").textContent = "";
    show();
    if (card) {
      find(part("where"), "button").focus({ preventScroll: true });
      part("where").scrollIntoView({ block: "nearest" });
    } else if (refocus) focusTouch(before);
  }

  // Buttons for the possible places of the selected card; the rules are not known here.
  function showPlaces() {
    const where = part("where");
    where.hidden = !chosen;
    where.replaceChildren(...(chosen ? placesFor(chosen) : []));
  }

  /** @param {string} card */
  function placesFor(card) {
    const places = game.places(start.me.seat ?? 0).map(({ words, to }, index) => {
      const className = index ? "button" : "button main";
      const button = make("button", { className, type: "button", "data-touch": `to ${to}` }, say(words));
      button.onclick = () => lay(to);
      return button;
    });
    const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
    cancel.onclick = () => choose(null, true);
    const beside = laid().filter((one) => one[0] === card[0]);
    const others = laid().filter((one) => one[0] !== card[0]);
    const next = [...beside, ...others].map((one) =>
      make(
        "li",
        {},
        touch(one, () => lay(game.surfaceZone(), one)),
      ),
    );
    const list = make("ul", { className: "cards" }, ...next);
    return [
      make("p", { id: "play-where" }, say("play.where", { card_name: cardName(card) })),
      ...places,
      ...(next.length ? [make("details", {}, make("summary", {}, say("play.beside")), list)] : []),
      cancel,
    ];
  }

  /** @param {string} to @param {string | null} [beside] */
  function lay(to, beside) {
    const card = chosen;
    choose(null);
    act({ do: "lay", card, to, ...(beside ? { beside } : {}) });
  }

  /** @param {object} body @param {HTMLElement} [button] */
  async function act(body, button) {
    const outcome = await send("simulated/acts", body, button);
    if (!outcome) return;
    part("told").textContent = outcome.ok ? say("play.waiting") : (outcome.body.detail ?? "");
    if (!outcome.ok) byId("note").textContent = "";
    refresh();
  }
}
