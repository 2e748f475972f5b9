"""The host: one thread that decides, writes and tells; whoever listens hears it in order, or is left out."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.toy_game import EndTurn, stairs
from support.unanswered import MATCH, POOL, TREE

from companion.errors import InputError, LogError
from companion.games.registry import demo_deck, open_match
from companion.history.events import Entry, Origin
from companion.public.service import RequestKey
from companion.public.table import Observation, Placement, Seat, TableState, Token, ViewLost, Zone
from companion.public.text import Text
from companion.public.updates import Alert, Signal, Update
from companion.referee.commands import MakeMove
from companion.service.runner import MatchRunner
from companion.storage.event_log import LOG_FILE, EventLog

HEADER = {"match": {"seat": []}, "deck": {}}


class BrittleLog(EventLog):
    """A log whose disk fills up, and is emptied again."""

    full = False

    def append(self, match: str, entries: Sequence[Entry], request: RequestKey | None = None) -> None:
        if self.full:
            raise LogError("the disk is full")
        super().append(match, entries, request)


@pytest.fixture
def paper(tmp_path: Path) -> Iterator[BrittleLog]:
    log = BrittleLog(tmp_path / LOG_FILE)
    yield log
    log.close()


class Evening:
    """A host whose thread is this one: `settle` works off what lies in its queue."""

    def __init__(self, paper: EventLog) -> None:
        self.now_s = 100.0
        self.seated: list[str] = []
        self.heard: list[Update] = []
        self.host = MatchRunner(
            paper,
            self.opened,
            wall_clock=lambda: "2026-01-02T20:00:00",
            clock=lambda: self.now_s,
        )
        self.host.on_match_started = lambda stored, game: self.seated.append(stored.id)
        self.host.subscribe(self.heard.append)

    def opened(self, header: Any) -> Any:
        if "unplayable" in header:
            raise InputError("nobody can play this")
        return stairs()

    def settle(self) -> None:
        self.host.stop()
        self.host.run()

    def look(self, **lying: str) -> None:
        """Some seconds of looking at these cards."""
        placements = frozenset(Placement(Token(token), Zone(zone)) for token, zone in lying.items())
        for _ in range(8):
            self.now_s += 0.25
            self.host.post(Observation(1, self.now_s, TableState(placements)))
        self.settle()

    def end_turn(self, seat: int = 1) -> None:
        self.host.post(MakeMove(EndTurn(Seat(seat)), Origin.PHONE))
        self.settle()

    @property
    def numbers(self) -> list[int]:
        return [news.number for news in self.heard if news.entry is not None]


@pytest.fixture
def evening(paper: BrittleLog) -> Evening:
    return Evening(paper)


def test_a_match_that_begins_closes_the_one_before(evening: Evening, paper: BrittleLog) -> None:
    first = evening.host.begin(HEADER)
    evening.look(C15="pool")
    second = evening.host.begin(HEADER)
    assert [(stored.id, stored.over) for stored in paper.matches()] == [(second, False), (first, True)]
    assert [entry["event"] for entry in paper.entries(first)] == ["dealt", "ended"]
    assert evening.seated == [first, second]
    assert evening.host.since(0) == (), "nobody is told the old match's entries as if they were the new one's"


def test_a_question_that_nobody_answered_is_closed_before_the_next_match_and_the_result_is_told_as_final(
    paper: BrittleLog,
) -> None:
    """It was dark before Ana's last card, and nobody said whose it was; somebody begins the next match."""
    evening = Evening(paper)
    evening.opened = lambda _header: open_match(MATCH, demo_deck()).game  # type: ignore[method-assign]
    evening.host.open_game = evening.opened
    first = evening.host.begin(HEADER)
    evening.look(**TREE, **POOL)
    evening.look(**TREE, **POOL, C53="tree")
    for _ in range(32):
        evening.now_s += 0.25
        evening.host.post(Observation(1, evening.now_s, TableState(frozenset()), lost=ViewLost.DARK))
    for _ in range(2):
        evening.look(**TREE, **POOL, C53="tree", C55="tree")
    standing = evening.heard[-1].standing
    assert standing is not None
    assert (standing.over, standing.final) == (True, False)
    evening.host.begin(HEADER)
    of_first = [update for update in evening.heard if update.match == first]
    assert [update.standing.final for update in of_first[-2:] if update.standing] == [False, True]
    assert of_first[-1].texts[0].key == "referee.unanswered.stays"
    assert [entry["event"] for entry in paper.entries(first)] == ["played", "played"]


