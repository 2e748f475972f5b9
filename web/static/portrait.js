// A photo of a card, taken with the phone; the table stores it in a smaller size.

import { byId } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";

const MOST_BYTES = 12 * 1024 * 1024;

/**
 * Returns a function that shows the photo of a card; `called()` is the card's name.
 * @param {HTMLElement} place
 * @param {() => Promise<void>} save Resolves when the deck is saved: a photo needs an existing deck.
 */
export function portrait(place, save) {
  const pictured = new Set((place.dataset.pictured ?? "").split(" ").filter(Boolean));
  const image = byId("portrait", HTMLImageElement);
  const shot = byId("shot", HTMLInputElement);
  const unshot = byId("unshot");
  /** @param {string} card */
  const path = (card) => `decks/${place.dataset.name}/pictures/${card}`;
  let now = { card: "", called: () => "" };
  let taken = 0;

  /** @param {string} card @param {() => string} called */
  function show(card, called) {
    now = { card, called };
    const there = pictured.has(card);
    image.hidden = unshot.hidden = !there;
    image.alt = there ? say("picture.of", { what: called() }) : "";
    if (there) image.src = `/api/v1/${path(card)}?${taken}`;
    else image.removeAttribute("src");
    byId("shoot").textContent = say(there ? "picture.again" : "picture.take");
  }

  shot.onchange = async () => {
    const [file] = shot.files ?? [];
    const { card, called } = now;
    shot.value = "";
    if (!file) return;
    const note = byId("note");
    if (file.size > MOST_BYTES) {
      note.textContent = say("picture.large");
      return;
    }
    await save();
    if (!(await send(path(card), file, shot.parentElement))?.ok) return note.scrollIntoView({ block: "center" });
    pictured.add(card);
    taken += 1;
    if (now.card === card) show(card, called);
  };
  holdToConfirm(unshot, async () => {
    const { card, called } = now;
    if (!(await send(`${path(card)}/delete`, {}, unshot))?.ok) return;
    pictured.delete(card);
    if (now.card === card) show(card, called);
    shot.focus();
  });
  return show;
}
