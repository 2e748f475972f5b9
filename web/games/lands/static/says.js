// What a move of this game is called on a button, and every move that an offer holds.

import { shape } from "../../static/svg.js";

export const sprites = document.documentElement.dataset;
export const KINDS = ["food", "meat", "water", "dirty-water", "wood", "stone", "poison", "find", "medicine"];
export const DAMAGE = ["hunger", "thirst", "disease", "skull"];

export function sign(name, title = null) {
  const drawn = shape("svg", { class: `sign of-${name}`, ...(title ? { role: "img", "aria-label": title } : { "aria-hidden": "true" }) });
  if (title) {
    const words = shape("title");
    words.textContent = title;
    drawn.append(words);
  }
  drawn.append(shape("use", { href: `${sprites.island}#${name}` }));
  return drawn;
}

// The sign of a seat.
export function mark(seat) {
  return shape("svg", { class: `mark seat-${seat}`, "aria-hidden": "true" }, shape("use", { href: `${sprites.symbols}#s${seat}` }));
}

// A card as people call it: by what the deck says, or what somebody told of it since.
export function called(id, match, view) {
  const told = view.sheets?.flatMap((sheet) => sheet.cards).find((one) => one.card === id)?.name;
  return told ? `${id} ${told}` : match.cards.find((card) => card.id === id)?.name ?? id;
}

// One move for each way to choose from an offer.
export function movesOf(offer) {
  let moves = [{ do: offer.do, by: offer.by }];
  for (const [key, values] of Object.entries(offer.choices)) moves = moves.flatMap((move) => values.map((value) => ({ ...move, [key]: value })));
  return moves;
}

// Words for a button, where its group says what is done.
export function words(move, say, nameOf, cardName) {
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
    case "use":
      return say("lands.use.points", { what: move.card ? cardName(move.card) : say("lands.use.ability"), n: move.cost ?? 0 });
    case "change":
      return say(`lands.change.${move.with}`);
    case "fight":
      return say("lands.fight.card", { card_name: move.card });
    default:
      return kind || say(`lands.do.${move.do}`);
  }
}
