import { find } from "../../static/dom.js";
import { playerRows } from "../../static/players.js";

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const { names, named } = playerRows(form, { least: 2, most: 2 });
  form.onsubmit = (event) => {
    event.preventDefault();
    const seat = names().map((input) => ({ name: input.value.trim() }));
    if (named()) begin({ game: "noughts", seat }, find(form, ".main"));
  };
  find(form, "#fields", HTMLFieldSetElement).disabled = false;
}
