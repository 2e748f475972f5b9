import { playerRows } from "../../static/players.js";

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const { names, open } = playerRows(form, { least: 2, most: 2 });
  open((button) => {
    const seat = names().map((input) => ({ name: input.value.trim() }));
    begin({ game: "noughts", seat }, button);
  });
}
