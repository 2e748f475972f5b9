// Buttons for the moves that may be made: one for each act, a picker where there is something to choose.

import { make } from "./board.js";
import { holdToConfirm } from "./hold.js";
import { say, start } from "./live.js";
import { send } from "./send.js";

const HOLD_ACTS = new Set(["concede", "agree_end"]);
const CARD_KEYS = new Set(["card", "as", "joker"]);
const ACT_ORDER = ["stop", "verify", "concede", "end_turn"];

// Offers of the same act are one button; each choice narrows down which of them is meant.
// `likely(act, key, value)`: whether a choice makes sense; others are offered behind a lid.
export function moveButtons(offers, number, match, { naming = false, likely = () => true } = {}) {
  const acts = new Map();
  for (const offer of offers) {
    const key = naming ? `${offer.do}/${offer.by}` : offer.do;
    acts.set(key, [...(acts.get(key) ?? []), offer]);
  }
  const rank = (offer) => (ACT_ORDER.indexOf(offer.do) + 1 || ACT_ORDER.length + 1);
  return [...acts.values()]
    .sort((a, b) => rank(a[0]) - rank(b[0]))
    .flatMap((group) => {
      const { do: act, by } = group[0];
      const what = word(`do.${act}`, act);
      const words = naming && by ? say("by", { who: match.seats[by - 1]?.name, what }) : what;
      const kind = act === "stop" ? "button stop" : act === "end_turn" && !naming ? "button main" : "button";
      const button = make("button", { className: kind, type: "button" }, words);
      const sendMove = (move) => send("moves", { move, after: number }, button);
      if (act === "stop") return stopButtons(group[0], button, sendMove, match);
      const sendChoice = () => choose(group, match, words, sendMove, likely);
      if (HOLD_ACTS.has(act)) return holdToConfirm(button, sendChoice);
      button.onclick = sendChoice;
      return button;
    });
}

function word(key, fallback) {
  return key in start.words ? say(key) : fallback.replaceAll("_", " ");
}

// Stop! must be quick, so it means the last act; an earlier one is a second button.
function stopButtons(offer, button, sendMove, match) {
  const numbers = [...(offer.choices.number ?? [])].sort((a, b) => b - a);
  const move = { do: "stop", by: offer.by };
  button.onclick = () => sendMove(numbers.length ? { ...move, number: numbers[0] } : move);
  if (numbers.length < 2) return [button];
  const earlier = make("button", { className: "button small", type: "button" }, say("stop.earlier"));
  earlier.onclick = () => pick(say("stop.earlier"), "number", numbers.slice(1), match, (number) => sendMove({ ...move, number }));
  return [button, earlier];
}

function choose(offers, match, title, onMove, likely) {
  const { do: act, by } = offers[0];
  const keys = [...new Set(offers.flatMap((offer) => Object.keys(offer.choices)))];
  ask({ do: act, by }, offers, keys);

  function ask(move, candidates, openKeys) {
    const key = openKeys[0];
    if (key === undefined) return onMove(move);
    const values = [...new Set(candidates.flatMap((offer) => offer.choices[key] ?? [null]).map((value) => JSON.stringify(value)))].map((value) => JSON.parse(value));
    const narrow = (value) => {
      const matching = candidates.filter((offer) => (offer.choices[key] ?? [null]).some((one) => JSON.stringify(one) === JSON.stringify(value)));
      ask(value === null ? move : { ...move, [key]: value }, matching, openKeys.slice(1));
    };
    if (values.length === 1) return narrow(values[0]);
    pick(title, key, values, match, narrow, (value) => likely(act, key, value));
  }
}

function pick(title, key, values, match, onChoice, likely = () => true) {
  const dialog = document.getElementById("picker");
  const cards = Object.fromEntries(match.cards.map((card) => [card.id, card]));
  const buttons = (some) => some.map((value) => {
    const button = make("button", { className: "button", type: "button" }, label(key, value, match, cards));
    if (CARD_KEYS.has(key)) button.classList.add("choice", `era-${String(value)[0]}`);
    if (match.pictured.includes(value)) button.prepend(make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${match.pictures}/pictures/${value}` }));
    button.onclick = () => {
      dialog.close();
      onChoice(value);
    };
    return button;
  });
  const className = CARD_KEYS.has(key) ? "choices cards" : "choices";
  const probable = values.filter(likely).length ? values.filter(likely) : values;
  const rest = values.filter((value) => !probable.includes(value));
  const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
  cancel.onclick = () => dialog.close();
  dialog.replaceChildren(
    make("h2", { id: "picker-title" }, title),
    make("p", {}, word(`choose.${key}`, "")),
    make("div", { className }, ...buttons(probable)),
    ...(rest.length ? [make("details", {}, make("summary", {}, say("choose.others")), make("div", { className }, ...buttons(rest)))] : []),
    cancel,
  );
  dialog.showModal();
}

function label(key, value, match, cards) {
  if (value === null) return say(key === "as" ? "choice.outside" : "choice.none");
  if (typeof value === "boolean") return say(`choice.${value}`);
  if (CARD_KEYS.has(key)) return cards[value] ? `${value} ${cards[value].name}` : value;
  if (key === "holder" || key === "by" || (key === "from" && typeof value === "number")) return value === 0 ? say("choice.nobody") : match.seats[value - 1]?.name;
  if (key === "era") return say("choice.era", { n: value });
  if (key === "number") return start.log.find((one) => one.number === value)?.texts[0] ?? say("choice.number", { n: value });
  const discard = /^discard-(\d)$/.exec(value);
  if (discard) return say("choice.discard", { who: match.seats[discard[1] - 1]?.name });
  return word(`choice.${value}`, String(value));
}

// The last entry of the log that an undo would strike.
export function lastUndoable(log) {
  const struck = new Set(log.map((one) => one.entry?.strikes).filter(Boolean));
  return log.findLast((one) => one.entry && one.number && !struck.has(one.number) && (one.entry.event === "played" || one.entry.event === "allowed") && one.entry.move?.by !== 0);
}

// The seat that may take this entry back without the host: the verdict of a Stop is the stopper's.
export function takenBackBy(log, entry) {
  const move = entry.entry.move;
  if (move?.do !== "verify" && move?.do !== "concede") return move?.by;
  return log.findLast((one) => one.number < entry.number && one.entry?.move?.do === "stop")?.entry.move.by;
}
