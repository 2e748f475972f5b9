// One message at a time, by rank: a higher one stays until it is resolved, or for some seconds.
// The message before a trouble is shown again when the trouble is over.
// Everything here depends on public facts; in silent games all cards have the same signal, so the same rank.

/** @typedef {"notice" | "turn" | "score" | "trouble" | "question" | "refusal" | "stop" | "win"} Kind */
/**
 * The visible message.
 * @typedef {Pick<Update, "signal" | "texts" | "why" | "entry" | "alert"> & Own} Message
 * @typedef {object} Own
 * @property {Kind} kind
 * @property {number} heard The entry after which it arrived.
 * @property {number} number Its own entry; 0 = none.
 * @property {boolean} denial A request that was denied.
 */

const STANDS_MS = 6000;

/** @type {Kind[]} */
const RANKS = ["notice", "turn", "score", "trouble", "question", "refusal", "stop", "win"];
const CONTEST = new Set(["stop", "verify", "concede"]);
const TURN = new Set(["end_turn", "pass", "deal"]);
const TROUBLE = new Set(["misplaced", "lost", "trouble", "paused"]);

/** @param {Update} update @returns {Kind} */
function kindOf(update) {
  const { entry } = update;
  const signal = update.signal ?? "";
  const act = entry?.move?.do ?? "";
  if (signal === "over") return "win";
  if (entry?.event === "played" && CONTEST.has(act)) return "stop";
  if (signal === "refused" || signal === "suspected" || entry?.event === "refused") return "refusal";
  if (signal === "asks") return "question";
  // A denied request has no entry.
  if (TROUBLE.has(signal) || isDenial(update)) return "trouble";
  // An end of turn with consequences, such as awarded tiles, ranks no lower than the stone placed just before it.
  if (signal === "started" || (TURN.has(act) && update.texts.length === 1)) return "turn";
  // A player's move, with or without points; the table's own acts are notices.
  if (signal === "prize" || signal === "corrected" || entry?.move?.by) return "score";
  return "notice";
}

/** @param {Update} update */
function isDenial(update) {
  return update.signal === "corrected" && !update.entry && update.texts.length > 0;
}

/** Whether the subject of a message is resolved. @param {Message} shown @param {Update} update */
function settled(shown, update) {
  const { entry, alert } = update;
  if (entry?.strikes === shown.number && shown.number) return true;
  if (shown.kind === "win") return !update.standing?.over;
  if (shown.kind === "refusal") return shown.alert === "refused" ? alert !== "refused" : shown.signal === "suspected";
  if (shown.kind === "question") return !update.asked.length;
  if (shown.kind === "trouble") return shown.alert !== "none" && alert !== shown.alert;
  return false;
}

/** @param {Kind} kind @param {Update} update @returns {Message} */
function messageOf(kind, update) {
  const { signal, texts, entry, alert } = update;
  const own = { kind, heard: update.number, number: entry?.number ?? 0, denial: isDenial(update) };
  return { signal, texts, entry, alert, why: update.why ?? [], ...own };
}

/**
 * Returns a function that chooses the message after an update; `null`: none.
 * @param {() => number} clock In milliseconds.
 */
export function messages(clock = () => performance.now()) {
  /** @type {Message | null} */
  let shown = null;
  /** @type {Message | null} */
  let beneath = null; // the message below a trouble
  let since = 0;

  /** @param {Update} update @param {boolean} fresh */
  return (update, fresh) => {
    if (update.signal === "notice") return shown; // shown separately
    if (update.signal === "started" && shown && update.number === shown.heard) return shown; // a restart
    const done = shown && settled(shown, update);
    if (update.signal === "found") {
      if (done) shown = beneath;
      return shown; // shown separately too
    }
    const kind = update.texts.length ? kindOf(update) : "notice";
    if (shown && !done) {
      const again = update.number === shown.heard && update.texts[0] === shown.texts[0];
      const quiet = !update.texts.length && update.alert !== "none";
      const lower = RANKS.indexOf(kind) < RANKS.indexOf(shown.kind);
      if (!fresh || again || quiet || (lower && clock() - since < STANDS_MS)) return shown;
    }
    if (kind !== "trouble") beneath = null;
    else if (shown?.kind !== "trouble") beneath = shown;
    shown = update.texts.length ? messageOf(kind, update) : null;
    since = clock();
    return shown;
  };
}
