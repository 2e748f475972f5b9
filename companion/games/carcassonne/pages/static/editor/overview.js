// The whole box: progress, a picture of every tile, and the faults.

import { byId, make } from "../../../static/dom.js";
import { say } from "../../../static/live.js";
import { drawable, drawnRow, pick } from "./pictures.js";
import { form, isStray, rowOf, state, strays } from "./state.js";

/**
 * @param {(id: string) => void} goTo Shows a tile that the user chose.
 * @param {(id: string) => void} open Shows a tile because of a fault.
 */
export function showOverview(goTo, open) {
  const { deck, faults, odd } = state;
  const entered = form.cards.filter((id) => drawable(rowOf(id))).length;
  byId("progress", HTMLProgressElement).value = entered;
  byId("count").textContent = say("carcassonne.editor.count", { n: entered, m: form.cards.length });
  byId("grid").replaceChildren(...[...form.cards, ...strays()].map((id) => cell(id, goTo)));
  const begun = deck.tile.length > 0;
  byId("faults").replaceChildren(...(begun ? faults.map((fault) => faultLine(fault, open)) : []));
  byId("odd").replaceChildren(...(begun ? odd.map((fault) => faultLine(fault, open)) : []));
  const words = !begun
    ? say("carcassonne.editor.faults.empty")
    : faults.length
      ? say("carcassonne.editor.faults.some", { n: faults.length })
      : say("carcassonne.editor.faults.none");
  if (byId("sound").textContent !== words) byId("sound").textContent = words;
}

/** @param {string} id @param {(id: string) => void} goTo */
function cell(id, goTo) {
  const row = rowOf(id);
  const wrong = row && (!drawable(row) || state.faults.some((fault) => fault.row === row));
  const words = !row
    ? say("carcassonne.editor.state.open")
    : say(wrong ? "carcassonne.editor.state.wrong" : "carcassonne.editor.state.done");
  const name = String(row?.id ?? id);
  /** @type {Record<string, string>} */
  const current = id === state.at ? { "aria-current": "true" } : {};
  const how = { className: `pick ${wrong ? "wrong" : ""}`, ...current };
  return pick(row ? drawnRow(row) : null, `${name}: ${words}`, () => goTo(id), how, name);
}

/**
 * A fault of a tile as a link to it; its path in the file is left out.
 * @param {import("./state.js").RowFault} fault
 * @param {(id: string) => void} open
 */
function faultLine({ what, where, row }, open) {
  const path = where.map((part) => (typeof part === "number" ? part + 1 : part)).join(".");
  const words = path && what.startsWith(path) ? what.slice(path.length).replace(/^\s*:\s*/, "") : what;
  if (!row) return make("li", {}, words);
  const button = make("button", { type: "button" }, `${row.id}: ${words}`);
  button.onclick = () => {
    const nth = state.deck.tile.indexOf(row);
    open(nth >= 0 && isStray(row) ? `#${nth}` : String(row.id));
  };
  return make("li", {}, button);
}
