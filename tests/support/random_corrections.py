"""Random matches of any game with corrections of every kind, as phones, buttons and command cards make them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from support.spoken_table import SpokenTable

from companion.games import registry
from companion.games.noughts.module import NOUGHTS
from companion.games.protocol import Game, Move, MoveContext
from companion.history.events import Entry, Origin
from companion.public.table import CardId, Seat
from companion.public.updates import Update
from companion.referee.commands import (
    AcceptTable,
    Allow,
    ChangeSeat,
    Claim,
    Command,
    CommandCard,
    CorrectCounts,
    MakeMove,
    OverruleCamera,
    Pause,
    Resume,
    Undo,
)
from companion.referee.match import Match

NAMES = ("Ana", "Ben", "Cy", "Dora")


@dataclass
class LoggedMatch:
    """A match with its log and its news in lists.

    Attributes:
        said: All commands, and what lay there when each was said.
    """

    game: Game[Any, Any]
    entries: list[Entry] = field(default_factory=list)
    news: list[Update] = field(default_factory=list)
    time_s: float = 100.0
    said: list[tuple[Command, dict[CardId, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.match = Match(self.game, self._write, self.news.append, tuple(self.entries), awaits_start=False)

    def _write(self, entries: Any) -> None:
        self.entries += entries

    def say(self, command: Command) -> None:
        self.time_s += 1
        self.said.append((command, dict(self.match.issues.lying)))
        self.match.handle(command, self.time_s)

    def copy(self) -> LoggedMatch:
        """The same match, as a restart finds it in its log."""
        return LoggedMatch(self.game, list(self.entries), time_s=self.time_s)


class LiveTable:
    """The match at a table with pages, played like a ``LoggedMatch``."""

    def __init__(self, table: SpokenTable) -> None:
        self._table = table
        self.time_s = 100.0

    @property
    def match(self) -> Any:
        return self._table.runner.match

    @property
    def game(self) -> Any:
        return self.match.game

    def say(self, command: Command) -> None:
        self.time_s += 1
        self._table.now_s = self.time_s
        match = self.match
        self._table.runner.ask(lambda: match.handle(command, self.time_s))


def opened(name: str, profile: str) -> Game[Any, Any]:
    module = NOUGHTS if name == NOUGHTS.name else registry.GAMES[name]
    seats = len(registry.demo_match(module)["seat"])
    match = {"game": name, "profile": profile, "seat": [{"name": one} for one in NAMES[:seats]]}
    return module.open_match(match, registry.demo_deck(module))


GAMES = tuple(
    (name, profile) for name, module in registry.GAMES.items() for profile in module.profiles or (module.usual_profile,)
)


def evening(game: Game[Any, Any], dice: Random, length: int) -> Iterator[LoggedMatch]:
    """The match after each command."""
    return played_on(LoggedMatch(game), dice, length)


Table = TypeVar("Table", LoggedMatch, LiveTable)


def played_on(table: Table, dice: Random, length: int) -> Iterator[Table]:
    """The match at this table after each command."""
    module = NOUGHTS if table.game.name == NOUGHTS.name else registry.GAMES[table.game.name]
    player = module.demonstration.random_player(table.game)
    for _ in range(length):
        command = _command(table, dice, player)
        if command is not None:
            table.say(command)
            yield table


def _command(table: LoggedMatch | LiveTable, dice: Random, player: Any) -> Command | None:
    match, game = table.match, table.game
    number, seat = dice.randint(1, len(match.record.lines) + 1), Seat(dice.randint(1, game.seats))
    if match.record.paused:
        return Resume(seat)
    if dice.random() < 0.6:
        move = _move(match, dice, player)
        return None if move is None else MakeMove(move, dice.choice((Origin.CAMERA, Origin.PHONE)))
    match dice.randrange(9):
        case 0:
            return Undo(dice.choice((None, number)), dice.choice((None, seat)), anyway=dice.random() < 0.3)
        case 1 | 2:
            return Claim(seat, dice.choice((None, None, number)), anyway=dice.random() < 0.3)
        case 3:
            return Allow(by=dice.choice((None, seat)))
        case 4:
            return OverruleCamera(anyway=dice.random() < 0.5)
        case 5:
            return _counts(match, dice)
        case 6:
            lying = dict(game.table.expected(match.public).cards)
            if lying and dice.random() < 0.5:
                del lying[dice.choice(sorted(lying))]
            match.issues.lying = lying
            return AcceptTable(dice.choice((None, seat)))
        case 7:
            return dice.choice((Pause(seat), ChangeSeat(seat, name=dice.choice(("Eve", "Fay")))))
        case _:
            return CommandCard(CardId(dice.choice(("KUNDO", "KEND"))), dice.choice((None, seat)))


def _move(match: Match, dice: Random, player: Any) -> Move | None:
    """One that is lawful, or in one of five any that comes to mind."""
    at = match.record.next_context(match.record.last_time_s)
    ideas = [move for _, move in zip(range(40), player(match.public, dice, MoveContext(at.number)), strict=False)]
    lawful = [move for move in ideas if not match.game.rules.judge(match.public, move, at)]
    some = ideas if dice.random() < 0.2 else lawful
    return dice.choice(some) if some else None


def _counts(match: Match, dice: Random) -> Command | None:
    """What is counted anew: the same, or one card more in a hand and one fewer in the stack."""
    counters = match.standing.counters
    counts = {name: counters[name] for name in match.game.rules.countable if name in counters}
    if not counts:
        return None
    if "stack" in counts and "hands" in counts and counts["stack"] and dice.random() < 0.5:
        first, *others = counts["hands"]
        counts = {"hands": (first + 1, *others), "stack": counts["stack"] - 1}
    return CorrectCounts(tuple(counts.items()))
