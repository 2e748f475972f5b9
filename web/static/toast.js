// A short message at the bottom of the screen after a tap; it moves nothing.

import { make } from "./dom.js";

const SHOWN_MS = 3500;
let timer = 0;

/** @param {string} words */
export function toast(words) {
  let place = document.getElementById("toast");
  if (!place) {
    place = make("p", { id: "toast", className: "toast", role: "status" });
    document.body.append(place);
  }
  const shown = place;
  shown.textContent = words;
  shown.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => (shown.hidden = true), SHOWN_MS);
}
