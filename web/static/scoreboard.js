// The scoreboard, the television and the overlay.

import { board, ending, table } from "./board.js";
import { findOptional } from "./dom.js";
import { currentMatch, follow, heard, signed, start } from "./live.js";
import { send } from "./send.js";

/** @type {Draw[]} */
const parts = start.match ? [board(), await table(), ending()] : [];
/** @type {(update: Update, fresh: boolean, seat: Seat | null) => void} */
let cue = () => {};
follow((update, fresh) => {
  for (const draw of parts) draw(update, fresh);
  if (start.match && update.standing) document.title = title(update.standing);
  cue(update, fresh, null);
});

/** The score in the title, for a page in a background tab. @param {Standing} standing */
function title(standing) {
  const counter = findOptional(document, ".pointless [data-hand]")?.dataset.hand ?? "points";
  const counts = standing[counter];
  const names = currentMatch().seats.map((seat) => `${seat.name} ${signed(counts[seat.number - 1])}`);
  return names.join(" · ");
}

// Sounds and speech are loaded after the score is drawn.
import("./cues.js").then(
  (cues) => {
    cue = cues.cue;
    cue(heard.update, false, null);
    if (document.documentElement.classList.contains("tv")) cues.stayAwake();
    const speaking = document.getElementById("speaking");
    if (speaking) cues.speaker(speaking);
  },
  () => {},
);

const adopt = document.getElementById("adopt");
if (adopt) {
  adopt.onclick = async () => {
    if ((await send("host", {}, adopt))?.ok) location.assign("/host");
  };
}
