"""What the page of a stored match shows: points, moves and refusals.

Each game converts its records into these values (``web.pages.game_pages``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from companion.public.text import JSON

JUMP = 4
"""So many points at once are marked on the time line."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card that a seat placed; ``points``: all that it earned."""

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
    """An entry whose pictures may be of interest: its kind (``stop``, ``question``, ...) and its card."""

    number: int
    what: str
    card: str | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after an entry.

    Attributes:
        points: Of all seats, seat 1 first.
        came: The card that was placed.
        went: The card that an undo removed.
        fault: The move of this entry, if it was illegal.
        do: The kind of move, as in the record; empty if the entry is not a move.
        seat: Its seat; 0 = the table itself.
        card: Its card.
        time_s: Seconds since the match began, if known; never decreasing.
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
    """The summary of a match.

    Attributes:
        names: The players', seat 1 first.
        profile: As in the match file.
        cards: Card ids with their families, in the deck's order.
        moments: After each entry, in order.
        placed: In the order of the table, without what was undone.
        faults: Illegal moves, in order.
        minutes: Minutes of play, ``None`` if times are unknown.
        turns: Number of finished turns.
        undone: Number of entries that were undone.
        noted: All entries in order, as captions of their pictures.
        game: As in match files.
        places: The final position of each card, in the form that the game's own drawing of a stored match reads.
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

    def of(self, seat: int) -> tuple[PlacedCard, ...]:
        """The cards that a seat placed."""
        return tuple(one for one in self.placed if one.seat == seat)

    def jumps(self) -> Iterator[tuple[int, int]]:
        """The places of the moments at which a seat earned ``JUMP`` points or more, and that seat."""
        for place in range(1, len(self.moments)):
            steps = zip(self.moments[place - 1].points, self.moments[place].points, strict=True)
            gain, seat = max(((now - then, -seat) for seat, (then, now) in enumerate(steps, 1)), default=(0, 0))
            if gain >= JUMP:
                yield place, -seat

    def leader(self, place: int) -> int | None:
        """The seat that is ahead of all others after a moment; ``None`` = there is no such seat."""
        points = self.moments[place].points
        best = max(points, default=0)
        return points.index(best) + 1 if points.count(best) == 1 else None

    def leads(self) -> list[int]:
        """The places of the moments at which another seat took the lead. The last one is the turning point."""
        found, ahead = [], None
        for place in range(len(self.moments)):
            leader = self.leader(place)
            if leader is not None and leader != ahead:
                found.append(place)
                ahead = leader
        return found
