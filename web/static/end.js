// The end of a match: ranks, the last points, the best turn, a picture to keep, and a rematch.

import { nameOf, cardName } from "./board.js";
import { shared } from "./device.js";
import { byId, icon, make, mark, shape, sprites } from "./dom.js";
import { currentMatch, gameScript, say, start } from "./live.js";
import { send } from "./send.js";

/** @typedef {{ seat: Seat, place: number, count: number | null }} Rank A seat's rank, from 1, and its count. */

const PICTURE = 1080; // width and height of the picture to keep, in pixels

/** Returns the function that draws the end of a match, when it is over. @returns {(update: Update) => void} */
export function ending() {
  const place = document.getElementById("end");
  if (!place) return () => {};
  const points = "points" in place.dataset;
  /** @type {string | null} */
  let drawn = null;
  /** @type {Update | null} */
  let last = null;

  return (update) => {
    const { standing } = update;
    if (update.signal === "over") last = update;
    place.hidden = !standing?.over;
    document.documentElement.classList.toggle("over", !place.hidden);
    const state = standing?.over ? stateOf(standing, update.asked) : null;
    if (state === drawn) return;
    drawn = state;
    if (standing?.over) draw(place, standing, last ?? start.said ?? start.now, points, update.asked);
  };
}

/** The data for the end. @param {Standing} standing @param {Question[]} asked */
function stateOf({ winners, points, hands, provisional }, asked) {
  const hangs = asked.some((one) => one.hangs);
  return JSON.stringify([winners, points, hands, provisional, hangs, currentMatch().seats.map((seat) => seat.name)]);
}

/**
 * First rank first; equal points share a rank.
 * @param {Standing} standing
 * @param {boolean} points Whether points are counted.
 * @returns {Rank[]}
 */
export function ranking(standing, points) {
  const counts = points ? standing.points : standing.hands; // some games have neither
  /** @param {Seat} seat */
  const worth = (seat) => (points ? 1 : -1) * (counts?.[seat - 1] ?? 0) + (standing.winners.includes(seat) ? 1e6 : 0);
  const seats = currentMatch().seats.map((seat) => seat.number);
  seats.sort((a, b) => worth(b) - worth(a) || a - b);
  return seats.map((seat) => {
    const better = seats.filter((other) => worth(other) > worth(seat));
    return { seat, place: 1 + better.length, count: counts?.[seat - 1] ?? null };
  });
}

/**
 * Who won. What a silent game said of it holds only while a Stop! may still change it.
 * @param {Standing} standing
 * @param {Update} said
 */
export function winWords({ winners, provisional }, said) {
  if (!currentMatch().silent || provisional || !winners.length) return said.texts[0] ?? say("over");
  const names = new Intl.ListFormat(document.documentElement.lang === "fr" ? "fr" : "en-GB");
  return say("end.wins", { n: winners.length, who: names.format(winners.map(nameOf)) });
}

/** @param {number} count @param {boolean} points */
export function countWords(count, points) {
  return say(points ? "end.points" : "end.cards", { n: count });
}

/**
 * @param {HTMLElement} place
 * @param {Standing} standing
 * @param {Update} said
 * @param {boolean} points
 * @param {Question[]} asked
 */
