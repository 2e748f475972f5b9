// A picture of the card in hand, taken with the phone: sent as it is, kept small by the table.

import { byId } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";

const MOST_BYTES = 12 * 1024 * 1024;

/**
 * Answers with what shows the picture of a card, which is called what `called()` says.
 * @param {HTMLElement} place
 * @param {() => Promise<void>} save Resolves when the deck is kept: a picture belongs to a deck that there is.
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