def test_one_match_follows_another_without_a_gap(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that was told no match sent its move without one: it was made in the match that began then."""
    evening.host.begin(HEADER)
    at_table: list[object] = []
    monkeypatch.setattr(evening.host.codes, "forget", lambda: at_table.append(evening.host.at_table()))
    evening.host.begin(HEADER)
    assert at_table
    assert None not in at_table


def test_a_header_that_holds_no_match_leaves_the_running_one_alone(evening: Evening) -> None:
    match = evening.host.begin(HEADER)
    with pytest.raises(InputError, match="nobody can play this"):
        evening.host.begin({"unplayable": True})
    assert evening.host.stored is not None
    assert evening.host.stored.id == match


def test_the_unfinished_match_goes_on_and_a_finished_one_does_not(evening: Evening, paper: BrittleLog) -> None:
    match = evening.host.begin(HEADER)
    evening.look(C15="pool")
    evening.end_turn()
    again = Evening(paper)
    assert again.host.resume()
    assert again.seated == [match]
    again.end_turn(2)
    assert again.numbers == [2, 3], "where it stands, for those who just came; then what comes"
    times = [entry["time_s"] for entry in paper.entries(match)]
    assert times == sorted(times)
    again.host.close()
    assert not Evening(paper).host.resume()


def test_a_dead_outlet_is_logged_and_the_others_hear(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    def dead(news: Update) -> None:
        raise RuntimeError("no lamp")

    heard: list[Update] = []
    evening.host.subscribe(dead)
    evening.host.subscribe(heard.append)
    evening.host.begin(HEADER)
    evening.look(C15="pool")
    assert [news.number for news in heard if news.number] == [1]
    assert "a subscriber failed on recognised" in caplog.text
    assert "no lamp" in caplog.text


def test_who_leaves_hears_no_more_and_may_leave_twice(evening: Evening) -> None:
    heard: list[Update] = []
    leave = evening.host.subscribe(heard.append)
    evening.host.begin(HEADER)
    leave()
    leave()
    evening.look(C15="pool")
    assert [news.signal for news in heard] == [Signal.STARTED]


def test_a_phone_that_slept_is_told_what_it_missed(evening: Evening) -> None:
    evening.host.begin(HEADER)
    evening.look(C15="pool")
    evening.end_turn(1)
    evening.end_turn(2)
    assert [news.number for news in evening.host.since(0)] == [1, 2, 3]
    assert [news.number for news in evening.host.since(2)] == [3]
    newest = evening.host.newest()
    assert newest is not None
    assert newest.number == 3


def test_when_a_commit_fails_nobody_is_told_anything_but_that(evening: Evening, paper: BrittleLog) -> None:
    """ "when a commit is made to fail nobody is told anything (traces of SSE, lamp and log are empty) and the referee
    says so and tries again"."""
    match = evening.host.begin(HEADER)
    evening.look(C15="pool")
    evening.heard.clear()
    paper.full = True
    evening.end_turn()
    evening.look(C15="pool", C11="tree")
    assert [news.signal for news in evening.heard] == [Signal.TROUBLE], "said once"
    assert evening.heard[0].alert is Alert.TROUBLE, "and it stays on the lamp"
    assert evening.numbers == []
    assert evening.heard[0].texts == (Text("referee.log_trouble"),)
    assert len(paper.entries(match)) == 1
    assert evening.host.since(1) == ()
    assert evening.host.match is not None
    assert evening.host.match.standing.turn == 1, "the scoreboard has not moved"

    paper.full = False
    worker = threading.Thread(target=evening.host.run)
    worker.start()  # nobody says anything: it tries again by itself
    worker.join(0.1)
    for _ in range(50):
        if evening.numbers:
            break
        worker.join(0.1)
    evening.host.stop()
    worker.join(5)
    assert evening.numbers == [2]
    assert evening.heard[-1].alert is Alert.NONE
    assert len(paper.entries(match)) == 2


def test_what_goes_wrong_with_one_message_ends_nothing(evening: Evening, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise InputError("this match file is empty")

    evening.host.begin(HEADER)
    evening.host.submit(broken)
    evening.look(C15="pool")
    assert evening.numbers == [1]
    assert "this match file is empty" in caplog.text


def test_a_question_is_answered_by_the_referee_s_thread(evening: Evening) -> None:
    worker = threading.Thread(target=evening.host.run, name="referee")
    worker.start()
    try:
        assert evening.host.ask(lambda: threading.current_thread().name) == "referee"
        with pytest.raises(InputError, match="nobody can play this"):
            evening.host.ask(lambda: evening.host.begin({"unplayable": True}))
    finally:
        evening.host.stop()
        worker.join(5)


def test_looks_without_a_match_are_signs_of_life_only(evening: Evening) -> None:
    evening.host.post(Observation(1, 5.0, TableState(), lost=ViewLost.CAMERA))
    evening.settle()
    assert (evening.host.last_look_s, evening.host.lost) == (5.0, ViewLost.CAMERA)
    assert evening.heard == []
    assert evening.host.played_s() == 0
