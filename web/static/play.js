// A seat of the simulated table in the visitor's own hands: touch a card, then where it goes. The drawn hand lays it,
// the camera sees it, and the referee judges it like any other card.

import { cardName, face, make, nameOf } from "./board.js";
import { heard, say, start } from "./live.js";
import { send } from "./send.js";

const LOOK_MS = 1500; // between two looks at what the hand holds
const JUDGED_MS = 2500; // so long after it was laid a card has been judged, if it is going to be
const COMMANDS = { KEND: "play.KEND", KPASS: "play.KPASS", KUNDO: "play.KUNDO", KSTOP: "play.KSTOP" };

// `game` says what can be taken up from the table and where things go (`draw(…).hand` of its table.js); `onSwitch()` is
// called when the seat was taken or given back. Answers with what to call on each update.
export function play(section, game, onSwitch) {
  const part = (name) => section.querySelector(`[data-${name}]`);
  const box = section.querySelector("#playing");
  const cards = Object.fromEntries(start.match.cards.map((card) => [card.id, card]));
  let held = null; // what the server said last
  let chosen = null;
  let drawn = "";
  let asked = 0;
  let astraySince = {};

  box.onchange = async () => {
    const outcome = await send("simulated/seat", { playing: box.checked });
    if (outcome?.ok) take(outcome.body, true);
    else box.checked = Boolean(held?.playing);
    onSwitch();
  };
  part("commands").append(...Object.entries(COMMANDS).map(([card, words]) => {
    const button = make("button", { className: "button small", type: "button" }, say(words));
    button.onclick = () => act({ do: "show", card }, button);
    return button;
  }));
  section.addEventListener("keydown", (event) => event.key === "Escape" && chosen && choose(null, true));
  // A touch on the picture of the table lays the chosen card there: beside a card, or where there is room.
  game.surface?.setAttribute("data-aim", "");
  game.surface?.addEventListener("click", (event) => {
    if (!chosen) return;
    event.stopPropagation();
    event.preventDefault();
    lay(game.surfaceZone(), event.target.closest("[data-card]")?.dataset.card);
  }, true);
  setInterval(() => held?.playing && document.visibilityState === "visible" && refresh(), LOOK_MS);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && refresh());

  const draw = () => {
    refresh();
    show();
  };
  draw.playing = () => Boolean(held?.playing);
  draw.call = (card, button) => act({ do: "call", card }, button);
  return draw;

  async function refresh() {
    const mark = ++asked;
    const answer = await fetch("/api/v1/simulated/seat", { cache: "no-store" }).catch(() => null);
    if (!answer?.ok || mark !== asked) return;
    take(await answer.json());
  }

  function take(now, asked = false) {
    const before = held?.playing;
    held = now;
    astraySince = Object.fromEntries((now.astray ?? []).map((card) => [card, astraySince[card] ?? performance.now()]));
    if (asked) part("told").textContent = "";
    else if (before && !now.playing) part("told").textContent = say("play.given");
    if (chosen && !reachable().includes(chosen)) chosen = null;
    box.checked = now.playing;
    show();
    if (before !== undefined && before !== now.playing) onSwitch();
  }

  function mine() {
    return [...(held.called ? [held.called] : []), ...held.hand];
  }

  function open() {
    return game.open(heard.update.public ?? {});
  }

  function discarded() {
    return game.discarded(heard.update.public ?? {});
  }

  function reachable() {
    return held?.playing ? [...mine(), ...held.astray, ...open(), ...discarded().map(([card]) => card)] : [];
  }

  function show() {
    const playing = Boolean(held?.playing) && !heard.update.standing?.over;
    section.toggleAttribute("data-playing", playing);
    part("hint").hidden = playing;
    part("cards").hidden = !playing;
    document.body.classList.toggle("aims", playing && Boolean(chosen));
    if (!playing) return;
    const now = JSON.stringify([held, chosen, open(), discarded(), laid(), wrong()]);
    if (now === drawn) return;
    drawn = now;
    const focus = document.activeElement?.closest?.("#play [data-touch]")?.dataset.touch;
    part("hand").replaceChildren(...mine().map((card) => item(card)));
    part("none").hidden = mine().length > 0;
    part("open").replaceChildren(...open().map((card) => item(card)));
    part("discarded").replaceChildren(...discarded().map(([card, seat]) => item(card, nameOf(seat))));
    part("discards").hidden = !discarded().length;
    part("astray").replaceChildren(...wrong().map(back));
    showPlaces();
    if (focus) section.querySelector(`[data-touch="${CSS.escape(focus)}"]`)?.focus();
    part("told").textContent = held.waiting ? say("play.waiting") : part("told").textContent === say("play.waiting") ? "" : part("told").textContent;
  }

  // What is to be taken back; a card that was laid this moment may still turn out to be right.
  function wrong() {
    return held.astray.filter((card) => heard.update.alert !== "none" || performance.now() - astraySince[card] > JUDGED_MS);
  }

  function laid() {
    return game.beside(heard.update.public ?? {});
  }

  function touch(card, onclick, ...more) {
    const button = make("button", { className: `button touch era-${card[0]}`, type: "button", "data-touch": card }, ...picture(card), cardName(card), make("span", { className: "number" }, cards[card] ? card : ""), ...more);
    button.onclick = onclick;
    return button;
  }

  function picture(card) {
    if (start.match.pictured.includes(card)) return [make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${start.match.pictures}/pictures/${card}` })];
    return face(cards[card]);
  }

  function item(card, whose = "") {
    const button = touch(card, () => choose(chosen === card ? null : card), ...(whose ? [make("span", { className: "number" }, whose)] : []));
    button.setAttribute("aria-pressed", String(chosen === card));
    return make("li", {}, button);
  }

  function back(card) {
    const button = make("button", { className: "button back", type: "button", "data-touch": `back ${card}` }, say("play.back", { card_name: cardName(card) }));
    button.onclick = () => act({ do: "take", card }, button);
    return button;
  }

  function choose(card, refocus = false) {
    const before = chosen;
    chosen = card;
    part("told").textContent = "";
    show();
    if (card) part("where").querySelector("button").focus({ preventScroll: true });
    else if (refocus) section.querySelector(`[data-touch="${CSS.escape(before)}"]`)?.focus();
    if (card) part("where").scrollIntoView({ block: "nearest" });
  }

  // Where the chosen card may go, as touches: no rule is known here.
  function showPlaces() {
    const where = part("where");
    where.hidden = !chosen;
    if (!chosen) return where.replaceChildren();
    const place = (key, to, className = "button") => {
      const button = make("button", { className, type: "button", "data-touch": `to ${to}` }, say(key));
      button.onclick = () => lay(to);
      return button;
    };
    const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
    cancel.onclick = () => choose(null, true);
    const beside = laid().filter((card) => card[0] === chosen[0]);
    const others = laid().filter((card) => card[0] !== chosen[0]);
    const next = [...beside, ...others].map((card) => make("li", {}, touch(card, () => lay(game.surfaceZone(), card))));
    where.replaceChildren(
      make("p", { id: "play-where" }, say("play.where", { card_name: cardName(chosen) })),
      ...game.places(start.me.seat).map(({ words, to }, index) => place(words, to, index ? "button" : "button main")),
      ...(next.length ? [make("details", {}, make("summary", {}, say("play.beside")), make("ul", { className: "cards" }, ...next))] : []),
      cancel,
    );
  }

  function lay(to, beside) {
    const card = chosen;
    choose(null);
    act({ do: "lay", card, to, ...(beside ? { beside } : {}) }, null);
  }

  async function act(body, button) {
    const outcome = await send("simulated/acts", body, button);
    if (!outcome) return;
    part("told").textContent = outcome.ok ? say("play.waiting") : outcome.body.detail ?? "";
    if (!outcome.ok) document.getElementById("note").textContent = "";
    refresh();
  }
}
