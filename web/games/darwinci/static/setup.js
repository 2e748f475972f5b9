// Turns the form into a match file.

import { matchFields, playerRows } from "../../static/players.js";

const COLOURS = ["red", "blue", "green", "yellow", "white"];

export function setUp(form, say, begin) {
  const players = form.querySelector("#players");
  const { names, named } = playerRows(form, say, { least: 3, most: 5, changed: eachItsColour });

  players.addEventListener("change", (event) => {
    if (event.target.name !== "colour") return;
    // Whoever had these stones gets those that were given up.
    const other = colours().find((one) => one !== event.target && one.value === event.target.value);
    if (other) other.value = COLOURS.find((colour) => colours().every((one) => one.value !== colour));
  });
  form.onsubmit = (event) => {
    event.preventDefault();
    if (named()) begin(matchFile(), form.querySelector(".main"));
  };
  form.querySelector("#fields").disabled = false;

  function colours() {
    return [...players.querySelectorAll("[name=colour]")];
  }

  // A row that was added has the stones of the one above it, or none yet.
  function eachItsColour() {
    const taken = new Set();
    for (const [index, one] of [...players.querySelectorAll("[name=colour]")].entries()) {
      if (taken.has(one.value)) one.value = COLOURS.find((colour) => !taken.has(colour));
      taken.add(one.value);
      one.setAttribute("aria-label", say("darwinci.colour", { n: index + 1 }));
    }
  }

  function matchFile() {
    const seat = names().map((input, index) => ({ name: input.value.trim(), colour: colours()[index].value }));
    const match = { game: "darwinci", seat, profile: new FormData(form).get("experts") ? "experts" : "base" };
    return { ...match, ...matchFields(form) };
  }
}
