// Words for what a move of this game is about.

// `value`: one of the choices for its `key`. `null`: the usual words will do.
export function label(key, value, move, match, say) {
  if (key === "card") return match.cards.find((card) => card.id === value)?.name ?? value;
  if (["kind", "with"].includes(key)) return say(`lands.kind.${value}`);
  if (["on", "to", "seat"].includes(key) && Number.isInteger(value)) return match.seats[value - 1]?.name;
  if (key === "cost" && value === null) return say("lands.cost.way");
  if (["water", "colour"].includes(key) && value !== null) return say(`lands.${key}.${value}`);
  if (key === "lit") return say(value ? "lands.fire.on" : "lands.fire.off");
  return null;
}
