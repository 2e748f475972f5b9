// The first page, the board, the television and the overlay.

import { board, ending, table } from "./board.js";
import { findOptional } from "./dom.js";
import { guarded, report } from "./faults.js";
import { currentMatch, follow, signed, start } from "./live.js";

const large = document.documentElement.classList.contains("tv");
/** @type {Draw[]} */
const parts = [];
/** @type {[Update, boolean][]} */
const news = [[start.now, false]]; // all that happened while parts are still being loaded
let loading = 0;
follow((update, fresh) => {
  if (loading) news.push([update, fresh]);
  for (const draw of parts) guarded("board", () => draw(update, fresh));
  guarded("title", () => {
    if (start.match && update.standing) document.title = title(update.standing);
  });
});
later(drawn(), true);

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

/**
 * Parts that are loaded after the score is drawn: what happened meanwhile they draw in order.
 * @param {Promise<Draw[]>} loaded
 * @param {boolean} [first] Before the other parts.
 */
function later(loaded, first = false) {
  loading += 1;
  loaded
    .then(
      (draws) => {
        parts.splice(first ? 0 : parts.length, 0, ...draws);
        for (const each of news) for (const draw of draws) guarded("board", () => draw(...each));
      },
      (error) => report("board", error),
    )
    .finally(() => (loading -= 1));
}

// The first page of a table that is shown: its picture, and where there is room the tree at a glance. It has no sound.
const shown = document.getElementById("picture");
if (shown) later(import("./picture.js").then(({ picture }) => [picture(shown)]));
const small = findOptional(document, "[data-small]", SVGElement);
if (small?.getClientRects().length) later(import(small.dataset.small ?? "").then(({ draw }) => [draw(small)]));

if (!shown) {
  later(
    import("./cues.js").then((cues) => {
      if (large) cues.stayAwake();
      const speaking = document.getElementById("speaking");
      if (speaking) cues.speaker(speaking);
      return [(update, fresh) => cues.cue(update, fresh, null)];
    }),
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
