"""Who may look at kept pictures and figures, and who may say that the camera was wrong."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from companion.games.registry import demo_deck
from companion.public.service import SPECTATOR, Denied, Done, Invalid, Role, Stale, Unavailable, User
from companion.public.table import Observation, Placement, Seat, TableState, Token, Zone
from companion.public.text import Text
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.snapshots import SNAPSHOT_FOLDER, Snapshots

HOST, OUTSIDE = User(Role.HOST), User(Role.HOST, None, outside=True)
ANA = User(Role.SEAT, Seat(1))
JPEG = b"\xff\xd8 kept"


class House:
    """A host at work, its desk, and looks told by hand."""

    def __init__(self, host: MatchRunner, desk: TableService, folder: Path, profile: str) -> None:
        self.host, self.desk = host, desk
        match = {"profile": profile, "seat": [{"name": "Ana"}, {"name": "Ben"}]}
        self.match = host.ask(lambda: host.begin({"match": match, "deck": demo_deck()}))
        self.album = Snapshots(folder / SNAPSHOT_FOLDER)
        self.lying: dict[str, str] = {}
        self.looks = 0
        self.now_s = host.clock() - 3600

    def look(self, seconds: float = 2.0, **moved: str) -> None:
        self.lying |= moved
        for _ in range(int(seconds * 4)):
            self.looks += 1
            self.now_s += 0.25
            there = frozenset(Placement(Token(token), Zone(zone)) for token, zone in self.lying.items())
            self.host.post(Observation(self.looks, self.now_s, TableState(there)))
        self.host.ask(lambda: None)

    def written(self) -> list[Any]:
        return self.host.log.entries(self.match)


@pytest.fixture
def house(host: MatchRunner, services: TableService, tmp_path: Path) -> House:
    """Five cards were dealt, and a card was laid whose prerequisites are missing."""
    house = House(host, services, tmp_path, "fr-explore")
    house.look(3, C21="pool", C22="pool", C23="pool", C24="pool", C25="pool")
    house.look(3, C69="tree")
    assert [entry["event"] for entry in house.written()] == ["dealt", "refused"]
    house.album.put(house.match, 2, JPEG)
    return house


@pytest.fixture
def silent(host: MatchRunner, services: TableService, tmp_path: Path) -> House:
    house = House(host, services, tmp_path, "en-memory")
    house.album.put(house.match, 1, JPEG)
    return house


def may_see(house: House, visitor: User) -> set[str]:
    """What of a match this visitor is shown."""
    seen = set()
    for name, ask in (
        ("record", lambda: house.desk.archive.record(visitor, house.match)),
        ("pictures", lambda: house.desk.archive.pictures(visitor, house.match, 1)),
        ("figures", lambda: house.desk.archive.statistics(visitor, house.match)),
    ):
        try:
            assert ask() is not None
            seen.add(name)
        except PermissionError:
            pass
    return seen


ALL = {"record", "pictures", "figures"}


def test_in_play_an_open_match_is_the_host_s(house: House):
    assert [may_see(house, visitor) for visitor in (SPECTATOR, ANA, HOST, OUTSIDE)] == [set(), set(), ALL, ALL]


def test_in_play_a_silent_match_is_for_a_host_who_does_not_play_and_afterwards_for_everybody(silent: House):
    visitors = (SPECTATOR, ANA, HOST, OUTSIDE)
    assert [may_see(silent, visitor) for visitor in visitors] == [set(), set(), set(), ALL]
    silent.host.ask(silent.host.close)
    assert [may_see(silent, visitor) for visitor in visitors] == [ALL] * 4


def test_of_a_match_that_is_not_there_there_is_nothing(house: House):
    assert house.desk.archive.pictures(HOST, "nothing", 1) is None
    assert house.desk.archive.statistics(HOST, "nothing") is None


def test_figures_name_the_entries_that_have_pictures(house: House):
    assert house.desk.archive.pictures(HOST, house.match, 2) == (JPEG,)
    told = house.desk.archive.statistics(HOST, house.match)
    assert (told["refusals"], told["false_alarms"], told["pictures"]) == (1, 0, {"2": 1})


def test_only_the_host_overrules_the_camera_and_it_counts_as_a_false_alarm(house: House):
    wrong = {"do": "camera-was-wrong", "number": 2, "after": 2}
    assert isinstance(house.desk.match.correct(ANA, wrong), Denied)
    told = house.desk.match.correct(HOST, wrong)
    assert isinstance(told, Done)
    assert {key: told.value[key] for key in ("event", "settles", "misread")} == {
        "event": "settled", "settles": 2, "misread": True,
    }  # fmt: skip
    assert isinstance(house.desk.match.correct(HOST, wrong), Stale), "stale"
    house.look(5)
    assert len(house.written()) == 3, "the card may lie where it is"
    assert house.desk.archive.statistics(HOST, house.match)["false_alarms"] == 1


def test_only_the_host_lets_a_refused_card_stand(house: House):
    stands = {"do": "allow", "number": 2}
    assert isinstance(house.desk.match.correct(ANA, stands), Denied)
    told = house.desk.match.correct(HOST, stands)
    assert isinstance(told, Done)
    assert (told.value["event"], told.value["allows"]) == ("allowed", 2)


def test_what_the_camera_did_not_see_cannot_be_misread(house: House):
    assert isinstance(house.desk.match.correct(HOST, {"do": "camera-was-wrong", "number": 1}), Stale)
    assert isinstance(house.desk.match.correct(HOST, {"do": "camera-was-wrong", "number": 0}), Invalid)


def test_a_referee_that_is_held_up_is_said_and_hears_what_was_said_once(house: House, monkeypatch: pytest.MonkeyPatch):
    """A memory card may take its time over a write. A phone got "Internal Server Error" for it, and tried again."""
    monkeypatch.setattr("companion.service.runner.ANSWER_S", 0.1)
    go_on = threading.Event()
    house.host.submit(lambda: go_on.wait(30))
    told = house.desk.match.move(ANA, {"do": "place", "by": 1, "card": "1-1", "from": "hand"}, 2)
    assert told == Unavailable(Text("desk.slow"))
    assert house.desk.match.rematch(HOST) == Unavailable(Text("desk.slow_host"))
    monkeypatch.setattr("companion.service.runner.ANSWER_S", 30.0)
    go_on.set()
    house.host.ask(lambda: None)
    assert [entry["event"] for entry in house.written()] == ["dealt", "refused", "played", "ended"], "a rematch ends it"


def test_readers_of_the_list_have_no_match_replayed_that_is_at_the_table(house: House, monkeypatch: pytest.MonkeyPatch):
    """Each reader had the unfinished match replayed, and a move waited for eight of them."""
    replayed: list[object] = []
    monkeypatch.setattr("companion.service.archive.stored_entries", lambda *_: replayed.append(1))
    monkeypatch.setattr("companion.service.archive.replay", lambda *_: replayed.append(2))
    for user in (HOST, ANA, SPECTATOR) * 3:
        (line,) = house.desk.archive.matches(user)
        assert line["over"] is False
        assert line["entries"] == len(house.host.match.record.lines)
        assert ("points" in line) == (user is HOST)
    assert replayed == []
