// What a move of this game is called on a button, and every move that an offer holds.

import { cardName, nameOf } from "../../static/board.js";
import { icon, shape, sprites } from "../../static/dom.js";
import { say } from "../../static/live.js";

/** @type {Resource[]} */
export const KINDS = ["food", "meat", "water", "dirty-water", "wood", "stone", "poison", "find", "medicine"];
/** @type {Damage[]} */
export const DAMAGE = ["hunger", "thirst", "disease", "skull"];

/** A drawing from the island's file; with a title it stands for words. @param {string} name @param {string} title */
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
 * A card as people call it: by what the deck says, or what somebody told of it since.
 * @param {string} id
 * @param {LandsView} view
 */
export function called(id, view) {
  const told = view.sheets?.flatMap((sheet) => sheet.cards).find((one) => one.card === id)?.name;
  return told ? `${id} ${told}` : cardName(id);
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

/** Words for a button, where its group says what is done. @param {Move} move @param {LandsView} view */
export function words(move, view) {
  const kind = move.kind ? say(`lands.kind.${move.kind}`) : "";
  switch (move.do) {
    case "rest": {
      const dirty = move.water === "dirty" ? `, ${say("lands.kind.dirty-water")}` : "";
      return (move.on === move.by ? kind : say("lands.rest.other", { what: kind, who: nameOf(move.on) })) + dirty;
    }
    case "drink":
      return move.with === "medicine" ? say("lands.kind.medicine") : say("lands.drink.die", { n: move.die });
    case "give":
      return say("lands.give.to", { what: kind, who: nameOf(move.to) });
    case "loot":
      return say("lands.loot.from", { what: kind, who: nameOf(move.from) });
    case "cook":
      return say("lands.cook.n", { n: move.count });
    case "fire":
      return say(move.lit ? "lands.fire.light" : "lands.fire.quench", { what: move.space });
    case "travel":
      return move.to;
    case "use": {
      const what = move.card ? called(move.card, view) : say("lands.use.ability");
      return say("lands.use.points", { what, n: move.cost ?? 0 });
    }
    case "change":
      return say(`lands.change.${move.with}`);
    case "fight":
      return say("lands.fight.card", { card_name: move.card });
    default:
      return kind || say(`lands.do.${move.do}`);
  }
}
