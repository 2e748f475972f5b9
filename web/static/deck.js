// The deck editor: the cards in the printed order, saved after every change.

import { isAbout, isComplete, showNeeds, titleOf } from "./deck_card.js";
import { byId, find, findAll, jsonOf, make } from "./dom.js";
import { follow, say, start } from "./live.js";
import { portrait } from "./portrait.js";
import { send } from "./send.js";

/** @typedef {{ at: number, cards: string }} Step The cards before a change, as JSON, and the current card. */

const WAIT_MS = 500;
const MOST_STEPS = 200;
const USUAL_TONGUES = ["en", "fr", "de", "es", "it", "nl", "pt", "pl"];
const place = document.getElementById("deck");
follow(() => {}, { stay: true });
if (place) edit(place);
else {
  const fresh = byId("fresh", HTMLFormElement);
  const choice = find(fresh, "select", HTMLSelectElement);
  const reads = find(fresh, "[value=read]", HTMLButtonElement);
  const types = find(fresh, "[value=type]", HTMLButtonElement);
  const chosen = () => {
    const read = choice.selectedIndex === 0; // only the cards of the default game are read from photographs
    reads.hidden = byId("read-hint").hidden = !read;
    types.classList.toggle("main", !read);
  };
  choice.onchange = chosen;
  chosen();
  fresh.onsubmit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button instanceof HTMLButtonElement) begin(fresh, choice.value, button);
  };
}

/**
 * Saves a new deck, empty or a copy of the game's demo deck, and goes to the page on which it is entered.
 * @param {HTMLFormElement} fresh @param {string} game @param {HTMLButtonElement} button
 */
async function begin(fresh, game, button) {
  const title = find(fresh, "[name=title]", HTMLInputElement).value.trim();
  const taken = (fresh.dataset.taken ?? "").split(" ");
  /** @type {Object<string, { deck: object }>} */
  const demos = jsonOf("demos");
  const { deck: head, ...things } = demos[game];
  const rows = button.value === "copy" ? things : Object.fromEntries(Object.keys(things).map((key) => [key, []]));
  const name = fileName(title, taken);
  const deck = { deck: { ...head, name: title, edition: "own" }, ...rows };
  const done = await send("decks", { name, deck }, button);
  if (done?.ok) location.assign(`/decks/${name}${button.value === "read" ? "/read" : ""}`);
}

/**
 * A deck's file name from what people call it: "Our box" is our-box, the second our-box-2.
 * @param {string} title @param {string[]} taken @returns {string}
 */
function fileName(title, taken) {
  const plain = title.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const base = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, 36) || "deck";
  let name = base;
  for (let n = 2; taken.includes(name); n++) name = `${base}-${n}`;
  return name;
}

