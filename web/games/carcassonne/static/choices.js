// Words for what a move of this game is about.

// `move`: what was chosen before; `value`: one of the choices for its `key`. `null`: the usual words will do.
export function label(key, value, move, match, say) {
  if (key === "segment") {
    const thing = match.cards.find((card) => card.id === move.tile);
    const segment = thing?.segments[value - 1];
    if (!segment) return null;
    const twice = thing.segments.filter((one) => one.terrain === segment.terrain).length > 1;
    return say(`carcassonne.terrain.${segment.terrain}`) + (twice ? ` (${edges(segment, say)})` : "");
  }
  if (key === "card" && /^F\d/.test(value)) return say("carcassonne.follower", { n: value[2], who: match.seats[value[1] - 1]?.name, card_name: value });
  return null;
}

function edges(segment, say) {
  if (!segment.edges) return say("carcassonne.inner");
  return [...segment.edges].map((letter) => say(`carcassonne.side.${letter.toLowerCase()}`)).join(", ");
}
