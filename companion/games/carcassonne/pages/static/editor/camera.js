// Tiles under the camera: what was entered of each, drawn as the tile lies.

import { byId } from "../../../static/dom.js";
import { say } from "../../../static/live.js";
import { send } from "../../../static/send.js";
import { drawnRow, pick } from "./pictures.js";
import { form, isWaiting, rowOf, state } from "./state.js";

/** @typedef {{ token: string, x: number, y: number, turned_deg: number }} Seen A sticker in the camera's picture. */

const LOOK_MS = 700;
const STOPPED = 0;
const LOOKING = -1;

/** @param {(id: string) => void} open Shows a tile. */
export function camera(open) {
  const button = byId("look");
  const side = byId("side");
  let timer = STOPPED;
  let viewed = 0; // quarter turns between the user's view of the table and the camera's

  button.onclick = () => (timer === STOPPED ? begin() : stop());
  side.onclick = () => (viewed = (viewed + 1) % 4);

  function begin() {
    setLooking(true);
    look();
  }

  function stop() {
    clearTimeout(timer);
    timer = STOPPED;
    setLooking(false);
  }

  /** @param {boolean} on */
  function setLooking(on) {
    button.setAttribute("aria-pressed", String(on));
    button.textContent = say(on ? "carcassonne.editor.look.end" : "carcassonne.editor.look.begin");
    side.hidden = !on;
  }

  async function look() {
    timer = LOOKING;
    if (!document.hidden && !isWaiting()) {
      const outcome = await send("box-check", { do: "see", game: state.deck.deck.game });
      if (outcome && !outcome.ok) return stop();
      if (outcome && timer !== STOPPED) show(outcome.body);
    }
    if (timer !== STOPPED) timer = setTimeout(look, LOOK_MS);
  }

  /** @param {{ seen: Seen[], unread: number }} answer */
  function show({ seen, unread }) {
    const tiles = seen.filter(({ token }) => form.cards.includes(token) || rowOf(token));
    tiles.sort((one, other) => one.y - other.y || one.x - other.x);
    byId("seen").replaceChildren(
      ...tiles.map(({ token, turned_deg: turned }) => {
        const row = rowOf(token);
        const lies = say("carcassonne.editor.look.lies", { piece: token, n: Math.round(turned) });
        const words = row ? lies : say("carcassonne.editor.look.open", { piece: token });
        const svg = drawnRow(row, { askew: row ? turned + 90 * viewed : 0 });
        return pick(svg, words, () => open(token), {}, token);
      }),
    );
    const more = unread ? say("carcassonne.editor.look.unread", { n: unread }) : "";
    const words = [say("carcassonne.editor.look.count", { n: tiles.length }), more].filter(Boolean).join(" ");
    if (byId("seen-count").textContent !== words) byId("seen-count").textContent = words;
  }
}
