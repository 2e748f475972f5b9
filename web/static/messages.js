// One message at a time, by rank: a higher one stands until it is settled, or for some seconds.
// What stood before a trouble stands again when the trouble is over.
// Everything here depends on what is public; in silent games all cards have the same signal, so the same rank.

export const STANDS_MS = 6000;

const RANKS = ["notice", "turn", "score", "trouble", "question", "refusal", "stop", "win"];
const CONTEST = new Set(["stop", "verify", "concede"]);
const TURN = new Set(["end_turn", "pass", "deal"]);
const TROUBLE = new Set(["misplaced", "lost", "trouble", "paused"]);

export function kindOf(update) {
  const { signal, entry } = update;
  if (signal === "over") return "win";
  if (entry?.event === "played" && CONTEST.has(entry.move?.do)) return "stop";
  if (signal === "refused" || signal === "suspected" || entry?.event === "refused") return "refusal";
  if (signal === "asks") return "question";
  // A wish that could not be granted is told without an entry.
  if (TROUBLE.has(signal) || isDenial(update)) return "trouble";
  // An end of turn that brings something about, such as the tiles that are awarded with it, is no smaller news than the
  // stone laid just before it.
  if (signal === "started" || (TURN.has(entry?.move?.do) && update.texts.length === 1)) return "turn";
  // What somebody does, with points or without; what the table does by itself is a notice.
  if (signal === "prize" || signal === "corrected" || entry?.move?.by) return "score";
  return "notice";
}

export function isDenial(update) {
  return update.signal === "corrected" && !update.entry && update.texts.length > 0;
}

// Whether what a message spoke of is over and done with.
function settled(shown, update) {
  const { entry, alert } = update;
  if (entry?.strikes === shown.number && shown.number) return true;
  if (shown.kind === "win") return !update.standing?.over;
  if (shown.kind === "refusal") return shown.alert === "refused" ? alert !== "refused" : shown.signal === "suspected";
  if (shown.kind === "question") return !update.asked.length;
  if (shown.kind === "trouble") return shown.alert !== "none" && alert !== shown.alert;
  return false;
}

// Answers with what decides which message is shown after an update; `null`: none.
export function messages(clock = () => performance.now()) {
  let shown = null;
  let beneath = null; // what a trouble covers
  let since = 0;

  return (update, fresh) => {
    if (update.signal === "notice") return shown; // it is told apart
    const done = shown && settled(shown, update);
    if (update.signal === "found") {
      if (done) shown = beneath;
      return shown; // it is told apart too
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
    const { signal, texts, entry, alert } = update;
    shown = texts.length ? { kind, signal, texts, why: update.why ?? [], entry, alert, heard: update.number, number: entry?.number ?? 0, denial: isDenial(update) } : null;
    since = clock();
    return shown;
  };
}
