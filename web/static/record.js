// "Record a minute": how large it would be, how far it is, and where it can be taken away.

import { say } from "./live.js";
import { send } from "./send.js";

const LOOK_MS = 1000;
const place = document.getElementById("record");
if (place) setUp();

function setUp() {
  const part = (name) => place.querySelector(`[data-${name}]`);
  const form = place.querySelector("form");
  let timer = 0;
  let wasRunning = false;

  const wanted = () => {
    const [first, minutes] = form.elements.long.value.split(" ");
    return minutes ? { ring_minutes: Number(minutes) } : { seconds: Number(first) };
  };
  place.ontoggle = look;
  form.elements.long.onchange = plan;
  form.onsubmit = async (event) => {
    event.preventDefault();
    show(await send("recording", { do: "begin", ...wanted() }, part("go")));
  };
  part("stop").onclick = async () => show(await send("recording", { do: "stop" }, part("stop")));
  part("delete").onclick = async () => show(await send("recording", { do: "delete" }, part("delete")));

  async function look() {
    clearTimeout(timer);
    if (!place.open) return;
    const answer = await fetch("/api/v1/recording", { cache: "no-store" }).catch(() => null);
    if (answer) show({ ok: answer.ok, body: await answer.json().catch(() => ({})) }, true);
  }

  async function plan() {
    const outcome = await send("recording", { do: "plan", ...wanted() });
    if (!outcome) return;
    const { kind, bytes } = outcome.body;
    part("plan").textContent = outcome.ok ? say(`record.plan.${kind}`, { mb: megabytes(bytes) }) : (outcome.body.detail ?? say("unsaid"));
  }

  function show(outcome, opened = false) {
    clearTimeout(timer);
    if (!outcome) return;
    if (!outcome.ok) {
      part("plan").textContent = outcome.body.detail ?? say("unsaid");
      return;
    }
    const now = outcome.body;
    form.hidden = now.recording;
    part("running").hidden = !now.recording;
    part("ready").hidden = now.recording || !now.ready;
    if (now.recording) {
      const bar = place.querySelector("progress");
      if (now.of) [bar.max, bar.value] = [now.of, now.seconds];
      part("far").textContent = say(now.ring ? "record.far.ring" : "record.far", { n: Math.round(now.seconds), m: Math.round(now.of), mb: megabytes(now.bytes) });
      timer = setTimeout(look, LOOK_MS);
    } else if (now.ready) {
      const { seconds, bytes } = now.ready;
      part("what").textContent = now.broken_off ? say("record.broken", { what: now.broken_off }) : say("record.ready", { n: Math.round(seconds), mb: megabytes(bytes) });
    }
    if (!now.recording && (opened || wasRunning)) plan();
    wasRunning = now.recording;
  }
}

function megabytes(bytes) {
  return String(Math.max(1, Math.round(bytes / 1e6)));
}
