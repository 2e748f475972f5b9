// A card in a list: its picture first, then its name.

import { face } from "./board.js";
import { icon, make, sprites } from "./dom.js";
import { currentMatch, say } from "./live.js";

/** @param {string} id */
export function cardOf(id) {
  return currentMatch().cards.find((card) => card.id === id);
}

/** The photo of a card, else its drawing, if there is one. @param {string} id */
export function picture(id) {
  const { pictured, pictures } = currentMatch();
  if (!pictured.includes(id)) return face(cardOf(id));
  return [make("img", { alt: "", loading: "lazy", src: `/api/v1/decks/${pictures}/pictures/${id}` })];
}

/** A square with the picture and the era. @param {string} id */
export function token(id) {
  const era = make("span", { className: "numeral" }, /^\d/.test(id) ? id[0] : "★");
  return make("span", { className: `token era-${id[0]}`, "aria-hidden": "true" }, ...picture(id), era);
}

/** The sign of the card's family, if it has one. @param {string} id */
export function familySign(id) {
  const family = cardOf(id)?.family;
  if (!family) return [];
  const sign = icon(`${sprites.families}#${family}`, "family");
  sign.removeAttribute("aria-hidden");
  sign.setAttribute("role", "img");
  sign.setAttribute("aria-label", say(`family.${family}`));
  return [sign];
}
