// The graph of a deck: a tap on a card shows only its lines.

import { byId, findAll } from "./dom.js";

const graph = byId("graph", Element);
const size = byId("size");
const boxes = findAll(graph, "[data-card]", SVGElement);
const lines = findAll(graph, "[data-from]", SVGElement);
/** @type {SVGElement | null} */
let chosen = null;

/** @param {SVGElement} box */
function choose(box) {
  chosen = chosen === box ? null : box;
  const card = chosen?.dataset.card;
  const near = new Set([card]);
  for (const line of lines) {
    const { from, to } = line.dataset;
    const ours = !chosen || from === card || to === card;
    line.classList.toggle("faint", !ours);
    if (ours) near.add(from).add(to);
  }
  for (const one of boxes) one.classList.toggle("faint", Boolean(chosen) && !near.has(one.dataset.card));
  byId("needs").textContent = chosen?.querySelector("title")?.textContent ?? "";
}

for (const box of boxes) {
  box.setAttribute("tabindex", "0");
  box.setAttribute("role", "button");
  box.onclick = () => choose(box);
  box.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(box);
  };
}
size.onclick = () => size.setAttribute("aria-pressed", String(graph.classList.toggle("full")));
