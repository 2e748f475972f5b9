"""The way of a decision: written, then published, then worked out to its end; and the clock of play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest
from support.toy_game import EndTurn, Place, stairs

from companion.errors import LogError
from companion.games.protocol import Effect, Game, HiddenHalf, MoveContext
from companion.history.events import Entry, Origin, Played
from companion.public.table import CardId, Observation, Placement, Seat, TableState, Token, Zone
from companion.public.updates import Signal, Update
from companion.referee.commands import MakeMove
from companion.referee.match import Match

ANA_PLACES = MakeMove(Place(Seat(1), CardId("1-1"), "hand"), Origin.PHONE)
ANA_ENDS = MakeMove(EndTurn(Seat(1)), Origin.PHONE)
HOUR_S = 3600.0


def traced(trace: list[str], *, infers_turns: bool) -> Game:
    """The toy game, which writes down when a hidden half is worked out."""

    def completed(before: object, move: object, at: MoveContext, opened: Effect) -> Effect:
        trace.append(f"complete {at.number}")
        return opened

    return replace(stairs(infers_turns=infers_turns), hidden=HiddenHalf(apply=completed))


@dataclass
class Table:
    """A match whose log and listeners write down what reaches them, in order."""

    trace: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    full: bool = False
    infers_turns: bool = False

    def __post_init__(self) -> None:
        self.match = Match(
            traced(self.trace, infers_turns=self.infers_turns), self.write, self.publish, tuple(self.entries)
        )
        self.trace.clear()

    def write(self, entries: Sequence[Entry]) -> None:
        if self.full:
            self.trace.append("full")
            raise LogError("the disk is full")
        self.entries += entries
        self.trace.append("write " + " ".join(str(entry.number) for entry in entries))

    def publish(self, update: Update) -> None:
        self.trace.append(f"publish {update.number or update.signal.value}")

    def look(self, taken_s: float, **lying: str) -> None:
        placements = frozenset(Placement(Token(token), Zone(zone)) for token, zone in lying.items())
        self.match.handle(Observation(1, taken_s, TableState(placements)), taken_s)


@pytest.fixture
def table() -> Table:
    """A dealt table: the pool holds 1-5."""
    table = Table()
    table.look(100.0, C15="pool")
    assert table.trace == ["write 1", "publish 1", "complete 1"]
    table.trace.clear()
    return table


def test_an_entry_is_written_then_published_then_completed(table: Table) -> None:
    table.match.handle(ANA_PLACES, 101.0)
    assert table.trace == ["write 2", "publish 2", "complete 2"]


def test_whoever_asked_is_answered_before_the_hidden_half_is_worked_out(table: Table) -> None:
    table.match.answer(ANA_PLACES, 101.0)
    assert table.trace == ["write 2", "publish 2"]
    table.match.go_on()
    assert table.trace == ["write 2", "publish 2", "complete 2"]


def test_the_next_message_first_completes_what_the_last_one_left(table: Table) -> None:
    table.match.answer(ANA_PLACES, 101.0)
    table.match.answer(ANA_ENDS, 102.0)
    assert table.trace == ["write 2", "publish 2", "complete 2", "write 3", "publish 3"]


def test_entries_of_one_decision_are_written_together_and_completed_one_by_one() -> None:
    table = Table(infers_turns=True)
    table.look(100.0, C15="pool")
    table.look(101.0, C15="pool", C11="tree")
    table.trace.clear()
    for taken_s in (102.0, 103.0):
        table.look(taken_s, C15="pool", C11="tree", C12="tree")
    assert [entry for entry in table.trace if "suspected" not in entry] == [
        "write 3 4",
        "publish 3",
        "complete 3",
        "publish 4",
        "complete 4",
    ]


def test_what_the_log_does_not_take_is_not_published_and_is_tried_again(table: Table) -> None:
    table.full = True
    table.match.handle(ANA_PLACES, 101.0)
    assert (table.trace, table.match.stuck) == (["full", f"publish {Signal.TROUBLE.value}"], True)
    table.match.handle(ANA_ENDS, 102.0)
    assert table.trace[2:] == ["full"], "trouble is published once"
    table.full = False
    table.trace.clear()
    table.match.wake(103.0)
    assert table.trace == ["write 2", "publish 2", "complete 2", "write 3", "publish 3", "complete 3"]
    assert not table.match.stuck
    assert [entry.time_s for entry in table.entries] == [0.0, 1.0, 2.0], "each has the time at which it was said"


def test_nobody_starts_the_clock_of_play_by_asking_for_it(table: Table) -> None:
    """The power went after 20 s of play; it is back, and pages are opened an hour before the camera sees anything."""
    table.match.handle(ANA_PLACES, 120.0)
    resumed = Table(entries=list(table.entries))
    assert resumed.match.play_s(5000.0) == 20.0
    assert resumed.match.due_s(5000.0) is None
    resumed.match.wake(5000.0)
    assert resumed.match.play_s(5000.0 + HOUR_S) == 20.0
    resumed.look(5000.0 + HOUR_S, C15="pool", C11="tree")
    assert resumed.match.play_s(5000.0 + HOUR_S) == 20.0
    resumed.match.handle(ANA_ENDS, 5002.0 + HOUR_S)
    assert isinstance(resumed.entries[-1].event, Played)
    assert resumed.entries[-1].time_s == 22.0
