// The host's page in Lands Unknown: the fight, what is asked, and for each seat every act that it may say, one touch each.

import { page } from "./acts.js";
import { mark } from "./says.js";
import { make } from "../../static/board.js";

export function spoken(place, start, say) {
  const { show, speaks, asks, nameOf, seats } = page(place, start, say, { all: true, render });
  const folded = new Set(); // seats whose acts somebody folded away
  const [fight, asked, lead, acts] = [make("section", { class: "fight", "aria-label": say("lands.fight"), hidden: true }), make("div", { class: "asks" }), make("div", { class: "lead" }), make("div", { class: "seats" })];
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

  function seatActs(seat) {
    const ends = speaks.may("end_turn", seat).map((move) => speaks.button(JSON.stringify(move), [say("lands.host.end_turn")], move, "button main"));
    const groups = speaks.groups(seat, true).map(([name, title, buttons]) => group(name, title, buttons));
    if (!ends.length && !groups.length) return [];
    const box = make("details", { class: "of-seat", "data-seat": seat }, make("summary", {}, mark(seat), make("b", {}, nameOf(seat))), ...ends, ...groups);
    box.open = !folded.has(seat);
    box.ontoggle = () => (box.open ? folded.delete(seat) : folded.add(seat));
    return [box];
  }

  function group(name, title, buttons) {
    return make("div", { class: `group of-${name}`, role: "group", "aria-label": title }, make("p", { class: "title" }, title), make("div", { class: "buttons" }, ...buttons));
  }
}
