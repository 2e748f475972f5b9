// A free seat is asked for, and taken as soon as somebody at the table has said yes.

import { byId, find, findAll } from "./dom.js";
import { say } from "./live.js";
import { send } from "./send.js";

const ASK_AGAIN_MS = 1500;

const form = byId("sit", HTMLFormElement);
const name = find(form, "[name=name]", HTMLInputElement);
const asked = byId("asked");
const note = byId("note");
/** @type {string | null} */
let key = null;
let typed = false;

show(false);
// Without this script only the code takes a seat.
byId("by-code", HTMLDetailsElement).open = Boolean(document.querySelector(".trouble"));

// Whoever touches their own name need not type it.
name.oninput = () => (typed = name.value.trim() !== "");
for (const choice of findAll(form, "[name=seat]", HTMLInputElement)) {
  choice.onchange = () => {
    if (!typed) name.value = form.querySelector(`[data-name="${choice.value}"]`)?.textContent ?? "";
  };
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const seat = Number(new FormData(form).get("seat"));
  const outcome = await send("seats/ask", { seat, name: name.value, instead: key }, find(form, "button"));
  if (!outcome) return;
  if (!outcome.ok) return explain(outcome);
  ({ key } = outcome.body);
  show(true);
  find(asked, "[role=status]").textContent = say("join.waits");
  await wait(outcome.body.left_s);
});

/** @param {number} left_s Seconds until it is over. */
async function wait(left_s) {
  byId("left").textContent = say("join.left", { n: left_s });
  const outcome = await send("seats/join", { key });
  if (outcome?.ok && outcome.body.welcome) return location.assign("/seat");
  if (outcome?.status === 409) return explain(outcome);
  setTimeout(wait, ASK_AGAIN_MS, outcome?.ok ? outcome.body.left_s : left_s);
}

/** @param {Outcome} outcome */
function explain({ body }) {
  show(false);
  note.textContent = body.detail ?? say("unsaid");
}

/** @param {boolean} waits */
function show(waits) {
  form.hidden = waits;
  asked.hidden = !waits;
}
