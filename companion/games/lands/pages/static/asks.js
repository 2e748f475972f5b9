// The form for a card that is not described: a field for each fact.

import { cardByNumber } from "../../static/asked.js";
import { findAll, make } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { KINDS, sign } from "./says.js";
import { tileForm } from "./tile.js";

/** @typedef {(move: Move, pressed?: HTMLElement) => unknown} Tell */

const FACES = 12;
const MOST_OF_KIND = 4;
const WORDS = ["colour", "cost", "name"]; // the facts that are not numbers

/** @param {AskedCard} asked @param {Seat} by @param {number} side Of a tile, in millimetres. @param {Tell} tell */
export function askForm({ card, keys, told }, by, side, tell) {
  const title = say("lands.ask", { card_name: cardByNumber(card) });
  if (keys.includes("spaces")) return tileForm({ card, told, side, title, by, tell });
  const ticks = [
    ...(keys.includes("defence") ? [tick("lethal")] : []),
    ...(keys.includes("colour") ? [tick("tribal")] : []),
    ...(keys.includes("name") ? [tick("quest")] : []),
  ];
  const ready = make("button", { class: "button main" }, say("lands.ask.tell"));
  const made = make(
    "form",
    { class: "ask" },
    make("h2", {}, title),
    ...keys.map((key) => make("label", {}, `${say(`lands.ask.${key}`)} `, field(key))),
    ...ticks,
    ready,
  );
  made.onsubmit = (event) => {
    event.preventDefault();
    tell({ do: "tell", by, card, ...facts(made, keys) }, ready);
  };
  return made;
}

/** The content of the form. @param {HTMLFormElement} form @param {string[]} keys */
function facts(form, keys) {
  /** @type {Record<string, string | number | boolean>} */
  const told = {};
  for (const [key, value] of new FormData(form)) {
    const words = String(value).trim();
    if (key === "makes") told[key] = words.toUpperCase();
    else if (value === "on") told[key] = true;
    else if (words) told[key] = WORDS.includes(key) ? words : Number(words);
  }
  if (keys.includes("cost")) {
    const kinds = findAll(form, "[data-kind]", HTMLSelectElement);
    told.cost = kinds.flatMap((one) => Array(Number(one.value)).fill(one.dataset.kind)).join(" ");
  }
  return told;
}

/** @param {string} key */
function field(key) {
  const usual = { name: key, required: true, autocomplete: "off" };
  if (key === "colour") {
    const colours = ["blue", "orange"].map((one) => make("option", { value: one }, say(`lands.colour.${one}`)));
    return make("select", { name: key }, ...colours);
  }
  if (key === "name") return make("input", { ...usual, maxlength: 40 });
  if (key === "makes") return make("input", { ...usual, pattern: "[Oo][0-9]{2}", placeholder: "O01", size: 4 });
  if (key === "cost") return make("span", { class: "costs" }, ...KINDS.map(costOf));
  return make("input", { name: key, type: "number", min: 1, max: FACES, required: true, inputmode: "numeric" });
}

/** Its cost in one resource. @param {Resource} kind */
function costOf(kind) {
  const name = say(`lands.kind.${kind}`);
  const counts = Array.from({ length: MOST_OF_KIND + 1 }, (_, n) => make("option", { value: n }, String(n)));
  return make("label", {}, sign(kind, name), make("select", { "data-kind": kind, "aria-label": name }, ...counts));
}

/** @param {string} key */
function tick(key) {
  const words = make("span", {}, say(`lands.ask.${key}`));
  return make("label", { class: "option" }, make("input", { type: "checkbox", name: key }), words);
}
