// Sounds, vibration and speech, never revealing more than the lamp; and the wake lock.

import { keepAwake, remember, remembered, sound, speak, speaks, staysAwake, vibrate, wakeSound } from "./device.js";
import { findOptional } from "./dom.js";
import { say, start } from "./live.js";

/** Notes in sequence, in hertz. @type {Record<string, number[]>} */
const NOTES = {
  refused: [220, 185],
  misplaced: [220, 185],
  prize: [523, 784],
  over: [523, 659, 784, 1047],
  asks: [440, 440],
};
const YOUR_TURN = [587, 880];
const SAID_IN_SILENCE = ["over", "asks"]; // signals with a sound in silent games too
/** @type {Seat | null} */
let turn = null;
/** @type {WakeLockSentinel | null} */
let lock = null;

for (const touched of ["pointerup", "keyup"]) {
  addEventListener(touched, () => (isOn("sound") || isOn("turn")) && wakeSound(), { passive: true });
}

/** @param {Update} update @param {boolean} fresh @param {Seat | null} seat This page's seat. */
export function cue(update, fresh, seat) {
  for (const name of ["sound", "speech", "turn"]) setting(name);
  const before = turn;
  turn = update.standing?.over ? 0 : (update.standing?.turn ?? null);
  if (!fresh) return;
  const silent = start.match?.silent;
  if (seat && turn === seat && before !== null && before !== seat && isOn("turn")) {
    vibrate([60, 80, 60]);
    sound(YOUR_TURN);
  }
  const signal = update.signal ?? "";
  const mine = update.entry?.move?.by === seat;
  if (NOTES[signal] && (!silent || SAID_IN_SILENCE.includes(signal))) {
    if (mine || signal !== "refused") vibrate(signal === "refused" ? [90, 60, 90] : [40]);
    if (isOn("sound")) sound(NOTES[signal]);
  }
  if (silent || !isOn("speech") || !update.texts.length) return;
  const hangs = signal === "asks" && update.asked.some((one) => one.hangs) ? [say("provisional")] : [];
  speak([update.texts[0], ...hangs].join(" "), start.language);
}

/** @param {string} name */
function setting(name) {
  const box = findOptional(document, `#${name}`, HTMLInputElement);
  if (!box || box.dataset.kept) return;
  box.dataset.kept = "yes";
  box.checked = isOn(name);
  box.onchange = () => {
    remember(name, box.checked ? "on" : "off");
    if (name === "sound" && box.checked) sound([523]);
    if (name === "turn" && box.checked) sound(YOUR_TURN);
  };
}

/** A toggle button, where a checkbox would be too small to see. @param {HTMLElement} button */
export function speaker(button) {
  const show = () => button.setAttribute("aria-pressed", String(isOn("speech")));
  button.hidden = !speaks;
  button.onclick = () => {
    remember("speech", isOn("speech") ? "off" : "on");
    show();
    speak(say(isOn("speech") ? "speech.on" : "speech.off"), start.language);
  };
  show();
}

/**
 * Keeps the screen on while the page is visible. Browsers allow it only over HTTPS and on localhost.
 * @param {HTMLInputElement} [box] Switches it on and off.
 * @param {HTMLElement} [hint] Shown if this browser cannot do it.
 */
export function stayAwake(box, hint) {
  const wanted = () => remembered("awake") !== "off";
  const hold = async () => {
    if (!staysAwake || document.visibilityState !== "visible" || !wanted()) return;
    lock = await keepAwake();
  };
  if (box) {
    box.checked = staysAwake && wanted();
    box.disabled = !staysAwake;
    if (hint) hint.hidden = staysAwake;
    box.onchange = () => {
      remember("awake", box.checked ? "on" : "off");
      if (box.checked) hold();
      else lock?.release();
    };
  }
  document.addEventListener("visibilitychange", hold);
  hold();
}

/** @param {string} name */
function isOn(name) {
  return remembered(name) === "on";
}
