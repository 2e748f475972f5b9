// Turns the form into a match file.

import { find, findAll } from "../../static/dom.js";
import { say } from "../../static/live.js";
import { matchFields, playerRows } from "../../static/players.js";

const SEATS = 9;
const POOL = 5;
const SILENT = new Set(["en-memory", "fr-bluff"]);

/**
 * How much of the deal was seen: the cards of the pool; `null` in a match without a pool.
 * @param {DiscoveryView | null} view
 * @returns {Deal | null}
 */
export function dealt(view) {
  if (view && !("pool" in view)) return null;
  const seen = (view?.pool ?? []).filter(Boolean).length;
  return { seen, of: POOL, words: say("deal", { n: seen, m: POOL }) };
}

/** @param {HTMLFormElement} form @param {Begin} begin */
export function setUp(form, begin) {
  const players = find(form, "#players");
  const extras = find(form, "#extras", HTMLInputElement);
  const { names, open } = playerRows(form, {
    least: 1,
    most: SEATS,
    nameless: (row) => is(row, "bot") || is(row, "late"),
  });

  const show = () => {
    for (const extra of findAll(players, ".extra")) extra.hidden = !extras.checked;
  };
  extras.onchange = show;
  show();
  open((button) => begin(matchFile(), button));

  /** @param {Element} row @param {"bot" | "late"} what */
  function is(row, what) {
    return extras.checked && find(row, `[name=${what}]`, HTMLInputElement).checked;
  }

  /** @param {HTMLInputElement} input */
  function seatOf(input) {
    const row = /** @type {Element} */ (input.closest("li"));
    const team = find(row, "[name=team]", HTMLInputElement).value.trim();
    return {
      name: input.value.trim() || input.placeholder,
      ...(extras.checked && team ? { team } : {}),
      ...(is(row, "bot") ? { bot: true } : {}),
      ...(is(row, "late") ? { late: true } : {}),
    };
  }

  function matchFile() {
    const fields = new FormData(form);
    const profile = String(fields.get("profile"));
    const silent = SILENT.has(profile);
    const explore = profile === "en-explore";
    const options = {
      ...(fields.get("stop") && !silent ? { stop: true } : {}),
      ...(fields.get("series_plus") && explore ? { series_plus: true } : {}),
      ...(fields.get("inferred") && !silent ? { turn_end: "inferred" } : {}),
      ...(fields.get("steal_empty") && explore ? { en_explore_steal_when_empty: true } : {}),
      ...(fields.get("call_era6") ? { call_era6_when_stack_empty: true } : {}),
    };
    const [dealer, jokers] = [Number(fields.get("dealer")), Number(fields.get("jokers"))];
    return {
      game: "discovery",
      profile,
      seat: names().map(seatOf),
      options,
      ...matchFields(form),
      ...(dealer ? { dealer } : {}),
      ...(jokers ? { jokers } : {}),
    };
  }
}
