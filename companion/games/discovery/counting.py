"""All cards of a match, wherever they are."""

from __future__ import annotations

from companion.games.discovery.state import Open
from companion.table import CardId


def counted(known: Open) -> int:
    """All cards of the match: 54 and the jokers, after every entry (rules.md TV28)."""
    limbo = sum(turn.called is not None for turn in known.turns)
    lying = len(known.tree) + len(known.pool) + sum(len(lying) for lying in known.discards)
    return lying + sum(known.hands) + known.stack + limbo + len(known.gone)


def whereabouts(known: Open, card: CardId, *, unseen: bool = False) -> str | None:
    """Where a card publicly lies: ``tree``, ``pool``, ``discard-N``, ``gone``, ``called``, ``row``; or ``None``."""
    if known.tree and known.tree[-1].card == card:
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
    return "tree" if lies(known, card) and not unseen else None


def lies(known: Open, card: CardId) -> bool:
    """Whether a card lies in the tree or pile, be it for all to see or not."""
    if card not in known.present and not card.startswith("J"):  # a joker lies there under another card's name
        return False
    return any(laid.card == card for laid in known.tree)
