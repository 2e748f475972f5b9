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
    location.assign(`/decks/${document.getElementById("slug").value}`);
  };
}

function edit() {
  const deck = JSON.parse(document.getElementById("typed").textContent);
  const form = document.getElementById("card");
  const { name, none, need } = form.elements;
  const grid = document.getElementById("grid");
  const eras = [...document.querySelectorAll("[data-era]")];
  let faults = [];
  let timer = 0;
  let saving = Promise.resolve();
  const picture = portrait(place, () => save());

  const title = (card) => card.name?.[start.language] ?? card.name?.en ?? card.name?.fr ?? "";
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
    name.value = title(card);
    for (const option of form.elements.family) option.checked = option.value === card.family;
    document.getElementById("back").disabled = at === 0;
    picture(card.id, () => title(card) || card.id);
    needs();
    progress();
    if (moved) name.focus();
  }

  function changed(what) {
    Object.assign(deck.card[at], what);
    for (const [key, value] of Object.entries(what)) if (value === undefined) delete deck.card[at][key];
    needs();
    progress();
    clearTimeout(timer);
    timer = setTimeout(save, WAIT_MS);
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
    const names = { ...deck.card[at].name, [start.language]: name.value.trim() };
    if (!name.value.trim()) delete names[start.language];
    changed({ name: Object.keys(names).length ? names : undefined });
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
  addEventListener("pagehide", () => timer && save());
  show(at, false);
}
