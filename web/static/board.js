// Scores, turn and the last verdict, for every page with a match.

import { byId, find, findAll, findOptional, icon, last, make, sprites } from "./dom.js";
import { report } from "./faults.js";
import { say, signed, start } from "./live.js";
import { messages } from "./messages.js";

/** @typedef {import("./messages.js").Message} Message */

// A card that was only seen gets no tick, which could be mistaken for "right".
/** @type {Record<string, string>} */
const SIGNS = {
  recognised: "cards",
  played: "ok",
  prize: "ok",
  settled: "ok",
  corrected: "ok",
  started: "ok",
  over: "ok",
  found: "ok",
  resumed: "ok",
  suspected: "no",
  refused: "no",
  misplaced: "ask",
  asks: "ask",
  paused: "wait",
  lost: "away",
  trouble: "away",
};
/** @type {Record<string, string>} */
const KIND_SIGNS = { stop: "no", win: "trump" };
/** @type {Record<string, string>} */
const STANDING = { refused: "no", disagrees: "ask", paused: "wait", lost: "away", trouble: "away" };
const APART = new Set(["notice", "found"]); // shown by notice() instead
const LONG = 240; // reasons of so many letters fold
const COUNT_MS = 600; // how long a score takes to count up
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

/** @param {Seat} seat */
export const nameOf = (seat) => start.match?.seats[seat - 1]?.name ?? "";

/** The name of a card. @param {string} id */
export function cardName(id) {
  return start.match?.cards.find((card) => card.id === id)?.name ?? id;
}

/** The picture of a card, if any. @param {Thing | undefined} card */
export function face(card) {
  return card?.face ? [icon(`${sprites.faces}#${card.face}`, "face")] : [];
}

/**
 * Returns the function that draws the board.
 * @param {object} [screen] What a large screen adds.
 * @param {() => number} [screen.wait] How long points wait for a card to land, in milliseconds.
 * @param {(message: Message | null, update: Update) => void} [screen.tell] Called when the message is drawn.
 * @returns {Draw}
 */
export function board({ wait = () => 0, tell = () => {} } = {}) {
  const rows = findAll(document, ":is(.scores, .plates) > li");
  const headline = messages();
  /** @type {Standing | null} */
  let before = null;
  headline(start.said ?? start.now, true);
  // Earlier notices are in the log.
  if (isApart(start.now) && start.now.texts.length) start.log.push(start.now);

  return (update, fresh) => {
    const { standing } = update;
    const delay = fresh ? wait() : null;
    const changed = standing ? rows.flatMap((row) => showRow(row, update, standing, before, delay)) : [];
    const hangs = update.asked.some((one) => one.hangs);
    if (hangs && !before?.provisional) changed.push(say("provisional"));
    document.documentElement.classList.toggle("provisional", hangs);
    before = standing ?? before;
    if (fresh && update.entry) {
      const { number, signal, texts, entry, why } = update;
      start.log.push({ number, signal, texts, entry, why });
    }
    if (fresh && isApart(update)) notice(update);
    const message = headline(update, fresh);
    showVerdict(message, update);
    tell(message, update);
    if (fresh) byId("aloud").textContent = [update.texts[0], changed.join(", ")].filter(Boolean).join(" ");
  };
}

/** @param {Update} update */
function isApart(update) {
  return APART.has(update.signal ?? "");
}

/**
 * One seat's row: its points, its cards and its turn. Returns the text about new points.
 * @param {HTMLElement} row
 * @param {Update} update
 * @param {Standing} standing
 * @param {Standing | null} before
 * @param {number | null} wait How long new points wait; `null` = they stand at once.
 */
