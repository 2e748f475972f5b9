// "Record a minute": estimated size, progress and download.

import { find, partsOf } from "./dom.js";
import { say } from "./live.js";
import { get, send } from "./send.js";

const LOOK_MS = 1000;
const place = document.getElementById("record");
if (place instanceof HTMLDetailsElement) setUp(place);

/** @param {HTMLDetailsElement} panel */
function setUp(panel) {
  const part = partsOf(panel);
  const form = find(panel, "form", HTMLFormElement);
  const long = find(form, "[name=long]", HTMLSelectElement);
  let timer = 0;
  let wasRunning = false;

  panel.ontoggle = look;
  long.onchange = plan;
  form.onsubmit = (event) => {
    event.preventDefault();
    act("begin", "go", wanted());
  };
  part("stop").onclick = () => act("stop", "stop");
  part("delete").onclick = () => act("delete", "delete");

  function wanted() {
    const [first, minutes] = long.value.split(" ");
    return minutes ? { ring_minutes: Number(minutes) } : { seconds: Number(first) };
  }

  /** @param {string} what @param {string} button @param {object} more */
  async function act(what, button, more = {}) {
    show(await send("recording", { do: what, ...more }, part(button)));
  }

  async function look() {
    clearTimeout(timer);
    if (!panel.open) return;
    show(await get("recording"), true);
  }

  async function plan() {
    const outcome = await send("recording", { do: "plan", ...wanted() });
    if (!outcome) return;
    const { kind, bytes, detail } = outcome.body;
    const words = outcome.ok ? say(`record.plan.${kind}`, { mb: megabytes(bytes) }) : (detail ?? say("unsaid"));
    part("plan").textContent = words;
  }

  /** @param {Pick<Outcome, "ok" | "body"> | null} outcome @param {boolean} opened */
  function show(outcome, opened = false) {
    clearTimeout(timer);
    if (!outcome) return;
    if (!outcome.ok) {
      part("plan").textContent = outcome.body.detail ?? say("unsaid");
      return;
    }
    /** @type {Recording} */
    const now = outcome.body;
    form.hidden = now.recording;
    part("running").hidden = !now.recording;
    part("ready").hidden = now.recording || !now.ready;
    if (now.recording) showRunning(now);
    else if (now.ready) part("what").textContent = readyWords(now.ready, now.broken_off);
    if (!now.recording && (opened || wasRunning)) plan();
    wasRunning = now.recording;
  }

  /** @param {Recording} now */
  function showRunning({ seconds, of, ring, bytes }) {
    const bar = find(panel, "progress", HTMLProgressElement);
    if (of) [bar.max, bar.value] = [of, seconds];
    const words = { n: Math.round(seconds), m: Math.round(of ?? 0), mb: megabytes(bytes) };
    part("far").textContent = say(ring ? "record.far.ring" : "record.far", words);
    timer = setTimeout(look, LOOK_MS);
  }
}

/** @param {{ seconds: number, bytes: number }} ready @param {string | null} brokenOff */
function readyWords({ seconds, bytes }, brokenOff) {
  if (brokenOff) return say("record.broken", { what: brokenOff });
  return say("record.ready", { n: Math.round(seconds), mb: megabytes(bytes) });
}

/** @param {number} bytes */
function megabytes(bytes) {
  return String(Math.max(1, Math.round(bytes / 1e6)));
}
