// What a browser may refuse: to remember, to sound, to speak, to share, to keep its screen on. Then the page goes on
// without it.

import { report } from "./faults.js";

/** What was remembered in a browser that keeps nothing; until the page is left. @type {Map<string, string>} */
const here = new Map();

/**
 * The browser's memory: the tab's, or the one of all tabs; `null` if it may not be used.
 * @param {"tab" | "browser"} where
 */
function storage(where) {
  try {
    return where === "tab" ? sessionStorage : localStorage;
  } catch {
    return null;
  }
}

/**
 * What was remembered under a name; `null` if nothing was.
 * @param {string} name
 * @param {"tab" | "browser"} [where]
 */
export function remembered(name, where = "browser") {
  try {
    return here.get(name) ?? storage(where)?.getItem(name) ?? null;
  } catch {
    return null;
  }
}

/**
 * Remembers a text, at least until the page is left.
 * @param {string} name
 * @param {string} text
 * @param {"tab" | "browser"} [where]
 */
export function remember(name, text, where = "browser") {
  here.delete(name);
  try {
    const kept = storage(where);
    kept?.setItem(name, text);
    if (kept) return;
  } catch {
    // full, or switched off
  }
  here.set(name, text);
}

const LATE_MS = 1000; // a sound that comes later tells nothing any more

/** @type {AudioContext | null} */
let audio = null;

/**
 * Lets the page sound. Browsers allow it in a touch or a key press only, and a phone that slept or rang wants another.
 * @returns {Promise<AudioContext | null>} Fulfilled when it may sound; `null` if there is nothing that sounds.
 */
export async function wakeSound() {
  try {
    audio ??= new AudioContext();
  } catch (error) {
    report("sound", error);
    return null;
  }
  if (audio.state !== "running") await audio.resume().catch(() => {}); // not in a touch: the next one wakes it
  return audio.state === "running" ? audio : null;
}

/** Plays notes in sequence; those that nobody may hear now are not made up for. @param {number[]} notes In hertz. */
export async function sound(notes) {
  const meant = performance.now();
  const context = await wakeSound();
  if (!context || performance.now() - meant > LATE_MS) return;
  try {
    for (const [index, pitch] of notes.entries()) play(context, pitch, context.currentTime + index * 0.16);
  } catch (error) {
    report("sound", error);
  }
}

/** @param {AudioContext} context @param {number} pitch @param {number} at In seconds. */
function play(context, pitch, at) {
  const tone = context.createOscillator();
  const gain = context.createGain();
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(0.12, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
  tone.connect(gain).connect(context.destination);
  tone.start(at);
  tone.stop(at + 0.16);
}

/** Browsers allow it after the first tap. @param {number[]} pattern In milliseconds. */
export function vibrate(pattern) {
  try {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
  } catch {
    // forbidden in a frame
  }
}

export const speaks = "speechSynthesis" in window;

/** @param {string} words @param {string} language */
export function speak(words, language) {
  if (!speaks) return;
  try {
    speechSynthesis.cancel();
    const utterance = new SpeechSynthesisUtterance(words);
    utterance.lang = language;
    speechSynthesis.speak(utterance);
  } catch (error) {
    report("speech", error);
  }
}

export const staysAwake = Boolean(navigator.wakeLock);

/** Keeps the screen on; `null` if the browser does not allow it. @returns {Promise<WakeLockSentinel | null>} */
export async function keepAwake() {
  try {
    return await navigator.wakeLock.request("screen");
  } catch {
    return null; // an old browser, one without HTTPS, or one that saves its battery
  }
}

/** Lets the person share a file; whether there was a way to do so. @param {File} file */
export async function shared(file) {
  try {
    if (!navigator.canShare?.({ files: [file] })) return false;
    await navigator.share({ files: [file] });
  } catch (error) {
    return error instanceof Error && error.name === "AbortError"; // else the file is downloaded
  }
  return true;
}
