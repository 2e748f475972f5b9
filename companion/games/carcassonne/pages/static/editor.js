// The tile editor: pattern, terrains and cities, one tap each.

import { byId, find, targetOf } from "../../static/dom.js";
import { follow, say } from "../../static/live.js";
import { camera } from "./editor/camera.js";
import { handChanged, showHand } from "./editor/hand.js";
import { showOverview } from "./editor/overview.js";
import { quarterOf } from "./editor/patterns.js";
import { described, drawnRow } from "./editor/pictures.js";
import { form, fresh, isWaiting, keep, later, remember, rowOf, save, state, step, strays } from "./editor/state.js";
import { showStep, stageOf } from "./editor/steps.js";
import { patterns as fills } from "./map.js";

const title = byId("title");
const byHand = byId("by-hand", HTMLDetailsElement);
const startTile = byId("start-tile", HTMLInputElement);

/**
 * Enters the current tile, and shows the next missing one.
 * @param {import("./editor/steps.js").Entered} entered
 */
function enter({ segment, meets, city }) {
  remember();
  const { at } = state;
  const before = rowOf(at);
  const row = {
    id: before?.id ?? at,
    ...(before?.start === true ? { start: true } : {}),
    segment,
    ...(meets?.length ? { meets } : {}),
    ...(city?.length ? { city } : {}),
    ...(before?.source ? { source: before.source } : {}),
  };
  keep(row);
  state.last = at;
  const from = form.cards.indexOf(at) + 1;
  const lacking = [...form.cards.slice(from), ...form.cards.slice(0, from)].find((id) => !rowOf(id));
  state.said = lacking
    ? say("carcassonne.editor.next", { piece: row.id, what: lacking })
    : say("carcassonne.editor.all", { m: form.cards.length });
  open(lacking ?? at, true);
  later();
}

/** @param {string} id @param {boolean} focus */
function open(id, focus) {
  const there = id.startsWith("#") ? rowOf(id) : form.cards.includes(id);
  state.at = there ? id : form.cards[0];
  state.draft = fresh();
  byHand.open = false;
  show(focus);
}

/** Goes to a tile that the user chose. @param {string} id */
function goTo(id) {
  state.said = "";
  open(id, true);
}

/** Opens a tile because of a fault or its place in the picture; the last message stays. @param {string} id */
function openFocused(id) {
  open(id, true);
}

function show(focus = true) {
  const { at, draft, last, said } = state;
  const row = rowOf(at);
  const stage = stageOf();
  const entering = !row || draft.again;
  const which = byId("which");
  which.textContent = row?.id ?? at;
  byId("done").textContent = said;
  byId("steps").hidden = !entering;
  byId("entered").hidden = entering;
  byId("turn").hidden = stage === "pattern" && !form.patterns.length;
  byId("back").hidden = stage === "pattern" && !draft.again;
  if (entering) showStep({ show, enter });
  const lately = last && last !== at ? rowOf(last) : null;
  byId("last").hidden = !lately || stage !== "pattern" || !entering;
  if (lately) find(byId("last"), "[data-picture]").replaceChildren(drawnRow(lately), String(lately.id));
  if (row) showEntered(row);
  showOverview(goTo, openFocused);
  if (!focus) return;
  which.focus({ preventScroll: true });
  if (which.getBoundingClientRect().top < 0) which.scrollIntoView({ block: "start" });
}

/** @param {TileRow} row */
function showEntered(row) {
  const segments = Array.isArray(row.segment) ? row.segment : null;
  const spots = (segments ?? []).map((one) => one?.spot).filter((spot) => Array.isArray(spot));
  const words = segments?.map((one) => ({ terrain: one?.terrain, edges: String(one?.edges ?? "") }));
  const svg = drawnRow(row, { spots });
  svg.removeAttribute("aria-hidden");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", words ? described(words, row.city ?? []) : String(row.id));
  byId("large").replaceChildren(svg);
  startTile.checked = row.start === true;
}

function showAgain() {
  show(false);
}

/** @param {string | null} id */
function turnRow(id) {
  const row = id ? rowOf(id) : undefined;
  if (!row || !Array.isArray(row.segment)) return;
  remember();
  state.deck.tile = state.deck.tile.map((one) => (one === row ? quarterOf(row, form.patterns) : one));
  show(false);
  if (byHand.open) showHand(showAgain);
  later();
}

/** @param {import("./editor/state.js").Step[]} from @param {import("./editor/state.js").Step[]} onto */
function stepTo(from, onto) {
  const at = step(from, onto);
  if (at !== null) open(at, false);
}

/** @param {number} by */
function beside(by) {
  const all = [...form.cards, ...strays()];
  goTo(all[(all.indexOf(state.at) + by + all.length) % all.length]);
}

// -- buttons ---------------------------------------------------------------------------------------

byId("undo").onclick = () => stepTo(state.past, state.future);
byId("redo").onclick = () => stepTo(state.future, state.past);
addEventListener("keydown", (event) => {
  const undoes = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z";
  if (!undoes || targetOf(event).matches("input")) return;
  event.preventDefault();
  byId(event.shiftKey ? "redo" : "undo").click();
});
byId("before").onclick = () => beside(-1);
byId("after").onclick = () => beside(1);
byId("turn").onclick = () => {
  state.draft.turn = (state.draft.turn + 1) % 4;
  show(false);
};
byId("back").onclick = () => {
  const { draft } = state;
  if (draft.terrains) draft.terrains = null;
  else if (draft.pattern) draft.pattern = null;
  else draft.again = false;
  show();
};
byId("more").onclick = () => {
  const row = state.last ? rowOf(state.last) : undefined;
  if (row) enter(row);
};
byId("last-turn").onclick = () => turnRow(state.last);
byId("quarter").onclick = () => turnRow(state.at);
byId("again").onclick = () => {
  state.draft = { ...fresh(), again: true };
  show();
};
byId("remove").onclick = () => {
  const row = rowOf(state.at);
  remember();
  state.deck.tile = state.deck.tile.filter((one) => one !== row);
  state.said = say("carcassonne.editor.removed", { piece: row?.id });
  state.last = null;
  open(state.at, true);
  later();
};
startTile.onchange = () => {
  const row = rowOf(state.at);
  const begins = startTile.checked;
  remember();
  state.deck.tile = state.deck.tile.map((one) => {
    if (one !== row && (!begins || one.start !== true)) return one; // only one tile can be the start tile
    const { start: _start, ...rest } = one;
    return one === row && begins ? { ...rest, start: true } : rest;
  });
  show(false);
  later();
};
byHand.ontoggle = () => byHand.open && showHand(showAgain);
byId("hand").onsubmit = (event) => event.preventDefault();
byId("hand").onchange = (event) => handChanged(targetOf(event), showAgain);
for (const key of ["name", "edition"]) {
  const input = byId(`head-${key}`, HTMLInputElement);
  input.value = state.deck.deck[key] ?? "";
  input.oninput = () => {
    remember(`head ${key}`);
    state.deck.deck = { ...state.deck.deck, [key]: input.value };
    if (key === "name") title.textContent = input.value || (byId("editor").dataset.name ?? "");
    later();
  };
}
addEventListener("checked", () => {
  const row = rowOf(state.at);
  if (row) showEntered(row);
  showOverview(goTo, openFocused);
});
addEventListener("pagehide", () => isWaiting() && save());
follow(() => {}, { stay: true });
byId("fills", SVGElement).append(fills());
camera(openFocused);
show(false);
