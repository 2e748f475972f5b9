// Restores a backup; the table then restarts with it.

import { find, make } from "./dom.js";
import { say } from "./live.js";
import { get, send } from "./send.js";
import { takeFile } from "./upload.js";

const LOOK_MS = 1000;
const START_MS = 180000;
const place = document.getElementById("restore");
if (place) setUp(place);

/** @param {HTMLElement} section */
function setUp(section) {
  const words = { checking: say("restore.checking") };
  const panel = section.closest("details") ?? undefined;
  const tell = takeFile(section, "restore", { panel, lookMs: LOOK_MS, words, draw, take: wait });

  /** @type {import("./upload.js").DrawState} */
  function draw(now, part) {
    part("last").hidden = !now.last;
    find(part("last"), "p").textContent = now.last ?? "";
    if (now.state !== "ready") return;
    part("made").textContent = say("restore.made", { what: now.made });
    part("changes").replaceChildren(...now.changes.map((line) => make("li", {}, line)));
  }

  /** @param {UploadState} taken */
  async function wait({ code }) {
    tell(say("restore.starting"));
    const until = performance.now() + START_MS;
    while (performance.now() < until && !(await isBack(code))) {
      await new Promise((wake) => setTimeout(wake, LOOK_MS));
    }
    location.hash = "backup";
    location.reload();
  }
}

/**
 * The table has restarted when its state is no longer `taken`. A backup of another table has other codes: this host
 * becomes the host there.
 * @param {string | null | undefined} code The host's code in the backup.
 */
async function isBack(code) {
  const answer = await get("restore");
  if (answer?.status === 403 && code) return (await send("join", { code }))?.ok;
  return answer?.ok && answer.body.state !== "taken";
}
