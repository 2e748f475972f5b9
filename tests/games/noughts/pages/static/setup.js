import { playerRows } from "../../static/players.js";

export function setUp(form, say, begin) {
  const { names, named } = playerRows(form, say, { least: 2, most: 2 });
  form.onsubmit = (event) => {
    event.preventDefault();
    const seat = names().map((input) => ({ name: input.value.trim() }));
    if (named()) begin({ game: "noughts", seat }, form.querySelector(".main"));
  };
  form.querySelector("#fields").disabled = false;
}
