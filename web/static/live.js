// Keeps a page with the table: listens, asks when nobody listens to it, and says so when neither answers.

const ASK_MS = 2000; // between questions while there is no stream
const QUIET_MS = 20000; // a stream that said nothing for so long may be dead without knowing it
const PATIENCE_MS = 5000;

export const start = JSON.parse(document.getElementById("start").textContent);

const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

// A sentence that counts something has a singular and a plural; `n` says which.
export function say(key, values = {}) {
  const forms = start.words[key] ?? key;
  const words = Array.isArray(forms) ? forms[plurals.select(Number(values.n)) === "one" ? 0 : 1] : forms;
  return words.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

// Calls `told(news, fresh)` for each piece of news; `fresh` is false for what the page was opened with.
// `stay`: a page with something half filled in is not drawn anew when another match begins.
export function follow(told, { stay = false } = {}) {
  let { match, number } = start.now;
  let heard = Date.now();
  let source = null;
  let asking = 0;
  let away = 0;

  function hear(news) {
    heard = Date.now();
    reached();
    if (news.match !== match) {
      if (!stay) return location.reload();
      match = news.match;
      number = 0;
    }
    if (news.number < number) return;
    const fresh = news.number > number || news.entry === null || news.number === 0;
    number = news.number;
    names(news.seats);
    told(news, fresh);
  }

  // Who sits where may change while the page is open.
  function names(told = []) {
    told.forEach((name, index) => {
      const seat = start.match?.seats[index];
      if (!seat || seat.name === name) return;
      seat.name = name;
      for (const place of document.querySelectorAll(`[data-name="${seat.number}"]`)) place.textContent = name;
    });
  }

  function reached() {
    away = 0;
    document.getElementById("away").hidden = true;
    document.documentElement.dataset.link = source?.readyState === 1 ? "live" : "asking";
  }

  function lost() {
    away += 1;
    if (away < 2) return;
    document.getElementById("away").hidden = false;
    document.documentElement.dataset.link = "away";
  }

  async function ask() {
    clearTimeout(asking);
    try {
      const answer = await fetch("/api/v1/standing", { cache: "no-store", signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!answer.ok) throw new Error(answer.statusText);
      hear(await answer.json());
    } catch {
      lost();
    }
    const streaming = source !== null && source.readyState === EventSource.OPEN;
    asking = setTimeout(streaming ? watch : ask, streaming ? QUIET_MS : ASK_MS);
  }

  function watch() {
    if (Date.now() - heard < QUIET_MS) asking = setTimeout(watch, QUIET_MS);
    else ask();
  }

  function listen() {
    source?.close();
    const seen = number ? `&after=${number}` : "";
    source = new EventSource(`/api/v1/events?match=${encodeURIComponent(match ?? "")}${seen}`);
    source.onopen = () => {
      heard = Date.now();
      reached();
      clearTimeout(asking);
      asking = setTimeout(watch, QUIET_MS);
    };
    source.onmessage = (event) => hear(JSON.parse(event.data));
    source.addEventListener("snapshot", (event) => hear(JSON.parse(event.data)));
    source.onerror = () => {
      // A refused stream is closed for good; a broken one tries again by itself. Ask meanwhile, either way.
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 15000);
      ask();
    };
  }

  told(start.now, false);
  listen();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    listen();
    ask();
  });
  addEventListener("pageshow", (event) => event.persisted && listen());
  addEventListener("pagehide", () => source?.close());
  addEventListener("online", () => listen());
  return { ask, number: () => number };
}
