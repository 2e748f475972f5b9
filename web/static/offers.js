// Buttons for what may be said: one for each act, a picker where there is something to choose.

import { make } from "./board.js";
import { held } from "./hold.js";
import { say, start } from "./live.js";
import { send } from "./send.js";

const HELD = new Set(["concede", "agree_end"]);
const CARDS = new Set(["card", "as", "joker"]);
const FIRST = ["stop", "verify", "concede", "end_turn"];

// Offers of the same act are one button; what was chosen narrows down which of them is meant.
// `likely(act, key, value)`: whether a choice makes sense; others are offered behind a lid.
export function offerButtons(offers, number, match, { naming = false, likely = () => true } = {}) {
  const acts = new Map();
  for (const offer of offers) {
    const key = naming ? `${offer.do}/${offer.by}` : offer.do;
    acts.set(key, [...(acts.get(key) ?? []), offer]);
  }
  const rank = (offer) => (FIRST.indexOf(offer.do) + 1 || FIRST.length + 1);
  return [...acts.values()]
    .sort((a, b) => rank(a[0]) - rank(b[0]))
    .flatMap((group) => {
      const { do: act, by } = group[0];
      const what = word(`do.${act}`, act);
      const words = naming && by ? say("by", { who: match.seats[by - 1]?.name, what }) : what;
      const kind = act === "stop" ? "button stop" : act === "end_turn" && !naming ? "button main" : "button";
      const button = make("button", { className: kind, type: "button" }, words);
      const said = (move) => send("moves", { move, after: number }, button);
      if (act === "stop") return stops(group[0], button, said, match);
      const speak = () => choose(group, match, words, said, likely);
      if (HELD.has(act)) return held(button, speak);
      button.onclick = speak;
      return button;
    });
}

function word(key, fallback) {
  return key in start.words ? say(key) : fallback.replaceAll("_", " ");
}

// Stop! must be quick, so it means the last act; an earlier one is a second button.
function stops(offer, button, said, match) {
  const numbers = [...(offer.choices.number ?? [])].sort((a, b) => b - a);
  const move = { do: "stop", by: offer.by };
  button.onclick = () => said(numbers.length ? { ...move, number: numbers[0] } : move);
  if (numbers.length < 2) return [button];
  const earlier = make("button", { className: "button small", type: "button" }, say("stop.earlier"));
  earlier.onclick = () => pick(say("stop.earlier"), "number", numbers.slice(1), match, (number) => said({ ...move, number }));
  return [button, earlier];
}

function choose(offers, match, title, done, likely) {
  const { do: act, by } = offers[0];
  const keys = [...new Set(offers.flatMap((offer) => Object.keys(offer.choices)))];
  ask({ do: act, by }, offers, keys);

  function ask(move, left, open) {
    const key = open[0];
    if (key === undefined) return done(move);
    const values = [...new Set(left.flatMap((offer) => offer.choices[key] ?? [null]).map((value) => JSON.stringify(value)))].map((value) => JSON.parse(value));
    const go = (value) => {
      const rest = left.filter((offer) => (offer.choices[key] ?? [null]).some((one) => JSON.stringify(one) === JSON.stringify(value)));
      ask(value === null ? move : { ...move, [key]: value }, rest, open.slice(1));
    };
    if (values.length === 1) return go(values[0]);
    pick(title, key, values, match, go, (value) => likely(act, key, value));
  }
}

function pick(title, key, values, match, chosen, likely = () => true) {
  const dialog = document.getElementById("picker");
  const cards = Object.fromEntries(match.cards.map((card) => [card.id, card]));
  const buttons = (some) => some.map((value) => {
    const button = make("button", { className: "button", type: "button" }, label(key, value, match, cards));
    if (CARDS.has(key)) button.classList.add("choice", `era-${String(value)[0]}`);
    if (match.pictured.includes(value)) button.prepend(make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${match.pictures}/pictures/${value}` }));
    button.onclick = () => {
      dialog.close();
      chosen(value);
    };
    return button;
  });
  const className = CARDS.has(key) ? "choices cards" : "choices";
  const first = values.filter(likely).length ? values.filter(likely) : values;
  const rest = values.filter((value) => !first.includes(value));
  const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
  cancel.onclick = () => dialog.close();
  dialog.replaceChildren(
    make("h2", { id: "picker-title" }, title),
    make("p", {}, word(`choose.${key}`, "")),
    make("div", { className }, ...buttons(first)),
    ...(rest.length ? [make("details", {}, make("summary", {}, say("choose.others")), make("div", { className }, ...buttons(rest)))] : []),
    cancel,
  );
  dialog.showModal();
}

function label(key, value, match, cards) {
  if (value === null) return say(key === "as" ? "choice.outside" : "choice.none");
  if (typeof value === "boolean") return say(`choice.${value}`);
  if (CARDS.has(key)) return cards[value] ? `${value} ${cards[value].name}` : value;
  if (key === "holder" || key === "by" || (key === "from" && typeof value === "number")) return value === 0 ? say("choice.nobody") : match.seats[value - 1]?.name;
  if (key === "era") return say("choice.era", { n: value });
  if (key === "number") return start.log.find((one) => one.number === value)?.texts[0] ?? say("choice.number", { n: value });
  const discard = /^discard-(\d)$/.exec(value);
  if (discard) return say("choice.discard", { who: match.seats[discard[1] - 1]?.name });
  return word(`choice.${value}`, String(value));
}

// The last entry that an undo would strike, of those that were told.
export function undoable(told) {
  const struck = new Set(told.map((one) => one.entry?.strikes).filter(Boolean));
  return told.findLast((one) => one.entry && one.number && !struck.has(one.number) && (one.entry.event === "played" || one.entry.event === "allowed") && one.entry.move?.by !== 0);
}
