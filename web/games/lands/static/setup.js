// Turns the form into a match file.

import { matchFields, playerRows } from "../../static/players.js";
import { send } from "../../static/send.js";

const BOX = "lands-box"; // the deck of whoever has entered nothing yet

export function setUp(form, say, begin) {
  const { names, named } = playerRows(form, say, { least: 1, most: 4 });
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (!named()) return;
    const seat = names().map((input) => ({ name: input.value.trim() }));
    const match = { game: "lands", seat, ...matchFields(form) };
    const button = form.querySelector(".main");
    if (match.deck === "+") {
      match.deck = `${BOX}.toml`;
      if (!(await isThere(match.deck)) && !(await send("decks", { name: BOX, deck: blank(say) }, button))?.ok) return;
    }
    begin(match, button);
  };
  form.querySelector("#fields").disabled = false;
}

// A page that was opened earlier, or came back, does not know that the box has a deck by now, which may be full: where
// nobody answers, none is written.
async function isThere(file) {
  const answer = await fetch("/api/v1/decks", { cache: "no-store" }).catch(() => null);
  return !answer?.ok || (await answer.json()).decks.some((deck) => deck.file === file);
}

function blank(say) {
  return { deck: { game: "lands", name: say("lands.setup.box"), edition: "own" }, tile: [] };
}
