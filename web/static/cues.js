// What a phone may sound, shake and say; never more than the lamp may show.

import { start } from "./live.js";

const NOTES = { refused: [220, 185], misplaced: [220, 185], prize: [523, 784], over: [523, 659, 784, 1047], asks: [440, 440] };
let context = null;

export function cue(news, fresh, seat) {
  setting("sound");
  setting("speech");
  if (!fresh) return;
  const silent = start.match?.silent;
  const mine = news.entry?.move?.by === seat;
  if (NOTES[news.signal] && !(silent && news.signal !== "over" && news.signal !== "asks")) {
    if (navigator.userActivation?.hasBeenActive && (mine || news.signal !== "refused")) navigator.vibrate?.(news.signal === "refused" ? [90, 60, 90] : 40);
    if (kept("sound")) sound(NOTES[news.signal]);
  }
  if (!silent && kept("speech") && news.texts.length) speak(news.texts[0]);
}

function setting(name) {
  const box = document.getElementById(name);
  if (!box || box.dataset.kept) return;
  box.dataset.kept = "yes";
  box.checked = kept(name);
  box.onchange = () => {
    localStorage.setItem(name, box.checked ? "on" : "off");
    if (name === "sound" && box.checked) sound([523]);
  };
}

function kept(name) {
  return localStorage.getItem(name) === "on";
}

function sound(notes) {
  context ??= new AudioContext();
  notes.forEach((pitch, index) => {
    const at = context.currentTime + index * 0.16;
    const tone = context.createOscillator();
    const loud = context.createGain();
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime(0.12, at);
    loud.gain.exponentialRampToValueAtTime(0.001, at + 0.15);
    tone.connect(loud).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.16);
  });
}

function speak(words) {
  speechSynthesis.cancel();
  const said = new SpeechSynthesisUtterance(words);
  said.lang = start.language;
  speechSynthesis.speak(said);
}
