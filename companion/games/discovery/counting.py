"""All cards of a match, wherever they are."""

from __future__ import annotations

from companion.games.discovery.state import Open


def counted(known: Open) -> int:
    """All cards of the match: 54 and the jokers, after every entry (rules.md TV28)."""
    limbo = sum(turn.called is not None for turn in known.turns)
    lying = len(known.tree) + len(known.pool) + sum(len(lying) for lying in known.discards)
    return lying + sum(known.hands) + known.stack + limbo + len(known.gone)
