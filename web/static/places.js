// The seats: players are renamed, swap, leave and join, if the table allows it now.

import { find, findAll, make, mark, partsOf } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { nameKey } from "./names.js";
import { ask } from "./send.js";

/**
 * @callback Correct Sends a change to the table.
 * @param {{ seat: Seat } & Record<string, any>} change
 * @param {HTMLElement} button
 * @returns {unknown}
 */

/** Returns the function that draws the seats. @param {Correct} correct */
export function places(correct) {
  /** @type {string[]} */
  let names = [];
  const rows = findAll(document, "[data-place]").map(wire);

  /** @param {HTMLElement} row */
  function wire(row) {
    const seat = Number(row.dataset.place);
    const name = find(row, "form [name=name]", HTMLInputElement);
    const part = partsOf(row);
    let now = { here: true, name: name.value };
    name.oninput = () => name.setCustomValidity("");
    find(row, "form").onsubmit = (event) => {
      event.preventDefault();
      const called = name.value.trim();
      if (!called || names.some((other, index) => index !== seat - 1 && same(other, called))) {
        name.setCustomValidity(say(called ? "name.twice" : "name.empty", { who: called, m: seat }));
        name.reportValidity();
        return;
      }
      if (now.here) correct({ seat, name: called }, part("named"));
      else correct({ seat, here: true, ...(called === now.name ? {} : { name: called }) }, part("sits"));
    };
    holdToConfirm(part("leaves"), () => correct({ seat, here: false }, part("leaves")));

    /** @param {Place[]} told */
    return (told) => {
      const one = told[seat - 1];
      if (document.activeElement !== name || name.value === now.name) name.value = one.name;
      now = one;
      part("away").hidden = one.here;
      part("named").hidden = !one.here;
      part("sits").hidden = one.here || Boolean(one.why);
      name.disabled = !one.here && Boolean(one.why);
      part("leaves").hidden = !one.here || Boolean(one.why);
      part("what").textContent = what(one, told);
      const others = told.filter((other) => other.seat !== seat && other.here && !other.bot);
      part("swaps").hidden = !one.here || one.bot || !others.length;
      find(part("swaps"), ".acts").replaceChildren(...others.map((other) => swap(seat, other)));
    };
  }

  /** @param {Seat} seat @param {Place} other */
  function swap(seat, other) {
    const button = make("button", { className: "button", type: "button" }, mark(other.seat), other.name);
    button.onclick = () => correct({ seat, swaps: other.seat }, button);
    return button;
  }

  /** @param {Place[]} told */
  return (told) => {
    names = told.map((one) => one.name);
    for (const row of rows) row(told);
    codes(told);
  };
}

/** @param {string} one @param {string} other */
function same(one, other) {
  return nameKey(one) === nameKey(other);
}

/**
 * The consequences of leaving or joining, or why it is impossible now.
 * @param {Place} one
 * @param {Place[]} told
 */
function what(one, told) {
  if (one.why) return say(one.here ? "seat.stays" : "seat.waits", { what: one.why });
  const cards = say(one.here ? "seat.leaves" : "seat.draws", { n: one.cards });
  return one.next ? `${cards} ${say("seat.next", { who: told[one.next - 1].name })}` : cards;
}

let listed = "";

/**
 * Codes stay with the players: after a swap a code belongs to another seat.
 * @param {Place[]} told
 */
async function codes(told) {
  const names = JSON.stringify(told.map((one) => one.name));
  const first = !listed;
  if (names === listed) return;
  listed = names;
  if (first) return;
  const answer = await ask("invitations");
  if (!answer) return;
  /** @type {{ role: string, seat: Seat }[]} */
  const invitations = answer.invitations;
  const seats = invitations.filter((one) => one.role === "seat" && !told[one.seat - 1].bot);
  findAll(document, "[data-code]").forEach((place, index) => {
    const { seat } = seats[index] ?? {};
    if (seat) place.replaceChildren(mark(seat), ` ${told[seat - 1].name}`);
  });
}
