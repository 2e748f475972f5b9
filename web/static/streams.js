// A browser opens six connections to one table, and each stream keeps one for as long as its page is open. So the
// pages of one browser agree which of them have a stream: the few that were opened or looked at last. The others ask.

const MOST_STREAMS = 3; // the other connections are for pages, pictures and presses
const SAY_MS = 2000;
const GONE_MS = 7000; // a page that was closed, or sleeps

/**
 * Calls `changed` whenever this page may have a stream, or may no longer.
 * @param {(may: boolean) => void} changed
 */
export function shareStreams(changed) {
  const own = String(Math.random());
  /** @type {Map<string, { since: number, at: number }>} */
  const others = new Map();
  let since = Date.now();
  /** @type {boolean | null} */
  let may = null;
  const channel = openChannel();

  function visible() {
    return document.visibilityState === "visible";
  }

  function settle() {
    const now = Date.now();
    for (const [name, other] of others) if (now - other.at > GONE_MS) others.delete(name);
    const before = [...others].filter(([name, other]) => {
      return other.since > since || (other.since === since && name > own);
    });
    const allowed = visible() && before.length < MOST_STREAMS;
    if (allowed === may) return;
    may = allowed;
    changed(may);
  }

  /** @param {boolean} here */
  function say(here) {
    try {
      channel?.postMessage({ name: own, since: here ? since : 0 });
    } catch {
      // the channel was closed with its page
    }
  }

  if (channel) {
    channel.onmessage = ({ data }) => {
      const known = others.has(data.name);
      if (data.since) others.set(data.name, { since: data.since, at: Date.now() });
      else others.delete(data.name);
      if (!known && data.since) say(visible()); // so that a new page knows of this one at once
      settle();
    };
  }
  setInterval(() => {
    if (visible()) say(true);
    settle();
  }, SAY_MS);
  document.addEventListener("visibilitychange", () => {
    if (visible()) since = Date.now();
    say(visible());
    settle();
  });
  addEventListener("pagehide", () => say(false));
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    since = Date.now();
    say(true);
    settle();
  });
  say(visible());
  settle();
}

/** @returns {BroadcastChannel | null} */
function openChannel() {
  try {
    return new BroadcastChannel("streams");
  } catch {
    return null; // this page then counts as the only one
  }
}
