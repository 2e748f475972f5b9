// Cards of a deck as entered: names, completeness and prerequisites.

import { byId, find, make } from "./dom.js";
import { say } from "./live.js";

export const MOST_NEEDS = 3;

/**
 * The name of a card in a language, else in English, else in any.
 * @param {DeckCard} card
 * @param {string} language
 */
export function titleOf({ name = {} }, language) {
  return name[language] ?? name.en ?? Object.values(name)[0] ?? "";
}

/** @param {DeckCard} card @param {string} language */
export function isComplete(card, language) {
  return Boolean(titleOf(card, language) && card.family && card.prerequisites);
}

/** Whether a fault is about the card at this place of the deck. @param {Fault} fault @param {number} at */
export function isAbout({ where }, at) {
  return where[0] === "card" && where[1] === at;
}

/**
 * Lists a card's prerequisites, each with a button to remove it, and offers further ones.
 * @param {DeckCard} card
 * @param {DeckCard[]} cards The whole deck.
 * @param {string[]} needs
 * @param {(id: string) => string} called
 * @param {(id: string) => void} remove
 */
export function showNeeds(card, cards, needs, called, remove) {
  const buttons = needs.map((id) => {
    const ariaLabel = say("need.remove", { what: called(id) });
    const button = make("button", { className: "button small", type: "button", ariaLabel }, `${called(id)} −`);
    button.onclick = () => remove(id);
    return make("li", {}, button);
  });
  byId("needs").replaceChildren(...buttons);
  const open = cards.filter(({ id }) => id !== card.id && id[0] <= card.id[0] && !needs.includes(id));
  const options = open.map(({ id }) => make("option", { value: id }, called(id)));
  const need = find(byId("card"), "[name=need]", HTMLSelectElement);
  need.replaceChildren(make("option", { value: "" }, "…"), ...options);
  need.disabled = needs.length >= MOST_NEEDS;
}
