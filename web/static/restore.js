// A backup brought back: sent in pieces, checked by the table, told, and taken; then the table starts anew.

import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";
import { megabytes, sendPieces } from "./upload.js";

const LOOK_MS = 1000;
const START_MS = 180000;
const place = document.getElementById("restore");
if (place) setUp();

function setUp() {
  const part = (name) => place.querySelector(`[data-${name}]`);
  const form = place.querySelector("form");
  const bar = place.querySelector("progress");
  const far = part("far");
  const panel = place.closest("details");
  let timer = 0;

  panel.ontoggle = look;
  form.onsubmit = (event) => event.preventDefault();
  form.elements.file.onchange = () => form.elements.file.files[0] && upload(form.elements.file.files[0]);
  holdToConfirm(part("take"), take);
  part("drop").onclick = drop;
  part("fine").onclick = drop;
  if (location.hash === "#backup") panel.open = true;

  async function look() {
    clearTimeout(timer);
    if (!panel.open) return;
    const answer = await fetch("/api/v1/restore", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) show(await answer.json());
  }

  async function drop() {
    const outcome = await send("restore", { do: "drop" });
    if (outcome?.ok) show(outcome.body);
    form.reset();
  }

  async function upload(file) {
    clearTimeout(timer);
    part("why").textContent = "";
    part("ready").hidden = true;
    const outcome = await sendPieces("restore", file, show);
    if (outcome?.ok) return show(outcome.body);
    far.hidden = true;
    form.hidden = false;
    form.reset();
    part("why").textContent = outcome?.body.detail ?? say("restore.cut");
  }

  function show(now) {
    clearTimeout(timer);
    const { state } = now;
    part("last").hidden = !now.last;
    part("last").querySelector("p").textContent = now.last ?? "";
    form.hidden = !["idle", "refused"].includes(state);
    far.hidden = !["coming", "checking", "taken"].includes(state);
    part("why").textContent = state === "refused" ? now.why : "";
    if (state === "refused") form.reset();
    if (state === "coming") {
      [bar.max, bar.value] = [now.bytes, now.received];
      tell(say("restore.sending", { n: megabytes(now.received), m: megabytes(now.bytes) }));
    } else {
      bar.removeAttribute("value");
    }
    if (state === "checking") {
      tell(say("restore.checking"));
      timer = setTimeout(look, LOOK_MS);
    }
    part("ready").hidden = state !== "ready";
    if (state === "ready") {
      part("made").textContent = say("restore.made", { what: now.made });
      part("changes").replaceChildren(...now.changes.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
    }
  }

  function tell(words) {
    const told = far.querySelector("b");
    if (told.textContent !== words) told.textContent = words;
  }

  async function take() {
    const outcome = await send("restore", { do: "take" }, part("take"), 60000);
    if (!outcome) return;
    if (!outcome.ok) {
      part("why").textContent = outcome.body.detail ?? say("unsaid");
      return;
    }
    show(outcome.body);
    tell(say("restore.starting"));
    const until = performance.now() + START_MS;
    while (performance.now() < until && !(await isBack(outcome.body.code))) await new Promise((wake) => setTimeout(wake, LOOK_MS));
    location.hash = "backup";
    location.reload();
  }

  // The table has started anew when it no longer says that a backup was taken and waits. Where the backup is another
  // table's, so are its codes: whoever was host here is host there.
  async function isBack(code) {
    const ask = (route, request) => fetch(`/api/v1/${route}`, { cache: "no-store", signal: AbortSignal.timeout(5000), ...request }).catch(() => null);
    const answer = await ask("restore");
    if (answer?.status === 403 && code) {
      const joined = await ask("join", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ code }) });
      return joined?.ok;
    }
    return answer?.ok && (await answer.json()).state !== "taken";
  }
}
