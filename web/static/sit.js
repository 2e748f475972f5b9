// A free seat is asked for, and taken as soon as somebody at the table has said yes.

import { remember, remembered } from "./device.js";
import { byId, find, findAll } from "./dom.js";
import { say } from "./live.js";
import { send } from "./send.js";

const ASK_AGAIN_MS = 1500;
const ASKED = "companion-asked"; // what the tab remembers: a phone that slept may load the page anew

const form = byId("sit", HTMLFormElement);
const name = find(form, "[name=name]", HTMLInputElement);
const asked = byId("asked");
const note = byId("note");
let key = remembered(ASKED, "tab") ?? "";
let typed = false;

show(false);
if (key) goOn();
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
  const outcome = await send("seats/ask", { seat, name: name.value, instead: key || null }, find(form, "button"));
  if (!outcome) return;
  if (!outcome.ok) return explain(outcome);
  ({ key } = outcome.body);
  remember(ASKED, key, "tab");
  await wait(outcome.body.left_s);
});

// What was asked before the page was loaded anew, unless that is over: then it is forgotten without a word.
async function goOn() {
  const outcome = await send("seats/join", { key });
  note.textContent = "";
  if (outcome?.ok && outcome.body.welcome) return location.assign("/seat");
  if (outcome?.ok) return wait(outcome.body.left_s);
}

/** @param {number} left_s Seconds until it is over. */
async function wait(left_s) {
  if (asked.hidden) {
    show(true);
    find(asked, "[role=status]").textContent = say("join.waits");
  }
  byId("left").textContent = say("join.left", { n: left_s });
  const outcome = await send("seats/join", { key });
  if (outcome?.ok && outcome.body.welcome) return location.assign("/seat");
  if (outcome && [403, 409].includes(outcome.status)) return explain(outcome);
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
