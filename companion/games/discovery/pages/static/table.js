// Discovery's table: the tree, the pool, the discards, drawn from the view's JSON.

import { nameOf } from "../../static/board.js";
import { remember, remembered } from "../../static/device.js";
import {
  find, findAll, findOptional, icon, last, make, mark as sign, shape, sprites, targetOf,
} from "../../static/dom.js";
import { currentMatch, say, start } from "../../static/live.js";
import { CELL, corner, drawMap, picture, use } from "./map.js";
import { wires } from "./wires.js";

/**
 * @typedef {object} Refusal
 * @property {string | null} card The refused card.
 * @property {string[]} cards Its missing prerequisites.
 * @property {number} discard The seat in whose discards it lies; 0: in nobody's.
 */

const NEAR_PX = 4; // a strip this close to an era has arrived
/** @type {Refusal} */
const NOTHING = { card: null, cards: [], discard: 0 };
/** @type {Record<string, [up: number, along: number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };

/** @param {HTMLElement} place @returns {TableDraw} */
export function draw(place) {
  const { cards: things, profile, options } = currentMatch();
  const cards = new Map(things.map((card) => [card.id, card]));
  const slots = new Map(findAll(place, "[data-slot]").map((slot) => [slot.dataset.slot ?? "", slot]));
  const map = findOptional(place, "[data-map]", SVGElement);
  const tree = findOptional(place, "[data-tree]");
  const heap = findOptional(place, ".pile");
  const teach = findOptional(place, "[data-teach]", HTMLInputElement);
  const rising = profile === "fr-explore" || options?.series_plus;
  const small = map ? drawMap(map, things) : {};
  /** @type {DiscoveryView} */
  let view = {};
  /** @type {string | null} */
  let touched = null;
  /** @type {string[]} */
  let newest = []; // the cards of the last event
  /** @type {number[] | null} */
  let opened = null;
  /** @type {Record<string, TreeEntry> | null} */
  let before = null;
  let refusal = objected(last(start.log, (one) => one.entry?.event === "refused")?.entry);
  /** @type {Update | null} */
  let now = null;
  /** @type {string | null} */
  let facing = null; // the visible era, if the eras are side by side
  let turning = false; // the strip is scrolling there, untouched since

  map?.addEventListener("click", (event) => {
    const box = map.getBoundingClientRect();
    turnTo(String(6 - Math.floor(((event.clientY - box.top) / box.height) * 6)), true);
  });
  for (const [id, slot] of slots) find(slot, "button").onclick = () => touch(id);
  if (tree) follow(tree);
  if (teach) {
    teach.checked = remembered("teach") === "on" || new URLSearchParams(location.search).has("teach");
    teach.onchange = () => {
      remember("teach", teach.checked ? "on" : "off");
      if (now) show(now, false);
    };
  }

  /** @type {TableHand} */
  const hand = {
    surface: tree ?? heap,
    surfaceZone: () => (heap ? "pile" : "tree"),
    open: pooled,
    discarded: ({ discards = [] }) => {
      return discards.flatMap((/** @type {string[]} */ pile, /** @type {number} */ index) => {
        return pile.map((card) => [card, index + 1]);
      });
    },
    laid: (/** @type {DiscoveryView} */ { tree: laid = [] }) => laid.map((entry) => entry.joker ?? entry.card),
    places: (seat, held) => [
      { words: "play.lay", to: heap ? "pile" : "tree" },
      ...(held ? [{ words: "play.discard", to: `discard-${seat}` }] : []),
    ],
  };
  return Object.assign(show, { rank, hand, token, place: placeOf, hint, ended, story });

  /** @param {Update} update @param {boolean} fresh */
  function show(update, fresh) {
    now = update;
    view = update.public ?? {};
    const laid = laidCards();
    const refused = update.entry?.event === "refused";
    if (refused) refusal = objected(update.entry);
    if (update.alert !== "refused") refusal = NOTHING;
    const shownBefore = before;
    before = laid;
    if (!shownBefore && tree) turnTo(last(Object.keys(laid))?.[0] ?? "1", false);
    // It stays the newest until another card is laid, whatever is said meanwhile.
    const added = shownBefore && fresh ? Object.keys(laid).filter((card) => !shownBefore[card]) : [];
    if (!shownBefore) newest = lastLaid(laid);
    else if (added.length) newest = added;
    newest = newest.filter((card) => laid[card]);
    if (added.length) turnTo(added[added.length - 1][0], true);
    eras(fresh);
    if (refusal.card && !refusal.discard && tree && (!shownBefore || refused)) turnTo(refusal.card[0], false);
    counts(update.standing);
    pile();
    markAll(laid);
    pool();
    discards();
    rove();
    lines();
  }

  // How promising a choice is, from public facts (rules, G2, G5 and G6): a called card that is already on the table is
  // surely lost; one whose neighbouring era is not open, or that lacks a prerequisite, is probably lost.
  /** @type {Rank} */
  function rank(act, key, value) {
    if (act !== "call" || key !== "card" || !tree) return 0;
    if (before?.[value] || isPooled(value) || isDiscarded(value)) return null;
    const ready = (cards.get(value)?.prerequisites ?? []).every((need) => before?.[need]);
    return ready && (view.eras?.opened ?? []).includes(Number(value[0]) + 1) ? 0 : 1;
  }

  /** @param {string} id */
  function isPooled(id) {
    return (view.pool ?? []).includes(id);
  }

  /** @param {string} id */
  function isDiscarded(id) {
    return (view.discards ?? []).some((pile) => pile.includes(id));
  }

  // For learners: what can be placed now, and what the other cards lack.
  /** @param {string} id */
  function lacking(id) {
    return teach?.checked ? view.teach?.[id] : undefined;
  }

  // The cards in the tree, by the card that they count as: a joker replaces a card.
  /** @returns {Record<string, TreeEntry>} */
  function laidCards() {
    return Object.fromEntries((view.tree ?? []).map((entry) => [entry.joker ?? entry.card, entry]));
  }

  /** @param {Record<string, TreeEntry>} laid */
  function markAll(laid) {
    for (const [id, slot] of slots) mark(id, slot, laid[id]);
  }

  // After a reload: the card that was laid last, if nothing has happened since.
  /** @param {Record<string, TreeEntry>} laid */
  function lastLaid(laid) {
    const entry = last(start.log, (one) => one.entry && one.entry.move?.by !== 0)?.entry;
    const move = entry?.event === "played" && entry.move?.do !== "discard" ? entry.move : null;
    const card = move?.as ?? move?.card;
    return card && laid[card] ? [card] : [];
  }

  // An era that opens is lit once, card by card.
  /** @param {boolean} fresh */
  function eras(fresh) {
    const now = view.eras?.opened ?? [];
    for (const era of now) {
      const row = tree && findOptional(tree, `[data-era="${era}"]`);
      if (row && fresh && opened && !opened.includes(era)) row.classList.add("opens");
    }
    opened = now;
  }

  /** @param {string} id @param {TreeEntry | undefined} entry */
  function stateOf(id, entry) {
    if (entry) return "laid";
    if (refusal.card === id && !refusal.discard) return "refused";
    if (refusal.cards.includes(id)) return "missing";
    if (isPooled(id)) return "pooled";
    return isDiscarded(id) ? "discarded" : "";
  }

  /** @param {string} id @param {HTMLElement} slot @param {TreeEntry | undefined} entry */
  function mark(id, slot, entry) {
    const ready = (isPooled(id) || isDiscarded(id)) && lacking(id)?.length === 0;
    const state = stateOf(id, entry);
    slot.dataset.state = state;
    slot.setAttribute("aria-hidden", String(!state)); // an empty place is nothing to be read out
    slot.classList.toggle("ready", ready);
    slot.classList.toggle("now", newest.includes(id));
    slot.classList.toggle("base", Boolean(entry) && newest.some((one) => cards.get(one)?.prerequisites?.includes(id)));
    slot.classList.toggle("touched", touched === id);
    const button = find(slot, "button");
    button.hidden = !state;
    if (state) drawSigns(button, state === "refused");
    const words = [state && say(`card.${state}`)];
    if (entry?.joker) words.push(say("card.joker", { card_name: entry.card }));
    if (ready) words.push(say("card.ready"));
    find(slot, "[data-state]").textContent = ` (${words.filter(Boolean).join(", ")})`;
    button.classList.toggle("joker", Boolean(entry?.joker));
    const states = [state, newest.includes(id) && "now", ready && "ready"].filter(Boolean);
    small[id]?.setAttribute("class", ["cell", `era-${id[0]}`, ...states].join(" "));
  }

  // -- on a television ----------------------------------------------------------------------------

  // The card of a move, large. A joker is shown as the card that it counts as.
  /** @param {Entry} entry */
  function token({ move }) {
    const card = cards.get(move?.as ?? move?.card ?? "");
    if (!card) return null;
    const drawn = card.face ? [drawing("face", picture(card.face))] : [make("b", { className: "name" }, card.name)];
    const own = slots.get(card.id)?.querySelector("img.face");
    const shown = own ? [own.cloneNode()] : drawn;
    const era = /^\d/.test(card.id) ? [make("b", { className: "numeral" }, card.id[0])] : [];
    return make("span", { className: `big era-${card.id[0]}` }, ...shown, ...era);
  }

  /** @param {Entry} entry */
  function placeOf({ move }) {
    const id = move?.as ?? move?.card ?? "";
    return (newest.includes(id) && slots.get(id)) || null;
  }

  // What the next card of the series brings.
  /** @param {Update} update */
  function hint({ standing }) {
    const next = standing?.over || !currentMatch().scored ? 0 : (view.series?.next ?? 0);
    return next && view.series?.index ? say("tv.plays.next", { n: next }) : say("tv.plays");
  }

  // The winners' cards in their colours, the best turn numbered; the rest dims.
  /** @param {Seat[]} winners @param {BestTurn | null} best */
  function ended(winners, best) {
    const steps = (best?.entries ?? []).map((one) => one.move?.as ?? one.move?.card);
    for (const [id, entry] of Object.entries(laidCards())) {
      const slot = slots.get(id);
      const step = steps.indexOf(id) + 1;
      if (!slot || !(step || winners.includes(entry.by))) continue;
      slot.classList.add("hers", `seat-${entry.by}`);
      slot.append(sign(entry.by));
      if (step) slot.classList.add("best");
      if (step) slot.append(make("b", { className: "step" }, String(step)));
    }
  }

  /** @param {BestTurn} turn */
  function story({ entries }) {
    return entries.map(({ move }) => {
      const card = cards.get(move?.as ?? move?.card ?? "");
      return { face: card?.face ? drawing("face", picture(card.face)) : null, words: card?.name ?? "" };
    });
  }

  // -- the strip of eras on a phone ----------------------------------------------------------------

  // Scrolling chooses an era; the strip never stops between two. The end of an earlier scroll may be reported after
  // the strip has started for another era: then it continues there.
  /** @param {HTMLElement} strip */
  function follow(strip) {
    strip.addEventListener("keydown", walk);
    new ResizeObserver(() => {
      if (facing) turnTo(facing, false);
      lines();
    }).observe(strip);
    for (const kind of ["pointerdown", "wheel", "keydown"]) {
      strip.addEventListener(kind, () => (turning = false), { passive: true });
    }
    strip.addEventListener("scrollend", () => {
      const eras = findAll(strip, "[data-era]");
      const panel = eras.find((one) => Math.abs(one.offsetLeft - strip.scrollLeft) < NEAR_PX);
      const era = panel?.dataset.era;
      if (era && (!turning || era === facing)) {
        facing = era;
        turning = false;
      } else if (facing) turnTo(facing, false);
    });
  }

  // Scrolls to an era, if the eras are side by side.
  /** @param {string} era @param {boolean} moving */
  function turnTo(era, moving) {
    if (!tree) return;
    const panel = findOptional(tree, `[data-era="${era}"]`);
    facing = era;
    if (!panel || tree.scrollWidth <= tree.clientWidth + 8) return;
    turning = Math.abs(panel.offsetLeft - tree.scrollLeft) >= NEAR_PX;
    const smooth = moving && !calm() && !document.hidden;
    tree.scrollTo({ left: panel.offsetLeft, behavior: smooth ? "smooth" : "instant" });
  }

  // -- beside the tree -----------------------------------------------------------------------------

  /** @param {Standing | null} standing */
  function counts(standing) {
    const series = findOptional(place, "[data-series]");
    if (series) {
      const { index = 0, next = 0 } = (!standing?.over && view.series) || {}; // no card comes after the end
      series.textContent = index ? say(next && rising ? "series" : "series.flat", { n: index, m: next }) : "";
    }
    const trumps = findOptional(place, "[data-trumps]");
    const count = standing?.trumps ?? view.trumps ?? 0;
    if (trumps) trumps.textContent = count ? say("trumps", { n: count }) : "";
    const stack = standing?.stack ?? view.stack;
    const words = stack == null ? "" : say(stack ? "stack" : "stack.empty", { n: stack });
    find(place, "[data-stack]").textContent = words;
  }

  function pile() {
    const top = findOptional(place, "[data-top]");
    if (top) top.replaceChildren(view.top ? chip(view.top) : say("pile.empty"));
  }

  function pool() {
    const items = (view.pool ?? []).map((id) => {
      if (id === null) return make("li", {}, say("pool.unknown"));
      const lacks = lacking(id);
      return make("li", {}, chip(id), ...(lacks ? [note(lacks)] : []));
    });
    list("[data-pool]", items);
  }

  /** @param {string[]} lacks */
  function note(lacks) {
    const words = lacks.length ? say("card.lacks", { list: lacks.map(cardName).join(", ") }) : say("card.ready");
    return make("small", { className: lacks.length ? "" : "good" }, words);
  }

  function discards() {
    const items = (view.discards ?? []).flatMap((cardsThere, index) => {
      // A refused discard lies there, too.
      const refused = refusal.discard === index + 1 && refusal.card ? [refusedChip(refusal.card)] : [];
      if (!cardsThere.length && !refused.length) return [];
      return [make("li", {}, make("b", {}, nameOf(index + 1)), ...cardsThere.map(chip), ...refused)];
    });
    list("[data-discards]", items);
  }

  /** @param {string} selector @param {HTMLElement[]} items */
  function list(selector, items) {
    const shown = find(place, selector);
    shown.replaceChildren(...items);
    /** @type {HTMLElement} */ (shown.parentElement).hidden = !items.length;
  }

  /** @param {string} id */
  function cardName(id) {
    return cards.get(id)?.name ?? id;
  }

  /** @param {string} id */
  function chip(id) {
    const { face, family } = cards.get(id) ?? {};
    const sign = face ? [drawing("face", picture(face))] : family ? [symbol(family)] : [];
    const number = make("b", {}, /^\d/.test(id) ? id[0] : "★");
    return make("span", { className: `chip era-${id[0]}` }, number, ...sign, cardName(id));
  }

  /** @param {string} id */
  function refusedChip(id) {
    const drawn = chip(id);
    drawn.classList.add("refused");
    drawn.prepend(icon(`${sprites.symbols}#no`, "icon"));
    drawn.append(make("span", { className: "unseen" }, ` (${say("card.stays")})`));
    return drawn;
  }

  // -- lines from card to card ---------------------------------------------------------------------

  // From the prerequisites of the selected or refused card; all lines at once would hide the picture.
  function lines() {
    const drawn = findOptional(place, "[data-lines]", SVGElement);
    if (!drawn || !tree || !map) return;
    const { card: refused, cards: lacks } = refusal;
    const needs = touched ? (cards.get(touched)?.prerequisites ?? []) : lacks;
    const pairs = needs.map((need) => [need, touched ?? refused ?? ""]);
    const box = tree.getBoundingClientRect();
    /** @param {string} id */
    const middle = (id) => {
      const cell = slots.get(id)?.getBoundingClientRect();
      if (!cell) return null;
      const [x, y] = [cell.left - box.left + cell.width / 2 + tree.scrollLeft, cell.top - box.top + cell.height / 2];
      return { x, y, width: cell.width, height: cell.height };
    };
    const [first, right, up] = ["1-1", "1-2", "2-1"].map(middle);
    const gap =
      first && right && up ? { x: right.x - first.x - first.width, y: first.y - up.y - first.height } : { x: 0, y: 0 };
    drawn.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    drawn.replaceChildren(...wires(pairs, middle, gap));
    const [width, height] = [CELL.width - 3, CELL.height - 3];
    /** @param {string} id */
    const centre = (id) => ({ x: corner(id).x + width / 2, y: corner(id).y + height / 2, width, height });
    find(map, ".wires", SVGElement).replaceChildren(...wires(pairs, centre, { x: 3, y: 4 }));
  }

  // -- touching a card -----------------------------------------------------------------------------

  /** @param {string} id */
  function touch(id) {
    touched = touched === id ? null : id;
    for (const [other, slot] of slots) slot.classList.toggle("touched", touched === other);
    const detail = find(place, "[data-detail]");
    detail.hidden = !touched;
    if (touched) detail.replaceChildren(chip(touched), " ", detailWords(touched));
    lines();
  }

  /** @param {string} id */
  function detailWords(id) {
    const laid = laidCards();
    const { family, prerequisites: needs = [] } = cards.get(id) ?? {};
    const has = needs.filter((need) => laid[need]);
    const lacks = needs.filter((need) => !laid[need]);
    const who = laid[id] && nameOf(laid[id].by);
    const words = [
      who && say("card.by", { who }),
      family && say(`family.${family}`),
      !needs.length && say("card.free"),
      has.length && say("card.has", { list: has.map(cardName).join(", ") }),
      lacks.length && say("card.lacks", { list: lacks.map(cardName).join(", ") }),
    ];
    return words.filter(Boolean).join(" · ");
  }

  // One stop for the tab key; arrow keys move from card to card.
  /** @param {HTMLElement} [chosen] */
  function rove(chosen) {
    const shown = findAll(place, "[data-tree] .card:not([hidden])");
    const stop = chosen ?? shown.find((card) => card.tabIndex === 0) ?? last(shown);
    for (const card of shown) card.tabIndex = card === stop ? 0 : -1;
  }

  /** @param {KeyboardEvent} event */
  function walk(event) {
    const step = STEPS[event.key];
    const id = targetOf(event).getAttribute("data-card");
    if (!step || !id) return;
    event.preventDefault();
    const [up, along] = step;
    const there = [...slots]
      .map(([other, slot]) => ({ button: find(slot, "button"), ...distance(id, other) }))
      .filter(({ button }) => !button.hidden)
      .filter(({ rows, columns }) => (up ? Math.sign(rows) === up : rows === 0 && Math.sign(columns) === along))
      .sort((a, b) => far(a) - far(b))[0];
    if (!there) return;
    rove(there.button);
    there.button.focus();
  }
}

