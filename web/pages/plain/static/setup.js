// The form of a game without pages of its own: the players' names.

import { matchFields, playerRows } from "../../static/players.js";

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const seats = Number(form.dataset.seats);
  const { names, open } = playerRows(form, { least: seats, most: seats });
  open((button) => {
    const seat = names().map((input) => ({ name: input.value.trim() }));
    begin({ game: form.dataset.game, ...matchFields(form), seat }, button);
  });
}