/** @param {HTMLElement} section */
function edit(section) {
  /** @type {{ card: DeckCard[] }} */
  const deck = jsonOf("typed");
  const form = byId("card", HTMLFormElement);
  const name = find(form, "[name=name]", HTMLInputElement);
  const none = find(form, "[name=none]", HTMLInputElement);
  const need = find(form, "[name=need]", HTMLSelectElement);
  const tongue = find(form, "[name=tongue]", HTMLSelectElement);
  const families = findAll(form, "[name=family]", HTMLInputElement);
  const undo = byId("undo", HTMLButtonElement);
  const redo = byId("redo", HTMLButtonElement);
  const eras = findAll(document, "[data-era]");
  const languageNames = new Intl.DisplayNames([start.language], { type: "language" });
  const picture = portrait(section, () => save());
  /** @type {Fault[]} */
  let faults = [];
  let timer = 0;
  let saving = Promise.resolve();
  let spoken = start.language;

  // All typing in one field is one step.
  /** @type {Step[]} */
  let past = [];
  /** @type {Step[]} */
  let future = [];
  let typing = "";

  const complete = (/** @type {DeckCard} */ card) => isComplete(card, spoken);
  const title = (/** @type {DeckCard} */ card) => titleOf(card, spoken);
  let at = Math.max(
    0,
    deck.card.findIndex((card) => !complete(card)),
  );

  function progress() {
    const done = deck.card.filter(complete).length;
    byId("progress", HTMLProgressElement).value = done;
    byId("entered").textContent = say("entered", { n: done });
    const era = deck.card[at].id[0];
    for (const button of eras) button.setAttribute("aria-pressed", String(button.dataset.era === era));
    const cells = deck.card.flatMap((card, index) => (card.id[0] === era ? [cell(card, index)] : []));
    byId("grid").replaceChildren(...cells);
    const here = faults.filter((fault) => fault.where[0] !== "card" || isAbout(fault, at));
    byId("faults").replaceChildren(...here.map((fault) => make("li", {}, fault.what)));
  }

  /** @param {DeckCard} card @param {number} index */
  function cell(card, index) {
    const wrong = faults.some((fault) => isAbout(fault, index));
    const state = wrong ? "wrong" : complete(card) ? "done" : "";
    const ariaLabel = `${card.id} ${title(card)} ${state ? say(`card.${state}`) : ""}`;
    const button = make("button", { className: `button small ${state}`, type: "button", ariaLabel }, card.id[2]);
    if (index === at) button.setAttribute("aria-current", "true");
    button.onclick = () => show(index, true);
    return make("li", {}, button);
  }

  /** @param {string} id */
  function called(id) {
    const card = deck.card.find((one) => one.id === id);
    return `${id} ${card ? title(card) : ""}`;
  }

  function needs() {
    const card = deck.card[at];
    const chosen = card.prerequisites ?? [];
    none.checked = Boolean(card.prerequisites) && !chosen.length;
    showNeeds(card, deck.card, chosen, called, (id) => changed({ prerequisites: chosen.filter((one) => one !== id) }));
  }

  /** @param {number} index @param {boolean} moved Whether the user moved there. */
  function show(index, moved) {
    at = index;
    const card = deck.card[at];
    byId("which").textContent = say("card.which", { n: card.id[0], m: card.id[2] });
    name.value = card.name?.[spoken] ?? "";
    elsewhere();
    for (const option of families) option.checked = option.value === card.family;
    byId("back", HTMLButtonElement).disabled = at === 0;
    picture(card.id, () => title(card) || card.id);
    needs();
    progress();
    if (moved) name.focus();
  }

  function tongues() {
    const named = deck.card.flatMap((card) => Object.keys(card.name ?? {}));
    const known = [...new Set([...USUAL_TONGUES, spoken, ...named])].filter((code) => /^[a-z]{2,3}$/.test(code));
    const options = known.map((code) => {
      return make("option", { value: code, selected: code === spoken }, languageNames.of(code) ?? code);
    });
    tongue.replaceChildren(...options);
  }

  // The card's name in the other languages.
  function elsewhere() {
    const others = Object.entries(deck.card[at].name ?? {}).filter(([code]) => code !== spoken);
    byId("elsewhere").textContent = others.map(([code, words]) => `${code}: ${words}`).join(" · ");
  }

  /** @param {string} field */
  function remember(field) {
    if (field && typing === field) return;
    typing = field;
    past = [...past.slice(1 - MOST_STEPS), { at, cards: JSON.stringify(deck.card) }];
    future = [];
  }

  /** @param {Step[]} from @param {Step[]} onto */
  function step(from, onto) {
    const before = from.pop();
    if (!before) return;
    onto.push({ at: before.at, cards: JSON.stringify(deck.card) });
    deck.card = JSON.parse(before.cards);
    typing = "";
    tongues();
    show(before.at, false);
    later();
  }

  function later() {
    undo.disabled = !past.length;
    redo.disabled = !future.length;
    clearTimeout(timer);
    timer = setTimeout(save, WAIT_MS);
  }

  /** @param {Partial<DeckCard>} what Undefined values are left out of the file. @param {string} field */
  function changed(what, field = "") {
    remember(field);
    Object.assign(deck.card[at], what);
    needs();
    elsewhere();
    progress();
    later();
  }

  // Requests are sent one after the other, so that answers arrive in order.
  function save() {
    clearTimeout(timer);
    timer = 0;
    saving = saving.then(async () => {
      const said = await send("decks", { name: section.dataset.name, deck });
      if (!said?.ok) return;
      faults = said.body.faults;
      progress();
    });
    return saving;
  }

  name.oninput = () => {
    const names = { ...deck.card[at].name, [spoken]: name.value.trim() };
    if (!name.value.trim()) delete names[spoken];
    changed({ name: Object.keys(names).length ? names : undefined }, `${at} ${spoken}`);
  };
  for (const option of families) option.onchange = () => changed({ family: option.value });
  none.onchange = () => changed({ prerequisites: none.checked ? [] : undefined });
  need.onchange = () => {
    if (need.value) changed({ prerequisites: [...(deck.card[at].prerequisites ?? []), need.value].sort() });
  };
  for (const button of eras) {
    button.onclick = () =>
      show(
        deck.card.findIndex((card) => card.id[0] === button.dataset.era),
        true,
      );
  }
  byId("back").onclick = () => show(at - 1, true);
  form.onsubmit = (event) => {
    event.preventDefault();
    if (timer) save();
    if (at < deck.card.length - 1) show(at + 1, true);
  };
  tongue.onchange = () => {
    spoken = tongue.value;
    name.lang = spoken;
    show(at, false);
  };
  undo.onclick = () => step(past, future);
  redo.onclick = () => step(future, past);
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
    event.preventDefault();
    (event.shiftKey ? redo : undo).click();
  });
  const sheet = byId("sheet", HTMLInputElement);
  const alphabets = byId("alphabets");
  sheet.onchange = () => {
    const [file] = sheet.files ?? [];
    sheet.value = "";
    if (file) takeIn(file, "");
  };

  /**
   * Takes in a spreadsheet; asks for its alphabet if nothing in it names it.
   * @param {File} file @param {string} encoding The alphabet that was chosen; "" before it was asked.
   */
  async function takeIn(file, encoding) {
    const route = `decks/${section.dataset.name}/deck.csv${encoding ? `?encoding=${encoding}` : ""}`;
    const said = await send(route, new Blob([file], { type: "text/csv" }), sheet.parentElement);
    const note = byId("note");
    alphabets.hidden = true;
    note.scrollIntoView({ block: "center" });
    if (!said?.ok) return;
    if (said.body.readings) {
      /** @type {{ encoding: string, words: string[] }[]} */
      const readings = said.body.readings;
      const buttons = readings.map((reading) => {
        const button = make("button", { className: "button", type: "button" }, reading.words.join(", "));
        button.onclick = () => takeIn(file, reading.encoding);
        return button;
      });
      find(alphabets, ".acts").replaceChildren(...buttons);
      alphabets.hidden = false;
      alphabets.scrollIntoView({ block: "center" });
      buttons[0].focus();
      return;
    }
    remember("");
    /** @type {DeckCard[]} */
    const cards = said.body.deck.card;
    const rows = new Map(cards.map((card) => [card.id, card]));
    deck.card = deck.card.map(({ id }) => rows.get(id) ?? { id });
    tongues();
    show(at, false);
    later();
    note.textContent = say("sheet.taken", { n: rows.size });
  }
  addEventListener("pagehide", () => timer && save());
  tongues();
  show(at, false);
}
