// A backup brought back; then the table starts anew with it.

import { say } from "./live.js";
import { takeFile } from "./upload.js";

const LOOK_MS = 1000;
const START_MS = 180000;
const place = document.getElementById("restore");
if (place) setUp();

function setUp() {
  const words = { checking: say("restore.checking") };
  const tell = takeFile(place, "restore", { panel: place.closest("details"), lookMs: LOOK_MS, words, draw, take: wait });

  function draw(now, part) {
    part("last").hidden = !now.last;
    part("last").querySelector("p").textContent = now.last ?? "";
    if (now.state !== "ready") return;
    part("made").textContent = say("restore.made", { what: now.made });
    part("changes").replaceChildren(...now.changes.map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  }

  async function wait({ code }) {
    tell(say("restore.starting"));
    const until = performance.now() + START_MS;
    while (performance.now() < until && !(await isBack(code))) await new Promise((wake) => setTimeout(wake, LOOK_MS));
    location.hash = "backup";
    location.reload();
  }
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
