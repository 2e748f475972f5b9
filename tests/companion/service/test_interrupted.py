"""Interrupted matches: whoever left one behind finds it, goes on with it, closes it or deletes it."""

from __future__ import annotations

import pytest

from companion.games.registry import demo_deck
from companion.public.service import SPECTATOR, Denied, Done, NotFound, Role, User
from companion.public.table import Seat
from companion.public.updates import Update
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import EventLog

HOST = User(Role.HOST)
DEAL = {"do": "deal", "by": 0, "pool": ["1-1", "1-2", "1-3", "1-4", "1-5"]}


class House:
    """A table whose log has a match that was left unfinished."""

    def __init__(self, runner: MatchRunner, desk: TableService) -> None:
        self.runner, self.desk = runner, desk

    def begin(self, *names: str) -> str:
        match = {"profile": "fr-explore", "seat": [{"name": name} for name in names]}
        return self.runner.ask(lambda: self.runner.begin({"match": match, "deck": demo_deck()}))

    def state(self) -> dict[str, str]:
        """As the list of matches says it."""
        return {
            one["id"]: "running" if one["running"] else "over" if one["over"] else "interrupted"
            for one in self.desk.archive.matches(HOST)
        }

    def code(self, seat: int) -> str:
        return next(one.code for one in self.desk.match.join_codes(HOST) if one.user.seat == seat)


@pytest.fixture
def house(log: EventLog, host: MatchRunner, services: TableService) -> House:
    header = {"match": {"profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Zoé"}]}, "deck": demo_deck()}
    log.begin("left", "2026-11-01", header, invitations=((1, "old_code_of_ana", "AAAAAA"), (2, "zoe", "BBBBBB")))
    return House(host, services)


def test_an_interrupted_match_is_closed_or_deleted_by_the_host_alone(house: House) -> None:
    now = house.begin("Ana", "Ben")
    assert isinstance(house.desk.archive.close(SPECTATOR, "left"), Denied)
    assert isinstance(house.desk.archive.close(User(Role.SEAT, Seat(1)), "left"), Denied)
    assert isinstance(house.desk.archive.close(HOST, now), NotFound), "the one at the table is not interrupted"
    assert house.desk.archive.close(HOST, "left") == Done({"match": "left"})
    assert house.state() == {now: "running", "left": "over"}
    assert isinstance(house.desk.archive.close(HOST, "left"), NotFound)
    assert isinstance(house.desk.match.go_on(HOST, "left"), NotFound)
    assert house.desk.archive.delete(HOST, "left") == Done({"match": "left"})
    assert house.state() == {now: "running"}


def test_the_host_goes_on_with_an_interrupted_match_and_back_again(house: House) -> None:
    now = house.begin("Ana", "Ben")
    assert isinstance(house.desk.match.move(HOST, DEAL, None), Done)
    assert isinstance(house.desk.match.go_on(SPECTATOR, "left"), Denied)
    assert house.desk.match.go_on(HOST, "left") == Done({"match": "left"})
    assert house.state() == {now: "interrupted", "left": "running"}
    assert house.desk.match.go_on(HOST, now) == Done({"match": now})
    assert len(house.runner.match.record.lines) == 1  # type: ignore[union-attr]


def test_whoever_sits_in_both_matches_keeps_the_phone(house: House) -> None:
    house.begin("Ana", "Ben")
    ana, ben = house.code(1), house.code(2)
    house.desk.match.go_on(HOST, "left")
    assert house.desk.match.user(ana) == User(Role.SEAT, Seat(1))
    assert house.desk.match.user("zoe") == User(Role.SEAT, Seat(2))
    assert house.desk.match.user(ben) is None


def test_a_real_table_does_not_go_on_with_a_simulated_match(house: House) -> None:
    house.begin("Ana", "Ben")
    header = {
        "match": {"profile": "fr-explore", "seat": [{"name": "Ana"}]},
        "deck": demo_deck(),
        "simulated": {"seed": 1},
    }
    house.runner.log.begin("drawn", "2026-11-02", header)
    assert isinstance(house.desk.match.go_on(HOST, "drawn"), NotFound)


def test_a_further_phone_is_announced_to_everybody(house: House) -> None:
    house.begin("Ana", "Ben")
    heard: list[Update] = []
    house.desk.match.subscribe(heard.append)
    house.desk.match.announce(User(Role.SEAT, Seat(2)))
    house.desk.match.announce(HOST)
    house.runner.ask(lambda: None)
    assert [(news.texts[0].key, news.entry) for news in heard] == [("phone.seat", None), ("phone.host", None)]


@pytest.mark.parametrize(("by", "key"), [(Seat(2), "referee.struck.by"), (None, "referee.struck.host")])
def test_an_undo_says_who_said_it(house: House, by: Seat | None, key: str) -> None:
    """ "Cléo undid the verdict" instead of "Undone: the check" """
    house.begin("Ana", "Ben")
    house.desk.match.move(HOST, DEAL, None)
    place = {"do": "place", "by": 1, "card": "1-1", "from": "pool"}
    house.desk.match.move(HOST, place, None)
    assert isinstance(house.desk.match.correct(User(Role.HOST, by), {"do": "undo"}), Done)
    newest = house.runner.newest()
    assert newest is not None
    assert newest.texts[0].key == key
