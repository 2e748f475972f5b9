// Turns the form into a match file.

import { find, findAll } from "../../static/dom.js";
import { matchFields, playerRows } from "../../static/players.js";

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const first = find(form, "[name=first]", HTMLSelectElement);
  const { names, open } = playerRows(form, { least: 2, most: 5, changed: whoBegins });

  open((button) => begin(matchFile(), button));

  function whoBegins() {
    const inputs = findAll(form, "#players [name=name]", HTMLInputElement);
    const chosen = Math.min(Number(first.value) || 1, inputs.length);
    const options = inputs.map((input, index) => {
      return new Option(input.value.trim() || input.placeholder, String(index + 1));
    });
    first.replaceChildren(...options);
    first.value = String(chosen);
  }

  function matchFile() {
    const seat = names().map((input) => ({ name: input.value.trim() }));
    const equal = new FormData(form).get("equal_turns") ? { equal_turns: true } : {};
    return { game: "carcassonne", seat, first: Number(first.value), ...equal, ...matchFields(form) };
  }
}
