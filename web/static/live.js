// Keeps a page up to date: by an event stream, by polling while there is none, and says so when neither works.

const POLL_MS = 2000; // between polls while there is no stream
const SILENCE_MS = 20000; // a stream that said nothing for so long may be dead without knowing it
const TIMEOUT_MS = 5000;

export const start = JSON.parse(document.getElementById("start").textContent);

// Where the drawings are.
export const sprites = document.documentElement.dataset;

const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

// « de Ben », « d’Ana ». An h keeps the whole word, for nobody knows how a name is said.
const VOWEL = /^[aeiouœæàâäéèêëîïôöùûüáíóúåãõ]/i;

// A sentence that counts something has a singular and a plural; `n` says which.
export function say(key, values = {}) {
  const forms = start.words[key] ?? key;
  const words = Array.isArray(forms) ? forms[plurals.select(Number(values.n)) === "one" ? 0 : 1] : forms;
  const known = document.documentElement.lang === "fr" ? words.replace(/\b([Dd]|[Qq]u)e \{(\w+)\}/g, (whole, short, name) => (VOWEL.test(values[name] ?? "") ? `${short}’{${name}}` : whole)) : words;
  return known.replace(/\{(\w+)\}/g, (whole, name) => (typeof values[name] === "number" ? signed(values[name]) : (values[name] ?? whole)));
}

// A number as people write it: below zero with the sign that is as wide as a plus, not with a hyphen.
export function signed(number) {
  return number < 0 ? `−${-number}` : String(number);
}

// What was heard last; pages that ask before they act look here.
export const heard = { update: start.now };

// What is sent to the table when it is pressed. Out of reach, none of it can be pressed.
const SENDING = ".acts button, .answers button, .end [data-send], #setup .main, #counts button, .rename button, .code button, dialog .choice, #play button, #playing, #leave, #adopt";

function freeze(away) {
  for (const button of document.querySelectorAll(away ? SENDING : "[data-frozen]")) {
    if (away && button.disabled) continue;
    button.disabled = away;
    button.toggleAttribute("data-frozen", away);
  }
}

// Calls `onUpdate(update, fresh)` for each update; `fresh` is false for what the page was opened with.
// `stay`: a page with something half filled in is not drawn anew when another match begins.
export function follow(onUpdate, { stay = false } = {}) {
  let { match, number } = start.now;
  let lastContact = Date.now();
  let source = null;
  let timer = 0;
  let failures = 0;

  function receive(update) {
    lastContact = Date.now();
    showConnected();
    if (update.match !== match) {
      if (!stay) return location.reload();
      match = update.match;
      number = 0;
    }
    if (update.number < number) return;
    const fresh = update.number > number || update.entry === null || update.number === 0;
    number = update.number;
    heard.update = update;
    renameSeats(update.seats);
    onUpdate(update, fresh);
  }

  // Who sits where may change while the page is open.
  function renameSeats(names = []) {
    names.forEach((name, index) => {
      const seat = start.match?.seats[index];
      if (!seat || seat.name === name) return;
      seat.name = name;
      for (const place of document.querySelectorAll(`[data-name="${seat.number}"]`)) place.textContent = name;
    });
  }

  function showConnected() {
    failures = 0;
    if (!document.getElementById("away").hidden) freeze(false);
    document.getElementById("away").hidden = true;
    document.documentElement.dataset.link = source?.readyState === 1 ? "live" : "asking";
  }

  function showLost() {
    failures += 1;
    if (failures < 2) return;
    document.getElementById("away").hidden = false;
    document.documentElement.dataset.link = "away";
    freeze(true);
  }

  async function refresh() {
    clearTimeout(timer);
    try {
      const answer = await fetch("/api/v1/standing", { cache: "no-store", signal: AbortSignal.timeout(TIMEOUT_MS) });
      if (!answer.ok) throw new Error(answer.statusText);
      receive(await answer.json());
    } catch {
      showLost();
    }
    const streaming = source !== null && source.readyState === EventSource.OPEN;
    timer = setTimeout(streaming ? watchStream : refresh, streaming ? SILENCE_MS : POLL_MS);
  }

  function watchStream() {
    if (Date.now() - lastContact < SILENCE_MS) timer = setTimeout(watchStream, SILENCE_MS);
    else refresh();
  }

  function openStream() {
    source?.close();
    const resume = number ? `&after=${number}` : "";
    source = new EventSource(`/api/v1/events?match=${encodeURIComponent(match ?? "")}${resume}`);
    source.onopen = () => {
      lastContact = Date.now();
      showConnected();
      clearTimeout(timer);
      timer = setTimeout(watchStream, SILENCE_MS);
    };
    source.onmessage = (event) => receive(JSON.parse(event.data));
    source.addEventListener("snapshot", (event) => receive(JSON.parse(event.data)));
    source.onerror = () => {
      // A refused stream is closed for good; a broken one tries again by itself. Ask meanwhile, either way.
      if (source.readyState === EventSource.CLOSED) setTimeout(openStream, 15000);
      refresh();
    };
  }

  onUpdate(start.now, false);
  openStream();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible") return;
    openStream();
    refresh();
  });
  addEventListener("pageshow", (event) => event.persisted && openStream());
  addEventListener("pagehide", () => source?.close());
  addEventListener("online", () => openStream());
  return { refresh, number: () => number };
}
