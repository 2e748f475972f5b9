// The form that begins a match, filled in by its game: on the host's page, and at the end of the wizard.

import { byId, make } from "./dom.js";
import { gameScript, heard, say, start } from "./live.js";
import { send } from "./send.js";

export async function setUpGame() {
  const form = byId("setup", HTMLFormElement);
  const game = await gameScript(form.dataset.game ?? "", "setup.js");
  game.setUp(form, async (/** @type {object} */ match, /** @type {HTMLElement} */ button) => {
    if ((await confirmed()) && (await send("matches", { match }, button))?.ok) location.assign("/host");
  });
}

/** Asks before closing a running match. @returns {Promise<boolean>} */
function confirmed() {
  const { standing, seats } = heard.update;
  if (!standing || standing.over) return Promise.resolve(true);
  const dialog = byId("picker", HTMLDialogElement);
  const names = seats.length ? seats : (start.match?.seats.map((seat) => seat.name) ?? []);
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
    dialog.replaceChildren(
      make("h2", { id: "picker-title" }, say("begin.sure")),
      make("p", {}, say("begin.closes", { list: names.join(", ") })),
      make("div", { className: "choices" }, no, yes),
    );
    dialog.showModal();
  });
}
