// Sounds, vibration and speech, never revealing more than the lamp; and the wake lock.

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
/** @type {AudioContext | null} */
let context = null;
/** @type {Seat | null} */
let turn = null;
/** @type {WakeLockSentinel | null} */
let lock = null;

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
  if (!silent && isOn("speech") && update.texts.length) speak(update.texts[0]);
}

/** Browsers allow it after the first tap. @param {number[]} pattern In milliseconds. */
function vibrate(pattern) {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}

/** @param {string} name */
function setting(name) {
  const box = findOptional(document, `#${name}`, HTMLInputElement);
  if (!box || box.dataset.kept) return;
  box.dataset.kept = "yes";
  box.checked = isOn(name);
  box.onchange = () => {
    localStorage.setItem(name, box.checked ? "on" : "off");
    if (name === "sound" && box.checked) sound([523]);
    if (name === "turn" && box.checked) sound(YOUR_TURN);
  };
}

/** A toggle button, where a checkbox would be too small to see. @param {HTMLElement} button */
export function speaker(button) {
  const show = () => button.setAttribute("aria-pressed", String(isOn("speech")));
  button.hidden = !("speechSynthesis" in window);
  button.onclick = () => {
    localStorage.setItem("speech", isOn("speech") ? "off" : "on");
    show();
    speak(say(isOn("speech") ? "speech.on" : "speech.off"));
  };
  show();
}

/**
 * Keeps the screen on while the page is visible. Browsers allow it only over HTTPS and on localhost.
 * @param {HTMLInputElement} [box] Switches it on and off.
 * @param {HTMLElement} [hint] Shown if this browser cannot do it.
 */
export function stayAwake(box, hint) {
  const wanted = () => localStorage.getItem("awake") !== "off";
  const hold = async () => {
    if (!navigator.wakeLock || document.visibilityState !== "visible" || !wanted()) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  };
  if (box) {
    box.checked = Boolean(navigator.wakeLock) && wanted();
    box.disabled = !navigator.wakeLock;
    if (hint) hint.hidden = Boolean(navigator.wakeLock);
    box.onchange = () => {
      localStorage.setItem("awake", box.checked ? "on" : "off");
      if (box.checked) hold();
      else lock?.release();
    };
  }
  document.addEventListener("visibilitychange", hold);
  hold();
}

/** @param {string} name */
function isOn(name) {
  return localStorage.getItem(name) === "on";
}

/** Plays notes in sequence. @param {number[]} notes In hertz. */
export function sound(notes) {
  context ??= new AudioContext();
  for (const [index, pitch] of notes.entries()) {
    const at = context.currentTime + index * 0.16;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  }
}

/** @param {string} words */
function speak(words) {
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = start.language;
  speechSynthesis.speak(utterance);
}
