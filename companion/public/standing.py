"""The public scoreboard after an entry, what is owed, and what may be said now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.public.table import Seat
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class Obligation:
    """An act that must come next, by this seat."""

    seat: Seat
    do: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The public scoreboard after an entry; lists are by seat, seat 1 first."""

    turn: Seat | None
    points: tuple[int, ...]
    hands: tuple[int, ...]
    stack: int
    trumps: int
    owed: tuple[Obligation, ...] = ()
    over: bool = False
    winners: tuple[Seat, ...] = ()
    provisional: bool = False


@dataclass(frozen=True, slots=True)
class AvailableMove:
    """A spoken move that a seat may make now; every combination of the choices is lawful.

    Attributes:
        by: The seat that may speak.
        do: The move's name.
        choices: For each further key of the move in the record, its possible values.
    """

    by: Seat
    do: str
    choices: Mapping[str, tuple[JSON, ...]] = field(default_factory=dict)


def standing_json(standing: Standing) -> dict[str, JSON]:
    """The public standing as the record writes it (contract, section 7)."""
    provisional = {"provisional": True} if standing.provisional else {}
    return {
        "turn": standing.turn,
        "points": list(standing.points),
        "hands": list(standing.hands),
        "stack": standing.stack,
        "trumps": standing.trumps,
        "owed": [{"seat": owed.seat, "do": owed.do} for owed in standing.owed],
        "over": standing.over,
        "winners": list(standing.winners),
        **provisional,
    }
