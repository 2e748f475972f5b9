"""What the people at a live table look at before they do something: the running match, as its referee has it.

Nothing here knows a referee. ``companion.cli.live_table`` reads these values off a match and carries the words back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class Step:
    """What the start, or one entry of the log, left behind, for all to see.

    Attributes:
        key: The same object for as long as the entry means the same; a correction changes what comes after it.
        move: The move that counts; ``None`` where the entry holds none.
        failed: It was a call that failed.
        lying: Every card that can be seen, and its zone.
        hands: How many cards each seat holds.
        stack: How many cards are left to draw, with those of the pool that nobody has named yet.
        gone: How many jokers have left the game.
        called: The card on its way from a hand to the tree.
    """

    key: object
    move: JSON | None
    failed: bool
    lying: Mapping[str, str]
    hands: tuple[int, ...]
    stack: int
    gone: int
    called: str | None


@dataclass(frozen=True, slots=True)
class OpenAct:
    """An act that somebody may say Stop to.

    Attributes:
        stoppers: The seats that may.
        wrong: It was unlawful.
    """

    number: int
    stoppers: tuple[int, ...]
    wrong: bool


@dataclass(frozen=True, slots=True)
class LiveView:
    """The match at one moment.

    Attributes:
        number: The last entry.
        standing: The scoreboard, as in the record.
        table: What spectators see, as pages get it.
        lying: Every card that should be seen, and its zone.
        steps: How it came to this: the start, then an element for each entry.
        faults: All objections to a move now, also those that only a Stop would bring out.
        answering: The seats that may answer the Stop that waits.
        open_act: What somebody may say Stop to.
        draw_offered: Everybody may agree that nothing will happen any more.
        refused: Cards that lie there although the referee said no.
        questions: The numbers of the questions that people must choose an answer to.
        paused: Somebody said hold on.
        lost: The eye sees no table now.
        shown: The eye sees a command card.
    """

    number: int
    standing: JSON
    table: JSON
    lying: Mapping[str, str]
    steps: Sequence[Step]
    faults: Callable[[JSON], tuple[str, ...]]
    answering: tuple[int, ...] = ()
    open_act: OpenAct | None = None
    draw_offered: bool = False
    refused: frozenset[str] = field(default_factory=frozenset)
    questions: tuple[int, ...] = ()
    paused: bool = False
    lost: bool = False
    shown: bool = False


class Scoreboard(Protocol):
    """The running match, and how its people speak."""

    def look(self) -> LiveView | None:
        """How it stands now; ``None`` while there is none."""

    def say(self, move: JSON, number: int) -> None:
        """Somebody says a move on a phone; nothing comes of it when ``number`` is no longer the last entry."""

    def answer(self, question: int, number: int) -> None:
        """Somebody gives the first answer to a question; likewise."""

    def finish(self) -> None:
        """The end has been looked at for long enough."""
