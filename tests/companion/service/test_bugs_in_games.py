"""A bug in somebody's game costs its own match: one sentence with game, function, file and line, and everything else
goes on. One bug is planted in each function."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from html import unescape
from typing import Any

import pytest
from support import real_desk
from support.door import come_in
from support.processor_queue import ProcessorQueue
from support.real_desk import HOST, RealDesk, code_of
from support.waiting import wait

from companion.app import live_table
from companion.app.live_table import LiveTable
from companion.errors import GameFault
from companion.games import guard, registry
from companion.games.guard import guarded
from companion.history.record import replay
from companion.public.service import Done, Role, Unavailable, User
from companion.public.table import Seat
from companion.public.text import game_fault_text
from companion.public.updates import Alert, Signal
from companion.service.runner import MatchRunner
from companion.simulation.script import ScriptedPicture
from companion.storage.record_file import stored_entries
from web.app import close, create_app
from web.pages.game_pages import guarded_pages

ANA = User(Role.SEAT, Seat(1))


@dataclass
class Bug:
    """A function of the game that raises as soon as ``there`` is set."""

    part: str
    function: str
    raises: Callable[[], BaseException] = lambda: KeyError("1-8 is hidden")
    there: bool = False

    @property
    def name(self) -> str:
        return f"{self.part}.{self.function}"

    def planted(self, opened: registry.OpenedMatch) -> registry.OpenedMatch:
        part = getattr(opened.game, self.part)
        sound = getattr(part, self.function)

        def buggy(*arguments: Any) -> Any:
            if self.there:
                raise self.raises()
            return sound(*arguments)

        game = replace(opened.game, **{self.part: replace(part, **{self.function: buggy})})
        return replace(opened, game=guarded(game))


@pytest.fixture
def desk_with(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Bug], RealDesk]]:
    """A desk in the middle of a match whose game has a bug; the next matches have none."""
    desks: list[RealDesk] = []

    def make(bug: Bug) -> RealDesk:
        monkeypatch.setattr(real_desk, "open_match", lambda *words: bug.planted(registry.open_match(*words)))
        desk = RealDesk()
        desk.lay(2)
        desks.append(desk)
        return desk

    yield make
    for desk in desks:
        desk.close()


def lay_unlawful(desk: RealDesk) -> None:
    desk.put("1-8", "tree", 2.0)


def lay_next(desk: RealDesk) -> None:
    desk.put(desk.cards[2], "tree", 2.0)


def ask_offers(desk: RealDesk) -> None:
    assert desk.spoken.available_moves(HOST) == ()


def ask_view(desk: RealDesk) -> None:
    desk.spoken.view(ANA)


def shove(desk: RealDesk) -> None:
    desk.put("1-2", "discard-2", 12.0)


WAYS: dict[str, Callable[[RealDesk], None]] = {
    "rules.judge": lay_next,
    "rules.apply": lay_next,
    "table.lying": lay_next,
    "table.expected": lay_next,
    "table.interpretations": lay_next,
    "words.caption": lay_next,
    "words.reason": lay_unlawful,
    "words.place_name": shove,
    "board.standing": lay_next,
    "board.view": lay_next,
    "board.offers": ask_offers,
    "hidden.public": lay_next,
    "rules.timer": lay_next,
}


@pytest.mark.parametrize("name", WAYS)
def test_a_bug_stops_its_match_with_one_sentence_and_nothing_else(
    name: str, desk_with: Callable[[Bug], RealDesk], caplog: pytest.LogCaptureFixture
) -> None:
    bug = Bug(*name.split("."))
    desk = desk_with(bug)
    match, entries = desk.id, len(desk.game_match.record.lines)
    bug.there = True
    with caplog.at_level(logging.ERROR):
        WAYS[name](desk)
        if desk.game_match.fault is None and name == "words.place_name":
            desk.correct("log-is-right")
        wait(lambda: desk.game_match.fault is not None)
        desk.look(3.0)
        desk.look(3.0, hand=True)
    fault = desk.game_match.fault
    assert fault is not None
    place = "test_bugs_in_games.py, line"
    assert (fault.game, fault.function, place in fault.place) == ("discovery", name, True)
    # On pages: one sentence, which tells nothing that was raised; the lamp says that something is wrong.
    told = desk.runner.newest()
    assert told is not None
    assert (told.signal, told.alert, told.texts) == (Signal.TROUBLE, Alert.TROUBLE, (game_fault_text(fault),))
    assert "1-8" not in str(game_fault_text(fault))
    # In the log: once, with what was raised.
    said = [one.getMessage() for one in caplog.records if "stands still" in one.getMessage()]
    assert said == [f"{match} stands still: {fault}"]
    assert "1-8 is hidden" in said[0]
    assert desk.setup.health()["bug"] == {"game": "discovery", "function": name, "place": fault.place}
    # The faulty entry is wholly written or not at all.
    bug.there = False
    written = stored_entries(desk.runner.log, match, desk.game_match.game)
    assert [line.entry for line in desk.game_match.record.lines] == written
    assert len(written) in (entries, entries + 1)
    assert replay(desk.game_match.game, written).state == desk.game_match.record.state
    # Nobody plays on, in words, until the host has undone something.
    refused = desk.spoken.move(ANA, {"do": "end_turn", "by": 1}, None)
    assert refused == Unavailable(game_fault_text(fault))
    assert desk.spoken.user(code_of(1)) == ANA
    last = next(one for one in desk.spoken.corrections(HOST) if one.do == "undo")
    assert isinstance(desk.spoken.correct(HOST, {"do": "undo", "number": last.number}), Done)
    assert desk.game_match.fault is None
    desk.look(1.0)
    assert isinstance(desk.spoken.move(HOST, {"do": "end_turn", "by": desk.standing.turn}, None), Done)


def test_a_bug_in_what_begins_leaves_the_match_at_the_table_alone(desk_with: Callable[[Bug], RealDesk]) -> None:
    """Another edition of the same game cannot be opened: its host hears why, and play goes on."""
    desk = desk_with(Bug("rules", "judge"))
    fault = GameFault("discovery", "open_match", "game.py, line 3", "KeyError: 'era'")

    def broken(_header: Any) -> Any:
        raise fault

    desk.runner.open_game = broken
    begun = desk.spoken.start(HOST, {"game": "discovery", "profile": "fr-explore", "seat": [{"name": "Ana"}]})
    assert begun == Unavailable(game_fault_text(fault, at_table=False)), (
        "that match never began: it does not stand still"
    )
    assert desk.game_match.fault is None
    assert desk.runner.fault_noted() is None
    desk.lay(1)


def test_while_the_bug_is_there_another_match_begins(desk_with: Callable[[Bug], RealDesk]) -> None:
    bug = Bug("board", "view")
    desk = desk_with(bug)
    bug.there = True
    lay_next(desk)
    wait(lambda: desk.game_match.fault is not None)
    first = desk.id
    undo = next(one for one in desk.spoken.corrections(HOST) if one.do == "undo")
    desk.spoken.correct(HOST, {"do": "undo", "number": undo.number})  # the bug shows again, and nothing more
    assert desk.game_match.fault is not None
    bug.planted = lambda opened: opened  # type: ignore[method-assign]
    desk.begin()
    assert desk.game_match.fault is None
    assert desk.id != first
    stored = desk.runner.log.match(first)
    assert stored is not None
    assert stored.over


def test_the_host_closes_a_match_that_stands_still(desk_with: Callable[[Bug], RealDesk]) -> None:
    bug = Bug("rules", "judge")
    desk = desk_with(bug)
    match = desk.id
    assert not isinstance(desk.archive.close(HOST, match), Done)
    bug.there = True
    lay_next(desk)
    wait(lambda: desk.game_match.fault is not None)
    assert isinstance(desk.archive.close(HOST, match), Done)
    assert desk.runner.match is None


@pytest.mark.parametrize("raises", [SystemExit, RecursionError, ZeroDivisionError])
def test_whatever_is_raised(raises: type[BaseException], desk_with: Callable[[Bug], RealDesk]) -> None:
    bug = Bug("rules", "judge", raises)
    desk = desk_with(bug)
    bug.there = True
    lay_next(desk)
    wait(lambda: desk.game_match.fault is not None)


def test_the_user_s_own_ctrl_c_is_not_taken_for_a_bug() -> None:
    def judge() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        guard.guarded_function("rings", "rules.judge", judge)()


def test_a_function_that_never_returns_is_interrupted_and_named(
    desk_with: Callable[[Bug], RealDesk], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    released = threading.Event()

    def hang() -> BaseException:
        end_s = time.monotonic() + 60
        while time.monotonic() < end_s and not released.is_set():
            try:
                sum(range(1000))
            except Exception:  # noqa: BLE001  # a game that swallows whatever it can
                continue
        return KeyError("it was not interrupted")

    desk = desk_with(bug := Bug("rules", "judge", hang))
    bug.there = True
    threading.Thread(target=lambda: lay_next(desk), daemon=True).start()
    wait(lambda: bool(guard.interrupt_overdue(0.3)))
    wait(lambda: desk.game_match.fault is not None)
    released.set()
    fault = desk.game_match.fault
    assert fault is not None
    assert fault.function == "rules.judge"
    assert "did not return" in str(fault)


def test_a_start_does_not_go_on_into_the_same_bug_for_ever(
    desk_with: Callable[[Bug], RealDesk], caplog: pytest.LogCaptureFixture
) -> None:
    """Twice more it may be chance; then people decide. By hand it is gone on with, and counted anew."""
    desk = desk_with(bug := Bug("board", "view"))
    match = desk.id
    bug.there = True
    lay_next(desk)
    wait(lambda: desk.game_match.fault is not None)

    def start() -> MatchRunner:
        log, open_game = desk.runner.log, desk.runner.open_game
        return MatchRunner(log, open_game, wall_clock=lambda: real_desk.BEGAN)

    assert [(starts := start()).resume() and starts.match is not None for _ in range(3)] == [True, True, False]
    assert f"{match} is not gone on with: it stood still 3 times at a bug" in caplog.text
    last = start()
    assert last.go_on_with(match)
    noted = last.fault_noted()
    assert noted is not None
    assert noted["times"] == 1


@pytest.mark.parametrize("wrong", [KeyError("again"), SystemExit(3)])
def test_people_that_stumble_are_told_of_once_and_wait_longer_each_time(
    wrong: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    now_s, told, tries = [0.0], [], [0]

    class Film:
        def pictures(self, _rate_hz: float) -> Iterator[ScriptedPicture]:
            yield picture
            while True:
                tries[0] += 1
                raise wrong

    picture = ScriptedPicture(0.0, (), ())
    table = LiveTable(Film, 10.0, None, told.append, clock=lambda: now_s[0])  # type: ignore[arg-type]
    try:
        for _ in range(3000):
            table.next()
            now_s[0] += 0.1
    finally:
        table.close()
    assert caplog.text.count("the simulated people stumbled") == 1
    assert len(told) == tries[0]
    assert tries[0] < 12, "one in a minute in the end, not ten in a second"


@pytest.mark.parametrize("in_python", [True, False])
def test_people_that_never_return_cost_only_themselves(
    in_python: bool, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table is drawn on, the bug is named once with its line, and they are asked again if they could be stopped."""
    monkeypatch.setattr(live_table, "ANSWERS_S", 0.1)
    told: list[BaseException] = []
    released, tries = threading.Event(), [0]

    class Film:
        def pictures(self, _rate_hz: float) -> Iterator[ScriptedPicture]:
            yield ScriptedPicture(7.0, (), ())
            tries[0] += 1
            while not released.is_set():
                if not in_python:
                    released.wait()  # in C, where nothing can be raised
            raise EOFError

    now_s = [0.0]
    guards = partial(guard.guarded_function, "rings", guard.PEOPLE)
    table = LiveTable(Film, 20.0, None, told.append, clock=lambda: now_s[0], guard=guards)  # type: ignore[arg-type]
    found: list[GameFault] = []

    def answered() -> bool:
        found.extend(guard.interrupt_overdue(0.2))
        return table.next() is not None

    try:
        assert table.next().time_s == 7.0
        queue, before_s = ProcessorQueue(os.getpid()), time.monotonic()
        drawn = [table.next().time_s for _ in range(6)]
        assert drawn == sorted(set(drawn)), "time goes on, or the eye would take it for a camera that hangs"
        assert time.monotonic() - before_s - queue.look() < 5, "it does not wait for them"
        for _ in range(3):
            wait(lambda: answered() and bool(told if in_python else found))
            now_s[0] += 100
            told.clear()
    finally:
        released.set()
        table.close()
    assert {(one.game, one.function) for one in found} == {("rings", "people")}
    assert "test_bugs_in_games.py, line " in found[0].place
    assert "it did not return within" in found[0].why
    assert tries[0] == (3 if in_python else 1)
    assert caplog.text.count("the simulated people stumbled") == (1 if in_python else 0)


