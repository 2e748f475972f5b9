// Buttons for the possible moves: one for each act, with a picker for its choices.

import { cardByNumber } from "./asked.js";
import { cardName, nameOf } from "./board.js";
import { picture } from "./card.js";
import { byId, last, make, mark } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { currentMatch, gameScript, say, start } from "./live.js";
import { send } from "./send.js";

/**
 * @typedef {(move: Move) => unknown} OnMove
 * @typedef {(value: any) => void} OnChoice
 * @typedef {(value: any) => number | null} ValueRank 0 = probable, 1 = possible, `null` = impossible.
 * @typedef {{ title: string, key: string, values: any[], onChoice: OnChoice, rank?: ValueRank, move?: Partial<Move> }}
 *   Choice The values to choose from for one key of a move; other keys may have been chosen before.
 */

/** @type {ChoicesScript} */
const game = start.match?.choices ? await gameScript(start.match.game, "choices.js") : {};
const HOLD_ACTS = new Set(["concede", "agree_end"]);
const CARD_KEYS = new Set(["card", "as", "joker"]);
const SEAT_KEYS = new Set(["holder", "by", "from", "seat"]);
const ACT_ORDER = ["stop", "verify", "concede", "end_turn"];
const MANY = 12; // from this many choices on there is a search field

// The possible moves that this page knows, and the entry after which they hold.
/** @type {{ offers: Offer[], number: number }} */
let newest = { offers: [], number: 0 };

/**
 * The entry that a move refers to. If others moved while the user chose in several steps, and the move is still
 * possible, the user has seen their moves on the page behind the dialog.
 * @param {Move} move
 * @param {number} number
 */
function sayAfter(move, number) {
  const offered = newest.offers.some(
    ({ do: act, by, choices }) =>
      act === move.do &&
      by === move.by &&
      Object.entries(choices).every(([key, values]) => values.some((value) => same(value, move[key] ?? null))),
  );
  return offered ? Math.max(number, newest.number) : number;
}

