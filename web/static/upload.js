// A large file, sent in pieces; a piece that was lost is sent again.

import { send } from "./send.js";

const PIECE_BYTES = 2 << 20;

// Answers with the last outcome; `tell` hears of each state on the way.
export async function sendPieces(route, file, tell) {
  let outcome = await sendInTurn(route, { do: "begin", bytes: file.size, name: file.name });
  while (outcome?.ok && outcome.body.state === "coming") {
    tell(outcome.body);
    const at = outcome.body.received;
    outcome = await sendInTurn(`${route}/${at}`, file.slice(at, at + PIECE_BYTES, "application/octet-stream"));
  }
  return outcome;
}

// What the host presses meanwhile goes first.
async function sendInTurn(route, body) {
  for (;;) {
    const outcome = await send(route, body);
    if (outcome) return outcome;
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

export function megabytes(bytes) {
  return (bytes / 1e6).toFixed(bytes < 10e6 ? 1 : 0);
}
