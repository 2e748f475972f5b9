// The check of a box: the cards that lie under the camera are ticked off, with a tone for each new one.

import { make } from "./board.js";
import { sound } from "./cues.js";
import { follow, say } from "./live.js";
import { send } from "./send.js";

const LOOK_MS = 700;
const READ = [880];
const WRONG = [330, 247];
const COMPLETE = [523, 659, 784, 1047];
const box = document.getElementById("box");
const note = document.getElementById("note");
const form = document.getElementById("begin");
let timer = 0;
let wrongBefore = 0;
let complete = false;
follow(() => {}, { stay: true });

form.onsubmit = async (event) => {
  event.preventDefault();
  clearTimeout(timer);
  const begun = { do: "begin", game: form.elements.game.value };
  if (form.elements.deck?.value) begun.deck = form.elements.deck.value;
  if (begun.deck) delete begun.game;
  sound(READ);
  wrongBefore = 0;
  complete = false;
  if (show(await send("box-check", begun, form.querySelector("button.main")))) look();
};
document.getElementById("stop").onclick = () => {
  clearTimeout(timer);
  timer = 0;
  note.textContent = say("check.stopped");
};

async function look() {
  timer = -1;
  if (!document.hidden) show(await send("box-check", { do: "look" }));
  if (timer !== 0) timer = setTimeout(look, LOOK_MS);
}

function show(outcome) {
  if (!outcome) return false;
  note.textContent = outcome.ok ? "" : (outcome.body.detail ?? say("unsaid"));
  if (!outcome.ok) return false;
  const { pieces, missing, unread, foreign, lying, fresh } = outcome.body;
  box.hidden = false;
  document.getElementById("progress").max = pieces.length;
  document.getElementById("progress").value = pieces.length - missing;
  const count = say("check.count", { n: pieces.length - missing, m: pieces.length });
  if (document.getElementById("count").textContent !== count) document.getElementById("count").textContent = count;
  const named = (piece) => [piece.number || (piece.name === piece.token ? "" : piece.token), piece.name].filter(Boolean).join(" ");
  const faults = pieces.flatMap((piece) => piece.wrong.map((what) => say(`check.${what}`, { piece: named(piece) })));
  const marked = faults.length;
  if (unread.small) faults.push(say("check.unread.small", { n: unread.small }));
  if (unread.smudged) faults.push(say("check.unread.smudged", { n: unread.smudged }));
  if (foreign) faults.push(say("check.foreign", { n: foreign }));
  if (!missing && !marked) faults.push(say("check.complete"));
  else if (missing && missing <= 9 && lying + unread.small + unread.smudged === 0) {
    faults.push(say("check.missing", { list: pieces.filter((piece) => !piece.read).map(named).join(", ") }));
  }
  const list = document.getElementById("faults");
  if (list.textContent !== faults.join("")) list.replaceChildren(...faults.map((words) => make("li", {}, words)));
  document.getElementById("ticks").replaceChildren(
    ...pieces.map((piece) => {
      const sign = piece.wrong.length ? "!" : piece.read ? "✓" : "";
      const state = piece.wrong.length ? "wrong" : piece.read ? "read" : "missing";
      return make("li", { className: state }, make("b", {}, piece.number || piece.token), make("span", {}, piece.name), make("i", { ariaLabel: say(`check.state.${state}`), role: "img" }, sign));
    }),
  );
  if (!missing && !complete) sound(COMPLETE);
  else if (marked > wrongBefore) sound(WRONG);
  else if (fresh.length) sound(READ);
  complete = !missing;
  wrongBefore = marked;
  return true;
}
