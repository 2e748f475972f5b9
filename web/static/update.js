// Uploads a newer version of the program, for the table to install.

import { say } from "./live.js";
import { takeFile } from "./upload.js";

const LOOK_MS = 2000;
const place = document.getElementById("update");
if (place) {
  const words = { checking: say("update.checking"), taken: say("update.installing") };
  takeFile(place, "update", { lookMs: LOOK_MS, words, draw });
}

/** @type {import("./upload.js").DrawState} */
function draw(now, part) {
  part("now").textContent = say("update.now", { what: now.now });
  part("last").textContent = now.last ?? "";
  if (now.state === "ready") part("made").textContent = say("update.ready", { what: now.version });
}
