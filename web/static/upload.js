// A large file that the host sends: in pieces, of which a lost one is sent again; looked at by the box, told, and taken.

import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";

const PIECE_BYTES = 2 << 20;
const TAKE_MS = 60000;

// `words` says what is done in the states `checking` and `taken`; `draw` draws what else a state says, and `take` hears
// what the box answered when it took the file. Answers with `tell`, which says how far it is.
export function takeFile(place, route, { panel = place, lookMs, words, draw, take = () => {} }) {
  const part = (name) => place.querySelector(`[data-${name}]`);
  const form = place.querySelector("form");
  const bar = place.querySelector("progress");
  let timer = 0;

  panel.ontoggle = look;
  form.onsubmit = (event) => event.preventDefault();
  form.elements.file.onchange = () => form.elements.file.files[0] && upload(form.elements.file.files[0]);
  holdToConfirm(part("take"), () => act("take", take));
  part("drop").onclick = () => act("drop");
  if (part("fine")) part("fine").onclick = () => act("drop");
  if (location.hash === `#${panel.id}`) panel.open = true;
  return tell;

  // While the table or its new version starts nobody answers for a moment.
  async function look() {
    clearTimeout(timer);
    if (!panel.open) return;
    const answer = await fetch(`/api/v1/${route}`, { cache: "no-store" }).catch(() => null);
    if (answer?.ok) show(await answer.json());
    else timer = setTimeout(look, lookMs);
  }

  async function act(what, done = () => {}) {
    const outcome = await send(route, { do: what }, part(what), TAKE_MS);
    if (outcome?.ok) {
      show(outcome.body);
      done(outcome.body);
    } else if (outcome) part("why").textContent = outcome.body.detail ?? say("unsaid");
    if (what === "drop") form.reset();
  }

  async function upload(file) {
    clearTimeout(timer);
    part("why").textContent = "";
    part("ready").hidden = true;
    const outcome = await sendPieces(file);
    if (outcome?.ok) return show(outcome.body);
    part("far").hidden = true;
    form.hidden = false;
    form.reset();
    part("why").textContent = outcome?.body.detail ?? say("restore.cut");
  }

  function show(now) {
    clearTimeout(timer);
    const { state } = now;
    form.hidden = !["idle", "refused"].includes(state);
    part("far").hidden = !["coming", "checking", "taken"].includes(state);
    part("ready").hidden = state !== "ready";
    part("why").textContent = state === "refused" ? now.why : "";
    if (state === "refused") form.reset();
    if (state === "coming") {
      [bar.max, bar.value] = [now.bytes, now.received];
      tell(say("restore.sending", { n: megabytes(now.received), m: megabytes(now.bytes) }));
    } else {
      bar.removeAttribute("value");
    }
    if (words[state]) tell(words[state]);
    if (state === "checking" || (state === "taken" && words.taken)) timer = setTimeout(look, lookMs);
    draw(now, part);
  }

  function tell(sentence) {
    const where = part("far").querySelector("b");
    if (where.textContent !== sentence) where.textContent = sentence;
  }

  // Answers with the last outcome.
  async function sendPieces(file) {
    let outcome = await sendInTurn(route, { do: "begin", bytes: file.size, name: file.name });
    while (outcome?.ok && outcome.body.state === "coming") {
      show(outcome.body);
      const at = outcome.body.received;
      outcome = await sendInTurn(`${route}/${at}`, file.slice(at, at + PIECE_BYTES, "application/octet-stream"));
    }
    return outcome;
  }
}

// What the host presses meanwhile goes first.
async function sendInTurn(route, body) {
  for (;;) {
    const outcome = await send(route, body);
    if (outcome) return outcome;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);
}
