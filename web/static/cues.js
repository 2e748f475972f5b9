// What a phone or a television may sound, shake and say, never more than the lamp may show; and that it stays awake.

import { say, start } from "./live.js";

const NOTES = { refused: [220, 185], misplaced: [220, 185], prize: [523, 784], over: [523, 659, 784, 1047], asks: [440, 440] };
const YOUR_TURN = [587, 880];
let context = null;
let turn = null;
let lock = null;

export function cue(update, fresh, seat) {
  setting("sound");
  setting("speech");
  setting("turn");
  const before = turn;
  turn = update.standing?.over ? 0 : (update.standing?.turn ?? null);
  if (!fresh) return;
  const silent = start.match?.silent;
  if (seat && turn === seat && before !== null && before !== seat && isOn("turn")) {
    if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.([60, 80, 60]);
    sound(YOUR_TURN);
  }
  const mine = update.entry?.move?.by === seat;
  if (NOTES[update.signal] && !(silent && update.signal !== "over" && update.signal !== "asks")) {
    if (navigator.userActivation?.hasBeenActive && (mine || update.signal !== "refused")) navigator.vibrate?.(update.signal === "refused" ? [90, 60, 90] : 40);
    if (isOn("sound")) sound(NOTES[update.signal]);
  }
  if (!silent && isOn("speech") && update.texts.length) speak(update.texts[0]);
}

function setting(name) {
  const box = document.getElementById(name);
  if (!box || box.dataset.kept) return;
  box.dataset.kept = "yes";
  box.checked = isOn(name);
  box.onchange = () => {
    localStorage.setItem(name, box.checked ? "on" : "off");
    if (name === "sound" && box.checked) sound([523]);
    if (name === "turn" && box.checked) sound(YOUR_TURN);
  };
}

// A button that is pressed or not, where a box to tick would be too small to see.
export function speaker(button) {
  const show = () => button.setAttribute("aria-pressed", isOn("speech"));
  button.hidden = !("speechSynthesis" in window);
  button.onclick = () => {
    localStorage.setItem("speech", isOn("speech") ? "off" : "on");
    show();
    speak(say(isOn("speech") ? "speech.on" : "speech.off"));
  };
  show();
}

// Keeps the screen on while the page is looked at. Browsers allow it over https and on the table's own machine only.
export function stayAwake(box, hint) {
  const wanted = () => localStorage.getItem("awake") !== "off";
  const hold = async () => {
    if (!navigator.wakeLock || document.visibilityState !== "visible" || !wanted()) return;
    lock = await navigator.wakeLock.request("screen").catch(() => null);
  };
  if (box) {
    box.checked = Boolean(navigator.wakeLock) && wanted();
    box.disabled = !navigator.wakeLock;
    hint.hidden = Boolean(navigator.wakeLock);
    box.onchange = () => {
      localStorage.setItem("awake", box.checked ? "on" : "off");
      if (box.checked) hold();
      else lock?.release();
    };
  }
  document.addEventListener("visibilitychange", hold);
  hold();
}

function isOn(name) {
  return localStorage.getItem(name) === "on";
}

// Notes one after the other, in hertz.
export function sound(notes) {
  context ??= new AudioContext();
  notes.forEach((pitch, index) => {
    const at = context.currentTime + index * 0.16;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.frequency.value = pitch;
    gain.gain.setValueAtTime(0.12, at);
    gain.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  });
}

function speak(words) {
  speechSynthesis.cancel();
  const utterance = new SpeechSynthesisUtterance(words);
  utterance.lang = start.language;
  speechSynthesis.speak(utterance);
}