function showRow(row, update, standing, before, wait) {
  const seat = Number(row.dataset.seat);
  const points = row.querySelector("[data-points]");
  const now = standing.points[seat - 1];
  const then = before?.points[seat - 1] ?? now;
  if (points) count(points, then, now, wait);
  const counter = findOptional(row, "[data-hand]");
  if (counter) counter.textContent = signed(standing[counter.dataset.hand ?? ""][seat - 1]);
  find(row, ".turn").hidden = standing.turn !== seat;
  row.classList.toggle("acts", standing.turn === seat);
  row.classList.toggle("won", standing.winners.includes(seat));
  row.classList.toggle("leads", leads(standing, seat));
  find(row, "[data-away]").hidden = !update.public?.away?.includes(seat);
  return points && then !== now ? [`${nameOf(seat)} ${signed(now)}`] : [];
}

/** @param {Standing} standing @param {Seat} seat */
function leads(standing, seat) {
  const best = Math.max(...standing.points);
  return best > 0 && standing.points[seat - 1] === best;
}

/** @type {WeakMap<Element, number>} */
const counting = new WeakMap();

/** Counts up once. @param {Element} where @param {number} from @param {number} to @param {number | null} wait */
export function count(where, from, to, wait) {
  if (from === to && counting.has(where)) return;
  cancelAnimationFrame(counting.get(where) ?? 0);
  counting.delete(where);
  if (wait === null || reducedMotion.matches || from === to || document.hidden) {
    where.textContent = signed(to);
    return;
  }
  const began = performance.now() + wait;
  /** @param {number} at */
  const step = (at) => {
    const done = Math.max(0, Math.min(1, (at - began) / COUNT_MS));
    where.textContent = signed(Math.round(from + (to - from) * (1 - (1 - done) ** 3)));
    if (done < 1) counting.set(where, requestAnimationFrame(step));
    else counting.delete(where);
  };
  counting.set(where, requestAnimationFrame(step));
}

/**
 * A notice without a card is shown separately for a moment, and kept in the log; once, also when polling.
 * @param {Update} update
 */
function notice({ number, signal, texts, unread = [] }) {
  const before = last(start.log);
  if (before?.signal === signal && before.number === number && before.texts[0] === texts[0]) return;
  const told = start.log.flatMap((one) => one.texts);
  start.log.push({ number, signal, texts: texts.filter((text, place) => !place || !told.includes(text)) });
  if (unread.some((one) => one.text === texts[0])) return; // the page has a separate place for it
  if (document.documentElement.classList.contains("overlay")) return;
  import("./toast.js").then(
    ({ toast }) => toast(texts[0]),
    () => {},
  );
}

/** @param {Message | null} message @param {Update} update */
function showVerdict(message, update) {
  const card = document.getElementById("verdict");
  if (!card) return;
  const questionTexts = update.asked.map((one) => one.text);
  const more = message?.texts.slice(1).filter((text) => !questionTexts.includes(text)) ?? [];
  const reasons = [...more, about(message, update)].filter(Boolean).join(" ");
  const links = because(message?.why.length || update.alert !== "refused" ? message?.why : openRefusal()?.why);
  const said = JSON.stringify([reasons, links.map((link) => (typeof link === "string" ? link : link.href))]);
  const place = find(card, ".why");
  if (place.dataset.said !== said) place.replaceChildren(...folded(reasons), ...links); // keeps a focused link
  place.dataset.said = said;
  find(card, ".said").textContent = message?.texts[0] ?? "";
  const sign = verdictSign(message, update);
  find(card, ".stays").textContent = lastingWords(message, update, sign);
  card.dataset.kind = message && message.kind in KIND_SIGNS ? message.kind : sign === "info" ? "wait" : sign;
  find(card, ".sign use", SVGUseElement).setAttribute("href", `${sprites.symbols}#${sign === "none" ? "ok" : sign}`);
  const token = findOptional(card, ":scope > .token"); // not one of what is missing
  if (token) showToken(token, sign === "ok" ? (message?.entry?.move?.card ?? null) : null);
}

/** Many reasons, such as an award of many stones, fill no phone: they are asked for. @param {string} reasons */
function folded(reasons) {
  const { classList } = document.documentElement;
  if (reasons.length < LONG || classList.contains("tv") || classList.contains("overlay")) return [reasons];
  return [make("details", {}, make("summary", {}, say("why")), reasons)];
}