def test_a_function_that_the_people_call_is_named_itself_and_their_endless_loop_is_theirs() -> None:
    def judge(wrong: bool) -> None:
        if wrong:
            raise KeyError("1-8")

    judged = guard.guarded_function("rings", "rules.judge", judge)

    def swallow(wrong: bool) -> None:
        while True:
            try:
                judged(wrong)
            except Exception:  # noqa: BLE001  # people that swallow whatever they can
                continue

    with pytest.raises(GameFault) as told:
        guard.guarded_function("rings", guard.PEOPLE, judged)(True)
    assert told.value.function == "rules.judge"
    for wrong in (True, False):
        ended = threading.Event()
        faults: list[GameFault] = []

        def play(wrong: bool = wrong, ended: threading.Event = ended, faults: list[GameFault] = faults) -> None:
            with pytest.raises(GameFault) as told:
                guard.guarded_function("rings", guard.PEOPLE, swallow)(wrong)
            faults.append(told.value)
            ended.set()

        threading.Thread(target=play, daemon=True).start()
        wait(lambda: bool(guard.interrupt_overdue(0.2)))
        assert ended.wait(20)
        assert [fault.function for fault in faults] == ["people"]


ABOUT = (
    *("/matches/{id}", "/matches/{id}/moves.csv", "/api/v1/matches/{id}/record", "/api/v1/matches/{id}/figures"),
    *("/matches", "/api/v1/matches"),
)
"""What tells of a finished match."""


