// A newer version of the program: sent in pieces, looked at by the box, told, and installed.

import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";
import { megabytes, sendPieces } from "./upload.js";

const LOOK_MS = 2000;
const place = document.getElementById("update");
if (place) setUp();

function setUp() {
  const part = (name) => place.querySelector(`[data-${name}]`);
  const form = place.querySelector("form");
  const bar = place.querySelector("progress");
  let timer = 0;

  place.ontoggle = look;
  form.onsubmit = (event) => event.preventDefault();
  form.elements.file.onchange = () => form.elements.file.files[0] && upload(form.elements.file.files[0]);
  holdToConfirm(part("take"), () => act("take"));
  part("drop").onclick = () => act("drop");
  if (location.hash === "#update") place.open = true;

  // While the new version starts nobody answers for a moment.
  async function look() {
    clearTimeout(timer);
    if (!place.open) return;
    const answer = await fetch("/api/v1/update", { cache: "no-store" }).catch(() => null);
    if (answer?.ok) show(await answer.json());
    else timer = setTimeout(look, LOOK_MS);
  }

  async function act(what) {
    const outcome = await send("update", { do: what }, part(what));
    if (outcome?.ok) show(outcome.body);
    else if (outcome) part("why").textContent = outcome.body.detail ?? say("unsaid");
    form.reset();
  }

  async function upload(file) {
    clearTimeout(timer);
    part("why").textContent = "";
    const outcome = await sendPieces("update", file, show);
    if (outcome?.ok) return show(outcome.body);
    part("far").hidden = true;
    form.hidden = false;
    form.reset();
    part("why").textContent = outcome?.body.detail ?? say("restore.cut");
  }

  function show(now) {
    clearTimeout(timer);
    const { state } = now;
    part("now").textContent = say("update.now", { what: now.now });
    part("last").textContent = now.last ?? "";
    form.hidden = !["idle", "refused"].includes(state);
    part("far").hidden = !["coming", "checking", "taken"].includes(state);
    part("ready").hidden = state !== "ready";
    part("why").textContent = state === "refused" ? now.why : "";
    if (state === "refused") form.reset();
    if (state === "ready") part("made").textContent = say("update.ready", { what: now.version });
    if (state === "coming") [bar.max, bar.value] = [now.bytes, now.received];
    else bar.removeAttribute("value");
    const words = { coming: () => say("restore.sending", { n: megabytes(now.received), m: megabytes(now.bytes) }), checking: () => say("update.checking"), taken: () => say("update.installing") };
    if (words[state]) part("far").querySelector("b").textContent = words[state]();
    if (["checking", "taken"].includes(state)) timer = setTimeout(look, LOOK_MS);
  }
}
