// Checks the scale of a printed sheet by the measured length of its ruler.

import { byId, findOptional } from "./dom.js";
import { say } from "./live.js";

const RULER_MM = 100;
const FAIR_MM = 1; // people measure to half a millimetre, and sizes are exact to one percent
const STICKER_MM = 20;
const LIKELY = [60, 150]; // no printer is farther off: something else was measured
const input = findOptional(document, "#ruler", HTMLInputElement);
if (input) input.oninput = () => (byId("ruler-verdict").textContent = verdict(Number(input.value)));

/** @param {number} mm */
function verdict(mm) {
  if (!(mm > 0)) return "";
  if (mm < LIKELY[0] || mm > LIKELY[1]) return say("print.ruler.other", { mm });
  if (Math.abs(mm - RULER_MM) <= FAIR_MM) return say("print.ruler.right");
  const share = mm / RULER_MM;
  return say("print.ruler.wrong", { m: Math.round(share * 100), mm: (share * STICKER_MM).toFixed(1) });
}
