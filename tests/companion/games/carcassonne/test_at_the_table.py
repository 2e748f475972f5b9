"""The referee follows a match from what lies on the table, as far as it can today: places are named, nothing is lifted.

What a camera will say is put in as it will be said: the place of each tile and counter.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import pytest
from support.carcassonne_match import deck

from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.moves import ScoreFollower
from companion.games.carcassonne.state import Progress
from companion.games.protocol import Move, MoveContext, zones_of
from companion.history.events import Played, Refused, Struck, Unexplained
from companion.public.table import CardId, Observation, Placement, TableState, Token, Zone
from companion.public.text import Text
from companion.public.updates import Alert, Signal
from companion.referee.match import Match

pytestmark = pytest.mark.core
LOOKS_A_SECOND = 4
NAMES = ("Ana", "Ben", "Cy")


def with_named_places(game: Carcassonne) -> Carcassonne:
    """On this table each thing says in which place it lies; ``test_lying.py`` tells places from millimetres."""

    def lying(public: Progress, table: TableState) -> Mapping[CardId, Zone]:
        return zones_of(game.table.cards, table)

    return replace(game, table=replace(game.table, lying=lying))


@dataclass
class RealTable:
    """What lies where, and the referee that looks at it."""

    game: Any
    match: Match = field(init=False)
    lying: dict[str, str] = field(default_factory=dict)
    looks: int = 0

    def __post_init__(self) -> None:
        self.match = Match(with_named_places(self.game), write=lambda _: None, publish=lambda _: None)

    def is_seen(self, lasts_s: float = 1.0, left_s: Mapping[str, float] | None = None) -> None:
        for _ in range(int(lasts_s * LOOKS_A_SECOND)):
            self.looks += 1
            now_s = self.looks / LOOKS_A_SECOND
            there = frozenset(Placement(Token(card), Zone(zone)) for card, zone in self.lying.items())
            left = {Token(card): then_s for card, then_s in (left_s or {}).items()}
            self.match.handle(Observation(self.looks, now_s, TableState(there), left_s=left), now_s)
            self.match.wake(now_s)

    def puts(self, card: str, zone: str | None, lasts_s: float = 1.0) -> None:
        if zone is None:
            del self.lying[card]
        else:
            self.lying[card] = zone
        self.is_seen(lasts_s)

    @property
    def played(self) -> list[Move]:
        """What counts."""
        record = self.match.record
        return [act.move for act in record.acts.values() if act.counts]

    @property
    def events(self) -> list[type]:
        return [type(line.entry.event) for line in self.match.record.lines]


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match_without_a_score_needs_no_word(seed: int):
    """Every act is read from the table, every end of a turn inferred, and the last turn ends by the clock."""
    rng = Random(seed)
    letters = rng.choices("AABCDEFFHJKLQRXYZ", k=14)
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}, {"name": "Cy"}]}, deck(letters))
    table, state, story = RealTable(game), game.rules.start, []
    player, number = CARCASSONNE.demonstration.random_player(game), 1
    while not state.over:
        at = MoveContext(number, float(number))
        moves = (move for move in player(state, rng, at) if not isinstance(move, ScoreFollower))
        lawful: tuple[Move, ...] = ()
        while not lawful:
            move = next(moves)
            lawful = game.rules.implied_moves(state, move, at) if game.rules.judge(state, move, at) else (move,)
        for move in lawful:
            before = game.table.expected(state).cards
            state = game.rules.apply(state, move, at).state
            number += 1
            story.append(move)
            new = set(game.table.expected(state).cards.items()) - set(before.items())
            for card, zone in new:
                table.puts(card, zone)
    table.is_seen(70.0)
    assert table.played == story
    assert set(table.events) == {Played}
    assert table.match.over
    assert table.match.standing.points == state.points


def test_a_tile_that_lies_anyhow_is_a_hint_after_three_seconds_and_judged_when_it_is_pushed_close():
    """ "A hint without buzzer": nothing is suspected of it, and nothing said while hands may still be busy."""
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X"]))
    table, told = RealTable(game), []
    table.match = Match(with_named_places(game), write=lambda _: None, publish=told.append)
    table.puts("T01", "field 0 0 0")
    del told[:]
    table.puts("T02", "loose", 3.0)
    assert [update.signal for update in told] == []
    table.is_seen(2.0)
    assert [(update.signal, update.texts) for update in told] == [
        (Signal.MISPLACED, (Text("referee.push_close", {"card": "T02"}),))
    ]
    table.puts("T02", "field 0 1 1", 4.0)
    assert table.events[-1] is Refused
    table.puts("T02", "loose", 5.0)
    table.puts("T02", "field 1 0 0", 4.0)
    assert table.events[-1] is Played
    table.puts("F11", "loose", 2.0)
    table.puts("F11", "on T02 2", 2.0)
    assert table.events[-2:] == [Played, Played]


def test_the_last_acts_tile_or_counter_that_is_lifted_is_undone():
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X"]))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("F11", "on T02 2")
    assert table.match.standing.turn == 2
    table.puts("F11", None, 6.0)
    assert table.events[-1] is Struck
    assert table.match.standing.turn == 1
    table.puts("T02", None, 6.0)
    assert [move.do for move in table.played] == ["start"]


def test_a_tile_lifted_with_its_counter_undoes_both():
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X"]))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("F11", "on T02 2")
    del table.lying["F11"]
    table.puts("T02", None, 8.0)
    assert [move.do for move in table.played] == ["start"]
    assert (table.match.standing.turn, table.match.public.supply) == (1, (4, 4))


def test_the_last_tile_that_is_laid_elsewhere_is_judged_there_and_nothing_is_said_of_the_move():
    """Before the follower people try where a tile lies best."""
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X", "Y"]))
    table, told = RealTable(game), []
    table.match = Match(with_named_places(game), write=lambda _: None, publish=told.append)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("T02", "field -1 0 0", 2.0)
    assert table.events == [Played, Played, Struck, Played]
    table.lying["F11"] = "on T02 1"
    table.puts("T02", "field 1 0 1", 2.0)  # in one look with its follower: the tile is first
    assert table.events[4:] == [Struck, Played, Played]
    assert (table.played[-2].x, table.played[-1].do, table.match.standing.turn) == (1, "deploy", 2)
    signals = {update.signal for update in told}
    assert not signals & {Signal.SUSPECTED, Signal.REFUSED, Signal.MISPLACED, Signal.ASKS}


def test_the_last_tile_that_is_laid_elsewhere_wrongly_is_refused_there():
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X", "Y"]))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("T02", "field 0 1 1", 4.0)
    assert table.events[2:] == [Struck, Refused]
    table.puts("T02", "field 1 0 0", 4.0)
    assert table.played[-1].x == 1


def test_a_tile_that_lies_elsewhere_after_something_else_has_come_goes_back():
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X", "Y"]))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("T03", "field 2 0 0")
    table.puts("T02", "field -1 0 0", 6.0)
    assert table.events[-1] is Unexplained
    table.puts("T02", "field 1 0 0", 4.0)
    assert [(move.do, move.subject) for move in table.played if move.subject] == [
        ("start", "T01"),
        ("place", "T02"),
        ("place", "T03"),
    ]


def test_a_counter_moved_to_an_older_tile_at_once_is_told_which_tile_it_may_stand_on():
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}]}, deck(["Z+", "A", "X", "Y"]))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0")
    table.puts("F11", "on T02 2")
    table.puts("F11", "on T01 1", 4.0)
    refused = table.match.record.lines[-1]
    assert isinstance(refused.entry.event, Refused)
    assert [(one.rule, one.cards) for one in refused.objections] == [("tile", ("T02",))]


def explored(seats: int = 2) -> RealTable:
    """F11 stands on T02, and Ana has laid T04: four tiles of grassland."""
    table = RealTable(CARCASSONNE.open_match({"seat": [{"name": name} for name in NAMES[:seats]]}, deck(["Y"] * 8)))
    for card, zone in (("T01", "field 0 0 0"), ("T02", "field 1 0 0"), ("F11", "on T02 1"), ("T03", "field 2 0 0")):
        table.puts(card, zone)
    if seats > 2:
        table.puts("T08", "field 0 1 0")
    table.puts("T04", "field 3 0 0")
    return table


@pytest.mark.parametrize("looks", range(9))
def test_a_follower_lifted_before_the_next_tile_counts_before_it_however_quick_people_are(looks: int):
    """What was seen to leave before the next thing came belongs to the seat that was on turn then."""
    table = explored()
    table.puts("F11", None, looks / LOOKS_A_SECOND)
    table.puts("T05", "field 4 0 0", 4.0)
    assert [(move.do, move.by) for move in table.played[-2:]] == [("score", 1), ("place", 2)]
    assert table.match.standing.points == (4, 0)
    assert set(table.events) == {Played}


def test_a_lift_that_is_certain_only_after_the_next_tile_is_written_before_it():
    """An arm lay over the place; the eye tells when it was first seen empty. What was refused because of it counts."""
    table = explored(3)
    left_s = table.looks / LOOKS_A_SECOND + 0.1
    table.puts("T05", "field 4 0 0", 2.0)
    table.puts("F21", "on T05 1", 2.0)
    assert [one.rule for one in table.match.record.lines[-1].objections] == ["taken"]
    del table.lying["F11"]
    table.is_seen(4.0, left_s={"F11": left_s})
    counts = [(move.do, move.by) for move in table.played[-3:]]
    assert (counts, table.match.standing.points) == ([("score", 1), ("place", 2), ("deploy", 2)], (5, 0, 0))
    assert table.match.latest().alert == Alert.NONE


def test_a_lift_that_was_none_of_its_seats_is_refused_and_told_whose_turn_it_is():
    table = explored()
    table.puts("T05", "field 4 0 0", 1.0)
    table.puts("F11", None, 4.0)
    refused = table.match.record.lines[-1]
    assert isinstance(refused.entry.event, Refused)
    assert [one.rule for one in refused.objections] == ["turn"]


def test_a_lift_before_the_tile_counts_once_the_tile_lies():
    """What is told once, and then nobody has to put the follower back and lift it again."""
    table = explored()
    table.puts("T05", "field 4 0 0")
    table.puts("KEND", "commands", 3.0)
    table.puts("KEND", None)
    table.puts("F11", None, 4.0)
    refused = table.match.record.lines[-1]
    assert isinstance(refused.entry.event, Refused)
    assert [one.rule for one in refused.objections] == ["order"]
    table.puts("T06", "field 5 0 0", 2.0)
    assert [(move.do, move.by) for move in table.played[-2:]] == [("place", 1), ("score", 1)]
    assert (table.match.standing.points, table.match.latest().alert) == ((6, 0), Alert.NONE)


def test_the_first_tile_waits_until_the_others_are_removed():
    """ "Remove 1 tile at random … at the beginning of the game": what lies there counts as soon as that is done."""
    game = CARCASSONNE.open_match({"seat": [{"name": "Ana"}, {"name": "Ben"}], "equal_turns": True}, deck(["X"] * 4))
    table = RealTable(game)
    table.puts("T01", "field 0 0 0")
    table.puts("T02", "field 1 0 0", 4.0)
    refused = table.match.record.lines[-1]
    assert [one.rule for one in refused.objections] == ["remove"]
    table.puts("T03", "aside", 2.0)
    assert [(move.do, move.by) for move in table.played] == [("start", 0), ("remove", 0), ("place", 1)]
