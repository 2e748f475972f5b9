// The camera's picture, new every two seconds for as long as somebody looks: from above with the zones on it, or,
// while the table is not found, as the camera sees it.

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
