"""All cards of a match, wherever they are."""

from __future__ import annotations

from collections import Counter

from companion.games.discovery.deck import EVERY_ERA, PER_ERA
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Open
from companion.table import CardId


def counted(known: Open) -> int:
    """All cards of the match: 54 and the jokers, after every entry (rules.md TV28)."""
    limbo = sum(turn.called is not None for turn in known.turns)
    lying = len(known.tree) + len(known.pool) + sum(len(lying) for lying in known.discards)
    return lying + sum(known.hands) + known.stack + limbo + len(known.gone)


def by_era(setup: Setup, present: frozenset[CardId]) -> tuple[int, ...]:
    """How many cards of each era are among these."""
    found = Counter(setup.facts[card].era for card in present)
    return tuple(found[era] for era in EVERY_ERA)


def shown_credits(eras: tuple[int, ...]) -> frozenset[tuple[int, str]]:
    """The openings and closings that such a tree shows (contract section 6)."""
    counts = tuple(zip(EVERY_ERA, eras, strict=True))
    opened = {(era, "open") for era, count in counts if count or era == 1}
    return frozenset(opened | {(era, "closed") for era, count in counts if count == PER_ERA})