/** The card of a verdict, instead of a tick. @param {HTMLElement} token @param {string | null} id */
function showToken(token, id) {
  const card = id ? start.match?.cards.find((one) => one.id === id) : undefined;
  token.hidden = !card?.face;
  if (!card?.face || token.dataset.card === card.id) return;
  token.dataset.card = card.id;
  token.className = `token era-${card.id[0]}`;
  token.replaceChildren(...face(card), make("b", {}, card.id[0]));
}

/** @param {Message | null} message @param {Update} update */
function verdictSign(message, update) {
  if (!message) return STANDING[update.alert] ?? "none";
  if (message.kind in KIND_SIGNS) return KIND_SIGNS[message.kind];
  if (message.entry?.event === "refused") return "no";
  return message.denial ? "info" : (SIGNS[message.signal ?? ""] ?? "ok");
}

/**
 * An unresolved message, below the newer one.
 * @param {Message | null} message
 * @param {Update} update
 * @param {string} sign
 */
function lastingWords(message, update, sign) {
  if (update.alert === "refused") return stillThere();
  const lasting = STANDING[update.alert];
  return lasting && (!message || lasting !== sign) ? say(`alert.${update.alert}`) : "";
}

/** A link to the first rule behind a refusal or a verdict; hidden on screens without touch. @param {Why[]} [rules] */
export function because(rules = []) {
  return rules.slice(0, 1).flatMap(({ rule, section }) => {
    const words = say(section ? "why.section" : "why", { where: section });
    return [" ", make("a", { className: "because", href: `/how#rule-${rule}` }, words)];
  });
}

/** The move that a Stop! is against, from public facts. @param {Message | null} message @param {Update} update */
function about(message, update) {
  const stop = message?.entry?.move;
  if (stop?.do !== "stop") return "";
  const number = stop.number ?? update.public?.contest?.number;
  const move = start.log.find((one) => one.number === number)?.entry?.move;
  return move?.card ? say("stop.about", { who: nameOf(move.by), card_name: cardName(move.card) }) : "";
}

/**
 * The refused move that is not resolved, if the page knows it; usually its card is still on the table.
 * @param {(line: LogLine) => boolean} counts
 */
export function openRefusal(counts = (line) => line.signal === "refused") {
  const done = dealtWith(start.log);
  const refused = last(start.log, (one) => one.entry?.event === "refused" && counts(one));
  return refused && !done.has(refused.number) ? refused : null;
}

/** The numbers of the entries that were struck, settled or allowed. @param {LogLine[]} log */
function dealtWith(log) {
  return new Set(log.flatMap(({ entry }) => [entry?.settles, entry?.allows, entry?.strikes]));
}

// The player, and what to do with the card.
function stillThere() {
  const move = openRefusal()?.entry?.move;
  if (!move?.card) return say("alert.refused");
  const words = { card_name: cardName(move.card), who: nameOf(move.by) };
  if (start.me.role === "host") return say("refused.host", words);
  if (move.by === start.me.seat) return say("refused.mine", words);
  return say(move.by ? "refused.by" : "refused.card", words);
}

/** The end of the match has its own script, which is loaded when needed. @returns {Draw} */
export function ending() {
  /** @type {Promise<(update: Update) => void> | null} */
  let loaded = null;
  return (update) => {
    if (!loaded && !update.standing?.over) return;
    loaded ??= import("./end.js").then((end) => end.ending());
    loaded.then((draw) => draw(update)).catch(() => (loaded = null));
  };
}

/** The game's drawing, if the page has a place for it. @returns {Promise<TableDraw>} */
export async function table() {
  const place = findOptional(document, "[data-script]");
  if (!place) return () => {};
  try {
    const game = await import(place.dataset.script ?? "");
    return game.draw(place);
  } catch (error) {
    report("table", error);
    return () => {};
  }
}
