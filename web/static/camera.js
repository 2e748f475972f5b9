// The camera's picture, new every two seconds for as long as somebody looks: from above with the zones on it, or,
// while the table is not found, as the camera sees it.

import { say } from "./live.js";
import { zones } from "./zones.js";

export function live(place, wanted, also = () => {}) {
  const picture = place.querySelector("img");
  const unseen = place.querySelector("[data-unseen]");
  const map = place.querySelector(".zones");
  const drawn = zones(place);
  const look = () => {
    if (!wanted() || document.hidden) return;
    also();
    load("straight&", () => load("", () => shown(null)));
  };
  setInterval(look, 2000);
  return look;

  function load(how, otherwise) {
    const fresh = new Image();
    fresh.onload = () => shown(fresh, how);
    fresh.onerror = otherwise;
    fresh.src = `/api/v1/camera.jpg?${how}${Date.now()}`;
  }

  function shown(fresh, how) {
    picture.hidden = !fresh;
    unseen.hidden = Boolean(fresh);
    if (fresh) picture.src = fresh.src;
    if (how) drawn(fresh);
    else map.setAttribute("hidden", "");
  }
}

// How the table is seen, from what the companion says of its health: whether, and in lines what comes, how large and how
// sharp, and which mode of the camera to choose.
const LEAST_MODULE_PX = 1.6;
const LEAST_RATE_HZ = 3;
export function told(now) {
  const { size_px: size, rate_hz: rate, trouble } = now.pictures ?? {};
  const state = now.camera === "camera" && trouble ? say(`camera.trouble.${trouble}`, { source: now.source }) : say(`camera.${now.camera}`);
  const lines = [];
  if (now.camera === "camera" || !size) return { state, lines };
  lines.push(say("camera.sends", { width: size[0], height: size[1], rate: rate.toFixed(1) }));
  const sharpness = now.sight.filter((one) => one.name === "sharpness"); // of the tags, and of places that are smudged
  if (sharpness.length) lines.push(say(sharpness.every((one) => one.good) ? "camera.sharp" : "camera.blurred"));
  const squares = now.sight.filter((one) => one.name === "module_px").map((one) => one.value);
  const least = Math.min(...squares);
  if (squares.length) lines.push(say("camera.squares", { px: least.toFixed(1), least: LEAST_MODULE_PX }));
  if (squares.length && least < LEAST_MODULE_PX) lines.push(say("camera.mode.larger", { width: Math.ceil(size[0] * LEAST_MODULE_PX / least / 10) * 10 }));
  else if (rate < LEAST_RATE_HZ) lines.push(say("camera.mode.smaller"));
  else if (squares.length) lines.push(say("camera.mode.right"));
  return { state, lines };
}
