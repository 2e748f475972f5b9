// The players in a form: add, remove and name them.

import { find, findAll, sprites, targetOf } from "./dom.js";
import { say } from "./live.js";
import { nameKey } from "./names.js";

/**
 * @typedef {object} How
 * @property {number} least Minimum number of players.
 * @property {number} most
 * @property {() => void} [changed] Called when a name, a seat or the number of seats changes.
 * @property {(row: Element) => boolean} [nameless] Whether a player may go without a name.
 */

/**
 * Returns the name fields, and a function that enables the form.
 * @param {HTMLFormElement} form
 * @param {How} how
 */
export function playerRows(form, { least, most, changed = () => {}, nameless = () => false }) {
  const players = find(form, "#players");
  const more = find(form, "#more", HTMLButtonElement);
  const names = () => findAll(players, "[name=name]", HTMLInputElement);

  more.onclick = () => {
    const added = /** @type {Element} */ (players.lastElementChild?.cloneNode(true));
    for (const input of findAll(added, "input", HTMLInputElement)) {
      if (input.type === "checkbox") input.checked = false;
      else input.value = "";
      input.setCustomValidity("");
    }
    players.append(added);
    number();
    find(added, "[name=name]").focus();
  };
  players.addEventListener("click", (event) => {
    const button = targetOf(event).closest("[data-remove]");
    if (!button || players.children.length <= least) return;
    button.closest("li")?.remove();
    number();
  });
  players.addEventListener("input", () => {
    for (const input of names()) input.setCustomValidity("");
    changed();
  });
  number();
  return { names, open };

  /**
   * The form is hidden until its script is ready: a tap on a loading page must not be lost.
   * @param {(button: HTMLElement) => void} act Called when it is sent and all names are valid.
   */
  function open(act) {
    form.onsubmit = (event) => {
      event.preventDefault();
      if (named()) act(find(form, ".main"));
    };
    find(form, "#fields", HTMLFieldSetElement).disabled = false;
  }

  // All players have names, and all are different.
  function named() {
    const seen = new Set();
    for (const [index, input] of names().entries()) {
      const row = /** @type {Element} */ (input.closest("li"));
      const name = input.value.trim() || (nameless(row) ? input.placeholder : "");
      const wrong = !name ? "name.empty" : seen.has(nameKey(name)) ? "name.twice" : null;
      seen.add(nameKey(name));
      if (!wrong) continue;
      input.setCustomValidity(say(wrong, { who: name || input.placeholder, m: index + 1 }));
      input.reportValidity();
      return false;
    }
    return true;
  }

  function number() {
    for (const [index, row] of [...players.children].entries()) {
      const seat = index + 1;
      find(row, "svg", SVGElement).setAttribute("class", `mark seat-${seat}`);
      find(row, "use", SVGElement).setAttribute("href", `${sprites.symbols}#s${seat}`);
      const input = find(row, "[name=name]", HTMLInputElement);
      input.placeholder = say("player", { n: seat });
      input.setAttribute("aria-label", input.placeholder);
      const remove = find(row, "[data-remove]", HTMLButtonElement);
      remove.setAttribute("aria-label", say("remove", { n: seat }));
      remove.disabled = players.children.length <= least;
    }
    more.disabled = players.children.length >= most;
    changed();
  }
}

/** The keys that all games' match files have. @param {HTMLFormElement} form */
export function matchFields(form) {
  const fields = new FormData(form);
  /** @type {{ tile_mm?: number, deck?: string, host?: "outside" }} */
  const match = {};
  if (Number(fields.get("tile_mm"))) match.tile_mm = Number(fields.get("tile_mm"));
  if (fields.get("deck")) match.deck = String(fields.get("deck"));
  if (fields.get("outside")) match.host = "outside";
  return match;
}
