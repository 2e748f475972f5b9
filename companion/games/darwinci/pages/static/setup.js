// Turns the form into a match file.

import { find, findAll, targetOf } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { matchFields, playerRows } from "../../static/players.js";

const COLOURS = ["red", "blue", "green", "yellow", "white"];

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const players = find(form, "#players");
  const colours = () => findAll(players, "[name=colour]", HTMLSelectElement);
  const { names, open } = playerRows(form, { least: 3, most: 5, changed: eachItsColour });

  players.addEventListener("change", (event) => {
    const chosen = targetOf(event);
    if (!(chosen instanceof HTMLSelectElement) || chosen.name !== "colour") return;
    // The player who had these stones gets the other ones in exchange.
    const other = colours().find((one) => one !== chosen && one.value === chosen.value);
    if (other) other.value = unused(new Set(colours().map((one) => one.value)));
  });
  open((button) => begin(matchFile(), button));

  // A new row has the stones of the row above it, or none.
  function eachItsColour() {
    const taken = new Set();
    for (const [index, one] of colours().entries()) {
      if (taken.has(one.value)) one.value = unused(taken);
      taken.add(one.value);
      one.setAttribute("aria-label", say("darwinci.colour", { n: index + 1 }));
    }
  }

  function matchFile() {
    const seat = names().map((input, index) => ({ name: input.value.trim(), colour: colours()[index].value }));
    const profile = new FormData(form).get("experts") ? "experts" : "base";
    return { game: "darwinci", seat, profile, ...matchFields(form) };
  }
}

/** The first free colour. @param {Set<string>} taken */
function unused(taken) {
  return COLOURS.find((colour) => !taken.has(colour)) ?? COLOURS[0];
}
