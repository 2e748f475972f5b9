// What a phone may sound, shake and say; never more than the lamp may show.

import { start } from "./live.js";

const NOTES = { refused: [220, 185], misplaced: [220, 185], prize: [523, 784], over: [523, 659, 784, 1047], asks: [440, 440] };
let context = null;

export function cue(update, fresh, seat) {
  setting("sound");
  setting("speech");
  if (!fresh) return;
  const silent = start.match?.silent;
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
  };
}

function isOn(name) {
  return localStorage.getItem(name) === "on";
}

function sound(notes) {
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
