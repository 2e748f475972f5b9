// Motion on a television: a card flies from its player to its place. Only transform and opacity are animated.

const FLIGHT_MS = 420;
const MOVE_MS = 240;
const OUT = "cubic-bezier(.2, .8, .2, 1)";
const LAND = "cubic-bezier(.3, 1.35, .5, 1)";
const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether nothing may move: as people wish, or because nobody sees it. */
export const calm = () => reduced.matches || document.hidden;

/** @type {(() => void) | null} */
let land = null;
let timer = 0;

/** Ends a flight at once: everything is where it belongs. */
export function settle() {
  clearTimeout(timer);
  land?.();
  land = null;
}

/**
 * A card flies to its place, which is hidden until it arrives. Returns when, in milliseconds from now.
 * @param {Element} card A copy to fly, of the size of the place.
 * @param {Element} from
 * @param {HTMLElement | SVGElement} to
 * @param {HTMLElement | SVGElement} [rest] What arrives, if not all of `to` is replaced.
 */
export function fly(card, from, to, rest = to) {
  settle();
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  if (!end.width || !start.width) return 0;
  const flyer = document.createElement("div");
  flyer.className = "flyer";
  flyer.setAttribute("aria-hidden", "true");
  flyer.append(card);
  for (const side of /** @type {const} */ (["left", "top", "width", "height"])) flyer.style[side] = `${end[side]}px`;
  document.body.append(flyer);
  rest.style.visibility = "hidden";
  const x = start.left + start.width / 2 - end.left - end.width / 2;
  const y = start.top + start.height / 2 - end.top - end.height / 2;
  flyer.animate(
    [
      { transform: `translate(${x}px, ${y}px) scale(.25)`, opacity: 0 },
      { transform: `translate(${x * 0.55}px, ${y * 0.6}px) scale(1.6)`, opacity: 1, offset: 0.45 },
      { transform: "none", opacity: 1 },
    ],
    { duration: FLIGHT_MS, easing: OUT, fill: "both" },
  );
  land = () => {
    flyer.remove();
    rest.style.visibility = "";
  };
  timer = setTimeout(() => {
    settle();
    const now = getComputedStyle(rest).transform;
    rest.animate([{ transform: "scale(1.16)" }, { transform: now }], { duration: MOVE_MS, easing: LAND });
  }, FLIGHT_MS);
  return FLIGHT_MS;
}

/** A sentence rises, and what it brings appears. @param {Element} part @param {number} delay In milliseconds. */
export function rise(part, delay) {
  const frames = [
    { transform: "translateY(2vh)", opacity: 0 },
    { transform: "none", opacity: 1 },
  ];
  part.animate(frames, { duration: MOVE_MS, easing: OUT, delay, fill: "backwards" });
}

/** Something grows into its place. @param {Element} part @param {number} delay In milliseconds. */
export function appear(part, delay) {
  const frames = [
    { transform: "scale(.6)", opacity: 0 },
    { transform: "scale(1.18)", opacity: 1, offset: 0.6 },
    { transform: "none", opacity: 1 },
  ];
  part.animate(frames, { duration: FLIGHT_MS, easing: OUT, delay, fill: "backwards" });
}
