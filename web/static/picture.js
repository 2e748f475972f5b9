// The live picture of the table, with frames on the cards that the camera recognises.

import { find, shape, text } from "./dom.js";
import { currentMatch, gameScript, start } from "./live.js";

const LOOK_MS = 1500;
const ADDRESS = "/api/v1/table.jpg";
const HEAD_BYTES = 16384; // the comment is before the picture
const RIM_PX = 14; // around cards that have one frame together
const TAG = { height: 62, gap: 14, letter: 17, px: 30 };

/** @typedef {[x: number, y: number][]} Corners */

/**
 * Renews the picture while the page is visible; a table that is shown no more is replaced by its drawing.
 * @param {HTMLElement} place
 * @returns {Draw}
 */
export function picture(place) {
  const image = find(place, "img", HTMLImageElement);
  const seen = find(place, ".seen", SVGElement);
  /** @type {Record<string, Corners>} */
  let cards = {};
  let update = start.now;
  let away = false;
  /** @type {(view: any) => { framed: string[], dashed: string[] }} */
  let framesOf = () => ({ framed: [], dashed: [] });
  const { game, framed } = currentMatch();
  if (framed) gameScript(game, "frames.js").then((script) => (framesOf = script.frames), () => {});
  setInterval(look, LOOK_MS);
  look();
  return (/** @type {Update} */ newest) => {
    update = newest;
    frames();
  };

  async function look() {
    if (document.hidden || away) return;
    away = true;
    try {
      const answer = await fetch(ADDRESS);
      if (answer.status === 403) return location.reload();
      place.classList.toggle("blind", !answer.ok);
      if (answer.ok) await show(await answer.blob());
    } catch {
      place.classList.add("blind"); // the page says that the table is away
    } finally {
      away = false;
    }
  }

  /** @param {Blob} file */
  async function show(file) {
    const fresh = new Image();
    fresh.src = URL.createObjectURL(file);
    await fresh.decode();
    if (image.src.startsWith("blob:")) URL.revokeObjectURL(image.src);
    image.src = fresh.src;
    seen.setAttribute("viewBox", `0 0 ${fresh.naturalWidth} ${fresh.naturalHeight}`);
    cards = cornersIn(await file.slice(0, HEAD_BYTES).arrayBuffer());
    frames();
  }

  // Only what the log knows too: a card under way has no frame.
  function frames() {
    const { framed, dashed } = framesOf(update.public ?? {});
    const newest = newestCard();
    seen.replaceChildren(
      ...framed.flatMap((id) => (id === newest ? [] : frame(id))),
      ...around(dashed.flatMap((id) => (id === newest ? [] : (cards[id] ?? [])))),
      ...(newest ? named(newest) : []),
    );
  }

  function newestCard() {
    const { event, move } = update.entry ?? {};
    return event === "played" || event === "refused" ? (move?.card ?? null) : null;
  }

  /** @param {string} id */
  function frame(id) {
    const corners = cards[id];
    return corners ? [shape("path", { class: `era-${id[0]}`, d: outline(corners) })] : [];
  }

  /** The newest card, with its name above it. @param {string} id */
  function named(id) {
    const corners = cards[id];
    const name = currentMatch().cards.find((card) => card.id === id)?.name;
    if (!corners || !name) return [];
    const marked = frame(id);
    if (name === id) return [shape("g", { class: "now" }, ...marked)]; // a code says nothing
    const [xs, ys] = sides(corners);
    const width = name.length * TAG.letter + 2 * TAG.gap;
    const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
    const above = Math.min(...ys) - TAG.height - TAG.gap;
    const top = above < 0 ? Math.max(...ys) + TAG.gap : above;
    const tag = shape("rect", { class: "tag", x: middle - width / 2, y: top, width, height: TAG.height, rx: TAG.gap });
    const words = text(name, { x: middle, y: top + TAG.height / 2 + TAG.px / 3, "text-anchor": "middle" });
    return [shape("g", { class: `era-${id[0]} now` }, ...marked, tag, words)];
  }

  /** @param {Corners} corners */
  function around(corners) {
    if (!corners.length) return [];
    const [xs, ys] = sides(corners);
    const [x, y] = [Math.min(...xs) - RIM_PX, Math.min(...ys) - RIM_PX];
    const [width, height] = [Math.max(...xs) - x + RIM_PX, Math.max(...ys) - y + RIM_PX];
    return [shape("rect", { class: "dashed", x, y, width, height, rx: RIM_PX })];
  }
}

/** @param {Corners} corners */
const outline = (corners) => `M${corners.map((corner) => corner.join(" ")).join("L")}Z`;

/** @param {Corners} corners */
const sides = (corners) => [corners.map(([x]) => x), corners.map(([, y]) => y)];

/**
 * The corners of each card, from a comment in the JPEG file.
 * @param {ArrayBuffer} head
 * @returns {Record<string, Corners>}
 */
function cornersIn(head) {
  const words = new TextDecoder("latin1").decode(head);
  const begins = words.indexOf("companion {");
  if (begins < 4) return {};
  const length = new DataView(head).getUint16(begins - 2);
  return JSON.parse(words.slice(begins + "companion ".length, begins - 2 + length)).cards ?? {};
}
