// The television: one thing is loud, what just happened. Everything is decided by public facts.

import { board, openRefusal } from "./board.js";
import { byId, find, findAll, findOptional, mark } from "./dom.js";
import { lists } from "./lists.js";
import { currentMatch, heard, say } from "./live.js";
import { calm, fly, rise, settle } from "./motion.js";

/** @typedef {import("./messages.js").Message} Message */

const SOON_MS = 120; // how long after the event its sentence rises
const SIZES = ["l", "m", "s", "xs"]; // of a sentence: the largest with which all of it fits

/** What a television draws. @param {TableDraw} game @returns {Draw[]} */
export function television(game) {
  const match = currentMatch();
  const below = byId("below");
  const token = byId("token");
  const gain = byId("gain");
  let flight = 0; // when the last event's card arrives, in milliseconds from its arrival
  /** @type {number | null} */
  let told = null;
  /** @type {Promise<{ finale: (game: TableDraw) => Draw }> | null} */
  let end = null;
  /** @type {Draw | null} */
  let finale = null;

  /** @type {Message | null} */
  let headline = null; // the message that stands below
  /** @type {Draw} */
  const refit = (update) => fit(headline, update);
  // The letters of a sentence come later than the first one, and a window may change.
  const again = () => fit(headline, heard.update);
  document.fonts.addEventListener("loadingdone", again);
  addEventListener("resize", again);

  return [game, take, board({ wait: () => flight, tell }), lists(), refit, plates, over];

  // A card flies where it was just laid: neither after an undo nor a reload, and in silent games nothing does.
  /** @type {Draw} */
  function take(update, fresh) {
    flight = 0;
    if (!fresh || !update.entry) return;
    settle();
    const { event, move } = update.entry;
    const to = event === "played" && !match.silent && !calm() ? game.place?.(update.entry) : null;
    const from = findOptional(document, `.plates [data-seat="${move?.by}"] .mark`, SVGElement);
    const card = to && from && game.token?.(update.entry);
    if (card) flight = fly(card, from, to);
  }

  // The lower third: the card large, one sentence, the reason, what it brings.
  /** @param {Message | null} message @param {Update} update */
  function tell(message, update) {
    const entry = message?.entry;
    const refused = entry?.event === "refused";
    const news = !refused && entry ? pictured(entry) : null;
    token.replaceChildren(...(news ? [news] : []));
    token.hidden = !news;
    const said = find(below, ".said");
    below.classList.toggle("pictured", Boolean(news));
    below.classList.toggle("asked", update.asked.length > 0);
    below.classList.toggle("guided", update.guide.length > 0);
    below.classList.toggle("smudged", update.unread.length > 0);
    const points = !refused && match.scored && !match.silent ? (entry?.points ?? 0) : 0;
    gain.textContent = points > 0 ? `+${points}` : "";
    headline = message;
    const number = message?.heard ?? null;
    const fresh = told !== null && number !== told && number === update.number;
    told = number ?? 0;
    if (!fresh || match.silent || calm()) return;
    rise(token, SOON_MS);
    rise(said, SOON_MS);
    if (points > 0) rise(gain, Math.max(SOON_MS, flight));
  }

  // Once all that stands below is drawn: smaller until all of it fits; of reasons that are too many even then the last
  // ones are left to the phones.
  /** @param {Message | null} message @param {Update} update */
  function fit(message, update) {
    const said = find(below, ".said");
    const room = find(below, ".verdict > div");
    const fits = () => room.scrollHeight <= below.clientHeight;
    /** @param {string} size */
    const fitsIn = (size) => {
      said.dataset.size = size;
      return fits();
    };
    if (SIZES.some(fitsIn)) return;
    const asked = update.asked.map((one) => one.text);
    const reasons = message?.texts.slice(1).filter((text) => !asked.includes(text)) ?? [];
    const why = find(below, ".why");
    while (reasons.pop() && !fits()) why.textContent = reasons.join(" ");
  }

  /** @param {Entry} entry */
  function pictured(entry) {
    const drawn = game.token?.(entry);
    if (drawn) return drawn;
    const seat = entry.move?.by;
    if (!seat) return null;
    return mark(seat);
  }

  // Only the plate of the seat to move is raised, and says what comes.
  /** @type {Draw} */
  function plates(update) {
    const refused = update.alert === "refused" ? openRefusal()?.entry?.move : undefined;
    for (const plate of findAll(document, ".plates > li")) {
      const seat = Number(plate.dataset.seat);
      const acts = plate.classList.contains("acts");
      const words = acts ? (refused?.by === seat ? say("tv.back") : (game.hint?.(update) ?? say("tv.plays"))) : "";
      find(plate, ".next").textContent = words;
    }
  }

  /** @type {Draw} */
  function over(update, fresh) {
    if (!end && !update.standing?.over) return;
    end ??= import("./finale.js");
    end.then(
      (script) => {
        finale ??= script.finale(game);
        finale(update, fresh);
      },
      () => (end = null),
    );
  }
}
