// Printing: reports errors before the file is opened, and whether this camera can read stickers of this size.

import { byId, find } from "./dom.js";
import { follow, say } from "./live.js";
import "./ruler.js";
import { ask } from "./send.js";

const form = byId("print", HTMLFormElement);
const size = find(form, "[name=size]", HTMLInputElement);
const [modules, leastPx, safePx] = (form.dataset.sizes ?? "").split(" ").map(Number); // of a sticker; of a module
const note = byId("note");
/** @type {number | null} */
let pxPerMm = null;
follow(() => {}, { stay: true });

form.onsubmit = async (/** @type {Event} */ event) => {
  event.preventDefault();
  const filled = [...new FormData(form)].flatMap(([name, value]) => {
    return typeof value === "string" && value.trim() ? [[name, value]] : [];
  });
  const address = `${form.action}?${new URLSearchParams(filled)}`;
  const button = find(form, "button.main");
  button.setAttribute("aria-busy", "true");
  const answer = await fetch(address).catch(() => null);
  button.removeAttribute("aria-busy");
  note.textContent = answer?.ok ? "" : ((await answer?.json().catch(() => null))?.detail ?? say("unsaid"));
  if (answer?.ok) location.assign(address);
  else note.scrollIntoView({ block: "nearest" });
};

function judge() {
  const mm = Number(size.value || size.placeholder);
  byId("verdict").textContent = pxPerMm ? verdict(mm, pxPerMm) : say("print.verdict.unknown");
}

/** @param {number} mm @param {number} pxOfMm */
function verdict(mm, pxOfMm) {
  const px = (mm / modules) * pxOfMm;
  const grade = px >= safePx ? "good" : px >= leastPx ? "fair" : "bad";
  const least = Math.ceil((safePx * modules) / pxOfMm);
  return say(`print.verdict.${grade}`, { mm, px: px.toFixed(1), least });
}

size.oninput = judge;
/** @type {Health | null} */
const health = await ask("health");
// A simulated camera says nothing about the real one.
if (health && !health.simulated) pxPerMm = health.sight?.find((one) => one.name === "px_per_mm")?.value ?? null;
judge();