/** @param {unknown} one @param {unknown} other */
function same(one, other) {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * Offers of the same act share a button; each choice narrows them down.
 * @param {Offer[]} offers
 * @param {number} number The entry after which they hold.
 * @param {{ naming?: boolean, rank?: Rank, sendAs?: (move: Move, button: HTMLElement) => unknown }} [how] `naming`: a
 *   button shows whose move it is. `sendAs` sends a move elsewhere than to the referee; `false` = it does not.
 */
export function moveButtons(offers, number, { naming = false, rank = () => 0, sendAs } = {}) {
  newest = { offers, number };
  /** @type {Map<string, Offer[]>} */
  const acts = new Map();
  for (const offer of offers) {
    const key = naming ? `${offer.do}/${offer.by}` : offer.do;
    acts.set(key, [...(acts.get(key) ?? []), offer]);
  }
  /** @param {Offer} offer */
  const order = (offer) => ACT_ORDER.indexOf(offer.do) + 1 || ACT_ORDER.length + 1;
  const groups = [...acts.values()].sort((a, b) => order(a[0]) - order(b[0]));
  return groups.flatMap((group) => {
    const made = buttonsFor(group);
    for (const one of made) one.dataset.act = group[0].do;
    return made;
  });

  /** @param {Offer[]} group @returns {HTMLElement[]} */
  function buttonsFor(group) {
    const { do: act, by } = group[0];
    const words = actWords(act, naming ? by : 0);
    const kind = act === "stop" ? "button stop" : act === "end_turn" && !naming ? "button main" : "button";
    const button = make("button", { className: kind, type: "button" }, words);
    /** @type {OnMove} */
    const sendMove = (move) => sendAs?.(move, button) || send("moves", { move, after: sayAfter(move, number) }, button);
    if (act === "stop") return stopButtons(group[0], button, sendMove, naming);
    const sendChoice = () => choose(group, words, sendMove, rank);
    if (HOLD_ACTS.has(act)) return [holdToConfirm(button, sendChoice)];
    button.onclick = sendChoice;
    return [button];
  }
}

/** The name of an act, in its game or in all. @param {string} act @param {Seat} by The seat to name; 0 = none. */
function actWords(act, by) {
  const { game, seats } = currentMatch();
  const what = word(`${game}.do.${act}`, word(`do.${act}`, act));
  return by ? say("by", { who: seats[by - 1]?.name, what }) : what;
}

/** @param {string} key @param {string} fallback */
function word(key, fallback) {
  return key in start.words ? say(key) : fallback.replaceAll("_", " ");
}

/** The title of a choice, in its game or in all. @param {string} key @param {string} fallback */
function choiceWords(key, fallback) {
  return word(`${currentMatch().game}.choose.${key}`, word(`choose.${key}`, fallback));
}

/**
 * Stop! must be quick, so its button means the last act, and names it; earlier ones have a second button. A seat whose
 * own card is the last one has only that.
 * @param {Offer} offer
 * @param {HTMLButtonElement} button
 * @param {OnMove} sendMove
 * @param {boolean} naming
 */
function stopButtons(offer, button, sendMove, naming) {
  const numbers = [...(offer.choices.number ?? [])].sort((a, b) => b - a);
  const move = { do: "stop", by: offer.by };
  const last = lastCard(start.log);
  const own = !naming && last?.entry.move.by === offer.by && last.number > (numbers[0] ?? 0);
  button.onclick = () => sendMove(numbers.length ? { ...move, number: numbers[0] } : move);
  const target = start.log.find((one) => one.number === numbers[0])?.entry?.move;
  if (target?.card) {
    const words = say("stop.of", { who: nameOf(target.by), card_name: cardName(target.card) });
    button.append(make("small", {}, mark(target.by), ` ${words}`));
  }
  const first = own ? make("p", { className: "own" }, say("stop.own")) : button;
  const others = own ? numbers : numbers.slice(1);
  if (!others.length) return [first];
  const title = say("stop.earlier");
  const earlier = make("button", { className: "button small", type: "button" }, title);
  /** @type {OnChoice} */
  const onChoice = (number) => void sendMove({ ...move, number });
  earlier.onclick = () => pick({ title, key: "number", values: others, onChoice });
  return [first, earlier];
}

/** @param {Offer[]} offers @param {string} title @param {OnMove} onMove @param {Rank} rank */
function choose(offers, title, onMove, rank) {
  const { do: act, by } = offers[0];
  const keys = [...new Set(offers.flatMap((offer) => Object.keys(offer.choices)))];
  ask({ do: act, by }, offers, keys);

  /** @param {Move} move @param {Offer[]} candidates @param {string[]} openKeys */
  function ask(move, candidates, openKeys) {
    const [key, ...further] = openKeys;
    if (key === undefined) {
      onMove(move);
      return;
    }
    /** @param {Offer} offer */
    const valuesOf = (offer) => offer.choices[key] ?? [null];
    const texts = new Set(candidates.flatMap(valuesOf).map((value) => JSON.stringify(value)));
    const values = [...texts].map((value) => JSON.parse(value));
    /** @type {OnChoice} */
    const onChoice = (value) => {
      const matching = candidates.filter((offer) => valuesOf(offer).some((one) => same(one, value)));
      ask(value === null ? move : { ...move, [key]: value }, matching, further);
    };
    if (key === "era") values.sort((a, b) => a - b);
    if (values.length === 1) onChoice(values[0]);
    else if (values.length > MANY && values.every(Number.isInteger)) enter({ title, key, values, onChoice });
    else pick({ title, key, values, onChoice, rank: (value) => rank(act, key, value), move });
  }
}

/** Shows a dialog; its title is the act. @param {string} title @param {...HTMLElement} parts */
function showPicker(title, ...parts) {
  const dialog = byId("picker", HTMLDialogElement);
  const cancel = make("button", { className: "button small", type: "button" }, say("cancel"));
  cancel.onclick = () => dialog.close();
  dialog.replaceChildren(make("header", {}, make("h2", { id: "picker-title" }, title), cancel), ...parts);
  dialog.showModal();
}

/** @param {OnChoice} onChoice @param {any} value */
function settle(onChoice, value) {
  byId("picker", HTMLDialogElement).close();
  onChoice(value);
}

/** @param {Choice} choice */
function pick({ title, key, values, onChoice, rank = () => 0, move = {} }) {
  const map = game.map?.(key, values, (value) => settle(onChoice, value));
  if (map) return showPicker(title, make("p", {}, choiceWords(key, "")), map);
  /** @param {number} wanted */
  const ranked = (wanted) => values.filter((value) => rank(value) === wanted);
  /** @param {any} value */
  const button = (value) => choiceButton(key, value, move, onChoice);
  let [probable, rest] = [ranked(0), ranked(1)].map((some) => some.map(button));
  if (!probable.length) [probable, rest] = [rest, []];
  if (!probable.length) probable = values.map(button);
  const all = [...probable, ...rest];
  const className = CARD_KEYS.has(key) ? "choices cards" : "choices";
  const others = make("details", {}, make("summary", {}, say("choose.others")), make("div", { className }, ...rest));
  const none = make("p", { className: "hint", hidden: true, role: "status" }, say("choose.none"));
  const looking = say("choose.search");
  const search = make("input", { type: "search", placeholder: looking, "aria-label": looking, autocomplete: "off" });
  search.oninput = () => {
    const words = plain(search.value);
    for (const one of all) one.hidden = !plain(one.textContent ?? "").includes(words);
    others.open = Boolean(words);
    none.hidden = all.some((one) => !one.hidden);
  };
  showPicker(
    title,
    make("p", {}, choiceWords(key, "")),
    ...(all.length > MANY ? [search] : []),
    none,
    make("div", { className }, ...probable),
    ...(rest.length ? [others] : []),
  );
}

/** @param {string} key @param {any} value @param {Partial<Move>} move @param {OnChoice} onChoice */
function choiceButton(key, value, move, onChoice) {
  const words = game.label?.(key, value, move) ?? label(key, value);
  const button = make("button", { className: "button choice-any", type: "button" }, words);
  if (CARD_KEYS.has(key)) button.classList.add("choice", `era-${String(value)[0]}`);
  if (CARD_KEYS.has(key) || currentMatch().pictured.includes(value)) button.prepend(...picture(value));
  const person = seatIn(key, value);
  if (person) button.prepend(mark(person), " ");
  button.onclick = () => settle(onChoice, value);
  return button;
}

/** The seat that a value is, or whose discard it is; 0 = none. @param {string} key @param {any} value */
function seatIn(key, value) {
  if (SEAT_KEYS.has(key) && typeof value === "number") return value;
  return Number(/^discard-(\d)$/.exec(value)?.[1] ?? 0);
}

/** One of many numbers is typed, not searched. @param {Choice} choice */
function enter({ title, key, values, onChoice }) {
  const words = choiceWords(key, title);
  const range = { min: Math.min(...values), max: Math.max(...values), step: 1, required: true };
  const field = make("input", { type: "number", ...range, inputMode: "numeric", "aria-label": words });
  const done = make("button", { className: "button main choice" }, say("choose.done"));
  const form = make("form", { className: "fields" }, make("label", {}, words, " ", field), done);
  form.onsubmit = (event) => {
    event.preventDefault();
    settle(onChoice, Number(field.value));
  };
  showPicker(title, form);
  field.focus();
}

/** For searching: without capitals and accents. @param {string} words */
function plain(words) {
  return words
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .trim();
}

/** The default text for a value. @param {string} key @param {any} value */
function label(key, value) {
  const { seats } = currentMatch();
  /** @param {number} seat */
  const name = (seat) => seats[seat - 1]?.name ?? "";
  if (value === null) return say(key === "as" ? "choice.outside" : "choice.none");
  if (typeof value === "boolean") return say(`choice.${value}`);
  if (CARD_KEYS.has(key)) {
    return cardByNumber(value);
  }
  if (SEAT_KEYS.has(key) && typeof value === "number") {
    return value === 0 ? say("choice.nobody") : name(value);
  }
  if (key === "era") return say("choice.era", { n: value });
  if (key === "number") {
    return start.log.find((one) => one.number === value)?.texts[0] ?? say("choice.number", { n: value });
  }
  const discard = /^discard-(\d)$/.exec(value);
  if (discard) return say("choice.discard", { who: name(Number(discard[1])) });
  return word(`choice.${value}`, String(value));
}

/** @param {LogLine} line @returns {line is MoveLine} */
function hasMove(line) {
  return Boolean(line.entry?.move);
}

/** The last card that a seat placed, if it was not undone. @param {LogLine[]} log */
export function lastCard(log) {
  const struck = new Set(log.map((one) => one.entry?.strikes));
  return last(log.filter(hasMove), ({ number, entry: { event, move } }) => {
    return event === "played" && move.by && move.card && !struck.has(number);
  });
}