/** The known cards in the pool. @param {DiscoveryView} view */
function pooled({ pool = [] }) {
  return pool.flatMap((card) => (card === null ? [] : [card]));
}

/** @param {Entry | null | undefined} entry @returns {Refusal} */
function objected(entry) {
  const lacks = (entry?.objections ?? []).filter((one) => one.rule === "prerequisites");
  const { do: act = "", by = 0, as: counted, card = null } = entry?.move ?? {};
  const cards = lacks.flatMap((one) => one.cards ?? []);
  return { card: counted ?? card, cards, discard: act === "discard" ? by : 0 };
}

/**
 * A card is drawn when it is first visible: at the beginning of a match that is almost none.
 * @param {HTMLElement} button
 * @param {boolean} refused
 */
function drawSigns(button, refused) {
  for (const used of findAll(button, "use[data-href]", SVGElement)) {
    if (used.parentElement?.matches(".sign") && !refused) continue;
    used.setAttribute("href", used.dataset.href ?? "");
    used.removeAttribute("data-href");
  }
}

/** @param {string} family */
function symbol(family) {
  const drawn = drawing("family", use(family));
  drawn.removeAttribute("aria-hidden");
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", say(`family.${family}`));
  return drawn;
}

/** @param {string} kind @param {SVGElement} used */
function drawing(kind, used) {
  return shape("svg", { class: kind, "aria-hidden": "true" }, used);
}

function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * The way from one card to another: eras up and cards along.
 * @param {string} from
 * @param {string} to
 */
function distance(from, to) {
  return { rows: Number(to[0]) - Number(from[0]), columns: Number(to[2]) - Number(from[2]) };
}

/** @param {{ rows: number, columns: number }} way */
function far({ rows, columns }) {
  return Math.abs(rows) * 10 + Math.abs(columns);
}
