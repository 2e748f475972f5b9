// The end of a match: places, how the last points came, the curve, a picture to keep, and the same seats again.

import { icon, make, nameOf } from "./board.js";
import { say, sprites, start } from "./live.js";
import { send } from "./send.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 600;
const HIGH = 200;

export function ending() {
  const place = document.getElementById("end");
  if (!place) return () => {};
  const points = "points" in place.dataset;
  let drawn = null;
  let last = null;

  return (update) => {
    const { standing } = update;
    if (update.signal === "over") last = update;
    place.hidden = !standing?.over;
    document.documentElement.classList.toggle("over", !place.hidden);
    const state = standing?.over ? JSON.stringify([standing.winners, standing.points, standing.hands, start.match.seats.map((seat) => seat.name)]) : null;
    if (state === drawn) return;
    drawn = state;
    if (state) draw(place, standing, last ?? start.said ?? update, points);
  };
}

// First place first; equal points share a place.
export function ranking(standing, points) {
  const counts = points ? standing.points : standing.hands; // some games count neither
  const worth = (seat) => (points ? 1 : -1) * (counts?.[seat - 1] ?? 0) + (standing.winners.includes(seat) ? 1e6 : 0);
  const seats = start.match.seats.map((seat) => seat.number).sort((a, b) => worth(b) - worth(a) || a - b);
  return seats.map((seat) => ({ seat, place: 1 + seats.filter((other) => worth(other) > worth(seat)).length, count: counts?.[seat - 1] ?? null }));
}

function draw(place, standing, said, points) {
  const rows = ranking(standing, points);
  const list = make(
    "ol",
    { className: "places" },
    ...rows.map(({ seat, place: rank, count }) =>
      make(
        "li",
        { className: standing.winners.includes(seat) ? "won" : "" },
        make("b", { className: "rank" }, String(rank)),
        icon(`${sprites.symbols}#s${seat}`, `mark seat-${seat}`),
        make("span", { className: "who" }, nameOf(seat), ...(standing.winners.includes(seat) ? [" ", icon(`${sprites.symbols}#trump`, "icon cup"), make("span", { className: "unseen" }, say("end.won"))] : [])),
        make("span", { className: "count" }, count === null ? "" : say(points ? "end.points" : "end.cards", { n: count })),
      ),
    ),
  );
  const tied = standing.winners.length > 1 ? say(points ? "end.tie" : "end.shared") : "";
  const hands = points || !standing.hands || standing.winners.length === rows.length ? "" : say("end.hands");
  const why = [said.texts.slice(1).join(" "), tied, hands].filter(Boolean);
  const story = make("div", { className: "story" });
  const acts = make("div", { className: "acts" });
  if (start.me.role === "host") {
    const again = make("button", { className: "button main", type: "button", "data-send": "" }, say("end.again"));
    again.onclick = async () => (await send("rematch", {}, again))?.ok && location.assign("/host");
    acts.append(again);
  }
  const keep = make("button", { className: "button", type: "button" }, say("end.picture"));
  acts.append(make("a", { className: "button", href: `/matches/${encodeURIComponent(start.match.id)}` }, say("end.report")), keep);
  const head = make("div", { className: "crown" }, icon(`${sprites.symbols}#trump`, "cup"), make("h2", {}, said.texts[0] ?? say("over")));
  place.replaceChildren(head, list, ...(why.length ? [make("p", { className: "how" }, why.join(" "))] : []), story, acts, ...(start.me.role === "host" ? [] : [make("p", { className: "hint" }, say("end.host"))]));
  const told = points ? tell(story) : Promise.resolve(null);
  keep.onclick = async () => share(await picture(said.texts[0] ?? say("over"), rows, points, await told));
}

// The curve and the best turn, from the record that everybody may read now.
async function tell(story) {
  const answer = await fetch(`/api/v1/matches/${encodeURIComponent(start.match.id)}/record`).catch(() => null);
  if (!answer?.ok) return null;
  const lines = (await answer.text()).trim().split("\n").slice(1).map((line) => JSON.parse(line));
  const curve = lines.map((line) => line.standing?.points).filter(Boolean);
  if (curve.length < 2) return null;
  story.replaceChildren(chart(curve));
  const best = bestTurn(lines);
  if (best) story.append(make("p", {}, say("end.best", { who: nameOf(best.seat), n: best.points, list: best.cards.map((card) => start.match.cards.find((one) => one.id === card)?.name ?? card).join(", ") })));
  return curve;
}

