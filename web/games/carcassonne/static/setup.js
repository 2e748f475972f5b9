// Turns the form into a match file.

const sprites = document.documentElement.dataset;
const [LEAST, MOST] = [2, 5];

export function setUp(form, say, begin) {
  const players = form.querySelector("#players");
  const more = form.querySelector("#more");
  const first = form.elements.first;

  more.onclick = () => {
    const added = players.lastElementChild.cloneNode(true);
    added.querySelector("input").value = "";
    added.querySelector("input").setCustomValidity("");
    players.append(added);
    number();
    added.querySelector("input").focus();
  };
  players.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button || players.children.length <= LEAST) return;
    button.closest("li").remove();
    number();
  });
  players.addEventListener("input", () => {
    for (const input of names()) input.setCustomValidity("");
    whoBegins();
  });
  form.onsubmit = (event) => {
    event.preventDefault();
    if (named()) begin(matchFile(), form.querySelector(".main"));
  };
  number();
  form.querySelector("#fields").disabled = false;

  function names() {
    return [...players.querySelectorAll("[name=name]")];
  }

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
      const input = row.querySelector("input");
      input.placeholder = say("player", { n: seat });
      input.setAttribute("aria-label", input.placeholder);
      const remove = row.querySelector("[data-remove]");
      remove.setAttribute("aria-label", say("remove", { n: seat }));
      remove.disabled = players.children.length <= LEAST;
    });
    more.disabled = players.children.length >= MOST;
    whoBegins();
  }

  function whoBegins() {
    const chosen = Math.min(Number(first.value) || 1, players.children.length);
    first.replaceChildren(...names().map((input, index) => new Option(input.value.trim() || input.placeholder, index + 1)));
    first.value = chosen;
  }

  function matchFile() {
    const fields = new FormData(form);
    const match = { game: "carcassonne", seat: names().map((input) => ({ name: input.value.trim() })), first: Number(first.value) };
    if (fields.get("equal_turns")) match.equal_turns = true;
    if (Number(fields.get("tile_mm"))) match.tile_mm = Number(fields.get("tile_mm"));
    if (fields.get("deck")) match.deck = fields.get("deck");
    if (fields.get("outside")) match.host = "outside";
    return match;
  }
}
