// A visitor plays a seat of the simulated table: a touch on a card says where it can go. The simulated hand moves it,
// the camera sees it, and the referee judges it like any other card.

import { cardName, nameOf } from "./board.js";
import { cardOf, familySign, token } from "./card.js";
import { byId, find, findAll, focusOn, icon, make, partsOf, sprites, targetOf } from "./dom.js";
import { focusThere } from "./focus.js";
import { heard, say, start } from "./live.js";
import { ask, send } from "./send.js";

const LOOK_MS = 1500; // between two requests for the hand
const JUDGED_MS = 2500; // after this time a placed card has been judged, if at all
const COMMANDS = { KEND: "play.KEND", KPASS: "play.KPASS", KUNDO: "play.KUNDO", KSTOP: "play.KSTOP" };

/**
 * @typedef {object} Hand
 * @property {() => void} draw For each update.
 * @property {() => boolean} playing Whether the visitor plays.
 * @property {(card: string | undefined, button: HTMLElement) => unknown} call Calls for a card.
 * @property {() => PlayedSeat | null} held The last answer, while the visitor plays.
 * @property {(view: any) => string[]} open
 * @property {() => HTMLElement[]} back Buttons that take misplaced cards back.
 */

/**
 * @param {HTMLElement} section
 * @param {TableHand} game What can be taken from the table, and where things can be placed.
 * @param {() => void} onSwitch Called when the seat was taken over or given back.
 * @param {() => void} onHand Called when something else about the hand has changed.
 * @returns {Hand}
 */
