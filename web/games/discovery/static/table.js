// Discovery's table: the tree, the pool, the discards, drawn from the view's JSON.

import { SVG, CELL, corner, drawMap, picture, shape, use } from "./map.js";

const LIT_MS = 2000;
const NOTHING = { card: null, cards: [] };

export function draw(place, start, say) {
  const { match } = start;
  const cards = Object.fromEntries(match.cards.map((card) => [card.id, card]));
  const seatName = (seat) => match.seats[seat - 1]?.name ?? "";
  const slots = Object.fromEntries([...place.querySelectorAll("[data-slot]")].map((slot) => [slot.dataset.slot, slot]));
  const map = place.querySelector("[data-map]");
  const tree = place.querySelector("[data-tree]");
  const rising = match.profile === "fr-explore" || match.options?.series_plus;
  let view = {};
  let touched = null;
  let lit = [];
  let before = null;
  let refusal = objected(start.log.findLast((one) => one.entry?.event === "refused")?.entry);
  let now = null;
  let facing = null; // the era that is in sight where the eras lie side by side
  let turning = false; // on the way to it, and nobody has put a finger on the strip since
  const teach = place.querySelector("[data-teach]");

  const small = map ? drawMap(map, match.cards) : {};
  map?.addEventListener("click", (event) => {
    const box = map.getBoundingClientRect();
    turnTo(6 - Math.floor(((event.clientY - box.top) / box.height) * 6), true);
  });
  for (const slot of Object.values(slots)) slot.querySelector("button").onclick = () => touch(slot.dataset.slot);
  tree?.addEventListener("keydown", walk);
  if (tree) new ResizeObserver(() => {
    if (facing) turnTo(facing, false);
    lines();
  }).observe(tree);
  // Whoever scrolls chooses an era; between two of them nothing stays. The end of an earlier scroll may be told only
  // after the strip has set out for another era: then it goes there.
  for (const hand of ["pointerdown", "wheel", "keydown"]) tree?.addEventListener(hand, () => (turning = false), { passive: true });
  tree?.addEventListener("scrollend", () => {
    const panel = [...tree.querySelectorAll("[data-era]")].find((one) => Math.abs(one.offsetLeft - tree.scrollLeft) < 4);
    if (panel && (!turning || panel.dataset.era === facing)) {
      facing = panel.dataset.era;
      turning = false;
    } else if (facing) turnTo(facing, false);
  });
  if (teach) {
    teach.checked = localStorage.getItem("teach") === "on" || new URLSearchParams(location.search).has("teach");
    teach.onchange = () => {
      localStorage.setItem("teach", teach.checked ? "on" : "off");
      if (now) show(now, false);
    };
  }

  show.rank = rank;
  // For a visitor who plays a seat of the simulated table: what can be taken up, and where it may be laid.
  const heap = place.querySelector(".pile");
  show.hand = {
    surface: tree ?? heap,
    surfaceZone: () => (heap ? "pile" : "tree"),
    open: (view) => (view.pool ?? []).filter(Boolean),
    discarded: (view) => (view.discards ?? []).flatMap((cards, index) => cards.map((card) => [card, index + 1])),
    beside: (view) => (view.tree ?? []).map((entry) => entry.card),
    places: (seat) => [{ words: heap ? "play.pile" : "play.tree", to: heap ? "pile" : "tree" }, { words: "play.discard", to: `discard-${seat}` }],
  };
  return show;

  // How much sense a choice makes as far as everybody can see (rules, G2, G5 and G6): a called card that lies on the
  // table is surely lost; one whose era's neighbour is not open, or that still lacks something, is probably lost.
  function rank(act, key, value) {
    if (act !== "call" || key !== "card" || !tree) return 0;
    const lies = before?.[value] || (view.pool ?? []).includes(value) || (view.discards ?? []).some((pile) => pile.includes(value));
    if (lies) return null;
    const ready = (cards[value]?.prerequisites ?? []).every((need) => before?.[need]);
    return ready && (view.eras?.opened ?? []).includes(Number(value[0]) + 1) ? 0 : 1;
  }

  function show(update, fresh) {
    now = update;
    view = update.public ?? {};
    const laid = laidCards();
    if (update.entry?.event === "refused") refusal = objected(update.entry);
    if (update.alert !== "refused") refusal = NOTHING;
    const shownBefore = before !== null;
    const came = before && fresh ? Object.keys(laid).filter((card) => !before[card]) : [];
    if (!before && tree) turnTo(Object.keys(laid).at(-1)?.[0] ?? 1, false);
    before = laid;
    if (came.length) light(came, laid);
    if (refusal.card && tree && (!shownBefore || update.entry?.event === "refused")) turnTo(refusal.card[0], false);
    counts(update.standing);
    pile();
    for (const [id, slot] of Object.entries(slots)) mark(id, slot, laid[id]);
    pool();
    discards();
    rove();
    lines();
  }

  // What can be placed now and what the others lack, when somebody wants to be taught.
  function lacking(id) {
    return teach?.checked ? view.teach?.[id] : undefined;
  }

  // What lies where, by the card that it counts as: a joker lies for a card.
  function laidCards() {
    return Object.fromEntries((view.tree ?? []).map((entry) => [entry.joker ?? entry.card, entry]));
  }

  function objected(entry) {
    const cardsOf = (entry?.objections ?? []).filter((one) => one.rule === "prerequisites").flatMap((one) => one.cards ?? []);
    return { card: entry?.move?.as ?? entry?.move?.card ?? null, cards: cardsOf };
  }

  // A card's drawings are made when it is seen first: at the beginning of an evening nearly none of them.
  function drawSigns(button, refused) {
    for (const used of button.querySelectorAll("use[data-href]")) {
      if (used.parentElement.matches(".sign") && !refused) continue;
      used.setAttribute("href", used.dataset.href);
      used.removeAttribute("data-href");
    }
  }

  function mark(id, slot, entry) {
    const pooled = (view.pool ?? []).includes(id);
    const discarded = (view.discards ?? []).some((pile) => pile.includes(id));
    const ready = (pooled || discarded) && lacking(id)?.length === 0;
    const state = entry ? "laid" : refusal.card === id ? "refused" : refusal.cards.includes(id) ? "missing" : pooled ? "pooled" : discarded ? "discarded" : "";
    slot.dataset.state = state;
    slot.classList.toggle("ready", ready);
    slot.classList.toggle("lit", lit.includes(id));
    slot.classList.toggle("touched", touched === id);
    const button = slot.querySelector("button");
    button.hidden = !state;
    if (state) drawSigns(button, state === "refused");
    const words = [state && say(`card.${state}`)];
    if (entry?.joker) words.push(say("card.joker", { card_name: entry.card }));
    if (ready) words.push(say("card.ready"));
    slot.querySelector("[data-state]").textContent = ` (${words.filter(Boolean).join(", ")})`;
    button.classList.toggle("joker", Boolean(entry?.joker));
    const cell = small[id];
    cell?.setAttribute("class", `cell era-${id[0]} ${state} ${lit.includes(id) ? "lit" : ""} ${ready ? "ready" : ""}`);
  }

  function light(came, laid) {
    lit = came;
    turnTo(came.at(-1)[0], true);
    setTimeout(() => {
      if (lit !== came) return;
      lit = [];
      for (const [id, slot] of Object.entries(slots)) mark(id, slot, laid[id]);
      lines();
    }, LIT_MS);
  }

  // Brings an era into sight where the eras lie side by side.
  function turnTo(era, moving) {
    const panel = tree.querySelector(`[data-era="${era}"]`);
    facing = era;
    if (!panel || tree.scrollWidth <= tree.clientWidth + 8) return;
    turning = Math.abs(panel.offsetLeft - tree.scrollLeft) >= 4;
    tree.scrollTo({ left: panel.offsetLeft, behavior: moving && !calm() && !document.hidden ? "smooth" : "instant" });
  }

  function counts(standing) {
    const series = place.querySelector("[data-series]");
    if (series) {
      const { index = 0, next } = (!standing?.over && view.series) || {}; // no card comes after the end
      series.textContent = index ? say(next && rising ? "series" : "series.flat", { n: index, m: next }) : "";
    }
    const trumps = place.querySelector("[data-trumps]");
    const count = standing?.trumps ?? view.trumps ?? 0;
    if (trumps) trumps.textContent = count ? say("trumps", { n: count }) : "";
    const stack = standing?.stack ?? view.stack;
    place.querySelector("[data-stack]").textContent = stack == null ? "" : say(stack ? "stack" : "stack.empty", { n: stack });
  }

  function pile() {
    const top = place.querySelector("[data-top]");
    if (top) top.replaceChildren(view.top ? chip(view.top) : say("pile.empty"));
  }

  function pool() {
    const list = place.querySelector("[data-pool]");
    list.replaceChildren(
      ...(view.pool ?? []).map((id) => {
        const item = document.createElement("li");
        if (id === null) item.append(say("pool.unknown"));
        else {
          item.append(chip(id));
          const lacks = lacking(id);
          if (lacks) item.append(note(lacks.length ? say("card.lacks", { list: lacks.map(nameOf).join(", ") }) : say("card.ready"), !lacks.length));
        }
        return item;
      }),
    );
    list.parentElement.hidden = !list.children.length;
  }

  function discards() {
    const list = place.querySelector("[data-discards]");
    list.replaceChildren(
      ...(view.discards ?? []).flatMap((pile, index) => {
        if (!pile.length) return [];
        const item = document.createElement("li");
        const who = document.createElement("b");
        who.textContent = seatName(index + 1);
        item.append(who, ...pile.map(chip));
        return [item];
      }),
    );
    list.parentElement.hidden = !list.children.length;
  }

  function nameOf(id) {
    return cards[id]?.name ?? id;
  }

  function note(words, good) {
    const made = document.createElement("small");
    made.className = good ? "good" : "";
    made.textContent = words;
    return made;
  }

  function chip(id) {
    const made = document.createElement("span");
    made.className = `chip era-${id[0]}`;
    const number = document.createElement("b");
    number.textContent = /^\d/.test(id) ? id[0] : "★";
    made.append(number, ...(cards[id]?.face ? [drawing("face", picture(cards[id].face))] : symbol(id)), nameOf(id));
    return made;
  }

  function symbol(id) {
    const family = cards[id]?.family;
    if (!family) return [];
    const drawn = drawing("family", use(family));
    drawn.removeAttribute("aria-hidden");
    drawn.setAttribute("role", "img");
    drawn.setAttribute("aria-label", say(`family.${family}`));
    return [drawn];
  }

  function drawing(kind, used) {
    const drawn = document.createElementNS(SVG, "svg");
    drawn.setAttribute("class", kind);
    drawn.setAttribute("aria-hidden", "true");
    drawn.append(used);
    return drawn;
  }

  function calm() {
    return matchMedia("(prefers-reduced-motion: reduce)").matches;
  }

  // Lines from the prerequisites of what is touched or just came; all of them at once would drown the picture.
  function lines() {
    const wires = place.querySelector("[data-lines]");
    if (!wires) return;
    const shown = touched ? [touched] : lit;
    const lacks = !touched && refusal.card ? refusal.cards.map((need) => [need, refusal.card]) : null;
    const pairs = lacks ?? shown.flatMap((id) => (cards[id]?.prerequisites ?? []).map((need) => [need, id]));
    const box = tree.getBoundingClientRect();
    const middle = (id) => {
      const cell = slots[id]?.getBoundingClientRect();
      return cell && { x: cell.left - box.left + cell.width / 2 + tree.scrollLeft, y: cell.top - box.top + cell.height / 2, width: cell.width, height: cell.height };
    };
    const [first, right, up] = ["1-1", "1-2", "2-1"].map(middle);
    const gap = { x: right.x - first.x - first.width, y: first.y - up.y - first.height };
    wires.setAttribute("viewBox", `0 0 ${box.width} ${box.height}`);
    wires.replaceChildren(...wire(pairs, middle, gap));
    const centre = (id) => ({ x: corner(id).x + 18.5, y: corner(id).y + 12.5, width: CELL.width - 3, height: CELL.height - 3 });
    map.querySelector(".wires").replaceChildren(...wire(pairs, centre, { x: 3, y: 4 }));
  }

  // Lines from card to card over a ground of their own; `place(id)`: where a card is.
  function wire(pairs, place, gap) {
    const ways = pairs.map(([from, to]) => [place(from), place(to)]).filter(([from, to]) => from && to).map(([from, to]) => route(from, to, gap));
    return [...ways.map((d) => shape("path", { d, class: "halo" })), ...ways.map((d) => shape("path", { d }))];
  }

  // In the gaps between the other cards: what a line does not belong to it does not touch.
  function route(from, to, gap) {
    const level = Math.abs(from.y - to.y) < 1;
    const way = level || from.y > to.y ? -1 : 1; // most lines go up, as the tree grows
    const out = from.y + (way * (from.height + gap.y)) / 2;
    const into = level ? out : to.y - (way * (to.height + gap.y)) / 2;
    const aside = to.x + ((from.x < to.x ? -1 : 1) * (to.width + gap.x)) / 2;
    const points = [[from.x, from.y + (way * from.height) / 2], [from.x, out]];
    if (Math.abs(into - out) > 1) points.push([aside, out], [aside, into]);
    points.push([to.x, into], [to.x, to.y + ((level ? way : -way) * to.height) / 2]);
    return `M${points.join("L")}`;
  }

  function touch(id) {
    touched = touched === id ? null : id;
    const laid = laidCards();
    for (const [other, slot] of Object.entries(slots)) slot.classList.toggle("touched", touched === other);
    const detail = place.querySelector("[data-detail]");
    detail.hidden = !touched;
    if (touched) {
      const needs = cards[touched].prerequisites ?? [];
      const has = needs.filter((need) => laid[need]);
      const lacks = needs.filter((need) => !laid[need]);
      const words = [
        laid[touched] && seatName(laid[touched].by) && say("card.by", { who: seatName(laid[touched].by) }),
        cards[touched].family && say(`family.${cards[touched].family}`),
        !needs.length && say("card.free"),
        has.length && say("card.has", { list: has.map(nameOf).join(", ") }),
        lacks.length && say("card.lacks", { list: lacks.map(nameOf).join(", ") }),
      ];
      detail.replaceChildren(chip(touched), " ", words.filter(Boolean).join(" · "));
    }
    lines();
  }

  // One stop for the tab key; arrows walk from card to card.
  function rove(chosen = null) {
    const cardsShown = [...place.querySelectorAll("[data-tree] .card:not([hidden])")];
    const stop = chosen ?? cardsShown.find((card) => card.tabIndex === 0) ?? cardsShown.at(-1);
    for (const card of cardsShown) card.tabIndex = card === stop ? 0 : -1;
  }

  function walk(event) {
    const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [1, 0], ArrowDown: [-1, 0] };
    const step = steps[event.key];
    const id = event.target.dataset?.card;
    if (!step || !id) return;
    event.preventDefault();
    const [up, along] = step;
    const there = Object.entries(slots)
      .filter(([, slot]) => !slot.querySelector("button").hidden)
      .map(([other]) => ({ other, rows: Number(other[0]) - Number(id[0]), columns: Number(other[2]) - Number(id[2]) }))
      .filter(({ rows, columns }) => (up ? Math.sign(rows) === up : rows === 0 && Math.sign(columns) === along))
      .sort((a, b) => Math.abs(a.rows) * 10 + Math.abs(a.columns) - Math.abs(b.rows) * 10 - Math.abs(b.columns))[0];
    if (!there) return;
    const button = slots[there.other].querySelector("button");
    rove(button);
    button.focus();
  }
}
