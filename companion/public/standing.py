"""The public scoreboard after an entry, what is owed, and which moves are available."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from companion.public.table import Seat
from companion.public.text import JSON

Count: TypeAlias = int | tuple[int, ...]
"""One number for the whole table, or one for each seat, seat 1 first."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """An act that this seat must do next."""

    seat: Seat
    do: str


@dataclass(frozen=True, slots=True)
class Standing:
    """The public scoreboard after an entry; tuples are by seat, seat 1 first.

        >>> Standing(turn=Seat(1), points=(3, 5), over=True, winners=(Seat(2),)).final
        True

    Attributes:
        counters: The game's other public counts, by name: cards in hands, cards to draw.
        owed: What must be done before anything else.
        provisional: The end of the match can still be contested, or an open question may change what counts.
    """

    turn: Seat | None
    points: tuple[int, ...]
    counters: Mapping[str, Count] = field(default_factory=dict)
    owed: tuple[Obligation, ...] = ()
    over: bool = False
    winners: tuple[Seat, ...] = ()
    provisional: bool = False

    @property
    def final(self) -> bool:
        """The match has ended, and neither a contest nor an answer can change that."""
        return self.over and not self.provisional

    def by_seat(self, name: str) -> tuple[int, ...]:
        """A counter that every seat has.

        Raises:
            KeyError: This game has no such counter.
        """
        count = self.counters[name]
        if not isinstance(count, tuple):
            raise KeyError(name)
        return count


@dataclass(frozen=True, slots=True)
class AvailableMove:
    """A move without a card that a seat may make now; every combination of the choices is lawful.

    Attributes:
        do: The move's name.
        choices: For each further key of the move in the record, its possible values.
    """

    by: Seat
    do: str
    choices: Mapping[str, tuple[JSON, ...]] = field(default_factory=dict)


def encode_standing(standing: Standing) -> dict[str, JSON]:
    """The form of record, pages and broker (contract, section 7)."""
    document: dict[str, JSON] = {
        "turn": standing.turn,
        "points": list(standing.points),
        **{name: list(count) if isinstance(count, tuple) else count for name, count in standing.counters.items()},
        "owed": [{"seat": owed.seat, "do": owed.do} for owed in standing.owed],
        "over": standing.over,
        "winners": list(standing.winners),
    }
    return {**document, "provisional": True} if standing.provisional else document
