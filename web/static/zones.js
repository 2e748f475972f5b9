// The zones drawn over the camera's picture from above; the host drags them, or moves them with the arrow keys.

import { icon, nameOf } from "./board.js";
import { say, sprites } from "./live.js";
import { send } from "./send.js";

const RIM_MM = 30; // what the picture shows around the corner tags
const STEP_MM = 5;
const REACH_MM = 20; // a zone may reach so far beyond the tags
const SVG = "http://www.w3.org/2000/svg";
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function zones(place) {
  const map = place.querySelector(".zones");
  const told = place.querySelector("[data-told]");
  const buttons = Object.fromEntries([...place.querySelectorAll("[data-zones]")].map((button) => [button.dataset.zones, button]));
  let kept = null;
  let table = null;
  let chosen = 0;
  let editing = false;
  let wrong = [];
  let size = [0, 0];

  buttons.move.onclick = () => edit(true);
  buttons.cancel.onclick = () => edit(false);
  buttons.save.onclick = () => settle({ size_mm: table.size_mm, zone: table.zone }, buttons.save);
  buttons.usual.onclick = () => settle(null, buttons.usual);

  async function settle(wanted, button) {
    const said = await send("zones", { table: wanted }, button);
    wrong = said?.body.zones ?? [];
    if (said?.ok) take(said.body);
    else draw();
  }

  function edit(on) {
    editing = on;
    wrong = [];
    table = structuredClone(kept);
    draw();
    if (on) map.querySelector("g")?.focus();
  }

  function take(answer) {
    kept = answer;
    edit(false);
    told.textContent = answer.why ?? "";
  }

  // The picture's pixels are millimetres, so that it tells the size where the zones do not.
  async function show(picture) {
    if (!kept) {
      const answer = await fetch("/api/v1/zones", { cache: "no-store" }).catch(() => null);
      if (!answer?.ok) return;
      size = [picture.naturalWidth - 2 * RIM_MM, picture.naturalHeight - 2 * RIM_MM];
      map.setAttribute("viewBox", `${-RIM_MM} ${-RIM_MM} ${picture.naturalWidth} ${picture.naturalHeight}`);
      take(await answer.json());
    }
    map.removeAttribute("hidden");
  }

  function draw() {
    const focused = document.activeElement?.dataset?.zone;
    map.setAttribute("role", editing ? "application" : "group");
    map.classList.toggle("editing", editing);
    map.replaceChildren(...table.zone.map(drawn));
    for (const [act, button] of Object.entries(buttons)) button.hidden = act === "move" ? editing || !kept.movable : !editing;
    if (focused !== undefined && editing) map.querySelector(`[data-zone="${focused}"]`)?.focus();
    place.querySelector("[data-hint]").hidden = !editing;
  }

  function drawn(zone, index) {
    const [left, top, right, bottom] = box(zone);
    const group = shape("g", { "data-zone": index, class: `zone ${index === chosen && editing ? "chosen" : ""} ${wrong.includes(zone.name) ? "wrong" : ""}`, role: editing ? "button" : "img", "aria-label": words(zone) });
    group.append(shape("polygon", { points: zone.polygon.join(" ") }), ...label(zone.name, (left + right) / 2, (top + bottom) / 2));
    if (!editing) return group;
    group.setAttribute("tabindex", 0);
    group.append(...zone.polygon.map(([x, y], corner) => shape("circle", { cx: x, cy: y, r: 18, "data-corner": corner })));
    group.onfocus = () => choose(index);
    group.onkeydown = (event) => keyed(event, zone);
    group.onpointerdown = (event) => drag(event, zone, index);
    return group;
  }

  function choose(index) {
    if (chosen === index && told.textContent) return;
    chosen = index;
    told.textContent = words(table.zone[index]);
    for (const group of map.children) group.classList.toggle("chosen", Number(group.dataset.zone) === index);
  }

  function keyed(event, zone) {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    const by = step.map((way) => way * STEP_MM);
    const [, , right, bottom] = box(zone);
    const before = structuredClone(zone.polygon);
    // With Shift the far sides move, so that the zone grows or shrinks.
    zone.polygon = zone.polygon.map(([x, y]) => [x + (event.shiftKey && x !== right ? 0 : by[0]), y + (event.shiftKey && y !== bottom ? 0 : by[1])]);
    changed(zone, before);
  }

  function drag(event, zone, index) {
    event.preventDefault();
    event.currentTarget.focus();
    choose(index);
    const corner = event.target.dataset.corner;
    const from = point(event);
    const before = structuredClone(zone.polygon);
    const moved = (event) => {
      const by = point(event).map((at, axis) => Math.round((at - from[axis]) / STEP_MM) * STEP_MM);
      const [cx, cy] = before[corner] ?? [];
      // Corners on the same line as the dragged one go with it: a rectangle stays one.
      zone.polygon = before.map(([x, y]) => [x + (corner === undefined || x === cx ? by[0] : 0), y + (corner === undefined || y === cy ? by[1] : 0)]);
      changed(zone, before);
    };
    addEventListener("pointermove", moved);
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => removeEventListener("pointermove", moved), { once: true });
  }

  function changed(zone, before) {
    const [left, top, right, bottom] = box(zone);
    const inside = left >= -REACH_MM && top >= -REACH_MM && right <= size[0] + REACH_MM && bottom <= size[1] + REACH_MM;
    if (!inside || right - left < 60 || bottom - top < 60) zone.polygon = before;
    wrong = [];
    told.textContent = words(zone);
    draw();
  }

  function point(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM().inverse());
    return [at.x, at.y];
  }

  return show;
}

function box({ polygon }) {
  const across = polygon.map(([x]) => x);
  const down = polygon.map(([, y]) => y);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

function words(zone) {
  const [left, top, right, bottom] = box(zone);
  const seat = /-(\d)$/.exec(zone.name)?.[1];
  const name = say(`zone.${zone.name.replace(/-\d$/, "")}`, { who: nameOf(seat) || seat });
  return say("zone.size", { what: name, n: Math.round(right - left), m: Math.round(bottom - top), where: `${Math.round(left)}, ${Math.round(top)}` });
}

function label(name, x, y) {
  const seat = /-(\d)$/.exec(name)?.[1];
  const sign = seat ? `s${seat}` : name === "commands" ? "turn" : null;
  if (sign) {
    const mark = icon(`${sprites.symbols}#${sign}`, seat ? `seat-${seat}` : "");
    for (const [key, value] of Object.entries({ x: x - 28, y: y - 28, width: 56, height: 56 })) mark.setAttribute(key, value);
    return [mark];
  }
  const text = shape("text", { x, y: y + 20 });
  text.textContent = say(`zone.${name}`);
  return [text];
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}
