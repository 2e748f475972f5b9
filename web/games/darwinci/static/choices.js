// Words for what a move of this game is about.

// `value`: one of the choices for its `key`. `null`: the usual words will do.
export function label(key, value, _move, _match, say) {
  return key === "jewel" ? say(`darwinci.jewel.${value}`) : null;
}
