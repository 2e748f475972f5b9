// The graph of a deck: a tap on a card leaves only the lines that begin or end there.

const graph = document.getElementById("graph");
const size = document.getElementById("size");
const boxes = [...graph.querySelectorAll("[data-card]")];
const lines = [...graph.querySelectorAll("[data-from]")];
let chosen = null;

function choose(card) {
  chosen = chosen === card ? null : card;
  const near = new Set([chosen]);
  for (const line of lines) {
    const { from, to } = line.dataset;
    const ours = !chosen || from === chosen || to === chosen;
    line.classList.toggle("faint", !ours);
    if (ours) near.add(from).add(to);
  }
  for (const box of boxes) box.classList.toggle("faint", Boolean(chosen) && !near.has(box.dataset.card));
  document.getElementById("needs").textContent = chosen ? boxes.find((box) => box.dataset.card === chosen).querySelector("title").textContent : "";
}

for (const box of boxes) {
  box.setAttribute("tabindex", "0");
  box.setAttribute("role", "button");
  box.onclick = () => choose(box.dataset.card);
  box.onkeydown = (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    choose(box.dataset.card);
  };
}
size.onclick = () => size.setAttribute("aria-pressed", String(graph.classList.toggle("full")));
