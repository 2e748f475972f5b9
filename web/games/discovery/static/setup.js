// Turns the form into a match file.

const sprites = document.documentElement.dataset;
const SEATS = 9;
const SILENT = new Set(["en-memory", "fr-bluff"]);

const POOL = 5;

// How much of the deal was seen: the cards of the pool. Nothing in a match without one.
export function dealt(view, say) {
  if (view && !("pool" in view)) return null;
  const seen = (view?.pool ?? []).filter(Boolean).length;
  return { seen, of: POOL, words: say("deal", { n: seen, m: POOL }) };
}

export function setUp(form, say, begin) {
  const players = form.querySelector("#players");
  const more = form.querySelector("#more");

  more.onclick = () => {
    const added = players.lastElementChild.cloneNode(true);
    for (const input of added.querySelectorAll("input")) {
      input.value = "";
      input.checked = false;
      input.setCustomValidity("");
    }
    players.append(added);
    number();
    added.querySelector("input").focus();
  };
  players.addEventListener("click", (event) => {
    const button = event.target.closest("[data-remove]");
    if (!button || players.children.length < 2) return;
    button.closest("li").remove();
    number();
  });
  const extras = form.querySelector("#extras");
  const shown = () => players.querySelectorAll(".extra").forEach((extra) => (extra.hidden = !extras.checked));
  extras.onchange = shown;
  shown();
  form.onsubmit = (event) => {
    event.preventDefault();
    if (!named()) return;
    begin(matchFile(), form.querySelector(".main"));
  };
  form.querySelector("#fields").disabled = false;
  players.addEventListener("input", () => players.querySelectorAll("[name=name]").forEach((input) => input.setCustomValidity("")));

  // Everybody has a name, and no two the same; bots and who comes later may go without.
  function named() {
    const seen = new Set();
    for (const [index, row] of [...players.children].entries()) {
      const input = row.querySelector("[name=name]");
      const name = input.value.trim() || input.placeholder;
      const nameless = !input.value.trim() && !(extras.checked && (row.querySelector("[name=bot]").checked || row.querySelector("[name=late]").checked));
      const twice = seen.has(name.toLowerCase());
      seen.add(name.toLowerCase());
      if (!nameless && !twice) continue;
      input.setCustomValidity(say(nameless ? "name.empty" : "name.twice", { who: name, m: index + 1 }));
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
      row.querySelector("button").setAttribute("aria-label", say("remove", { n: seat }));
    });
    more.disabled = players.children.length >= SEATS;
  }

  function matchFile() {
    const fields = new FormData(form);
    const profile = fields.get("profile");
    const seat = [...players.children].map((row) => {
      const input = row.querySelector("[name=name]");
      const one = { name: input.value.trim() || input.placeholder };
      const team = row.querySelector("[name=team]").value.trim();
      if (extras.checked && team) one.team = team;
      if (extras.checked && row.querySelector("[name=bot]").checked) one.bot = true;
      if (extras.checked && row.querySelector("[name=late]").checked) one.late = true;
      return one;
    });
    const options = {};
    if (fields.get("stop") && !SILENT.has(profile)) options.stop = true;
    if (fields.get("series_plus") && profile === "en-explore") options.series_plus = true;
    if (fields.get("inferred") && !SILENT.has(profile)) options.turn_end = "inferred";
    if (fields.get("steal_empty") && profile === "en-explore") options.en_explore_steal_when_empty = true;
    if (fields.get("call_era6")) options.call_era6_when_stack_empty = true;
    const match = { game: "discovery", profile, seat, options };
    if (fields.get("deck")) match.deck = fields.get("deck");
    if (Number(fields.get("dealer"))) match.dealer = Number(fields.get("dealer"));
    if (Number(fields.get("jokers"))) match.jokers = Number(fields.get("jokers"));
    if (fields.get("outside")) match.host = "outside";
    return match;
  }
}
