// The deck editor: one card after the other in the printed order, kept as typed after every change.

import { make } from "./board.js";
import { follow, say, start } from "./live.js";
import { portrait } from "./portrait.js";
import { send } from "./send.js";

const WAIT_MS = 500;
const place = document.getElementById("deck");
follow(() => {}, { stay: true });
if (place) edit();
else {
  document.getElementById("fresh").onsubmit = (event) => {
    event.preventDefault();
    const game = event.target.elements.game.value;
    location.assign(`/decks/${document.getElementById("slug").value}${game ? `?game=${game}` : ""}`);
  };
}

function edit() {
  const deck = JSON.parse(document.getElementById("typed").textContent);
  const form = document.getElementById("card");
  const { name, none, need, tongue } = form.elements;
  const undo = document.getElementById("undo");
  const redo = document.getElementById("redo");
  const grid = document.getElementById("grid");
  const eras = [...document.querySelectorAll("[data-era]")];
  let faults = [];
  let timer = 0;
  let saving = Promise.resolve();
  const picture = portrait(place, () => save());

  // Each step is what the deck was before it, and the card that was shown; typing on in one field is one step.
  let past = [];
  let future = [];
  let typing = "";
  let spoken = start.language;

  const title = (card) => card.name?.[spoken] ?? card.name?.en ?? Object.values(card.name ?? {})[0] ?? "";
  let at = Math.max(0, deck.card.findIndex((card) => !complete(card)));

  function complete(card) {
    return Boolean(title(card) && card.family && card.prerequisites);
  }

  function progress() {
    const done = deck.card.filter(complete).length;
    document.getElementById("progress").value = done;
    document.getElementById("entered").textContent = say("entered", { n: done });
    const era = deck.card[at].id[0];
    for (const button of eras) button.setAttribute("aria-pressed", button.dataset.era === era);
    grid.replaceChildren(...deck.card.flatMap((card, index) => {
      if (card.id[0] !== era) return [];
      const wrong = faults.some((fault) => fault.where[0] === "card" && fault.where[1] === index);
      const state = wrong ? "wrong" : complete(card) ? "done" : "";
      const button = make("button", { className: `button small ${state}`, type: "button", ariaLabel: `${card.id} ${title(card)} ${state ? say(`card.${state}`) : ""}` }, card.id[2]);
      if (index === at) button.setAttribute("aria-current", "true");
      button.onclick = () => show(index, true);
      return make("li", {}, button);
    }));
    document.getElementById("faults").replaceChildren(
      ...faults.filter((fault) => fault.where[0] !== "card" || fault.where[1] === at).map((fault) => make("li", {}, fault.what)),
    );
  }

  function needs() {
    const card = deck.card[at];
    const chosen = card.prerequisites ?? [];
    none.checked = Boolean(card.prerequisites) && !chosen.length;
    document.getElementById("needs").replaceChildren(...chosen.map((id) => {
      const words = `${id} ${title(deck.card.find((one) => one.id === id) ?? {})}`;
      const button = make("button", { className: "button small", type: "button", ariaLabel: say("need.remove", { what: words }) }, `${words} −`);
      button.onclick = () => changed({ prerequisites: chosen.filter((one) => one !== id) });
      return make("li", {}, button);
    }));
    const open = deck.card.filter((one) => one.id !== card.id && one.id[0] <= card.id[0] && !chosen.includes(one.id));
    need.replaceChildren(make("option", { value: "" }, "…"), ...open.map((one) => make("option", { value: one.id }, `${one.id} ${title(one)}`)));
    need.disabled = chosen.length >= 3;
  }

  function show(index, moved) {
    at = index;
    const card = deck.card[at];
    document.getElementById("which").textContent = say("card.which", { n: card.id[0], m: card.id[2] });
    name.value = card.name?.[spoken] ?? "";
    elsewhere();
    for (const option of form.elements.family) option.checked = option.value === card.family;
    document.getElementById("back").disabled = at === 0;
    picture(card.id, () => title(card) || card.id);
    needs();
    progress();
    if (moved) name.focus();
  }

  const languageNames = new Intl.DisplayNames([start.language], { type: "language" });

  function tongues() {
    const known = new Set(["en", "fr", "de", "es", "it", "nl", "pt", "pl", spoken, ...deck.card.flatMap((card) => Object.keys(card.name ?? {}))]);
    tongue.replaceChildren(...[...known].filter((code) => /^[a-z]{2,3}$/.test(code)).map((code) => make("option", { value: code, selected: code === spoken }, languageNames.of(code))));
  }

  // What the card is called in the other languages.
  function elsewhere() {
    const others = Object.entries(deck.card[at].name ?? {}).filter(([code]) => code !== spoken);
    document.getElementById("elsewhere").textContent = others.map(([code, words]) => `${code}: ${words}`).join(" · ");
  }

  function remember(field) {
    if (field && typing === field) return;
    typing = field;
    past = [...past.slice(-199), { at, card: JSON.stringify(deck.card) }];
    future = [];
  }

  function arrows() {
    undo.disabled = !past.length;
    redo.disabled = !future.length;
  }

  function step(from, onto) {
    if (!from.length) return;
    const { at: shown, card } = from.pop();
    onto.push({ at: shown, card: JSON.stringify(deck.card) });
    deck.card = JSON.parse(card);
    typing = "";
    tongues();
    show(shown, false);
    later();
  }

  function later() {
    arrows();
    clearTimeout(timer);
    timer = setTimeout(save, WAIT_MS);
  }

  function changed(what, field = "") {
    remember(field);
    Object.assign(deck.card[at], what);
    for (const [key, value] of Object.entries(what)) if (value === undefined) delete deck.card[at][key];
    needs();
    elsewhere();
    progress();
    later();
  }

  // One after the other: a later answer is about a later state.
  function save() {
    clearTimeout(timer);
    timer = 0;
    saving = saving.then(async () => {
      const said = await send("decks", { name: place.dataset.name, deck });
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
  for (const option of form.elements.family) option.onchange = () => changed({ family: option.value });
  none.onchange = () => changed({ prerequisites: none.checked ? [] : undefined });
  need.onchange = () => need.value && changed({ prerequisites: [...(deck.card[at].prerequisites ?? []), need.value].sort() });
  for (const button of eras) button.onclick = () => show(deck.card.findIndex((card) => card.id[0] === button.dataset.era), true);
  document.getElementById("back").onclick = () => show(at - 1, true);
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
  const sheet = document.getElementById("sheet");
  sheet.onchange = async () => {
    const [file] = sheet.files;
    sheet.value = "";
    if (!file) return;
    const said = await send(`decks/${place.dataset.name}/deck.csv`, new Blob([file], { type: "text/csv" }), sheet.parentElement);
    const note = document.getElementById("note");
    note.scrollIntoView({ block: "center" });
    if (!said?.ok) return;
    remember("");
    const rows = new Map(said.body.deck.card.map((card) => [card.id, card]));
    deck.card = deck.card.map((card) => rows.get(card.id) ?? { id: card.id });
    tongues();
    show(at, false);
    later();
    note.textContent = say("sheet.taken", { n: rows.size });
  };
  addEventListener("pagehide", () => timer && save());
  tongues();
  show(at, false);
}