export function play(section, game, onSwitch, onHand) {
  const part = partsOf(section);
  const box = find(section, "#playing", HTMLInputElement);
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
  return { draw, playing: () => Boolean(held?.playing), call, held: seat, open: game.open, back };

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

  /** @param {PlayedSeat} held */
  function mine(held) {
    return [...(held.called ? [held.called] : []), ...held.hand];
  }

  function open() {
    return game.open(heard.update.public ?? {});
  }

  function discarded() {
    return game.discarded(heard.update.public ?? {});
  }

  /** @param {PlayedSeat} held */
  function reachable(held) {
    return held.playing ? [...mine(held), ...held.astray, ...open(), ...discarded().map(([card]) => card)] : [];
  }

  // The cards to take back; a card that was just placed may still be judged legal.
  /** @param {PlayedSeat} held */
  function wrong(held) {
    return held.astray.filter(
      (card) => heard.update.alert !== "none" || performance.now() - astraySince[card] > JUDGED_MS,
    );
  }

  // The seat while it is played.
  function seat() {
    return held?.playing && !heard.update.standing?.over ? held : null;
  }

  function show() {
    const now = seat();
    const focused = section.contains(document.activeElement) ? document.activeElement : null;
    section.toggleAttribute("data-playing", Boolean(now));
    part("hint").hidden = Boolean(now);
    part("cards").hidden = !now;
    document.body.classList.toggle("aims", Boolean(now && chosen));
    if (!now) return keepFocus(focused);
    const laid = new Set(game.laid(heard.update.public ?? {}));
    const state = JSON.stringify([now, chosen, open(), discarded(), [...laid], wrong(now)]);
    if (state === drawn) return;
    drawn = state;
    const fits = (/** @type {string} */ card) => now.gains?.[card] !== undefined;
    /** @param {string[]} cards */
    const ordered = (cards) => [...cards.filter(fits), ...cards.filter((card) => !fits(card))];
    /** @param {string} name @param {string[]} cards @param {(card: string) => string} [whose] */
    const list = (name, cards, whose = () => "") =>
      part(name).replaceChildren(...ordered(cards).map((card) => item(card, laid, whose(card))));
    list("hand", mine(now));
    part("hand").classList.toggle("waits", wrong(now).length > 0);
    part("none").hidden = mine(now).length > 0;
    list("open", open());
    title("spare", "play.open", open());
    const owners = new Map(discarded());
    const thrown = [...owners.keys()];
    list("discarded", thrown, (card) => nameOf(owners.get(card) ?? 0));
    title("discards", "play.discards", thrown);
    keepFocus(focused);
    const waiting = say("play.waiting");
    section.toggleAttribute("data-waits", Boolean(now.waiting));
    if (now.waiting) part("told").textContent = waiting;
    else if (part("told").textContent === waiting) part("told").textContent = "";
    onHand();

    /** @param {string} name @param {string} words @param {string[]} cards */
    function title(name, words, cards) {
      const count = cards.filter(fits).length;
      part(name).hidden = !cards.length;
      const told = [say(words, { n: cards.length }), ...(count ? [say("play.fit", { n: count })] : [])];
      find(part(name), "summary").textContent = told.join(", ");
    }
  }

  // On the same card or place; when that is gone, on the first card of the hand, else on the heading.
  /** @param {Element | null} focused */
  function keepFocus(focused) {
    if (!focused || (focused.isConnected && focused.getClientRects().length)) return;
    focusTouch(focused.closest("[data-touch]")?.getAttribute("data-touch") ?? null);
    if (section.contains(document.activeElement)) return;
    const cards = part("cards").hidden ? [] : findAll(section, "[data-hand] [data-touch]");
    focusThere(cards[0] ?? find(document, ".me h1"));
  }

  /** @param {string | null} touch The `data-touch` of the focused element. */
  function focusTouch(touch) {
    if (touch !== null) focusOn(section, `[data-touch="${CSS.escape(touch)}"]`);
  }

  /** @param {string} card @param {Set<string>} laid @param {string} whose */
  function item(card, laid, whose) {
    const gain = held?.gains?.[card];
    const needs = (cardOf(card)?.prerequisites ?? []).map((need) => needed(need, laid.has(need)));
    const body = [make("span", { className: "name" }, cardName(card))];
    if (whose) body.push(make("span", { className: "whose" }, whose));
    if (needs.length) body.push(make("span", { className: "needs" }, ...needs));
    const go = make("span", { className: "go" }, icon(`${sprites.symbols}#turn`), gain ? `+${gain}` : "");
    go.append(make("span", { className: "unseen" }, ` ${say("card.ready")}`));
    const button = make(
      "button",
      { className: "row", type: "button", "data-touch": card, "aria-expanded": String(chosen === card) },
      token(card),
      make("span", { className: "body" }, ...body),
      ...(gain === undefined ? [] : [go]),
      ...familySign(card),
    );
    button.onclick = () => choose(chosen === card ? null : card);
    const classes = [gain !== undefined && "fits", chosen === card && "chosen"].filter(Boolean);
    return make("li", { className: classes.join(" ") }, button, ...(chosen === card ? [places(card)] : []));
  }

  /** @param {string} need @param {boolean} isLaid */
  function needed(need, isLaid) {
    return make(
      "span",
      { className: isLaid ? "has" : "lacks" },
      icon(`${sprites.symbols}#${isLaid ? "tick" : "lack"}`),
      cardName(need),
      make("span", { className: "unseen" }, `, ${say(isLaid ? "card.laid" : "card.missing")}`),
    );
  }

  // The possible places of the selected card, lawful or not: mistakes may be tried.
  /** @param {string} card */
  function places(card) {
    const buttons = game.places(start.me.seat ?? 0, held?.hand.includes(card) ?? false).map(({ words, to }, index) => {
      const className = index ? "button" : "button main";
      const button = make("button", { className, type: "button", "data-touch": `to ${to}` }, say(words));
      button.onclick = () => lay(to);
      return button;
    });
    const label = say("play.where", { card_name: cardName(card) });
    return make("div", { className: "pick", role: "group", "aria-label": label, "data-where": "" }, ...buttons);
  }

  function back() {
    const now = seat();
    return now ? wrong(now).map(takeBack) : [];
  }

  /** @param {string} card */
  function takeBack(card) {
    const words = say("play.back", { card_name: cardName(card) });
    const button = make("button", { className: "button back", type: "button" }, words);
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
      const where = find(section, "[data-where]");
      find(where, "button").focus({ preventScroll: true });
      where.scrollIntoView({ block: "nearest" });
    } else if (refocus) focusTouch(before);
  }

  /** @param {string} to @param {string | null} [beside] */
  function lay(to, beside) {
    const card = chosen;
    choose(null, true);
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
