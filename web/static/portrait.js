// A picture of the card in hand, taken with the phone: sent as it is, kept small by the table.

import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";

const MOST_BYTES = 12 * 1024 * 1024;

// `save()` resolves when the deck is kept: a picture belongs to a deck that there is.
// Answers with what shows the picture of a card, which is called what `called()` says.
export function portrait(place, save) {
  const pictured = new Set(place.dataset.pictured.split(" ").filter(Boolean));
  const image = document.getElementById("portrait");
  const shot = document.getElementById("shot");
  const unshot = document.getElementById("unshot");
  const path = (card) => `decks/${place.dataset.name}/pictures/${card}`;
  let now = null;
  let taken = 0;

  function show(card, called) {
    now = { card, called };
    const there = pictured.has(card);
    image.hidden = unshot.hidden = !there;
    image.alt = there ? say("picture.of", { what: called() }) : "";
    if (there) image.src = `/api/v1/${path(card)}?${taken}`;
    else image.removeAttribute("src");
    document.getElementById("shoot").textContent = say(there ? "picture.again" : "picture.take");
  }

  shot.onchange = async () => {
    const [file] = shot.files;
    const { card, called } = now;
    shot.value = "";
    if (!file) return;
    const note = document.getElementById("note");
    if (file.size > MOST_BYTES) return (note.textContent = say("picture.large"));
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
