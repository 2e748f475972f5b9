// Whether a sheet was printed at its size: by its ruler, as somebody measured it.

import { say } from "./live.js";

const RULER_MM = 100;
const FAIR_MM = 1; // people measure to half a millimetre; one hundredth of a sticker of 20 mm is what is promised of sizes
const STICKER_MM = 20;
const LIKELY = [60, 150]; // nobody's printer is farther off: what was measured is something else
const input = document.getElementById("ruler");
if (input) input.oninput = judge;

function judge() {
  const mm = Number(input.value);
  const verdict = document.getElementById("ruler-verdict");
  if (!(mm > 0)) verdict.textContent = "";
  else if (mm < LIKELY[0] || mm > LIKELY[1]) verdict.textContent = say("print.ruler.other", { mm });
  else if (Math.abs(mm - RULER_MM) <= FAIR_MM) verdict.textContent = say("print.ruler.right");
  else verdict.textContent = say("print.ruler.wrong", { m: Math.round((mm / RULER_MM) * 100), mm: ((mm / RULER_MM) * STICKER_MM).toFixed(1) });
}
