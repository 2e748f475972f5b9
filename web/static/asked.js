// What a choice or a question is about: for the pages that ask, not for those that only watch.

import { cardName } from "./board.js";
import { last } from "./dom.js";
import { start } from "./live.js";

/** The name of a card, with the number on its sticker if others are called the same. @param {string} id */
export function cardByNumber(id) {
  const name = cardName(id);
  return start.match?.cards.some((card) => card.id !== id && card.name === name) ? `${name} (${id})` : name;
}

/**
 * The moves that the newest open question is about, in the order of its answers: a map shows where each would be.
 * @param {Update} update
 * @returns {Move[]}
 */
export function readings(update) {
  const asked = new Set(update.asked.map((one) => one.text));
  const line = last([...start.log, update], ({ entry, texts }) => entry?.event === "question" && asked.has(texts[0]));
  return line?.entry?.readings ?? [];
}
