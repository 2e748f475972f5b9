// The list of matches: the host deletes, restores and imports.

import { find, findAll, findOptional } from "./dom.js";
import { holdToConfirm } from "./hold.js";
import { say } from "./live.js";
import { send } from "./send.js";
import "./plain.js";

const REST_MS = 300; // the tap that ends the hold must not press "undo"

for (const button of findAll(document, "[data-forget]")) {
  const path = `matches/${encodeURIComponent(button.dataset.forget ?? "")}`;
  const link = find(/** @type {Element} */ (button.parentElement), "a");
  const words = button.textContent;
  const label = button.getAttribute("aria-label") ?? "";
  let gone = false;
  holdToConfirm(button, async () => {
    if (gone || !(await send(`${path}/delete`, {}, button))?.ok) return;
    gone = true;
    link.hidden = true;
    button.textContent = say("restore");
    button.removeAttribute("aria-label");
    delete button.dataset.hold;
    setTimeout(() => (button.onclick = back), REST_MS);
  });
  const back = async () => {
    if (!(await send(`${path}/restore`, {}, button))?.ok) return;
    gone = false;
    link.hidden = false;
    button.textContent = words;
    button.setAttribute("aria-label", label);
    button.dataset.hold = say("hold");
    button.onclick = null;
  };
}

// An interrupted match is closed or continued.
for (const action of ["close", "go-on"]) {
  for (const button of findAll(document, `[data-${action}]`)) {
    const match = encodeURIComponent(button.getAttribute(`data-${action}`) ?? "");
    holdToConfirm(button, async () => {
      if (!(await send(`matches/${match}/${action}`, {}, button))?.ok) return;
      if (action === "close") location.reload();
      else location.assign("/");
    });
  }
}

const file = findOptional(document, "#import", HTMLInputElement);
if (file) {
  file.onchange = async () => {
    const [chosen] = file.files ?? [];
    if (chosen && (await send("records", { record: await chosen.text() }))?.ok) location.reload();
    file.value = "";
  };
}
