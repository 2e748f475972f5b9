// The scoreboard, the television and the overlay.

import { board, ending, table } from "./board.js";
import { follow, heard, signed, start } from "./live.js";
import { send } from "./send.js";

const parts = start.match ? [board(), await table(), ending()] : [];
let cue = () => {};
follow((update, fresh) => {
  parts.forEach((draw) => draw(update, fresh));
  if (start.match && update.standing) document.title = title(update.standing);
  cue(update, fresh, null);
});

// The score, also where the page is one tab of many.
function title(standing) {
  const counter = document.querySelector(".pointless [data-hand]")?.dataset.hand ?? "points";
  const counts = standing[counter];
  return start.match.seats.map((seat) => `${seat.name} ${signed(counts[seat.number - 1])}`).join(" · ");
}

// Nobody waits for sounds and voice: they come when the score is drawn.
import("./cues.js").then((cues) => {
  cue = cues.cue;
  cue(heard.update, false, null);
  if (document.documentElement.classList.contains("tv")) cues.stayAwake();
  const speaking = document.getElementById("speaking");
  if (speaking) cues.speaker(speaking);
}, () => {});

const adopt = document.getElementById("adopt");
if (adopt) adopt.onclick = async () => (await send("host", {}, adopt))?.ok && location.assign("/host");