function draw(place, standing, said, points, asked) {
  const rows = ranking(standing, points);
  const list = make("ol", { className: "places" }, ...rows.map((row) => rankLine(row, standing, points)));
  const title = winWords(standing, said);
  const tied = standing.winners.length > 1 ? say(points ? "end.tie" : "end.shared") : "";
  const hands = points || !standing.hands || standing.winners.length === rows.length ? "" : say("end.hands");
  const hangs = asked.some((one) => one.hangs) ? say("provisional") : "";
  const why = [hangs, said.texts.slice(1).join(" "), tied, hands].filter(Boolean);
  const host = start.me.role === "host";
  const story = make("div", { className: "story" });
  const keep = make("button", { className: "button", type: "button" }, say("end.picture"));
  const report = `/matches/${encodeURIComponent(currentMatch().id)}`;
  place.replaceChildren(
    make("div", { className: "crown" }, icon(`${sprites.symbols}#trump`, "cup"), make("h2", {}, title)),
    list,
    ...(why.length ? [make("p", { className: "how" }, why.join(" "))] : []),
    story,
    make(
      "div",
      { className: "acts" },
      ...(host ? [againButton()] : []),
      make("a", { className: "button", href: report }, say("end.report")),
      keep,
    ),
    ...(host ? [] : [make("p", { className: "hint" }, say(currentMatch().simulated ? "end.soon" : "end.host"))]),
  );
  if (points) tell(story);
  // While a Stop! may still change the end, the cards stay hidden.
  if (currentMatch().silent && !standing.provisional) record().then((all) => all && wholeTree(all.entries));
  keep.onclick = async () => share(await picture(title, rows, points));
}

/** @param {Rank} rank @param {Standing} standing @param {boolean} points */
function rankLine({ seat, place, count }, standing, points) {
  const won = standing.winners.includes(seat);
  const unseen = make("span", { className: "unseen" }, say("end.won"));
  const cup = won ? [" ", icon(`${sprites.symbols}#trump`, "icon cup"), unseen] : [];
  return make(
    "li",
    { className: won ? "won" : "" },
    make("b", { className: "rank" }, String(place)),
    mark(seat),
    make("span", { className: "who" }, nameOf(seat), ...cup),
    make("span", { className: "count" }, count === null ? "" : countWords(count, points)),
  );
}

function againButton() {
  const again = make("button", { className: "button main", type: "button", "data-send": "" }, say("end.again"));
  again.onclick = async () => {
    if ((await send("rematch", {}, again))?.ok) location.assign("/host");
  };
  return again;
}

/** The entries of the record, which is public now, and how many turns there were. */
export async function record() {
  const lines = await fetch(`/api/v1/matches/${encodeURIComponent(currentMatch().id)}/record`)
    .then(async (answer) => (answer.ok ? (await answer.text()).trim().split("\n").slice(1) : null))
    .catch(() => null); // also where the way is lost in the middle of the record
  if (!lines) return null;
  /** @type {Entry[]} */
  const entries = lines.map((line) => JSON.parse(line));
  const seats = entries.flatMap(({ standing }) => (standing?.turn ? [standing.turn] : []));
  return { entries, turns: seats.filter((seat, nth) => seat !== seats[nth - 1]).length };
}

/**
 * What a silent game hid until its end: all the cards that were laid, in the place of the pile.
 * @param {Entry[]} entries
 */
export async function wholeTree(entries) {
  const pile = document.querySelector(".table .pile, .pile");
  const { game, cards } = currentMatch();
  if (!pile) return;
  const { drawMap } = await gameScript(game, "map.js");
  const map = shape("svg", { class: "map whole", role: "img", "aria-label": say("end.tree") });
  const named = cards.map((card) => ({ ...card, name: card.syllables ?? card.name }));
  const cells = drawMap(map, named, true);
  const struck = new Set(entries.map((entry) => entry.strikes));
  for (const { number, event, move } of entries) {
    const card = move?.as ?? move?.card ?? "";
    if (event !== "played" || move?.do !== "place" || struck.has(number) || !cells[card]) continue;
    cells[card].setAttribute("class", `cell laid era-${card[0]}`);
  }
  pile.replaceChildren(map);
}

/** The best turn. @param {HTMLElement} story */
async function tell(story) {
  const { entries } = (await record()) ?? { entries: [] };
  const best = bestTurn(entries);
  if (!best) return;
  const cards = best.entries.map((one) => cardName(one.move?.card ?? ""));
  const named = currentMatch().cards.some((card) => card.family && card.name === cards[0]); // not "the follower"
  const words = { who: nameOf(best.seat), n: best.points, list: cards.join(", ") };
  story.append(make("p", {}, say(named ? "end.best" : "end.best.plain", words)));
}

