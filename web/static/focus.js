// The keyboard goes on where it was, also when what it was on is drawn anew or gone.

import { findAll } from "./dom.js";

/**
 * Exchanges what is in a place, and keeps the focus: on what says the same, else on what comes instead.
 * @param {HTMLElement} place
 * @param {(Element | string)[]} parts
 * @param {() => HTMLElement | null} instead
 */
export function exchange(place, parts, instead) {
  const { activeElement } = document;
  const held = place.contains(activeElement) ? activeElement : null;
  place.replaceChildren(...parts);
  if (!held) return;
  const same = findAll(place, held.tagName.toLowerCase()).find((one) => one.textContent === held.textContent);
  focusThere(same ?? instead());
}

/** Focuses also what no key goes to, such as a heading. @param {HTMLElement | null} there */
export function focusThere(there) {
  if (!there) return;
  there.focus({ preventScroll: true });
  if (document.activeElement === there) return;
  there.tabIndex = -1;
  there.focus({ preventScroll: true });
}
