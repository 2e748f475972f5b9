// What to print: says what is wrong before the file is opened, and whether this camera can read so small a sticker.

import { follow, say } from "./live.js";
import "./ruler.js";

const form = document.getElementById("print");
const [modules, leastPx, safePx] = form.dataset.sizes.split(" ").map(Number); // across a sticker; pixels of one
const note = document.getElementById("note");
const verdict = document.getElementById("verdict");
let pxPerMm = null;
follow(() => {}, { stay: true });

form.onsubmit = async (event) => {
  event.preventDefault();
  const filled = [...new FormData(form)].filter(([, value]) => value.trim());
  const address = `${form.action}?${new URLSearchParams(filled)}`;
  const button = form.querySelector("button.main");
  button.setAttribute("aria-busy", "true");
  const answer = await fetch(address).catch(() => null);
  button.removeAttribute("aria-busy");
  note.textContent = answer?.ok ? "" : ((await answer?.json().catch(() => null))?.detail ?? say("unsaid"));
  if (answer?.ok) location.assign(address);
  else note.scrollIntoView({ block: "nearest" });
};

function judge() {
  const size = form.elements.size;
  const mm = Number(size.value || size.placeholder);
  if (!pxPerMm) verdict.textContent = say("print.verdict.unknown");
  else {
    const px = (mm / modules) * pxPerMm;
    const grade = px >= safePx ? "good" : px >= leastPx ? "fair" : "bad";
    const least = Math.ceil((safePx * modules) / pxPerMm);
    verdict.textContent = say(`print.verdict.${grade}`, { mm, px: px.toFixed(1), least });
  }
}
form.elements.size.oninput = judge;
const answer = await fetch("/api/v1/health", { cache: "no-store" }).catch(() => null);
const health = answer?.ok ? await answer.json() : {};
// A drawn camera says nothing about the one that these stickers are for.
if (!health.simulated) pxPerMm = health.sight?.find((found) => found.name === "px_per_mm")?.value ?? null;
judge();
