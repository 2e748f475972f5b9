// The host's page in Lands Unknown: the fight, what is asked, and for each seat a button for every act that it may say.

import { nameOf } from "../../static/board.js";
import { make, mark } from "../../static/dom.js";
import { currentMatch, say } from "../../static/live.js";
import { page } from "./acts.js";

/** @param {HTMLElement} place */
export function spoken(place) {
  const { show, speaks, asks } = page(place, { all: true, render });
  const seats = currentMatch().seats.map((seat) => seat.number);
  const folded = new Set(); // seats whose acts somebody folded away
  const fight = make("section", { class: "fight", "aria-label": say("lands.fight"), hidden: true });
  const asked = make("div", { class: "asks" });
  const lead = make("div", { class: "lead" });
  const acts = make("div", { class: "seats" });
  place.classList.add("lands");
  place.replaceChildren(fight, asked, lead, acts);
  return show;

  function render() {
    speaks.fight(fight);
    asks(asked);
    const leads = speaks.may("lead").map((move) => speaks.button(`lead ${move.seat}`, [nameOf(move.seat)], move));
    lead.replaceChildren(...(leads.length ? [group("lead", say("lands.do.lead"), leads)] : []));
    acts.replaceChildren(...seats.flatMap(seatActs));
  }

  /** @param {Seat} seat */
  function seatActs(seat) {
    const ends = speaks.may("end_turn", seat).map((move) => {
      return speaks.button(JSON.stringify(move), [say("lands.host.end_turn")], move, "button main");
    });
    const groups = speaks.groups(seat, true).map(({ name, title, buttons }) => group(name, title, buttons));
    if (!ends.length && !groups.length) return [];
    const head = make("summary", {}, mark(seat), make("b", {}, nameOf(seat)));
    const box = make("details", { class: "of-seat", "data-seat": seat }, head, ...ends, ...groups);
    box.open = !folded.has(seat);
    box.ontoggle = () => (box.open ? folded.delete(seat) : folded.add(seat));
    return [box];
  }

  /** @param {string} name @param {string} title @param {HTMLElement[]} buttons */
  function group(name, title, buttons) {
    return make(
      "div",
      { class: `group of-${name}`, role: "group", "aria-label": title },
      make("p", { class: "title" }, title),
      make("div", { class: "buttons" }, ...buttons),
    );
  }
}
