// The camera's picture, refreshed every two seconds while it is visible: from above with the zones on it, or, if the
// table is not found, as the camera sees it.

import { find } from "./dom.js";
import { say } from "./live.js";
import { zones } from "./zones.js";

const LOOK_MS = 2000;
const LEAST_MODULE_PX = 1.6;
const LEAST_RATE_HZ = 3;

/**
 * Returns a function that refreshes at once.
 * @param {HTMLElement} place
 * @param {() => boolean} wanted Whether the picture is visible.
 * @param {() => void} also Called on each refresh.
 */
export function live(place, wanted, also = () => {}) {
  const picture = find(place, "img", HTMLImageElement);
  const unseen = find(place, "[data-unseen]");
  const map = find(place, ".zones", SVGElement);
  const drawn = zones(place);
  const look = () => {
    if (!wanted() || document.hidden) return;
    also();
    load("straight&", () => load("", () => show(null, "")));
  };
  setInterval(look, LOOK_MS);
  return look;

  /** @param {string} how @param {() => void} otherwise */
  function load(how, otherwise) {
    const fresh = new Image();
    fresh.onload = () => show(fresh, how);
    fresh.onerror = otherwise;
    fresh.src = `/api/v1/camera.jpg?${how}${Date.now()}`;
  }

  /** @param {HTMLImageElement | null} fresh @param {string} how */
  function show(fresh, how) {
    picture.hidden = !fresh;
    unseen.hidden = Boolean(fresh);
    if (fresh) picture.src = fresh.src;
    if (fresh && how) drawn(fresh);
    else map.setAttribute("hidden", "");
  }
}

/**
 * The quality of the picture: whether the table is found, and in lines its rate, size and sharpness, and a recommended
 * camera mode; each with whether that is good.
 * @param {Health} health
 * @returns {{ state: string, good: boolean, lines: { words: string, good: boolean }[] }}
 */
export function told({ camera, source, pictures, sight }) {
  const trouble = camera === "camera" && pictures?.trouble;
  const state = trouble ? say(`camera.trouble.${trouble}`, { source }) : say(`camera.${camera}`);
  const good = camera === "ok";
  if (camera === "camera" || !pictures?.size_px) return { state, good, lines: [] };
  const {
    size_px: [width, height],
    rate_hz: rate,
  } = pictures;
  /** @type {{ words: string, good: boolean }[]} */
  const lines = [];
  const line = (/** @type {boolean} */ fine, /** @type {string} */ words) => lines.push({ words, good: fine });
  line(rate >= LEAST_RATE_HZ, say("camera.sends", { width, height, rate: rate.toFixed(1) }));
  const sharpness = sight.filter((one) => one.name === "sharpness"); // of the tags, and of smudged places
  const sharp = sharpness.every((one) => one.good);
  if (sharpness.length) line(sharp, say(sharp ? "camera.sharp" : "camera.blurred"));
  const squares = sight.filter((one) => one.name === "module_px").map((one) => one.value);
  const least = Math.min(...squares);
  const large = least >= LEAST_MODULE_PX;
  if (squares.length) line(large, say("camera.squares", { px: lower(least), least: LEAST_MODULE_PX }));
  if (squares.length && !large) {
    const enough = Math.ceil((width * LEAST_MODULE_PX) / least / 10) * 10;
    line(false, say("camera.mode.larger", { width: enough }));
  } else if (rate < LEAST_RATE_HZ) line(false, say("camera.mode.smaller"));
  else if (squares.length) line(true, say("camera.mode.right"));
  return { state, good, lines };
}

/** To one decimal, never more than it is: "1.6 pixels; it must be 1.6" would contradict itself. @param {number} px */
function lower(px) {
  return (Math.floor(px * 10) / 10).toFixed(1);
}
