// Turns the form into a match file.

import { say } from "../../static/live.js";
import { matchFields, playerRows } from "../../static/players.js";
import { ask, send } from "../../static/send.js";

const BOX = "lands-box"; // the deck of a table without entered cards
const BOX_FILE = `${BOX}.toml`;

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const { names, open } = playerRows(form, { least: 1, most: 4 });
  open(async (button) => {
    const seat = names().map((input) => ({ name: input.value.trim() }));
    const match = { game: "lands", seat, ...matchFields(form) };
    if (match.deck === "+") {
      match.deck = BOX_FILE;
      if (!(await isThere()) && !(await send("decks", { name: BOX, deck: blank() }, button))?.ok) return;
    }
    begin(match, button);
  });
}

// An old page, or one restored by the browser, does not know that the box may have a deck by now, which may be full: if
// the table does not answer, none is written.
async function isThere() {
  const answer = await ask("decks");
  return !answer || answer.decks.some((/** @type {{ file: string }} */ deck) => deck.file === BOX_FILE);
}

function blank() {
  return { deck: { game: "lands", name: say("lands.setup.box"), edition: "own" }, tile: [] };
}
