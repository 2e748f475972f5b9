// Buttons for the moves that may be made: one for each act, a picker where there is something to choose.

import { face, make } from "./board.js";
import { holdToConfirm } from "./hold.js";
import { say, start } from "./live.js";
import { send } from "./send.js";

const { label: labelOf } = start.match?.choices ? await import(`/games/${start.match.game}/choices.js`) : {};
const HOLD_ACTS = new Set(["concede", "agree_end"]);
const CARD_KEYS = new Set(["card", "as", "joker"]);
const ACT_ORDER = ["stop", "verify", "concede", "end_turn"];

// What may be said as far as this page knows, and after which entry.
let newest = { offers: [], number: 0 };

// After which entry a move is said. Whoever chose in several steps while others went on, and may still say it, has seen
// what they did on the page behind the question.
function sayAfter(move, number) {
  const same = (values, chosen = null) => values.some((value) => JSON.stringify(value) === JSON.stringify(chosen));
  const offered = ({ do: act, by, choices }) => act === move.do && by === move.by && Object.entries(choices).every(([key, values]) => same(values, move[key]));
  return newest.offers.some(offered) ? Math.max(number, newest.number) : number;
}

// Offers of the same act are one button; each choice narrows down which of them is meant.
// `rank(act, key, value)`: 0 for a choice that makes sense, 1 for one that may, `null` for one that cannot.
// `sendAs(move, button)`: says a move otherwise than to the referee; `false` = it does not.
export function moveButtons(offers, number, match, { naming = false, rank = () => 0, sendAs = null } = {}) {
  const acts = new Map();
  newest = { offers, number };
  for (const offer of offers) {
    const key = naming ? `${offer.do}/${offer.by}` : offer.do;
    acts.set(key, [...(acts.get(key) ?? []), offer]);
  }
  const order = (offer) => (ACT_ORDER.indexOf(offer.do) + 1 || ACT_ORDER.length + 1);
  return [...acts.values()]
    .sort((a, b) => order(a[0]) - order(b[0]))
    .flatMap((group) => {
      const { do: act, by } = group[0];
      const what = word(`${match.game}.do.${act}`, word(`do.${act}`, act));
      const words = naming && by ? say("by", { who: match.seats[by - 1]?.name, what }) : what;
      const kind = act === "stop" ? "button stop" : act === "end_turn" && !naming ? "button main" : "button";
      const button = make("button", { className: kind, type: "button" }, words);
      const sendMove = (move) => sendAs?.(move, button) || send("moves", { move, after: sayAfter(move, number) }, button);
      if (act === "stop") return stopButtons(group[0], button, sendMove, match);
      const sendChoice = () => choose(group, match, words, sendMove, rank);
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

function choose(offers, match, title, onMove, rank) {
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
    if (key === "era") values.sort((a, b) => a - b);
    if (values.length === 1) return narrow(values[0]);
    if (values.length > MANY && values.every(Number.isInteger)) return enter(title, key, values, match, narrow);
    pick(title, key, values, match, narrow, (value) => rank(act, key, value), move);
  }
}

const MANY = 12; // choices from which on a search field helps

function pick(title, key, values, match, onChoice, rank = () => 0, move = {}) {
  const dialog = document.getElementById("picker");
  const cards = Object.fromEntries(match.cards.map((card) => [card.id, card]));
  const choiceButton = (value) => {
    const button = make("button", { className: "button choice-any", type: "button" }, labelOf?.(key, value, move, match, say) ?? label(key, value, match, cards));
    if (CARD_KEYS.has(key)) button.classList.add("choice", `era-${String(value)[0]}`);
    if (match.pictured.includes(value)) button.prepend(make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${match.pictures}/pictures/${value}` }));
    else if (CARD_KEYS.has(key)) button.prepend(...face(cards[value]));
    button.onclick = () => {
      dialog.close();
      onChoice(value);
    };
    return button;
  };
  const className = CARD_KEYS.has(key) ? "choices cards" : "choices";
  const group = (wanted) => values.filter((value) => rank(value) === wanted).map(choiceButton);
  let [probable, rest] = [group(0), group(1)];
  if (!probable.length) [probable, rest] = [rest, []];
  if (!probable.length) probable = values.map(choiceButton);
  const all = [...probable, ...rest];
  const search = make("input", { type: "search", placeholder: say("choose.search"), "aria-label": say("choose.search"), autocomplete: "off" });
  const others = rest.length ? make("details", {}, make("summary", {}, say("choose.others")), make("div", { className }, ...rest)) : null;
  const none = make("p", { className: "hint", hidden: true, role: "status" }, say("choose.none"));
  search.oninput = () => {
    const words = plain(search.value);
    for (const button of all) button.hidden = !plain(button.textContent).includes(words);
    if (others) others.open = Boolean(words);
    none.hidden = all.some((button) => !button.hidden);
  };
  const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
  cancel.onclick = () => dialog.close();
  dialog.replaceChildren(
    make("header", {}, make("h2", { id: "picker-title" }, title), cancel),
    make("p", {}, word(`${match.game}.choose.${key}`, word(`choose.${key}`, ""))),
    ...(all.length > MANY ? [search] : []),
    none,
    make("div", { className }, ...probable),
    ...(others ? [others] : []),
  );
  dialog.showModal();
}

// A number of many is written, not looked for.
function enter(title, key, values, match, onChoice) {
  const dialog = document.getElementById("picker");
  const words = word(`${match.game}.choose.${key}`, word(`choose.${key}`, title));
  const field = make("input", { type: "number", min: Math.min(...values), max: Math.max(...values), step: 1, required: true, inputMode: "numeric", "aria-label": words });
  const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
  cancel.onclick = () => dialog.close();
  const form = make("form", { className: "fields" }, make("label", {}, words, " ", field), make("button", { className: "button main choice" }, say("choose.done")));
  form.onsubmit = (event) => {
    event.preventDefault();
    dialog.close();
    onChoice(Number(field.value));
  };
  dialog.replaceChildren(make("header", {}, make("h2", { id: "picker-title" }, title), cancel), form);
  dialog.showModal();
  field.focus();
}

// As people type it: without capitals and accents.
function plain(words) {
  return words.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().trim();
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

// The card that was laid last, while somebody else may still say that it was his: nothing but the table's own acts
// came after it. In silent games nobody is asked.
export function lastClaimable(log, standing) {
  if (start.match.silent || !standing || standing.over) return null;
  const gone = new Set(log.flatMap((one) => [one.entry?.strikes, one.entry?.settles, one.entry?.allows, one.entry?.claims]));
  const last = log.findLast((one) => ["played", "refused"].includes(one.entry?.event) && one.entry.move?.by && !gone.has(one.number));
  return last?.entry.move.card && ["place", "discard"].includes(last.entry.move.do) && (last.entry.event === "played" || last.signal === "refused") ? last : null;
}

// Whose turn comes after a seat's: only that seat can have laid a card that was taken for the turn before.
export function seatAfter(seat, away = []) {
  const seats = start.match.seats.length;
  for (let step = 1; step < seats; step += 1) {
    const next = ((seat - 1 + step) % seats) + 1;
    if (!away.includes(next)) return next;
  }
  return seat;
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
