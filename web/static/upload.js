// Uploads a large file in pieces, with retries; the table checks it, then takes it.

import { find, findOptional, partsOf } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { ask, send } from "./send.js";

/**
 * @typedef {(name: string) => HTMLElement} Part The part of the section with this name.
 * @typedef {(now: UploadState, part: Part) => void} DrawState
 * @typedef {object} How
 * @property {HTMLElement} [panel] The element to open; default: the section itself.
 * @property {number} lookMs Time between two requests for the state.
 * @property {{ checking: string, taken?: string }} words The texts for these states.
 * @property {DrawState} draw Draws the other keys of a state.
 * @property {(now: UploadState) => void} [take] Called with the answer when the file was taken.
 */

const PIECE_BYTES = 2 << 20;
const TAKE_MS = 60000;
const TURN_MS = 200; // lets the host's other requests go first

/**
 * Returns a function that shows the progress.
 * @param {HTMLElement} section
 * @param {"restore" | "update"} route
 * @param {How} how
 */
export function takeFile(section, route, { panel = section, lookMs, words, draw, take = () => {} }) {
  const part = partsOf(section);
  const details = /** @type {HTMLDetailsElement} */ (panel);
  const form = find(section, "form", HTMLFormElement);
  const file = find(form, "[name=file]", HTMLInputElement);
  const bar = find(section, "progress", HTMLProgressElement);
  let timer = 0;

  details.ontoggle = look;
  form.onsubmit = (event) => event.preventDefault();
  file.onchange = () => {
    const [chosen] = file.files ?? [];
    if (chosen) upload(chosen);
  };
  holdToConfirm(part("take"), () => act("take", take));
  part("drop").onclick = () => act("drop");
  const fine = findOptional(section, "[data-fine]");
  if (fine) fine.onclick = () => act("drop");
  if (location.hash === `#${details.id}`) details.open = true;
  return tell;

  // While the table restarts, it does not answer for a moment.
  async function look() {
    clearTimeout(timer);
    if (!details.open) return;
    const now = await ask(route);
    if (now) show(now);
    else timer = setTimeout(look, lookMs);
  }

  /** @param {"take" | "drop"} what @param {(now: UploadState) => void} done */
  async function act(what, done = () => {}) {
    const outcome = await send(route, { do: what }, part(what), TAKE_MS);
    if (outcome?.ok) {
      show(outcome.body);
      done(outcome.body);
    } else if (outcome) part("why").textContent = outcome.body.detail ?? say("unsaid");
    if (what === "drop") form.reset();
  }

  /** @param {File} chosen */
  async function upload(chosen) {
    clearTimeout(timer);
    part("why").textContent = "";
    part("ready").hidden = true;
    const outcome = await sendPieces(chosen);
    if (outcome.ok) return show(outcome.body);
    part("far").hidden = true;
    form.hidden = false;
    form.reset();
    part("why").textContent = outcome.body.detail ?? say("restore.cut");
  }

  /** @param {UploadState} now */
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
    const doing = state === "checking" || state === "taken" ? words[state] : undefined;
    if (doing) {
      tell(doing);
      timer = setTimeout(look, lookMs);
    }
    draw(now, part);
  }

  /** @param {string} sentence */
  function tell(sentence) {
    const where = find(part("far"), "b");
    if (where.textContent !== sentence) where.textContent = sentence;
  }

  /** Returns the last outcome. @param {File} chosen */
  async function sendPieces(chosen) {
    let outcome = await sendInTurn(route, { do: "begin", bytes: chosen.size, name: chosen.name });
    while (outcome.ok && outcome.body.state === "coming") {
      show(outcome.body);
      const at = outcome.body.received;
      const piece = chosen.slice(at, at + PIECE_BYTES, "application/octet-stream");
      outcome = await sendInTurn(`${route}/${at}`, piece);
    }
    return outcome;
  }
}

/** @param {string} route @param {Blob | object} body */
async function sendInTurn(route, body) {
  for (;;) {
    const outcome = await send(route, body);
    if (outcome) return outcome;
    await new Promise((wake) => setTimeout(wake, TURN_MS));
  }
}

/** @param {number} bytes */
function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);
}