/**
 * The turn that earned most. A turn ends when another seat is to move; points from the end of the match belong to no
 * turn.
 * @param {Entry[]} entries
 * @returns {BestTurn | null}
 */
export function bestTurn(entries) {
  const struck = new Set(entries.map((entry) => entry.strikes));
  /** @type {BestTurn | null} */
  let best = null;
  /** @type {BestTurn | null} */
  let turn = null;
  /** @type {Standing | null} */
  let before = null;
  let turns = 1;
  /** @param {Entry} entry @param {Seat} seat @param {number} points @returns {BestTurn} */
  const longer = (entry, seat, points) => {
    if (turn?.seat !== seat) return { seat, points, entries: [entry], turn: turns };
    return { ...turn, points: turn.points + points, entries: [...turn.entries, entry] };
  };
  for (const entry of entries) {
    const { number, move, event, points, standing } = entry;
    const ends = standing?.over && !before?.over && move?.do !== "place";
    if (event === "played" && move?.card && points && !ends && !struck.has(number)) {
      turn = longer(entry, move.by, points);
      if (turn.points > (best?.points ?? 0)) best = turn; // one that only costs is no best turn
    }
    const passes = standing && before && standing.turn !== before.turn;
    if (move?.do === "end_turn" || passes) turn = null;
    if (passes) turns += 1;
    before = standing ?? before;
  }
  return best;
}

/**
 * A picture of the result, drawn in the browser: nothing leaves the phone unless the user sends it.
 * @param {string} title
 * @param {Rank[]} rows
 * @param {boolean} points
 * @returns {Promise<Blob | null>}
 */
async function picture(title, rows, points) {
  const canvas = Object.assign(document.createElement("canvas"), { width: PICTURE, height: PICTURE });
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const style = getComputedStyle(document.documentElement);
  /** @param {string} name */
  const colour = (name) => style.getPropertyValue(name).trim();
  /**
   * @param {string} words
   * @param {number} x
   * @param {number} y
   * @param {number} size
   * @param {{ weight?: number, align?: CanvasTextAlign, most?: number }} [how]
   */
  const write = (words, x, y, size, { weight = 400, align = "left", most = 920 } = {}) => {
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.textAlign = align;
    pen.fillText(words, x, y, most);
  };
  pen.fillStyle = colour("--ground");
  pen.fillRect(0, 0, PICTURE, PICTURE);
  rows.forEach(({ seat }, index) => {
    pen.fillStyle = colour(`--seat-${seat}`);
    pen.fillRect((index * PICTURE) / rows.length, 0, PICTURE / rows.length, 24);
  });
  pen.fillStyle = colour("--soft");
  const today = new Date().toLocaleDateString(start.language, { dateStyle: "long" });
  write(`${byId("end").dataset.title} · ${today}`, 80, 110, 34);
  pen.fillStyle = colour("--ink");
  write(title, 80, 190, 60, { weight: 700 });
  const step = Math.min(170, 720 / rows.length);
  const size = Math.min(56, step * 0.6);
  rows.forEach(({ seat, place, count }, index) => {
    const y = 340 + index * step;
    pen.fillStyle = colour(`--seat-${seat}`);
    pen.fillRect(80, y - size * 0.9, 14, size * 1.2);
    pen.fillStyle = colour("--ink");
    write(`${place}.  ${nameOf(seat)}`, 120, y, size, { weight: place === 1 ? 700 : 400, most: 560 });
    if (count === null) return;
    write(countWords(count, points), 1000, y, size, { weight: 700, align: "right", most: 300 });
  });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** @param {Blob | null} blob */
async function share(blob) {
  if (!blob) return;
  const file = new File([blob], `${currentMatch().game}.png`, { type: "image/png" });
  if (await shared(file)) return;
  const link = make("a", { href: URL.createObjectURL(blob), download: file.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
