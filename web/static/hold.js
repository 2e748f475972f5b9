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
  let pressed = 0;
  let armed = 0;
  let words = "";
  button.classList.add("hold");
  button.dataset.hold = say("hold");
  const stop = () => {
    clearTimeout(timer);
    timer = 0;
    button.classList.remove("holding");
  };
  /** @param {PointerEvent} event */
  const begin = (event) => {
    if (timer) return;
    pressed = event.timeStamp;
    button.classList.add("holding");
    timer = setTimeout(() => {
      stop();
      act();
    }, HOLD_MS);
  };
  /** @param {PointerEvent} event */
  const release = (event) => {
    // A busy page hears of the release before its own timer: the finger's time counts.
    const waited = timer !== 0;
    const held = event.timeStamp - pressed >= HOLD_MS;
    stop();
    if (waited && held) act();
    else if (waited && button.dataset.hold) toast(say("hold.on"));
  };
  button.addEventListener("pointerdown", (event) => event.button === 0 && begin(event));
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
