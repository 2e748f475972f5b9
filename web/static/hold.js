// Destructive buttons must be held, and say so; a second press works too, for people who cannot hold.

import { say } from "./live.js";
import { toast } from "./toast.js";

const HOLD_MS = 700;

const AGAIN_MS = 5000;

/**
 * Makes a button act only when held. Returns the button.
 * @template {HTMLElement} B
 * @param {B} button
 * @param {() => unknown} act
 */
export function holdToConfirm(button, act) {
  let timer = 0;
  let armed = 0;
  let words = "";
  button.classList.add("hold");
  button.dataset.hold = say("hold");
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    button.classList.remove("holding");
  };
  const begin = () => {
    if (timer) return;
    button.classList.add("holding");
    timer = setTimeout(() => {
      stop();
      act();
    }, HOLD_MS);
  };
  const release = () => {
    if (timer && button.dataset.hold) toast(say("hold.on"));
    stop();
  };
  button.addEventListener("pointerdown", (event) => event.button === 0 && begin());
  button.addEventListener("pointerup", release);
  for (const kind of ["pointerleave", "pointercancel"]) button.addEventListener(kind, stop);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", (event) => {
    // A click without a pointer comes from a keyboard or a screen reader.
    if (event.detail !== 0) return;
    if (Date.now() - armed < AGAIN_MS) {
      armed = 0;
      if (words) button.textContent = words;
      act();
    } else {
      armed = Date.now();
      words = button.textContent ?? "";
      const again = say("again", { what: words });
      button.textContent = again;
      setTimeout(() => {
        if (button.textContent === again) button.textContent = words;
      }, AGAIN_MS);
    }
  });
  return button;
}
