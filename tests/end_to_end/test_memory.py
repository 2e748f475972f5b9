"""Memory: what was left is given back, and neither matches nor stored ones take more with the years."""

from __future__ import annotations

import gc
import itertools
import threading
import tracemalloc
import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

import pytest
from support.live_house import LiveHouse, live_house
from support.pin_traces import eventually
from support.ports import free_port

import vision.process.supervisor
from companion.app.frames import live_pictures
from companion.app.table import RunningTable, TableOptions
from companion.games import registry
from companion.public.service import Role, User
from companion.service.archive import Archive
from companion.service.runner import MatchRunner
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.kept_answers import ANSWERS_FOLDER, KeptAnswers
from companion.storage.snapshots import Snapshots

HEADER = {"match": registry.demo_match(), "deck": registry.demo_deck()}


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[RunningTable]:
    """The simulated table as it runs, its people with it; nobody looks at its pictures."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setattr(vision.process.supervisor.VisionProcess, "start", lambda _: None)
        table = RunningTable(TableOptions(tmp_path, "simulated", port=free_port()), stack)
        stack.callback(threading.Thread.join, (referee := threading.Thread(target=table.runner.run)), 10)
        stack.callback(table.runner.stop)
        table.open()
        referee.start()
        yield table


def test_a_match_that_was_left_is_given_back_when_the_next_one_begins(simulated: RunningTable) -> None:
    """The people of a simulated table hold their match in circles, and Python looks for circles some matches later."""
    host = simulated.runner
    header = host.stored.header if host.stored is not None else {}
    gc.disable()
    try:
        for _ in range(3):
            live = simulated._source.match_over.__self__._live  # type: ignore[attr-defined]  # noqa: SLF001  # as its eye would
            with closing(live_pictures(live.address, paced=True)) as pictures:
                assert len(list(itertools.islice(pictures, 40))) == 40
            left = weakref.ref(live)  # it has the whole record
            del live
            host.ask(lambda: host.begin(header))
            assert eventually(partial(lambda live: live() is None, left))
    finally:
        gc.enable()


def play(house: LiveHouse, seed: int) -> None:
    """The beginning of a match, with a phone that asks for what phones ask for."""
    house.begin(HEADER["match"], HEADER["deck"], seed)
    for look in range(240):
        house.tick()
        if look % 20 == 0:
            house.offers(1)
            house.client.get("/api/v1/matches")


def kept() -> Counter[str]:
    """How many objects there are of each type."""
    gc.collect()
    return Counter(f"{type(one).__module__}.{type(one).__qualname__}" for one in gc.get_objects())


@pytest.mark.long
def test_after_twelve_matches_there_is_as_much_as_after_four(tmp_path: Path) -> None:
    with live_house(tmp_path) as house:
        for seed in range(4):
            play(house, seed)
        before = kept()
        entries = len(house.match.record.lines)
        for seed in range(4, 12):
            play(house, seed)
        assert len(house.match.record.lines) > 5, "something is played"
        after = kept()
    lists_of_matches = 8 * 6  # the summary of each match, of a few small values
    more = {name: after[name] - before[name] for name in after if after[name] - before[name] > lists_of_matches}
    assert {name for name in more if name.startswith(("companion.", "web."))} == set(), (entries, more)
    assert sum(more.values()) < 3000, more


def most_bytes(matches: int, folder: Path) -> int:
    """The most memory that Python takes while a match is begun and the stored ones are listed."""
    with closing(EventLog(folder / LOG_FILE)) as log:
        for number in range(matches):
            log.begin(f"old-{number}", "2026-01-01", HEADER, over=True)
        host = MatchRunner(log, lambda header: registry.open_match(**header).game, wall_clock=lambda: "2026-02-01")
        archive = Archive(host, Snapshots(folder / "pictures"), KeptAnswers(folder / ANSWERS_FOLDER))
        host.begin(HEADER)
        archive.matches(User(Role.HOST))
        gc.collect()
        tracemalloc.start()
        try:
            host.resume(lambda _: False)
            host.begin(HEADER)
            archive.matches(User(Role.HOST))
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()


def test_a_thousand_stored_matches_take_no_memory_of_the_one_at_the_table(tmp_path: Path) -> None:
    few, many = (most_bytes(matches, tmp_path / str(matches)) for matches in (5, 60))
    assert many - few < 55 * 8_000, "a deck alone takes six times as much"
