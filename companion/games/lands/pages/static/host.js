// The host's page in Lands Unknown: the fight, the forms, and the buttons of each seat.

import { nameOf } from "../../static/board.js";
import { make, mark } from "../../static/dom.js";
import { currentMatch, say } from "../../static/live.js";
import { page } from "./acts.js";
import { island } from "./map.js";
import { spaceName } from "./says.js";

/** @param {HTMLElement} place */
export function spoken(place) {
  const { show, speaks, asks } = page(place, { all: true, render });
  const seats = currentMatch().seats.map((seat) => seat.number);
  const folded = new Set(); // seats whose buttons are folded away
  const fight = make("section", { class: "fight", "aria-label": say("lands.fight"), hidden: true });
  const meant = make("div", {});
  const asked = make("div", { class: "asks" });
  const lead = make("div", { class: "lead" });
  const acts = make("div", { class: "seats" });
  place.classList.add("lands");
  place.replaceChildren(meant, fight, asked, lead, acts);
  /** @type {LandsView} */
  let view;
  return show;

  /** @param {LandsView} newView @param {boolean} over @param {Move[]} moves */
  function render(newView, over, moves) {
    view = newView;
    // The places that the answers of a question mean; nothing on it can be touched.
    const where = moves.length ? [island(view, new Set(), () => {}, spaceName, moves)] : [];
    meant.replaceChildren(...where);
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
    const ways = speaks.may("travel", seat).filter((move) => move.cost === undefined);
    const others = speaks.ends(seat);
    if (!ends.length && !ways.length && !others.length) return [];
    const head = make("summary", {}, mark(seat), make("b", {}, nameOf(seat)));
    const box = make("details", { class: "of-seat", "data-seat": seat }, head, ...ends);
    if (ways.length) box.append(group("travel", say("lands.group.travel"), [chart(ways)]));
    if (others.length) box.append(group("end", say("lands.group.end"), others), ...speaks.count(seat));
    box.open = !folded.has(seat);
    box.ontoggle = () => (box.open ? folded.delete(seat) : folded.add(seat));
    return [box];
  }

  // The map, on which the spaces within reach are buttons.
  /** @param {Move[]} ways */
  function chart(ways) {
    const reach = new Map(ways.map((move) => [move.to, move]));
    /** @param {string} space */
    const touch = (space) => {
      const way = reach.get(space);
      if (way) speaks.tell(way);
    };
    return island(view, new Set(reach.keys()), touch, spaceName);
  }

  /** @param {string} name @param {string} title @param {Element[]} buttons */
  function group(name, title, buttons) {
    return make(
      "div",
      { class: `group of-${name}`, role: "group", "aria-label": title },
      make("p", { class: "title" }, title),
      make("div", { class: "buttons" }, ...buttons),
    );
  }
}
