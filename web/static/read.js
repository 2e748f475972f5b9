// Cards read from photographs: proposals that the user confirms card by card.

import { MOST_NEEDS, isAbout, isComplete, showNeeds, titleOf } from "./deck_card.js";
import { byId, find, findAll, jsonOf, make } from "./dom.js";
import { follow, say, start } from "./live.js";
import { ask, send } from "./send.js";

const MOST_BYTES = 11e6; // larger photographs are reduced before they are sent
const LARGE_SIDE_PX = 4000;
const PATIENCE_MS = 240000; // a small computer takes a while, and the referee has priority
const place = byId("deck");
/** @type {{ card: DeckCard[] }} */
const deck = jsonOf("typed");
const path = `decks/${place.dataset.name}`;
const form = byId("card", HTMLFormElement);
const note = byId("note");
const photo = byId("photo", HTMLInputElement);
const name = find(form, "[name=name]", HTMLInputElement);
const none = find(form, "[name=none]", HTMLInputElement);
const need = find(form, "[name=need]", HTMLSelectElement);
const families = findAll(form, "[name=family]", HTMLInputElement);
const skipped = new Set();
/** @type {CardReading[]} */
let waiting = [];
let now = { card: "" };
/** @type {string[]} */
let needs = [];
/** @type {Record<string, string>} */
let named = {}; // names on this card of cards that are not entered yet, by card; saved when it is confirmed
follow(() => {}, { stay: true });

/** @param {DeckCard} card */
const title = (card) => titleOf(card, start.language);

/** @param {string} id */
function row(id) {
  return deck.card.find((card) => card.id === id) ?? { id };
}

/** Reduces a photograph that is too large for one request. @param {File} file */
async function sendable(file) {
  if (file.size <= MOST_BYTES) return file;
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LARGE_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(picture.width * scale, picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}

/** @param {(File | null)[]} files `null` means the camera's picture. */
async function read(files) {
  const layout = find(byId("take"), "[name=layout]", HTMLSelectElement).value;
  let found = 0;
  for (const [k, file] of files.entries()) {
    note.textContent = say("read.reading", { n: k + 1, m: files.length });
    const route = `${path}/readings?layout=${layout}${file ? "" : "&from=camera"}`;
    const button = file ? photo.parentElement : byId("camera");
    const said = await send(route, file ? await sendable(file) : {}, button, PATIENCE_MS);
    if (!said?.ok) return;
    found += said.body.read.length;
  }
  await propose();
  note.textContent = found ? "" : say("read.nothing");
}

async function propose() {
  const answer = await ask(`${path}/readings`);
  if (!answer) return;
  waiting = answer.cards;
  const next = waiting.find((one) => !skipped.has(one.card));
  const done = deck.card.filter((card) => isComplete(card, start.language)).length;
  const count = waiting.length ? say("read.waiting", { n: waiting.length, m: done }) : say("entered", { n: done });
  byId("count").textContent = count;
  form.hidden = !next;
  if (next) show(next);
}

/** @param {CardReading} one */
function show(one) {
  now = one;
  const entered = row(one.card);
  byId("which").textContent = say("card.which", { n: one.card[0], m: one.card[2] });
  byId("edge").hidden = one.edged;
  for (const piece of ["title", "needs", "symbol"]) {
    const address = `/api/v1/${path}/readings/${one.card}/${piece}.jpg?${Date.now()}`;
    byId(`${piece}-piece`, HTMLImageElement).src = address;
  }
  name.value = one.title || (entered.name?.[start.language] ?? "");
  for (const option of families) option.checked = option.value === entered.family;
  needs = one.needs.length || one.nothing ? one.needs : (entered.prerequisites ?? []);
  none.checked = one.nothing || (!needs.length && Boolean(entered.prerequisites));
  const unknown = one.unknown.join(", ");
  byId("unknown").textContent = unknown ? say("read.unknown", { what: unknown }) : "";
  named = {};
  list();
  byId("new-names").replaceChildren(...one.unknown.map(newName));
  find(form, "h2").focus();
}

/**
 * An unknown name may belong to a card that is not entered yet: the user says which.
 * @param {string} words
 */
function newName(words) {
  const [, era, written] = words.match(/^\W*([1-6])\b\W*(.+)$/) ?? [null, null, words];
  const bare = deck.card.filter((card) => {
    const read = waiting.some((one) => one.card === card.id && one.title);
    const fits = era ? card.id[0] === era : card.id[0] <= now.card[0];
    return card.id !== now.card && !title(card) && !read && fits;
  });
  const options = bare.map((card) => make("option", { value: card.id }, card.id));
  const choice = make("select", {}, make("option", { value: "" }, "…"), ...options);
  let before = "";
  choice.onchange = () => {
    needs = needs.filter((id) => id !== before);
    delete named[before];
    if (choice.value && needs.length < MOST_NEEDS) {
      named[choice.value] = written;
      needs = [...new Set([...needs, choice.value])].sort();
    } else choice.value = "";
    before = choice.value;
    list();
  };
  return make("li", {}, make("label", {}, say("read.new", { what: written }), choice));
}

/** @param {string} id */
function called(id) {
  return `${id} ${named[id] || title(row(id)) || (waiting.find((one) => one.card === id)?.title ?? "")}`;
}

function list() {
  showNeeds({ id: now.card }, deck.card, needs, called, (id) => {
    needs = needs.filter((one) => one !== id);
    list();
  });
  if (needs.length) none.checked = false;
}

need.onchange = () => {
  if (need.value) needs = [...needs, need.value].sort();
  list();
};
none.onchange = () => {
  if (none.checked) needs = [];
  list();
};
photo.onchange = async () => {
  const files = [...(photo.files ?? [])];
  photo.value = "";
  await read(files);
};
byId("camera").onclick = () => read([null]);
byId("skip").onclick = () => {
  skipped.add(now.card);
  propose();
};
form.onsubmit = async (/** @type {Event} */ event) => {
  event.preventDefault();
  const card = row(now.card);
  const before = JSON.stringify(deck.card);
  const family = families.find((option) => option.checked)?.value;
  const words = name.value.trim();
  if (!words || !family || (!needs.length && !none.checked)) {
    note.textContent = say("read.lacks");
    return;
  }
  Object.assign(card, { name: { ...card.name, [start.language]: words }, family, prerequisites: [...needs] });
  for (const id of needs) {
    if (named[id]) Object.assign(row(id), { name: { ...row(id).name, [start.language]: named[id] } });
  }
  const said = await send("decks", { name: place.dataset.name, deck }, find(form, "button.main"));
  if (!said?.ok) {
    deck.card = JSON.parse(before);
    return;
  }
  const at = deck.card.indexOf(card);
  /** @type {Fault[]} */
  const faults = said.body.faults;
  const here = faults.filter((fault) => isAbout(fault, at));
  await send(`${path}/readings/${now.card}/delete`, {});
  await propose();
  if (here.length) note.textContent = here.map((fault) => `${card.id}: ${fault.what}`).join(" ");
};
propose();
