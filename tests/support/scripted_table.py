"""A table told in words: each look says what lies where, whether a hand is in view, and when."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.games.protocol import Game
from companion.history.events import Entry
from companion.public.table import Observation, Placement, TableState, Token, UnreadPlace, ViewLost, Zone
from companion.public.updates import Signal, Update
from companion.referee.commands import Command
from companion.referee.match import Match


@dataclass
class ScriptedTable:
    """An evening fed with looks four times a second.

    Attributes:
        at_mm: Where a thing lies on the table, for those where it matters.
    """

    game: Game
    entries: list[Entry] = field(default_factory=list)
    news: list[Update] = field(default_factory=list)
    time_s: float = 100.0
    number: int = 0
    lying: dict[str, str] = field(default_factory=dict)
    fails: list[Exception] = field(default_factory=list)
    at_mm: dict[str, tuple[float, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.match = Match(self.game, self.write, self.news.append, tuple(self.entries))
        if not self.entries:
            self.look(0.25)  # the table is empty when a match begins

    def write(self, entries: object) -> None:
        if self.fails:
            raise self.fails.pop(0)
        self.entries += entries  # type: ignore[operator]

    def look(
        self,
        seconds: float = 1.0,
        hand: bool = False,
        lost: ViewLost | None = None,
        pending: bool = False,
        unread: tuple[UnreadPlace, ...] = (),
        **moved: str | None,
    ) -> None:
        """Let some time pass with these cards lying where they are said to (``C11="tree"``; ``None`` = nowhere)."""
        for token, zone in moved.items():
            self.lying.pop(token, None)
            if zone is not None:
                self.lying[token] = zone
        for _ in range(max(1, round(seconds * 4))):
            self.number += 1
            self.time_s += 0.25
            # As the eye says it: equal to what game and referee know, and never the same object.
            placements = frozenset(
                Placement(Token("".join(t)), Zone("".join(z)), *self.at_mm.get(t, ())) for t, z in self.lying.items()
            )
            look = Observation(
                self.number, self.time_s, TableState(placements), not hand, hand, lost, pending, unread=unread
            )
            self.match.handle(look, self.time_s)

    def say(self, said: Command) -> None:
        self.match.handle(said, self.time_s)

    @property
    def story(self) -> list[str]:
        """The log in short: ``played place 1-1``, ``refused place 1-3 prerequisites``."""
        return [short(line) for line in self.match.record.lines]

    @property
    def signals(self) -> list[Signal]:
        return [news.signal for news in self.news]


def short(line) -> str:
    event = line.entry.event
    words = [type(event).__name__.removesuffix("Asked").lower()]
    move = getattr(event, "move", None)
    if move is not None:
        words += [move.do, str(move.by), *([move.card] if hasattr(move, "card") else [])]
    change = getattr(event, "change", None)
    if move is None and change is not None:
        words.append(change.card)
    number = getattr(event, "number", None)
    if number is not None:
        words.append(str(number))
    words += [objection.rule for objection in line.objections]
    return " ".join(words)
