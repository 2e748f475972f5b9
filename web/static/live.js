// Keeps a page up to date by an event stream, else by polling, and reports when neither works.

import { byId, findAll, jsonOf, timeoutSignal } from "./dom.js";
import { guarded } from "./faults.js";
import { shareStreams } from "./streams.js";

const POLL_MS = 2000; // between polls while there is no stream
const SILENCE_MS = 3000; // the table says every two seconds that it is there
const TIMEOUT_MS = 2000; // a silent or broken stream and an unanswered question: the table cannot be reached

/** @type {Start} */
export const start = jsonOf("start");

/** The match of this page; throws if there is none. */
export function currentMatch() {
  if (!start.match) throw new Error("this page has no match");
  return start.match;
}

/**
 * Imports a script of a game.
 * @param {string} game
 * @param {string} script
 */
export function gameScript(game, script) {
  return import(new URL(`../games/${game}/${script}`, import.meta.url).href);
}

const plurals = new Intl.PluralRules(document.documentElement.lang || "en");

// « de Ben », « d’Ana ». Before an h the whole word stays, because its pronunciation is unknown.
const VOWEL = /^[aeiouœæàâäéèêëîïôöùûüáíóúåãõ]/i;

/**
 * A translated text; `n` selects singular or plural.
 * @param {string} key
 * @param {Values} [values]
 */
export function say(key, values = {}) {
  const forms = start.words[key] ?? key;
  const words = Array.isArray(forms) ? forms[plurals.select(Number(values.n)) === "one" ? 0 : 1] : forms;
  return elided(words, values).replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    return typeof value === "number" ? signed(value) : (value ?? whole);
  });
}

/** @param {string} words @param {Values} values */
function elided(words, values) {
  if (document.documentElement.lang !== "fr") return words;
  return words.replace(/\b([Dd]|[Qq]u)e \{(\w+)\}/g, (whole, short, name) =>
    VOWEL.test(String(values[name] ?? "")) ? `${short}’{${name}}` : whole,
  );
}

/**
 * A number with a real minus sign, as wide as a plus, not with a hyphen.
 * @param {number} number
 */
export function signed(number) {
  return number < 0 ? `−${-number}` : String(number);
}

// The last update, for pages that check it before they act.
export const heard = { update: start.now };

// Controls that send to the table; disabled while it cannot be reached.
const SENDING =
  ".acts button, .answers button, .end [data-send], #setup .main, #counts button, .rename button, .code button, " +
  "dialog .choice, #play button, #playing, #leave, #adopt";

/** @param {boolean} away */
function freeze(away) {
  const kind = /** @type {new () => HTMLButtonElement | HTMLInputElement} */ (HTMLElement);
  for (const button of findAll(document, away ? SENDING : "[data-frozen]", kind)) {
    if (away && button.disabled) continue;
    button.disabled = away;
    button.toggleAttribute("data-frozen", away);
  }
}

// The table went back to an earlier state: nothing on the page is to be gone on from. It is loaded anew, and says so.
function startAnew() {
  history.replaceState({ restored: true }, "");
  location.reload();
}

function sayRestored() {
  import("./toast.js").then(
    ({ toast }) => toast(say("link.restored")),
    () => {},
  );
}

/**
 * Follows the table. The stream is opened first, and a drawing that throws costs only itself.
 * @param {Draw} onUpdate Called for each update.
 * @param {{ stay?: boolean }} [options] `stay`: do not reload when another match begins, because a form may be half
 *   filled in.
 */
