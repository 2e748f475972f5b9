// Names and drawings of things, and the moves of an offer.

import { cardName, nameOf } from "../../static/board.js";
import { icon, shape, sprites } from "../../static/dom.js";
import { say } from "../../static/live.js";

/** @type {Resource[]} */
export const KINDS = ["food", "meat", "water", "dirty-water", "wood", "stone", "poison", "find", "medicine"];
/** @type {Damage[]} */
export const DAMAGE = ["hunger", "thirst", "disease", "skull"];
export const FATAL = 4; // number of damages

/** A drawing from the island's file; with a title it replaces text. @param {string} name @param {string} title */
export function sign(name, title = "") {
  const drawn = icon(`${sprites.island}#${name}`, `sign of-${name}`);
  if (!title) return drawn;
  drawn.removeAttribute("aria-hidden");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", title);
  drawn.prepend(shape("title", {}, title));
  return drawn;
}

/**
 * The name of a card: from the deck, or as players entered it.
 * @param {string} id
 * @param {LandsView} view
 */
export function called(id, view) {
  const told = view.sheets?.flatMap((sheet) => sheet.cards).find((one) => one.card === id)?.name;
  return told ?? cardName(id);
}

/** One move for each way to choose from an offer. @param {Offer} offer @returns {Move[]} */
export function movesOf(offer) {
  /** @type {Move[]} */
  let moves = [{ do: offer.do, by: offer.by }];
  for (const [key, values] of Object.entries(offer.choices)) {
    moves = moves.flatMap((move) => values.map((value) => ({ ...move, [key]: value })));
  }
  return moves;
}

/** What a space is, in words. @param {Space} space */
export function spaceName({ cost, landmark, fire, seats: there }) {
  const words = [
    say("lands.space", { n: cost }),
    landmark ? say("lands.space.landmark") : "",
    fire === null ? "" : say(fire ? "lands.space.fire" : "lands.space.out"),
    there.map(nameOf).join(", "),
  ];
  return words.filter(Boolean).join(", ");
}