def asked(desk: RealDesk, match: str, **pages: Any) -> dict[str, Any]:
    """What the host is answered; ``pages``: functions of the game's pages."""
    app = create_app(desk, real_desk.WORDS)
    games = app.extensions["games"]
    games["discovery"] = guarded_pages(replace(games["discovery"], **pages))
    try:
        host = {"Authorization": f"Bearer {real_desk.HOST_CODE}"}
        return {path: app.test_client().get(path.format(id=match), headers=host) for path in ABOUT}
    finally:
        close(app)


def refused(answers: dict[str, Any], function: str) -> set[str]:
    """Those that were refused: each names the bug, and none is a bare 500."""
    found = {path for path, answer in answers.items() if answer.status_code != 200}
    for path in found:
        answer = answers[path]
        assert answer.status_code == 503, (path, answer.status_code)
        said = answer.json["detail"] if answer.is_json else unescape(answer.text)
        assert f"its function {function} failed (test_bugs_in_games.py, line " in said.replace("\u00ad", ""), path
    return found


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("rules.apply", set(ABOUT[:4])),
        ("board.standing", set(ABOUT[:4])),
        ("hidden.public", set(ABOUT[:4])),
        ("words.caption", {"/matches/{id}"}),
        ("table.lying", set()),
    ],
)
def test_a_finished_match_of_a_game_with_a_bug_is_refused_by_name_and_not_called_damaged(
    name: str, paths: set[str], desk_with: Callable[[Bug], RealDesk]
) -> None:
    desk = desk_with(bug := Bug(*name.split(".")))
    finished = desk.id
    desk.begin()
    bug.there = True
    answers = asked(desk, finished)
    assert refused(answers, name) == paths
    (line,) = [one for one in answers["/api/v1/matches"].json["matches"] if one["id"] == finished]
    assert "damage" not in line
    assert ("bug" in line) == (len(paths) > 1)
    assert ("has a bug: its function" in unescape(answers["/matches"].text)) == (len(paths) > 1)
    bug.there = False
    desk.archive.delete(HOST, finished)  # of a running table the list is not worked out anew
    desk.archive.undelete(HOST, finished)
    assert refused(asked(desk, finished), name) == set()


@pytest.mark.parametrize(
    ("name", "paths"),
    [
        ("open_match", set(ABOUT[:4])),
        ("decks.drawn", {"/matches/{id}"}),
        ("pages.read_report", set(ABOUT[:2])),
        ("pages.face_of", set()),  # a drawing that is left out
    ],
)
def test_a_bug_beside_the_rules_is_named_as_well(
    name: str, paths: set[str], desk_with: Callable[[Bug], RealDesk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_with(Bug("rules", "judge"))
    finished = desk.id
    desk.begin()

    def wrong(*_: Any) -> Any:
        raise KeyError("planted")

    module, (part, _, function) = registry.GAMES["discovery"], name.partition(".")
    if name == "open_match":
        come_in(monkeypatch, replace(module, open=wrong))
    elif part == "decks":
        come_in(monkeypatch, replace(module, decks=replace(module.decks, **{function: wrong})))
    assert refused(asked(desk, finished, **({function: wrong} if part == "pages" else {})), name) == paths
