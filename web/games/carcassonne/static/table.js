// Carcassonne's table: the map as it lies, the followers on it, and what each territory is worth.

import { SIDE, STEPS, patterns, points, shape, sides, sprites, tileShapes, turned } from "./map.js";

const LIT_MS = 2000;
const MANY = 11; // followers that a television shows in one column
const LONG = 11; // a map of more columns than this is scrolled on a phone

export function draw(place, start, say) {
  const { match } = start;
  const things = Object.fromEntries(match.cards.map((one) => [one.id, one]));
  const seatName = (seat) => match.seats[seat - 1]?.name ?? "";
  const frame = place.querySelector("[data-frame]");
  const map = place.querySelector("[data-map]");
  const detail = place.querySelector("[data-detail]");
  const list = place.querySelector("[data-followers]");
  let view = {};
  let chosen = null; // a segment, as [tile, number]
  let before = null;
  let lit = null;
  let drawnAs = "";
  let refusal = objected(start.log.findLast((one) => one.entry?.event === "refused")?.entry);
  let told = true; // the refusal of something that lies there stands until it is dealt with, a spoken one until the next act

  map.append(patterns());
  const layers = Object.fromEntries(["open", "tiles", "marks", "followers"].map((name) => [name, shape("g", { class: name })]));
  map.append(...Object.values(layers));
  map.addEventListener("click", (event) => choose(segmentOf(event.target)));
  map.addEventListener("keydown", walk);
  show.advice = advice;
  return show;

  function show(update, fresh) {
    view = update.public ?? {};
    if (update.entry?.event === "refused" && fresh) [refusal, told] = [objected(update.entry), update.alert === "refused"];
    else if (told ? update.alert !== "refused" : update.entry && fresh) refusal = null;
    const laid = (view.map ?? []).map((tile) => tile.card);
    const came = before && fresh ? laid.filter((card) => !before.includes(card)) : [];
    before = laid;
    if (came.length) light(came.at(-1));
    counts();
    const drawing = JSON.stringify([view.map, view.followers, refusal, lit]);
    if (drawing !== drawnAs) drawTable();
    drawnAs = drawing;
    followers();
    choose(chosen && tileAt(chosen[0]) ? chosen : null);
    if (came.length || !place.dataset.seen) bringIntoSight(came.at(-1) ?? laid.at(-1));
    place.dataset.seen = "yes";
  }

  // What whoever is at turn may do now, in words.
  function advice(offers) {
    if (!offers.some((one) => ["end_turn", "deploy", "score", "discard"].includes(one.do)) && view.tile) return "";
    if (!view.map?.length) return "";
    return say(view.tile === null ? (view.tiles ? "carcassonne.now.tile" : "carcassonne.now.end") : "carcassonne.now.follower");
  }

  function objected(entry) {
    const move = entry?.move;
    if (!move) return null;
    const objections = entry.objections ?? [];
    const fits = objections.some((one) => one.rule === "placeable");
    return { card: move.card, x: move.x, y: move.y, turn: move.turn, tile: move.tile, fits, cards: objections.flatMap((one) => one.cards ?? []) };
  }

  // Where a tile fits that was put aside: the place nearest to the start tile, and how it is turned there.
  function fitting(card, taken, open) {
    const terrains = (tile, turn) => {
      const around = [];
      for (const segment of things[tile].segments) for (const side of sides(segment, turn)) around[side] = segment.terrain;
      return around;
    };
    const near = ([x, y]) => Math.abs(x) + Math.abs(y);
    for (const [x, y] of [...open].sort((a, b) => near(a) - near(b) || a[1] - b[1] || a[0] - b[0]))
      for (let turn = 0; turn < 4; turn += 1) {
        const own = terrains(card, turn);
        const agrees = STEPS.every(([dx, dy], side) => {
          const beside = taken.get(`${x + dx},${y + dy}`);
          return !beside || terrains(beside.card, beside.turn)[(side + 2) % 4] === own[side];
        });
        if (agrees) return [{ card, x, y, turn }];
      }
    return [];
  }

  function tileAt(card) {
    return (view.map ?? []).find((tile) => tile.card === card);
  }

  function counts() {
    const words = [
      view.map?.length ? "" : say("carcassonne.start"),
      view.tiles == null ? "" : say(view.tiles ? "carcassonne.left" : "carcassonne.left.none", { n: view.tiles }),
      view.to_remove ? say("carcassonne.to_remove", { n: view.to_remove }) : "",
      view.discarded?.length ? say("carcassonne.discarded", { n: view.discarded.length }) : "",
    ];
    place.querySelector("[data-tiles]").textContent = words.filter(Boolean).join(" · ");
  }

  function drawTable() {
    const laid = view.map ?? [];
    const walkedTo = map.querySelector(".tile:focus")?.dataset.card; // who walks with arrows stays where he is
    frame.hidden = !laid.length && refusal?.x === undefined;
    const taken = new Map(laid.map((tile) => [`${tile.x},${tile.y}`, tile]));
    const open = new Set(laid.flatMap(({ x, y }) => STEPS.map(([dx, dy]) => `${x + dx},${y + dy}`)).filter((at) => !taken.has(at)));
    const places = [...open].map((at) => at.split(",").map(Number));
    layers.open.replaceChildren(...places.map(([x, y]) => shape("rect", { x: x * SIDE + 6, y: y * SIDE + 6, width: SIDE - 12, height: SIDE - 12, rx: 8 })));
    layers.tiles.replaceChildren(...laid.map(drawTile));
    layers.followers.replaceChildren(...(view.followers ?? []).flatMap(drawFollower));
    const wrong = refusal?.x === undefined ? [] : [{ card: refusal.card, x: refusal.x, y: refusal.y, turn: refusal.turn }];
    const ghost = refusal?.fits && !tileAt(refusal.card) ? fitting(refusal.card, taken, places) : wrong;
    layers.tiles.append(...ghost.map((tile) => drawTile(tile, -1)));
    fit([...laid, ...ghost]);
    if (walkedTo) focusTile(walkedTo, { preventScroll: true });
  }

  // One place of room on each side, for the places where a tile may come.
  function fit(laid) {
    if (!laid.length) return;
    const [xs, ys] = [laid.map(({ x }) => x), laid.map(({ y }) => y)];
    const [left, top] = [Math.min(...xs) - 1, Math.min(...ys) - 1];
    const [columns, rows] = [Math.max(...xs) + 2 - left, Math.max(...ys) + 2 - top];
    map.setAttribute("viewBox", `${left * SIDE} ${top * SIDE} ${columns * SIDE} ${rows * SIDE}`);
    map.style.setProperty("--columns", columns);
    map.style.setProperty("--rows", rows);
    map.classList.toggle("long", columns > LONG);
  }

  function drawTile(tile, index) {
    const thing = things[tile.card];
    const ghost = index === -1;
    const state = [ghost && (refusal.fits ? "fits" : "refused"), refusal?.cards.includes(tile.card) && "against", lit === tile.card && "lit"].filter(Boolean).join(" ");
    const group = shape("g", { class: `tile ${state}`, "data-card": tile.card, role: "button", tabindex: index === 0 ? 0 : -1, "aria-label": tileName(tile, thing) });
    group.append(...tileShapes(thing, tile), shape("rect", { x: tile.x * SIDE, y: tile.y * SIDE, width: SIDE, height: SIDE, class: "rim" }));
    return group;
  }

  function tileName(tile, thing) {
    const words = thing.segments.map((one) => say(`carcassonne.terrain.${one.terrain}`));
    return `${tile.card}: ${[...new Set(words)].join(", ")}`;
  }

  // A follower: the sign of its seat besides its colour, and which of the four it is.
  function drawFollower({ card, seat, tile: name, segment }) {
    const tile = tileAt(name);
    if (!tile) return [];
    const [x, y] = turned(things[name].segments[segment - 1].spot, tile.turn);
    const number = shape("text", { x: 9, y: 6 });
    number.textContent = card.slice(2);
    const stopped = refusal?.cards.includes(card) || refusal?.card === card ? "against" : "";
    return [
      shape("g", { class: `follower seat-${seat} ${stopped}`, "data-follower": card, transform: `translate(${(tile.x + x) * SIDE} ${(tile.y + y) * SIDE})` },
        shape("circle", { r: 19 }), shape("use", { href: `${sprites.symbols}#s${seat}`, x: -15, y: -9, width: 18, height: 18 }), number),
    ];
  }

  function light(card) {
    lit = card;
    setTimeout(() => {
      if (lit !== card) return;
      lit = null;
      map.querySelector(`[data-card="${card}"]`)?.classList.remove("lit");
    }, LIT_MS);
  }

  function bringIntoSight(card) {
    const tile = tileAt(card);
    const box = map.viewBox.baseVal;
    if (!tile || frame.scrollWidth <= frame.clientWidth + 4) return;
    const scale = map.getBoundingClientRect().width / box.width;
    frame.scrollTo({ left: ((tile.x + 0.5) * SIDE - box.x) * scale - frame.clientWidth / 2, top: ((tile.y + 0.5) * SIDE - box.y) * scale - frame.clientHeight / 2 });
  }

  // -- what is touched ---------------------------------------------------------------------------

  function segmentOf(target) {
    const follower = target.closest("[data-follower]");
    if (follower) {
      const { tile, segment } = view.followers.find((one) => one.card === follower.dataset.follower);
      return [tile, segment];
    }
    const [tile, area] = [target.closest("[data-card]"), target.closest("[data-segment]")];
    if (!tile || !area || tile.matches(".refused, .fits")) return null;
    const touched = [tile.dataset.card, Number(area.dataset.segment)];
    return String(touched) === String(chosen) ? null : touched;
  }

  function territoryOf([card, number]) {
    return (view.territories ?? []).find((one) => one.segments.some(([tile, segment]) => tile === card && segment === number));
  }

  // The sides of a territory that lie open, as lines of the drawing.
  function openEdges(territory) {
    const taken = new Set((view.map ?? []).map(({ x, y }) => `${x},${y}`));
    return territory.segments.flatMap(([card, number]) => {
      const tile = tileAt(card);
      return sides(things[card].segments[number - 1], tile.turn)
        .filter((side) => !taken.has(`${tile.x + STEPS[side][0]},${tile.y + STEPS[side][1]}`))
        .map((side) => ({ x: tile.x, y: tile.y, side }));
    });
  }

  function choose(segment) {
    chosen = segment;
    const territory = segment && territoryOf(segment);
    detail.hidden = !territory;
    layers.marks.replaceChildren();
    for (const button of list.querySelectorAll("button")) button.setAttribute("aria-pressed", Boolean(territory) && button.dataset.of === String(territory.segments[0]));
    if (!territory) return;
    const open = openEdges(territory);
    layers.marks.append(
      ...territory.segments.map(([card, number]) => shape("polygon", { points: points(things[card].segments[number - 1].area, tileAt(card)), class: "chosen" })),
      ...open.map(({ x, y, side }) => {
        const [a, b] = [[[0, 0], [1, 0]], [[1, 0], [1, 1]], [[0, 1], [1, 1]], [[0, 0], [0, 1]]][side].map(([dx, dy]) => [(x + dx) * SIDE, (y + dy) * SIDE]);
        return shape("path", { d: `M${a.join(" ")}L${b.join(" ")}`, class: "edge" });
      }),
    );
    const whose = territory.followers.map((card) => `${card} ${seatName(Number(card[1]))}`).join(", ");
    const name = document.createElement("b");
    name.textContent = say(`carcassonne.terrain.${territory.terrain}`);
    detail.replaceChildren(name, ` · ${about(territory, open.length)}${whose ? ` · ${whose}` : ""}`);
  }

  function about(territory, open) {
    return [
      say("carcassonne.tiles", { n: territory.tiles }),
      say("carcassonne.cities", { n: territory.cities }),
      open ? say("carcassonne.open", { n: open }) : say("carcassonne.complete"),
      say("carcassonne.value", { n: territory.now, m: territory.final }),
    ].join(" · ");
  }

  // -- the followers in words ----------------------------------------------------------------------

  function followers() {
    list.replaceChildren(
      ...(view.followers ?? []).flatMap(({ card, seat, tile, segment }) => {
        const territory = territoryOf([tile, segment]);
        if (!territory) return [];
        const button = document.createElement("button");
        button.type = "button";
        button.className = "out";
        button.dataset.of = String(territory.segments[0]);
        const sign = shape("svg", { class: `mark seat-${seat}`, "aria-hidden": "true" }, shape("use", { href: `${sprites.symbols}#s${seat}` }));
        const who = document.createElement("b");
        who.textContent = seatName(seat);
        const what = document.createElement("span");
        what.textContent = `${say(`carcassonne.stands.${territory.terrain}`)} ${card.slice(2)}`;
        const worth = document.createElement("span");
        worth.className = "worth";
        worth.textContent = `${territory.now} / ${territory.final}`;
        button.append(sign, who, what, worth);
        button.onclick = () => choose([tile, segment]);
        const item = document.createElement("li");
        item.append(button);
        return [item];
      }),
    );
    list.classList.toggle("many", list.children.length > MANY);
    list.parentElement.hidden = !list.children.length;
  }

  function focusTile(card, how = {}) {
    const there = map.querySelector(`.tile[data-card="${card}"]`);
    if (!there) return;
    for (const tile of map.querySelectorAll(".tile[tabindex='0']")) tile.setAttribute("tabindex", -1);
    there.setAttribute("tabindex", 0);
    there.focus(how);
  }

  // Arrows walk from tile to tile, Enter goes through the segments of one.
  function walk(event) {
    const group = event.target.closest("[data-card]");
    if (!group) return;
    const tile = tileAt(group.dataset.card);
    const side = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"].indexOf(event.key);
    if (side >= 0) {
      event.preventDefault();
      const [dx, dy] = STEPS[side];
      const next = (view.map ?? []).find(({ x, y }) => x === tile.x + dx && y === tile.y + dy);
      if (!next) return;
      focusTile(next.card);
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      const count = things[tile.card].segments.length;
      const now = chosen?.[0] === tile.card ? chosen[1] : 0;
      choose(now < count ? [tile.card, now + 1] : null);
    } else if (event.key === "Escape") choose(null);
  }
}
