// A fight by its card and the rules; the dice are on the table and are not entered.

import { cardName, nameOf } from "../../static/board.js";
import { make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { sign } from "./says.js";

/** @param {Fight} fight */
export function fightParts({ fighter, card, near, defence, attack, life, lethal, compass }) {
  const words = say("lands.fight.who", { who: nameOf(fighter), card_name: cardName(card) });
  const dead = life === null ? say("lands.fight.unknown") : say("lands.fight.life", { n: life });
  const flight = compass.map((to, at) => `${at + 1} ${say(`lands.compass.${to}`)}`).join(" · ");
  const after = lethal ? say("lands.fight.lethal") : say("lands.fight.flees");
  return [
    make("h2", {}, sign("enemy"), words),
    ...(near.length ? [make("p", {}, say("lands.fight.near", { who: near.map(nameOf).join(", ") }))] : []),
    make("div", { class: "dice" }, die("grey", defence), die("red", attack)),
    make("p", {}, `${dead} ${after}`),
    ...(flight && !lethal ? [make("p", { class: "hint compass" }, flight)] : []),
    ...(lethal ? [] : [make("p", { class: "hint" }, say("lands.fight.flight"))]),
    make("p", { class: "hint" }, say("lands.fight.over")),
  ];
}

/**
 * The lowest number at which a die counts, and its modifiers.
 * @param {"grey" | "red"} colour
 * @param {number | null} from
 */
function die(colour, from) {
  const needs = from === null ? say("lands.die.unknown") : say(`lands.die.${colour}.from`, { n: from });
  const about = make("span", {}, say(`lands.die.${colour}`), make("small", {}, needs));
  return make(
    "div",
    { class: `die of-${colour}` },
    make("p", {}, make("b", {}, from === null ? "–" : `${from}+`), about),
    make("small", {}, say(`lands.change.${colour}`)),
  );
}
