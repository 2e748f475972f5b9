"""The public half while one move is carried out: what may be changed, and by which steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar

from companion.errors import ImpossibleMove
from companion.game import JSON, Text
from companion.games.discovery.state import Act, Contest, Debt, Laid, Open, Turn
from companion.table import CardId, Seat


@dataclass(slots=True)
class Draft:
    """The public half while one move is carried out, and what the move brings; never leaves ``play``."""

    tree: tuple[Laid, ...]
    present: frozenset[CardId]
    eras: tuple[int, ...]
    pool: tuple[CardId | None, ...]
    discards: tuple[tuple[CardId, ...], ...]
    hands: tuple[int, ...]
    stack: int
    gone: tuple[CardId | None, ...]
    points: tuple[int, ...]
    credits: frozenset[tuple[int, str]]
    turns: tuple[Turn, ...]
    owed: tuple[Debt, ...]
    acts: tuple[Act, ...]
    latest_act: int
    contest: Contest | None
    deciding_act: int
    over: bool
    winners: tuple[Seat, ...]
    closing: int
    halting: bool
    quiet: int
    serial: int
    dealt: bool
    begun: bool
    passes: int
    judged: frozenset[int]
    away: frozenset[Seat] = frozenset()
    why: tuple[Text, ...] = ()
    notes: dict[str, JSON] = field(default_factory=dict)
    prize: bool = False

    @property
    def turn(self) -> Turn:
        """The turn in progress."""
        return self.turns[-1]

    @turn.setter
    def turn(self, turn: Turn) -> None:
        self.turns = (*self.turns[:-1], turn)

    def held(self, seat: Seat) -> int:
        """How many cards a seat has in hand."""
        return self.hands[seat - 1]

    def discard(self, seat: Seat) -> tuple[CardId, ...]:
        """What lies in a seat's own discard."""
        return self.discards[seat - 1]

    def give(self, seat: Seat, count: int) -> None:
        """Change a seat's hand count."""
        held = self.held(seat) + count
        if held < 0:
            raise ImpossibleMove(f"seat {seat} has no card that it could give")
        self.hands = _put(self.hands, seat, held)

    def pay(self, seat: Seat, points: int) -> None:
        """Change a seat's points."""
        self.points = _put(self.points, seat, self.points[seat - 1] + points)

    def put_away(self, seat: Seat, card: CardId) -> None:
        """Add a card to a seat's discard."""
        self.discards = _put(self.discards, seat, (*self.discard(seat), card))

    def take_up(self, seat: Seat, card: CardId) -> None:
        """Remove a card from a seat's discard."""
        self.discards = _put(self.discards, seat, tuple(lying for lying in self.discard(seat) if lying != card))

    def appear(self, card: CardId, era: int) -> int:
        """A card counts as lying in the tree from now on; how many of its era do."""
        count = self.eras[era - 1] + 1
        self.present |= {card}
        self.eras = _put(self.eras, era, count)
        return count

    def vanish(self, card: CardId, era: int) -> None:
        """A card no longer counts as lying in the tree."""
        self.present -= {card}
        self.eras = _put(self.eras, era, self.eras[era - 1] - 1)


T = TypeVar("T")


def _put(values: tuple[T, ...], place: int, value: T) -> tuple[T, ...]:
    """A tuple with another value in a place; places are counted from 1, as seats and eras are."""
    return (*values[: place - 1], value, *values[place:])


_read: Callable[[Any], tuple[Any, ...]] = attrgetter(*(facts.name for facts in fields(Open)))


def thaw(known: Open) -> Draft:
    """A draft to carry a move out on."""
    return Draft(*_read(known))


def freeze(draft: Draft) -> Open:
    """The public half that a draft has become."""
    return Open(*_read(draft))
