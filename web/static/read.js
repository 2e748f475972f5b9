// Cards read from photographs: what was read is proposed, and kept card by card when somebody says that it is right.

import { make } from "./board.js";
import { follow, say, start } from "./live.js";
import { send } from "./send.js";

const LARGE_SIDE_PX = 4000;
const PATIENCE_MS = 240000; // a small machine reads for a while, and the referee goes first
const place = document.getElementById("deck");
const deck = JSON.parse(document.getElementById("typed").textContent);
const path = `decks/${place.dataset.name}`;
const form = document.getElementById("card");
const note = document.getElementById("note");
const photo = document.getElementById("photo");
const { name, none, need } = form.elements;
let waiting = [];
let skipped = new Set();
let now = null;
let needs = [];
let named = {}; // names that this card tells of cards which are not entered yet, by card; kept when it is confirmed
follow(() => {}, { stay: true });

const title = (card) => card?.name?.[start.language] ?? card?.name?.en ?? Object.values(card?.name ?? {})[0] ?? "";
const row = (id) => deck.card.find((card) => card.id === id);

// A phone's photograph can be larger than what is sent at once: it is made smaller first, if it must be.
async function sendable(file) {
  if (file.size <= 11e6) return file;
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, LARGE_SIDE_PX / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(picture.width * scale, picture.height * scale);
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
}

async function read(files, camera) {
  const layout = document.getElementById("take").elements.layout.value;
  const button = camera ? document.getElementById("camera") : photo.parentElement;
  let found = 0;
  for (const [k, file] of files.entries()) {
    note.textContent = say("read.reading", { n: k + 1, m: files.length });
    const body = camera ? {} : await sendable(file);
    const said = await send(`${path}/readings?layout=${layout}${camera ? "&from=camera" : ""}`, body, button, PATIENCE_MS);
    if (!said?.ok) return;
    found += said.body.read.length;
  }
  await propose();
  note.textContent = found ? "" : say("read.nothing");
}

async function propose() {
  const answer = await fetch(`/api/v1/${path}/readings`);
  if (!answer.ok) return;
  waiting = (await answer.json()).cards;
  const next = waiting.find((one) => !skipped.has(one.card));
  const done = deck.card.filter((card) => title(card) && card.family && card.prerequisites).length;
  document.getElementById("count").textContent = waiting.length ? say("read.waiting", { n: waiting.length, m: done }) : say("entered", { n: done });
  form.hidden = !next;
  if (next) show(next);
}

function show(one) {
  now = one;
  const entered = row(one.card);
  document.getElementById("which").textContent = say("card.which", { n: one.card[0], m: one.card[2] });
  document.getElementById("edge").hidden = one.edged;
  for (const piece of ["title", "needs", "symbol"]) document.getElementById(`${piece}-piece`).src = `/api/v1/${path}/readings/${one.card}/${piece}.jpg?${Date.now()}`;
  name.value = one.title || (entered.name?.[start.language] ?? "");
  for (const option of form.elements.family) option.checked = option.value === entered.family;
  needs = one.needs.length || one.nothing ? one.needs : (entered.prerequisites ?? []);
  none.checked = one.nothing || (!needs.length && Boolean(entered.prerequisites));
  document.getElementById("unknown").textContent = one.unknown.length ? say("read.unknown", { what: one.unknown.join(", ") }) : "";
  named = {};
  list();
  offerNames(one.unknown);
  form.querySelector("h2").focus();
}

// What is like none of the names may be the name of a card that is not entered yet: somebody says of which.
function offerNames(unknown) {
  document.getElementById("new-names").replaceChildren(...unknown.map((words) => {
    const [, era, written] = words.match(/^\W*([1-6])\b\W*(.+)$/) ?? [null, null, words];
    const bare = deck.card.filter((card) => card.id !== now.card && !title(card) && !waiting.some((one) => one.card === card.id && one.title) && (era ? card.id[0] === era : card.id[0] <= now.card[0]));
    const choice = make("select", {}, make("option", { value: "" }, "…"), ...bare.map((card) => make("option", { value: card.id }, card.id)));
    let before = "";
    choice.onchange = () => {
      needs = needs.filter((id) => id !== before);
      delete named[before];
      if (choice.value && needs.length < 3) {
        named[choice.value] = written;
        needs = [...new Set([...needs, choice.value])].sort();
      } else choice.value = "";
      before = choice.value;
      list();
    };
    return make("li", {}, make("label", {}, say("read.new", { what: written }), choice));
  }));
}

function called(id) {
  return `${id} ${named[id] || title(row(id)) || (waiting.find((one) => one.card === id)?.title ?? "")}`;
}

function list() {
  document.getElementById("needs").replaceChildren(...needs.map((id) => {
    const button = make("button", { className: "button small", type: "button", ariaLabel: say("need.remove", { what: called(id) }) }, `${called(id)} −`);
    button.onclick = () => {
      needs = needs.filter((one) => one !== id);
      list();
    };
    return make("li", {}, button);
  }));
  if (needs.length) none.checked = false;
  const open = deck.card.filter((card) => card.id !== now.card && card.id[0] <= now.card[0] && !needs.includes(card.id));
  need.replaceChildren(make("option", { value: "" }, "…"), ...open.map((card) => make("option", { value: card.id }, called(card.id))));
  need.disabled = needs.length >= 3;
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
  const files = [...photo.files];
  photo.value = "";
  await read(files, false);
};
document.getElementById("camera").onclick = () => read([null], true);
document.getElementById("skip").onclick = () => {
  skipped.add(now.card);
  propose();
};
form.onsubmit = async (event) => {
  event.preventDefault();
  const card = row(now.card);
  const before = JSON.stringify(deck.card);
  const family = [...form.elements.family].find((option) => option.checked)?.value;
  if (!name.value.trim() || !family || (!needs.length && !none.checked)) return (note.textContent = say("read.lacks"));
  Object.assign(card, { name: { ...card.name, [start.language]: name.value.trim() }, family, prerequisites: [...needs] });
  for (const id of needs) if (named[id]) row(id).name = { ...row(id).name, [start.language]: named[id] };
  const said = await send("decks", { name: place.dataset.name, deck }, form.querySelector("button.main"));
  if (!said?.ok) {
    deck.card = JSON.parse(before);
    return;
  }
  const at = deck.card.indexOf(card);
  const faults = said.body.faults.filter((fault) => fault.where[0] === "card" && fault.where[1] === at);
  await send(`${path}/readings/${now.card}/delete`, {});
  await propose();
  if (faults.length) note.textContent = faults.map((fault) => `${card.id}: ${fault.what}`).join(" ");
};
propose();
