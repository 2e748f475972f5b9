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
      const blank = { deck: { game: "lands", name: say("lands.setup.box"), edition: "own" }, tile: [] };
      if (!(await send("decks", { name: BOX, deck: blank }, button))?.ok) return;
      match.deck = `${BOX}.toml`;
    }
    begin(match, button);
  };
  form.querySelector("#fields").disabled = false;
}
