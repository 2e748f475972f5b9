// The zones over the camera's picture from above; the host drags them, or moves them with the arrow keys.

import { nameOf } from "./board.js";
import { find, findAll, focusOn, icon, shape, sprites, targetOf, text } from "./dom.js";
import { say, start } from "./live.js";
import { ask, send } from "./send.js";

/** @typedef {[x: number, y: number]} Point In millimetres from the far left tag. */

const RIM_MM = 30; // the picture's margin around the corner tags
const STEP_MM = 5;
const LEAST_MM = 60; // least width and height of a zone
const REACH_MM = 20; // a zone may extend this far beyond the tags
/** @type {Record<string, Point>} */
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Returns the function that draws them over a picture. @param {HTMLElement} place */
export function zones(place) {
  const map = find(place, ".zones", SVGSVGElement);
  const told = find(place, "[data-told]");
  const buttons = findAll(place, "[data-zones]");
  /** @type {ZoneTable | null} */
  let kept = null;
  /** @type {Zone[]} */
  let edited = [];
  let chosen = 0;
  let editing = false;
  /** @type {string[]} */
  let wrong = [];
  let size = [0, 0];

  button("move").onclick = () => edit(true);
  button("cancel").onclick = () => edit(false);
  button("save").onclick = () => settle({ size_mm: kept?.size_mm, zone: edited }, button("save"));
  button("usual").onclick = () => settle(null, button("usual"));

  /** @param {string} act */
  function button(act) {
    return find(place, `[data-zones="${act}"]`);
  }

  /** @param {object | null} wanted @param {HTMLElement} pressed */
  async function settle(wanted, pressed) {
    const said = await send("zones", { table: wanted }, pressed);
    wrong = said?.body.zones ?? [];
    if (said?.ok) take(said.body);
    else draw();
  }

  /** @param {boolean} on */
  function edit(on) {
    editing = on;
    wrong = [];
    edited = JSON.parse(JSON.stringify(kept?.zone ?? []));
    draw();
    if (on) focusOn(map, "g");
  }

  /** @param {ZoneTable} answer */
  function take(answer) {
    kept = answer;
    edit(false);
    told.textContent = answer.why ?? "";
  }

  // One pixel of the picture is a millimetre, so its size is the table's if the zones have none.
  /** @param {HTMLImageElement} picture */
  async function show({ naturalWidth: width, naturalHeight: height }) {
    if (!kept) {
      const answer = await ask("zones");
      if (!answer) return;
      size = [width - 2 * RIM_MM, height - 2 * RIM_MM];
      map.setAttribute("viewBox", `${-RIM_MM} ${-RIM_MM} ${width} ${height}`);
      take(answer);
    }
    map.removeAttribute("hidden");
  }

  function draw() {
    const focused = document.activeElement?.getAttribute("data-zone");
    map.setAttribute("role", editing ? "application" : "group");
    map.classList.toggle("editing", editing);
    map.replaceChildren(...edited.map(drawn));
    for (const one of buttons) {
      one.hidden = one.dataset.zones === "move" ? editing || !kept?.movable : !editing;
    }
    if (focused && editing) focusOn(map, `[data-zone="${focused}"]`);
    find(place, "[data-hint]").hidden = !editing;
  }

  /** @param {Zone} zone @param {number} index */
  function drawn(zone, index) {
    const [left, top, right, bottom] = boxOf(zone);
    const states = [index === chosen && editing && "chosen", wrong.includes(zone.name) && "wrong"].filter(Boolean);
    const group = shape(
      "g",
      {
        "data-zone": index,
        class: ["zone", ...states].join(" "),
        role: editing ? "button" : "img",
        "aria-label": words(zone),
      },
      shape("polygon", { points: zone.polygon.join(" ") }),
      label(zone.name, (left + right) / 2, (top + bottom) / 2),
    );
    if (!editing) return group;
    group.setAttribute("tabindex", "0");
    group.append(...zone.polygon.map(([cx, cy], corner) => shape("circle", { cx, cy, r: 18, "data-corner": corner })));
    group.onfocus = () => choose(index);
    group.onkeydown = (event) => keyed(event, zone);
    group.onpointerdown = (event) => drag(event, zone, index, group);
    return group;
  }

  /** @param {number} index */
  function choose(index) {
    if (chosen === index && told.textContent) return;
    chosen = index;
    told.textContent = words(edited[index]);
    for (const group of map.children) {
      group.classList.toggle("chosen", group.getAttribute("data-zone") === String(index));
    }
  }

  /** @param {KeyboardEvent} event @param {Zone} zone */
  function keyed(event, zone) {
    const step = KEYS[event.key];
    if (!step) return;
    event.preventDefault();
    const [east, south] = step.map((way) => way * STEP_MM);
    const [, , right, bottom] = boxOf(zone);
    const before = zone.polygon;
    // With Shift only the far sides move, so that the zone grows or shrinks.
    zone.polygon = zone.polygon.map(([x, y]) => [
      x + (event.shiftKey && x !== right ? 0 : east),
      y + (event.shiftKey && y !== bottom ? 0 : south),
    ]);
    changed(zone, before);
  }

  /** @param {PointerEvent} event @param {Zone} zone @param {number} index @param {SVGElement} group */
  function drag(event, zone, index, group) {
    event.preventDefault();
    group.focus();
    choose(index);
    const corner = targetOf(event).getAttribute("data-corner");
    const from = pointOf(event);
    const before = zone.polygon;
    const [cx, cy] = before[Number(corner)];
    /** @param {PointerEvent} moving */
    const moved = (moving) => {
      const [east, south] = pointOf(moving).map((at, axis) => Math.round((at - from[axis]) / STEP_MM) * STEP_MM);
      // Corners in line with the dragged one move with it: a rectangle stays a rectangle.
      zone.polygon = before.map(([x, y]) => [
        x + (corner === null || x === cx ? east : 0),
        y + (corner === null || y === cy ? south : 0),
      ]);
      changed(zone, before);
    };
    addEventListener("pointermove", moved);
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, () => removeEventListener("pointermove", moved), { once: true });
    }
  }

  /** @param {Zone} zone @param {Point[]} before */
  function changed(zone, before) {
    const [left, top, right, bottom] = boxOf(zone);
    const [width, height] = size;
    const across = left >= -REACH_MM && right <= width + REACH_MM;
    const down = top >= -REACH_MM && bottom <= height + REACH_MM;
    if (!across || !down || right - left < LEAST_MM || bottom - top < LEAST_MM) zone.polygon = before;
    wrong = [];
    told.textContent = words(zone);
    draw();
  }

  /** @param {PointerEvent} event @returns {Point} */
  function pointOf(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(map.getScreenCTM()?.inverse());
    return [at.x, at.y];
  }

  return show;
}