// The turn that brought the most. It is over when another seat is at turn, whatever ended it; what the end of the match
// brings besides is nobody's turn.
export function bestTurn(lines) {
  const struck = new Set(lines.map((line) => line.strikes));
  let [turn, best, before] = [null, null, null];
  for (const { number, move, event, points, standing } of lines) {
    const ends = standing?.over && !before?.over && move?.do !== "place";
    if (event === "played" && move?.card && points && !ends && !struck.has(number)) {
      if (turn?.seat !== move.by) turn = { seat: move.by, points: 0, cards: [] };
      turn.points += points;
      turn.cards.push(move.card);
      if (!best || turn.points > best.points) best = { ...turn, cards: [...turn.cards] };
    }
    if (move?.do === "end_turn" || (standing && before && standing.turn !== before.turn)) turn = null;
    before = standing ?? before;
  }
  return best;
}

function path(curve, seat, wide, high) {
  const [low, top] = [Math.min(0, ...curve.flat()), Math.max(1, ...curve.flat())];
  const at = (points, place) => [(place / (curve.length - 1)) * wide, high - ((points - low) / (top - low)) * high];
  return curve.map((points, place) => at(points[seat - 1], place));
}

function chart(curve) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `-10 -10 ${WIDE + 40} ${HIGH + 20}`);
  svg.setAttribute("class", "curve");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", say("end.curve"));
  for (const { number: seat } of start.match.seats) {
    const dots = path(curve, seat, WIDE, HIGH);
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", dots.map((dot) => dot.map((n) => n.toFixed(1)).join(",")).join(" "));
    line.setAttribute("class", `seat-${seat}`);
    const mark = icon(`${sprites.symbols}#s${seat}`, `mark seat-${seat}`);
    const [x, y] = dots.at(-1);
    for (const [key, value] of Object.entries({ x: x + 4, y: y - 9, width: 18, height: 18 })) mark.setAttribute(key, value);
    svg.append(line, mark);
  }
  return svg;
}

// A picture of the result, drawn here: nothing leaves the phone until somebody sends it.
async function picture(title, rows, points, curve) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1080, height: 1080 });
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const colour = (name) => style.getPropertyValue(name).trim();
  const write = (words, x, y, size, weight = 400, align = "left", most = 920) => {
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.textAlign = align;
    pen.fillText(words, x, y, most);
  };
  pen.fillStyle = colour("--ground");
  pen.fillRect(0, 0, 1080, 1080);
  for (let era = 1; era <= 6; era += 1) {
    pen.fillStyle = colour(`--era-${era}`);
    pen.fillRect((era - 1) * 180, 0, 180, 24);
  }
  pen.fillStyle = colour("--soft");
  write(`${document.getElementById("end").dataset.title} · ${new Date().toLocaleDateString(start.language, { dateStyle: "long" })}`, 80, 110, 34);
  pen.fillStyle = colour("--ink");
  write(title, 80, 190, 60, 700);
  const step = Math.min(84, 420 / rows.length);
  rows.forEach(({ seat, place, count }, index) => {
    const y = 280 + index * step;
    pen.fillStyle = colour(`--seat-${seat}`);
    pen.fillRect(80, y - step * 0.45, 14, step * 0.6);
    pen.fillStyle = colour("--ink");
    write(`${place}.  ${nameOf(seat)}`, 120, y, step * 0.5, place === 1 ? 700 : 400, "left", 600);
    if (count !== null) write(say(points ? "end.points" : "end.cards", { n: count }), 1000, y, step * 0.5, 700, "right", 300);
  });
  if (curve) {
    pen.lineWidth = 6;
    pen.lineJoin = "round";
    for (const { seat } of rows) {
      pen.strokeStyle = colour(`--seat-${seat}`);
      pen.beginPath();
      for (const [x, y] of path(curve, seat, 900, 280)) pen.lineTo(90 + x, 740 + y);
      pen.stroke();
    }
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

async function share(blob) {
  const file = new File([blob], `${start.match.game}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {});
  const link = make("a", { href: URL.createObjectURL(blob), download: file.name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
