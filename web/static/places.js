// Who sits where: people are renamed, change places, leave and sit down, as far as the table allows it now.

import { icon, make } from "./board.js";
import { holdToConfirm } from "./hold.js";
import { say, sprites } from "./live.js";

// `correct({ seat, ... }, button)` says it to the table. Answers with what draws the seats as they are told.
export function places(correct) {
  let names = [];
  const rows = [...document.querySelectorAll("[data-place]")].map(wire);

  function wire(row) {
    const seat = Number(row.dataset.place);
    const form = row.querySelector("form");
    const { name } = form.elements;
    const part = (kind) => row.querySelector(`[data-${kind}]`);
    let now = { here: true, name: name.value };
    name.oninput = () => name.setCustomValidity("");
    form.onsubmit = (event) => {
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
      part("swaps").querySelector(".acts").replaceChildren(...others.map((other) => swap(seat, other)));
    };
  }

  function swap(seat, other) {
    const button = make("button", { className: "button", type: "button" }, sign(other.seat), other.name);
    button.onclick = () => correct({ seat, swaps: other.seat }, button);
    return button;
  }

  return (told) => {
    names = told.map((one) => one.name);
    for (const row of rows) row(told);
    codes(told);
  };
}

function same(one, other) {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}

function sign(seat) {
  return icon(`${sprites.symbols}#s${seat}`, `mark seat-${seat}`);
}

// What would come of leaving, or of sitting down; or why neither can be now.
function what(one, told) {
  if (one.why) return say(one.here ? "seat.stays" : "seat.waits", { what: one.why });
  const cards = say(one.here ? "seat.leaves" : "seat.draws", { n: one.cards });
  return one.next ? `${cards} ${say("seat.next", { who: told[one.next - 1].name })}` : cards;
}

// Codes go with the people: who changed places keeps the code, and it now belongs to another seat.
let listed = "";

async function codes(told) {
  const names = JSON.stringify(told.map((one) => one.name));
  const first = !listed;
  if (names === listed) return;
  listed = names;
  if (first) return;
  const answer = await fetch("/api/v1/invitations", { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return;
  const seats = (await answer.json()).invitations.filter((one) => one.role === "seat" && !told[one.seat - 1].bot);
  document.querySelectorAll("[data-code]").forEach((place, index) => {
    const { seat } = seats[index] ?? {};
    if (seat) place.replaceChildren(sign(seat), ` ${told[seat - 1].name}`);
  });
}
