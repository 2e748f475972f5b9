// The first page, the board, the television and the overlay.

import { board, ending, table } from "./board.js";
import { findOptional } from "./dom.js";
import { guarded, report } from "./faults.js";
import { currentMatch, follow, heard, signed, start } from "./live.js";

const large = document.documentElement.classList.contains("tv");
/** @type {(update: Update, fresh: boolean, seat: Seat | null) => void} */
let cue = () => {};
/** @type {Draw[]} */
const parts = [];
follow((update, fresh) => {
  for (const draw of parts) guarded("board", () => draw(update, fresh));
  guarded("title", () => {
    if (start.match && update.standing) document.title = title(update.standing);
  });
  guarded("cues", () => cue(update, fresh, null));
});
drawn().then(
  (drawings) => {
    parts.unshift(...drawings);
    const fresh = heard.update !== start.now; // something happened while the drawings were loaded
    for (const draw of drawings) guarded("board", () => draw(heard.update, fresh));
  },
  (error) => report("board", error),
);

/** @returns {Promise<Draw[]>} */
async function drawn() {
  if (!start.match) return [];
  const game = await table();
  if (large) return (await import("./tv.js")).television(game);
  const lists = shown ? [] : [(await import("./lists.js")).lists()]; // a page with the picture has none
  return [board(), ...lists, game, ending()];
}

/** The score in the title, for a page in a background tab. @param {Standing} standing */
function title(standing) {
  const counter = findOptional(document, ".pointless [data-hand]")?.dataset.hand ?? "points";
  const counts = standing[counter];
  const names = currentMatch().seats.map((seat) => `${seat.name} ${signed(counts[seat.number - 1])}`);
  return names.join(" · ");
}

/** A part that is loaded after the score is drawn. @param {Promise<Draw>} loaded */
function later(loaded) {
  loaded.then(
    (draw) => {
      parts.push(draw);
      guarded("board", () => draw(heard.update, false));
    },
    () => {},
  );
}

// The first page of a table that is shown: its picture, and where there is room the tree at a glance. It has no sound.
const shown = document.getElementById("picture");
if (shown) later(import("./picture.js").then(({ picture }) => picture(shown)));
const small = findOptional(document, "[data-small]", SVGElement);
if (small?.getClientRects().length) later(import(small.dataset.small ?? "").then(({ draw }) => draw(small)));

if (!shown) {
  import("./cues.js").then(
    (cues) => {
      cue = cues.cue;
      guarded("cues", () => cue(heard.update, false, null));
      if (large) cues.stayAwake();
      const speaking = document.getElementById("speaking");
      if (speaking) cues.speaker(speaking);
    },
    () => {},
  );
}

/**
 * A button that gives this browser a role, and leads to its page.
 * @param {string} id
 * @param {string} route
 * @param {string} page
 */
function become(id, route, page) {
  const button = document.getElementById(id);
  if (!button) return;
  button.onclick = async () => {
    const { send } = await import("./send.js");
    if ((await send(route, {}, button))?.ok) location.assign(page);
  };
}
become("adopt", "host", "/host");
become("visit", "simulated/visit", "/seat");
