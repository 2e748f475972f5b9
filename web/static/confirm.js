// Asks before a match that is being played is closed.

import { make } from "./board.js";
import { heard, say, start } from "./live.js";

export function confirmed() {
  const { standing, seats } = heard.update;
  if (!standing || standing.over) return Promise.resolve(true);
  const dialog = document.getElementById("picker");
  const names = (seats.length ? seats : start.match?.seats.map((seat) => seat.name) ?? []).join(", ");
  return new Promise((answer) => {
    const yes = make("button", { className: "button", type: "button" }, say("begin.yes"));
    const no = make("button", { className: "button main", type: "button", autofocus: true }, say("begin.no"));
    let sure = false;
    yes.onclick = () => {
      sure = true;
      dialog.close();
    };
    no.onclick = () => dialog.close();
    dialog.addEventListener("close", () => answer(sure), { once: true });
    dialog.replaceChildren(make("h2", { id: "picker-title" }, say("begin.sure")), make("p", {}, say("begin.closes", { list: names })), make("div", { className: "choices" }, no, yes));
    dialog.showModal();
  });
}
