"""All cards of a match, wherever they are."""

from __future__ import annotations

from companion.games.discovery.state import Open
from companion.table import CardId


def counted(known: Open) -> int:
    """All cards of the match: 54 and the jokers, after every entry (rules.md TV28)."""
    limbo = sum(turn.called is not None for turn in known.turns)
    lying = len(known.tree) + len(known.pool) + sum(len(lying) for lying in known.discards)
    return lying + sum(known.hands) + known.stack + limbo + len(known.gone)


def whereabouts(known: Open, card: CardId) -> str | None:
    """Where a card publicly lies: ``tree``, ``pool``, ``discard-N``, ``gone``, ``called``, ``row``; or ``None``."""
    if card in known.present or card.startswith("J"):  # a joker lies there under another card's name
        for laid in known.tree:
            if laid.card == card:
                return "tree"
    if card in known.pool:
        return "pool"
    for place, lying in enumerate(known.discards, 1):
        if card in lying:
            return f"discard-{place}"
    if card in known.gone:
        return "gone"
    for turn in known.turns:
        if turn.called == card:
            return "called"
        if card in turn.held:
            return "row"
    return None
