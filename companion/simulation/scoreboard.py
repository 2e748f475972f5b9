"""What the people at a live table look at before they act: the running match, as its referee has it.

Nothing here knows a referee. ``companion.app.live_table`` reads these values from a match and passes messages back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.public.standing import AvailableMove
from companion.public.table import Token
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class Step:
    """The public state after the start, or after one entry of the log.

    Attributes:
        key: The same object as long as the entry means the same; a correction changes the keys after it.
        move: The move that counts; ``None`` if the entry has none.
        extras: Further content of the entry.
        lying: Every piece that should be visible, and its place.
        standing: The scoreboard, as in the record.
        table: Computes what spectators see, as pages get it.
    """

    key: object
    move: JSON | None
    extras: Mapping[str, JSON]
    lying: Mapping[str, str]
    standing: JSON
    table: Callable[[], JSON]


@dataclass(frozen=True, slots=True)
class LiveView:
    """The match at one moment. Pieces are named as in the record.

    Attributes:
        number: The last entry.
        standing: The scoreboard, as in the record.
        table: What spectators see, as pages get it.
        state: The game's own state, for people made for that game.
        lying: Every piece that should be visible, and its place.
        tokens: The sticker of each piece.
        steps: The history: the start, then an element for each entry.
        faults: All objections to a move now, including those that are revealed later.
        offers: The moves without a card that are available now.
        unlawful: The entries whose move counts despite objections.
        refused: Pieces that lie there although the referee refused them.
        seen: The pieces that the camera sees now.
        questions: The numbers of the open questions.
        lost: The camera does not see the table now.
        command_lies: The camera sees a command card.
    """

    number: int
    standing: JSON
    table: JSON
    state: object
    lying: Mapping[str, str]
    tokens: Mapping[str, Token]
    steps: Sequence[Step]
    faults: Callable[[JSON], tuple[str, ...]]
    offers: tuple[AvailableMove, ...] = ()
    unlawful: frozenset[int] = frozenset()
    refused: frozenset[str] = frozenset()
    seen: frozenset[str] = frozenset()
    questions: tuple[int, ...] = ()
    paused: bool = False
    lost: bool = False
    command_lies: bool = False


class Scoreboard(Protocol):
    """The running match, and the messages of its people."""

    def look(self) -> LiveView | None:
        """The present state; ``None`` if there is no match."""

    def say(self, move: Any, number: int) -> None:
        """Report a move by phone, in the record's form or the game's own; ignored if ``number`` is not the last
        entry.
        """

    def answer(self, question: int, number: int) -> None:
        """Choose the first answer to a question; ignored likewise."""

    def finish(self) -> None:
        """The end has been shown long enough."""