/** Left, top, right and bottom. @param {Zone} zone */
function boxOf({ polygon }) {
  const across = polygon.map(([x]) => x);
  const down = polygon.map(([, y]) => y);
  return [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
}

/** @param {string} name Name of a zone; a seat's zones end in its number. */
function seatOf(name) {
  return Number(/-(\d)$/.exec(name)?.[1] ?? 0);
}

/** What a zone is called; a game may lack a word for one. @param {string} name @param {Values} [values] */
function titleOf(name, values) {
  const plain = name.replace(/-\d$/, "");
  return `zone.${plain}` in start.words ? say(`zone.${plain}`, values) : name;
}

/** @param {Zone} zone */
function words(zone) {
  const [left, top, right, bottom] = boxOf(zone);
  const seat = seatOf(zone.name);
  const what = titleOf(zone.name, { who: nameOf(seat) || String(seat) });
  const where = `${Math.round(left)}, ${Math.round(top)}`;
  return say("zone.size", { what, n: Math.round(right - left), m: Math.round(bottom - top), where });
}

/** @param {string} name @param {number} x @param {number} y */
function label(name, x, y) {
  const seat = seatOf(name);
  const sign = seat ? `s${seat}` : name === "commands" ? "turn" : null;
  if (!sign) return text(titleOf(name), { x, y: y + 20 });
  const drawn = icon(`${sprites.symbols}#${sign}`, seat ? `seat-${seat}` : "");
  for (const [key, value] of Object.entries({ x: x - 28, y: y - 28, width: 56, height: 56 })) {
    drawn.setAttribute(key, String(value));
  }
  return drawn;
}
