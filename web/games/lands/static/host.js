// The host's page in Lands Unknown: the fight, what is asked, and for each seat every act that it may say, one touch each.

import { speech } from "./acts.js";
import { called, sprites } from "./says.js";
import { make } from "../../static/board.js";
import { shape } from "../../static/svg.js";

export function spoken(place, start, say) {
  const { match } = start;
  const seats = match.seats.map((seat) => seat.number);
  const nameOf = (seat) => match.seats[seat - 1]?.name ?? "";
  const cardName = (id) => called(id, match, view);
  const speaks = speech({ say, nameOf, cardName, all: true, redraw });
  const folded = new Set(); // seats whose acts somebody folded away
  const [fight, asks, lead, acts] = [make("section", { class: "fight", "aria-label": say("lands.fight"), hidden: true }), make("div", { class: "asks" }), make("div", { class: "lead" }), make("div", { class: "seats" })];
  let view = {};
  let over = false;
  let drawnAs = "";

  place.classList.add("lands");
  place.replaceChildren(fight, asks, lead, acts);
  show.offered = (offers, number) => {
    speaks.update(view, offers, number);
    redraw();
    return speaks.rest(true);
  };
  return show;

  function show(update) {
    view = update.public ?? {};
    over = Boolean(update.standing?.over);
    speaks.update(view);
    redraw();
  }

  function redraw() {
    const drawing = JSON.stringify([...speaks.state(), over]);
    if (drawing === drawnAs || !view.sheets) return;
    drawnAs = drawing;
    const focus = document.activeElement?.closest?.("[data-key]")?.dataset.key;
    speaks.fight(fight);
    drawAsks();
    const leads = speaks.may("lead").map((move) => speaks.button(`lead ${move.seat}`, [nameOf(move.seat)], move));
    lead.replaceChildren(...(leads.length ? [group("lead", say("lands.do.lead"), leads)] : []));
    acts.replaceChildren(...seats.flatMap(seatActs));
    if (focus) place.querySelector(`[data-key="${CSS.escape(focus)}"]`)?.focus();
  }

  // A form that somebody is filling in stays.
  function drawAsks() {
    const asked = over ? [] : speaks.asked();
    const shown = JSON.stringify(asked);
    if (asks.dataset.shown === shown) return;
    asks.dataset.shown = shown;
    asks.replaceChildren(...asked.map(speaks.form));
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

  function mark(seat) {
    return shape("svg", { class: `mark seat-${seat}`, "aria-hidden": "true" }, shape("use", { href: `${sprites.symbols}#s${seat}` }));
  }
}
