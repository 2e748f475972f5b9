"""What the people at a live table look at before they do something: the running match, as its referee has it.

Nothing here knows a referee. ``companion.app.live_table`` reads these values off a match and carries the words back.
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
    """What the start, or one entry of the log, left behind, for all to see.

    Attributes:
        key: The same object for as long as the entry means the same; a correction changes what comes after it.
        move: The move that counts; ``None`` where the entry holds none.
        extras: What else the entry holds.
        lying: Every thing that should be seen, and its place.
        standing: The scoreboard, as in the record.
        table: Works out what spectators see, as pages get it.
    """

    key: object
    move: JSON | None
    extras: Mapping[str, JSON]
    lying: Mapping[str, str]
    standing: JSON
    table: Callable[[], JSON]


@dataclass(frozen=True, slots=True)
class LiveView:
    """The match at one moment. Things are named as in the record.

    Attributes:
        number: The last entry.
        standing: The scoreboard, as in the record.
        table: What spectators see, as pages get it.
        state: The game's own state, for people who are made for that game.
        lying: Every thing that should be seen, and its place.
        tokens: The sticker of each thing.
        steps: How it came to this: the start, then an element for each entry.
        faults: All objections to a move now, also those that only come out later.
        offers: What may be said now.
        unlawful: The entries whose move counts although there is something to be said against it.
        refused: Things that lie there although the referee said no.
        seen: The things that the eye sees now.
        questions: The numbers of the questions that people must choose an answer to.
        paused: Somebody said hold on.
        lost: The eye sees no table now.
        command_lies: The eye sees a command card.
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
    """The running match, and how its people speak."""

    def look(self) -> LiveView | None:
        """How it stands now; ``None`` while there is none."""

    def say(self, move: Any, number: int) -> None:
        """Somebody says a move, as in the record or the game's own, on a phone; nothing comes of it when ``number`` is
        no longer the last entry."""

    def answer(self, question: int, number: int) -> None:
        """Somebody gives the first answer to a question; likewise."""

    def finish(self) -> None:
        """The end has been looked at for long enough."""