export function follow(onUpdate, { stay = false } = {}) {
  let { match, number, generation } = start.now;
  let lastContact = Date.now();
  const awayNote = byId("away");
  /** @type {EventSource | null} */
  let source = null;
  let timer = 0;
  let failures = 0;
  let streams = false; // whether this page may have a stream

  /** @param {Update} update @param {boolean} [asked] The page caught up with the table: it may have missed notices. */
  function receive(update, asked = false) {
    lastContact = Date.now();
    showConnected();
    if (update.match !== match) {
      if (!stay) return location.reload();
      match = update.match;
      generation = update.generation;
      number = 0;
    }
    if (update.generation !== generation) {
      if (!stay) return startAnew();
      generation = update.generation;
      number = 0;
      sayRestored();
    }
    if (update.number < number) return;
    const fresh = update.number > number || update.entry === null || update.number === 0;
    number = update.number;
    heard.update = update;
    renameSeats(update.seats);
    guarded("page", () => onUpdate(update, fresh));
    dispatchEvent(new CustomEvent("update", { detail: { update, asked } }));
  }

  // Players may change seats while the page is open.
  /** @param {string[]} names */
  function renameSeats(names) {
    names.forEach((name, index) => {
      const seat = start.match?.seats[index];
      if (!seat || seat.name === name) return;
      seat.name = name;
      for (const place of document.querySelectorAll(`[data-name="${seat.number}"]`)) place.textContent = name;
    });
  }

  function showConnected() {
    failures = 0;
    if (!awayNote.hidden) {
      awayNote.hidden = true;
      freeze(false);
      import("./toast.js").then(
        ({ toast }) => toast(say("link.back")),
        () => {},
      );
      const note = document.getElementById("note");
      if (note?.textContent === say("unsaid")) note.textContent = "";
    }
    document.documentElement.dataset.link = source?.readyState === 1 ? "live" : "asking";
  }

  function showLost() {
    failures += 1;
    if (failures < 2) return;
    awayNote.hidden = false;
    document.documentElement.dataset.link = "away";
    freeze(true);
  }

  async function refresh() {
    clearTimeout(timer);
    try {
      const answer = await fetch("/api/v1/standing", { cache: "no-store", signal: timeoutSignal(TIMEOUT_MS) });
      if (!answer.ok) throw new Error(answer.statusText);
      receive(await answer.json(), true);
    } catch {
      showLost();
    }
    const streaming = source !== null && source.readyState === EventSource.OPEN;
    timer = setTimeout(streaming ? watchStream : refresh, streaming ? SILENCE_MS : POLL_MS);
  }

  function watchStream() {
    const left = SILENCE_MS - (Date.now() - lastContact);
    if (left > 0) timer = setTimeout(watchStream, left);
    else {
      failures += 1;
      refresh();
    }
  }

  function closeStream() {
    source?.close();
    source = null;
  }

  function openStream() {
    closeStream();
    if (!streams) return;
    const seen = number ? `&after=${number}&generation=${generation ?? ""}` : "";
    const opened = new EventSource(`/api/v1/events?match=${encodeURIComponent(match ?? "")}${seen}`);
    source = opened;
    opened.onopen = () => {
      lastContact = Date.now();
      showConnected();
      clearTimeout(timer);
      timer = setTimeout(watchStream, SILENCE_MS);
    };
    opened.onmessage = (event) => receive(JSON.parse(event.data));
    opened.addEventListener("snapshot", (event) => receive(JSON.parse(event.data), true));
    opened.addEventListener("here", () => {
      lastContact = Date.now();
      showConnected();
    });
    opened.onerror = () => {
      failures += 1;
      // A refused stream stays closed, a broken one reconnects by itself. Poll meanwhile in both cases.
      if (opened.readyState === EventSource.CLOSED) setTimeout(openStream, 15000);
      refresh();
    };
  }

  shareStreams((may) => {
    streams = may;
    if (may) return openStream();
    closeStream();
    refresh();
  });
  guarded("page", () => onUpdate(start.now, false));
  if (history.state?.restored) {
    history.replaceState(null, "");
    sayRestored();
  }
  addEventListener("pageshow", (event) => event.persisted && openStream());
  addEventListener("pagehide", closeStream);
  addEventListener("offline", () => {
    failures += 1;
    showLost();
  });
  addEventListener("online", () => {
    openStream();
    refresh();
  });
  return { refresh, number: () => number };
}
