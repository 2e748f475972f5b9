// Who asks for a seat is let in, or not, by whoever may answer.

import { byId, make, mark } from "./dom.js";
import { say, start } from "./live.js";
import { ask, send } from "./send.js";

const LOOK_AGAIN_MS = 4000; // while somebody waits: it may be answered on another phone

const place = byId("asking");
let timer = 0;

addEventListener("update", (event) => {
  if (event instanceof CustomEvent && (event.detail.update.signal === "notice" || event.detail.asked)) look();
});
look();

async function look() {
  clearTimeout(timer);
  const waiting = (await ask("seats"))?.waiting;
  clearTimeout(timer);
  if (waiting) draw(waiting);
  if (!place.hidden) timer = setTimeout(look, LOOK_AGAIN_MS); // also when no answer came
}

/** @param {{ number: number, seat: Seat, name: string }[]} waiting */
function draw(waiting) {
  const drawn = waiting.map((one) => `${one.number} ${one.seat} ${calledNow(one.seat)}`).join(); // people change places
  if (drawn === place.dataset.drawn) return; // a button that is about to be pressed stays
  place.dataset.drawn = drawn;
  place.hidden = !waiting.length;
  place.replaceChildren(...waiting.map(request));
}

/** @param {Seat} seat */
function calledNow(seat) {
  return start.match?.seats[seat - 1]?.name ?? "";
}

/** @param {{ number: number, seat: Seat, name: string }} one */
function request({ number, seat, name }) {
  const before = calledNow(seat);
  const words = say(name === before ? "asking.same" : "asking.as", { who: name, what: before });
  const buttons = [true, false].map((yes) => {
    const kind = yes ? "button main" : "button";
    const button = make("button", { type: "button", className: kind }, say(yes ? "asking.yes" : "asking.no"));
    button.onclick = async () => {
      const outcome = await send("seats/answer", { number, yes }, button);
      if (outcome && !outcome.ok && outcome.body.detail) await told(outcome.body.detail);
      look();
    };
    return button;
  });
  return make("div", {}, make("p", {}, mark(seat), " ", words), make("div", { className: "acts" }, ...buttons));
}

/** @param {string} words */
async function told(words) {
  (await import("./toast.js")).toast(words);
}
