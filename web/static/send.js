// Sends something to the table: once, however often it is tapped.

import { heard, say } from "./live.js";

function idempotencyKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// What is about the match on this page, and about no other that may have begun since; a page that stays says which.
const OF_A_MATCH = ["moves", "corrections", "answers", "simulated/acts"];

let busy = false;

// Answers with `{ok, status, body}`; `body.detail` says what was wrong. `null` while something else is under way.
// What takes the table long, such as reading photographs, is given more `patienceMs`.
export async function send(route, body, button = null, patienceMs = body instanceof Blob ? 60000 : 8000) {
  if (busy) return null;
  busy = true;
  button?.setAttribute("aria-busy", "true");
  const file = body instanceof Blob;
  if (OF_A_MATCH.includes(route)) body = { match: heard.update.match, ...body };
  const request = {
    method: "POST",
    headers: { "Content-Type": file ? body.type || "application/octet-stream" : "application/json", "Idempotency-Key": idempotencyKey() },
    body: file ? body : JSON.stringify(body),
  };
  let outcome;
  try {
    outcome = await attempt(`/api/v1/${route}`, request, patienceMs, 3);
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
  }
  const note = document.getElementById("note");
  if (note) note.textContent = outcome.ok ? "" : outcome.status === 409 ? say("stale") : outcome.body.detail ?? say("unsaid");
  dispatchEvent(new CustomEvent("said", { detail: outcome }));
  return outcome;
}

// The key stays the same, so that trying again cannot act twice.
async function attempt(address, request, patienceMs, triesLeft) {
  try {
    const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(patienceMs) });
    const body = await answer.json().catch(() => ({}));
    return { ok: answer.ok, status: answer.status, body: body ?? {} };
  } catch {
    if (triesLeft <= 1) return { ok: false, status: 0, body: { detail: say("unsaid") } };
    await new Promise((wake) => setTimeout(wake, 700));
    return attempt(address, request, patienceMs, triesLeft - 1);
  }
}
