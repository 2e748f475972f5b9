// The check of a box: cards under the camera are checked off, with a tone for each new one.

import { sound } from "./device.js";
import { byId, find, findOptional, make } from "./dom.js";
import { follow, say } from "./live.js";
import { send } from "./send.js";

const LOOK_MS = 700;
const READ = [880];
const WRONG = [330, 247];
const COMPLETE = [523, 659, 784, 1047];
const FEW = 9; // this many missing cards are named
const STOPPED = 0;
const LOOKING = -1;
const note = byId("note");
const form = byId("begin", HTMLFormElement);
let timer = STOPPED;
let wrongBefore = 0;
let complete = false;
follow(() => {}, { stay: true });

form.onsubmit = async (/** @type {Event} */ event) => {
  event.preventDefault();
  clearTimeout(timer);
  const deck = findOptional(form, "[name=deck]", HTMLSelectElement)?.value;
  const of = deck ? { deck } : { game: new FormData(form).get("game") };
  sound(READ);
  wrongBefore = 0;
  complete = false;
  if (show(await send("box-check", { do: "begin", ...of }, find(form, "button.main")))) look();
};
byId("stop").onclick = () => {
  clearTimeout(timer);
  timer = STOPPED;
  note.textContent = say("check.stopped");
};

async function look() {
  timer = LOOKING;
  if (!document.hidden) show(await send("box-check", { do: "look" }));
  if (timer !== STOPPED) timer = setTimeout(look, LOOK_MS);
}

/** Shows it and returns whether it succeeded. @param {Outcome | null} outcome */
function show(outcome) {
  if (!outcome) return false;
  note.textContent = outcome.ok ? "" : (outcome.body.detail ?? say("unsaid"));
  if (!outcome.ok) return false;
  /** @type {BoxCheck} */
  const box = outcome.body;
  const { pieces, missing, fresh } = box;
  byId("box").hidden = false;
  const progress = byId("progress", HTMLProgressElement);
  [progress.max, progress.value] = [pieces.length, pieces.length - missing];
  const count = say("check.count", { n: pieces.length - missing, m: pieces.length });
  if (byId("count").textContent !== count) byId("count").textContent = count;
  const faults = pieces.flatMap((piece) => piece.wrong.map((what) => say(`check.${what}`, { piece: named(piece) })));
  const lines = [...faults, ...rest(box, faults.length)];
  const list = byId("faults");
  if (list.textContent !== lines.join("")) list.replaceChildren(...lines.map((words) => make("li", {}, words)));
  byId("ticks").replaceChildren(...pieces.map(tick));
  if (!missing && !complete) sound(COMPLETE);
  else if (faults.length > wrongBefore) sound(WRONG);
  else if (fresh.length) sound(READ);
  complete = !missing;
  wrongBefore = faults.length;
  return true;
}

/** The result for the whole box. @param {BoxCheck} box @param {number} faults */
function rest({ pieces, missing, lying, unread, foreign }, faults) {
  const lines = [];
  if (unread.small) lines.push(say("check.unread.small", { n: unread.small }));
  if (unread.smudged) lines.push(say("check.unread.smudged", { n: unread.smudged }));
  if (foreign) lines.push(say("check.foreign", { n: foreign }));
  if (!missing && !faults) lines.push(say("check.complete"));
  else if (missing && missing <= FEW && lying + unread.small + unread.smudged === 0) {
    const names = pieces.filter((piece) => !piece.read).map(named);
    lines.push(say("check.missing", { list: names.join(", ") }));
  }
  return lines;
}

/** @param {BoxPiece} piece */
function named({ number, name, token }) {
  return [number || (name === token ? "" : token), name].filter(Boolean).join(" ");
}

/** @param {BoxPiece} piece */
function tick({ wrong, read, number, token, name }) {
  const state = wrong.length ? "wrong" : read ? "read" : "missing";
  const sign = { wrong: "!", read: "✓", missing: "" }[state];
  return make(
    "li",
    { className: state },
    make("b", {}, number || token),
    make("span", {}, name),
    make("i", { ariaLabel: say(`check.state.${state}`), role: "img" }, sign),
  );
}
