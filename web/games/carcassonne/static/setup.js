// Turns the form into a match file.

import { matchFields, playerRows } from "../../static/players.js";

export function setUp(form, say, begin) {
  const first = form.elements.first;
  const { names, named } = playerRows(form, say, { least: 2, most: 5, changed: whoBegins });

  form.onsubmit = (event) => {
    event.preventDefault();
    if (named()) begin(matchFile(), form.querySelector(".main"));
  };
  form.querySelector("#fields").disabled = false;

  function whoBegins() {
    const inputs = [...form.querySelectorAll("#players [name=name]")];
    const chosen = Math.min(Number(first.value) || 1, inputs.length);
    first.replaceChildren(...inputs.map((input, index) => new Option(input.value.trim() || input.placeholder, index + 1)));
    first.value = chosen;
  }

  function matchFile() {
    const match = { game: "carcassonne", seat: names().map((input) => ({ name: input.value.trim() })), first: Number(first.value) };
    if (new FormData(form).get("equal_turns")) match.equal_turns = true;
    return { ...match, ...matchFields(form) };
  }
}
