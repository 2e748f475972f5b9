"""What the page of a stored match shows: who led when, who placed what, what was refused.

Each game reads its records into these values (``web.pages.game_pages``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card in the tree by its seat; ``points`` with everything that it brought."""

    number: int
    seat: int
    card: str
    points: int
    joker: str | None = None


@dataclass(frozen=True, slots=True)
class DisputedMove:
    """A move with objections; ``stood``: it was played and stayed, as in silent games; ``seen``: by the camera."""

    number: int
    seat: int
    card: str | None
    do: str
    objections: tuple[tuple[str, tuple[str, ...]], ...]
    stood: bool
    allowed: bool = False
    seen: bool = False


@dataclass(frozen=True, slots=True)
class NotedEntry:
    """An entry of which people may want to see pictures: what it was (``stop``, ``question``, ...) and which card."""

    number: int
    what: str
    card: str | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after an entry.

    Attributes:
        points: Everybody's, seat 1 first.
        came: What came into the tree.
        went: The card that an undo took away.
        fault: The move of this entry, where it was unlawful.
        do: What was done, as the record calls it; empty where the entry is no move.
        seat: By whom; 0 = the table itself.
        card: Which card it was about.
        time_s: Seconds since the match began, where known; they never run backwards.
    """

    number: int
    points: tuple[int, ...]
    came: PlacedCard | None = None
    went: str | None = None
    fault: DisputedMove | None = None
    do: str = ""
    seat: int = 0
    card: str | None = None
    time_s: float | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A match as people talk about it afterwards.

    Attributes:
        names: The players', seat 1 first.
        profile: As in the match file.
        cards: Card ids with their families, in the deck's order.
        moments: After each entry, in order.
        placed: In the order of the table; what was undone is left out.
        faults: Unlawful moves, in order.
        minutes: Minutes of play, ``None`` where times are unknown.
        turns: Turns that were ended.
        undone: How many entries were struck.
        noted: All entries in order, as captions of their pictures.
        game: As match files call it.
        places: Where each card lay at the end, as the game's own drawing of a stored match reads it.
    """

    names: tuple[str, ...]
    profile: str
    cards: tuple[tuple[str, str | None], ...]
    moments: tuple[Moment, ...]
    placed: tuple[PlacedCard, ...]
    faults: tuple[DisputedMove, ...]
    minutes: int | None
    turns: int
    undone: int
    noted: tuple[NotedEntry, ...] = ()
    game: str = ""
    places: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)

    def best(self) -> PlacedCard | None:
        """The card that brought the most at once; the first of equals."""
        return (
            max(self.placed, key=lambda one: one.points, default=None) if any(p.points for p in self.placed) else None
        )

    def of(self, seat: int) -> tuple[PlacedCard, ...]:
        """What a seat placed."""
        return tuple(one for one in self.placed if one.seat == seat)
