// Requests to the table; repeated taps send once.

import { timeoutSignal } from "./dom.js";
import { heard, say } from "./live.js";
import { randomName } from "./random.js";

// Requests about this page's match, not about one that may have begun since; pages that stay open send its id.
const OF_A_MATCH = ["moves", "corrections", "answers", "simulated/acts"];

const NUMBERED = ["moves", "corrections", "answers"]; // about entries or questions by their number

const PATIENCE_MS = 8000;
const FILE_PATIENCE_MS = 60000;
const PASSING = new Set([0, 409]); // did not arrive, or was overtaken: soon nothing of it is left to mend
const PASSING_MS = 20000;
const TRIES = 3;
const TRY_AGAIN_MS = 700;

let busy = false;

/**
 * Returns the outcome; `null` while another request is running.
 * @param {string} route
 * @param {Blob | object} body A file, or an object for JSON.
 * @param {Element | null} [button] The pressed button.
 * @param {number} [patienceMs] Longer for slow work, such as reading photographs.
 * @returns {Promise<Outcome | null>}
 */
export async function send(route, body, button, patienceMs) {
  if (busy) return null;
  busy = true;
  button?.setAttribute("aria-busy", "true");
  /** @type {Outcome} */
  let outcome;
  try {
    const usual = body instanceof Blob ? FILE_PATIENCE_MS : PATIENCE_MS;
    outcome = await attempt(`/api/v1/${route}`, requestOf(route, body), patienceMs ?? usual, TRIES);
  } finally {
    busy = false;
    button?.removeAttribute("aria-busy");
  }
  const note = document.getElementById("note");
  if (note) note.textContent = outcome.ok ? "" : wordsFor(outcome);
  if (note && PASSING.has(outcome.status)) {
    const words = note.textContent;
    setTimeout(() => note.textContent === words && (note.textContent = ""), PASSING_MS);
  }
  dispatchEvent(new CustomEvent("said", { detail: outcome }));
  return outcome;
}

/** @param {string} route @param {Blob | object} body */
function requestOf(route, body) {
  const file = body instanceof Blob;
  const { match, generation } = heard.update;
  const meant = OF_A_MATCH.includes(route) ? { match, ...(NUMBERED.includes(route) && { generation }), ...body } : body;
  const type = file ? body.type || "application/octet-stream" : "application/json";
  return {
    method: "POST",
    headers: { "Content-Type": type, "Idempotency-Key": randomName(16) },
    body: file ? body : JSON.stringify(meant),
  };
}

/** @param {Outcome} outcome @returns {string} */
function wordsFor({ status, body }) {
  return status === 409 ? say("stale") : (body.detail ?? say("unsaid"));
}

/**
 * The key stays the same, so that a retry cannot act twice.
 * @param {string} address
 * @param {RequestInit} request
 * @param {number} patienceMs
 * @param {number} triesLeft
 * @returns {Promise<Outcome>}
 */
async function attempt(address, request, patienceMs, triesLeft) {
  try {
    return await whole(address, { ...request, signal: timeoutSignal(patienceMs) });
  } catch {
    if (triesLeft <= 1) return { ok: false, status: 0, body: { detail: say("unsaid") } };
    await new Promise((wake) => setTimeout(wake, TRY_AGAIN_MS));
    return attempt(address, request, patienceMs, triesLeft - 1);
  }
}

/**
 * Gets an answer of the table; `null` if it does not arrive.
 * @param {string} route
 * @returns {Promise<Outcome | null>}
 */
export function get(route) {
  return whole(`/api/v1/${route}`, { cache: "no-store", signal: timeoutSignal(PATIENCE_MS) }).catch(() => null);
}

/**
 * Gets JSON from the table; `null` if it does not answer, or refuses.
 * @param {string} route
 * @returns {Promise<any>}
 */
export async function ask(route) {
  const answer = await get(route);
  return answer?.ok ? answer.body : null;
}

/**
 * Throws if the way to the table is lost, be it in the middle of the answer.
 * @param {string} address
 * @param {RequestInit} request
 * @returns {Promise<Outcome>}
 */
async function whole(address, request) {
  const answer = await fetch(address, request);
  return { ok: answer.ok, status: answer.status, body: jsonIn(await answer.text()) };
}

/** @param {string} text */
function jsonIn(text) {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {}; // not from the table, but from something between
  }
}
