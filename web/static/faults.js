// A part of a page that throws costs itself, never the rest of the page. The host's check-up hears of it once.

const MOST = 5; // of one page: what throws at each update would never end

/** @type {Set<string>} */
const told = new Set();

/**
 * Runs a part of the page; returns `undefined` if it throws.
 * @template T
 * @param {string} part
 * @param {() => T} work
 * @returns {T | undefined}
 */
export function guarded(part, work) {
  try {
    return work();
  } catch (error) {
    report(part, error);
    return undefined;
  }
}

/**
 * Tells the host's check-up that something on this page does not work.
 * @param {string} part
 * @param {unknown} error
 */
export function report(part, error) {
  console.error(part, error);
  const what = `${part}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`.slice(0, 200);
  if (told.has(what) || told.size >= MOST) return;
  told.add(what);
  fetch("/api/v1/page-faults", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ page: location.pathname.slice(0, 100), what }),
  }).catch(() => {});
}

addEventListener("error", (event) => event.error && report("script", event.error));
addEventListener("unhandledrejection", (event) => {
  // A request that did not arrive is said where it was made.
  if (!(event.reason instanceof TypeError && /fetch|network|load failed/i.test(event.reason.message))) {
    report("script", event.reason);
  }
});
