// Turns the form into a match file.

import { matchFields, playerRows } from "../../static/players.js";

export function setUp(form, say, begin) {
  const { names, named } = playerRows(form, say, { least: 1, most: 4 });
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!named()) return;
    const seat = names().map((input) => ({ name: input.value.trim() }));
    begin({ game: "lands", seat, ...matchFields(form) }, form.querySelector(".main"));
  };
  form.querySelector("#fields").disabled = false;
}
