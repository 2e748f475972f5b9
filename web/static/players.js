// The players of a form: one more, one fewer, everybody with a name of his own.

const sprites = document.documentElement.dataset;

// `changed()` is called whenever a name, a seat or the number of seats is another.
export function playerRows(form, say, { least, most, changed = () => {} }) {
  const players = form.querySelector("#players");
  const more = form.querySelector("#more");
  const names = () => [...players.querySelectorAll("[name=name]")];

  more.onclick = () => {
    const added = players.lastElementChild.cloneNode(true);
    const input = added.querySelector("[name=name]");
    input.value = "";
    input.setCustomValidity("");
    players.append(added);
    number();
    input.focus();
  };
  players.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button || players.children.length <= least) return;
    button.closest("li").remove();
    number();
  });
  players.addEventListener("input", () => {
    for (const input of names()) input.setCustomValidity("");
    changed();
  });
  number();
  return { names, named };

  // Everybody has a name, and no two the same.
  function named() {
    const seen = new Set();
    for (const [index, input] of names().entries()) {
      const name = input.value.trim();
      const wrong = !name ? "name.empty" : seen.has(name.toLowerCase()) ? "name.twice" : null;
      seen.add(name.toLowerCase());
      if (!wrong) continue;
      input.setCustomValidity(say(wrong, { who: name || input.placeholder, m: index + 1 }));
      input.reportValidity();
      return false;
    }
    return true;
  }

  function number() {
    [...players.children].forEach((row, index) => {
      const seat = index + 1;
      row.querySelector("svg").setAttribute("class", `mark seat-${seat}`);
      row.querySelector("use").setAttribute("href", `${sprites.symbols}#s${seat}`);
      const input = row.querySelector("[name=name]");
      input.placeholder = say("player", { n: seat });
      input.setAttribute("aria-label", input.placeholder);
      const remove = row.querySelector("[data-remove]");
      remove.setAttribute("aria-label", say("remove", { n: seat }));
      remove.disabled = players.children.length <= least;
    });
    more.disabled = players.children.length >= most;
    changed();
  }
}

// What every match file of tiles says alike.
export function matchFields(form) {
  const fields = new FormData(form);
  const match = {};
  if (Number(fields.get("tile_mm"))) match.tile_mm = Number(fields.get("tile_mm"));
  if (fields.get("deck")) match.deck = fields.get("deck");
  if (fields.get("outside")) match.host = "outside";
  return match;
}
