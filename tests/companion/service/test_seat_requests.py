"""« Anybody sits down from the television's code »: who may ask for which seat, who answers, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.public.service import Denied, Done, Invalid, NotFound, Role, Stale, Unavailable, User
from companion.public.table import Seat
from companion.service.seat_requests import ANSWER_S, JOIN_S, TRIES, TRIES_S

HOST = User(Role.HOST, None, outside=True)
ANA, BEN = User(Role.SEAT, Seat(1)), User(Role.SEAT, Seat(2))
NOBODY = User(Role.SPECTATOR)
HERE, THERE = "192.168.1.20", "192.168.1.21"


@pytest.fixture
def desk() -> Iterator[RealDesk]:
    desk = RealDesk()
    yield desk
    desk.close()


def asked(desk: RealDesk, seat: int = 2, name: str = "Nina", address: str = HERE, instead: str | None = None) -> str:
    reply = desk.seat_requests.ask(address, seat, name, instead)
    assert isinstance(reply, Done), reply
    return str(reply.value["key"])


def waiting(desk: RealDesk, user: User = HOST) -> list[tuple[int, str]]:
    return [(int(one.seat), one.name) for one in desk.seat_requests.state(user).waiting]


def answer(desk: RealDesk, yes: bool, user: User = HOST) -> object:
    (one,) = desk.seat_requests.state(HOST).waiting
    return desk.seat_requests.answer(user, one.number, yes)


def code(desk: RealDesk, key: str) -> object:
    reply = desk.seat_requests.joined(key)
    return reply.value["code"] if isinstance(reply, Done) else type(reply)


def names(desk: RealDesk) -> list[str]:
    return [one["name"] for one in desk.match.current()["seats"]]


def test_whom_the_host_lets_in_has_the_code_and_the_seat_its_name(desk: RealDesk):
    key = asked(desk, 2, "  Nina ")
    assert waiting(desk) == [(2, "Nina")]
    assert code(desk, key) is None, "until somebody has answered the phone is nobody's"
    assert isinstance(answer(desk, True), Done)
    assert names(desk)[1] == "Nina"
    assert code(desk, key) == code(desk, key) == code_of(2), "an answer may be lost on the way"
    assert waiting(desk) == []
    desk.now_s += JOIN_S
    assert code(desk, key) is Stale


def test_unanswered_is_no(desk: RealDesk):
    key = asked(desk)
    desk.now_s += ANSWER_S - 1
    assert code(desk, key) is None
    desk.now_s += 1
    assert (waiting(desk), code(desk, key)) == ([], Stale)
    assert names(desk)[1] == "Ben"


def test_no_is_no_and_the_seat_may_be_asked_for_again(desk: RealDesk):
    key = asked(desk)
    assert isinstance(answer(desk, False), Done)
    assert (waiting(desk), code(desk, key)) == ([], Stale)
    asked(desk)


def test_never_an_occupied_seat(desk: RealDesk):
    """« Never an occupied seat »: not while the phone sleeps, and not after the box was started anew."""
    assert desk.match.user(code_of(2)) == BEN
    assert 2 not in desk.seat_requests.state(NOBODY).free
    assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", None), Stale)
    desk.seat_requests.left(BEN)
    assert 2 in desk.seat_requests.state(NOBODY).free


def test_a_phone_that_came_with_its_code_while_another_asked_keeps_the_seat(desk: RealDesk):
    key = asked(desk)
    desk.match.user(code_of(2))
    assert isinstance(answer(desk, True), Stale)
    assert code(desk, key) is None
    assert names(desk)[1] == "Ben"


def test_a_seat_is_occupied_after_a_restart_too(tmp_path: Path):
    first = RealDesk(folder=tmp_path)
    first.match.user(code_of(2))
    kept = first.runner.log.table.setting("phones")
    assert kept is not None
    assert code_of(2) not in str(kept), "what is kept opens nothing"
    first.close()
    from companion.service.seat_requests import SeatPhones
    from companion.storage.event_log import LOG_FILE, EventLog

    log = EventLog(tmp_path / LOG_FILE)
    phones = SeatPhones(log)
    assert phones.has(kept["match"], code_of(2))
    assert not phones.has(kept["match"], code_of(1))
    assert not phones.has("another match", code_of(2))
    log.close()


def test_where_a_host_is_the_host_answers_else_whoever_sits_there(desk: RealDesk):
    asked(desk)
    assert waiting(desk, NOBODY) == [], "who only watches is told of nobody"
    assert waiting(desk, ANA) == [(2, "Nina")], "no phone has been the host yet"
    desk.match.user(HOST_CODE)
    assert waiting(desk, ANA) == []
    assert isinstance(answer(desk, True, ANA), Denied)
    assert isinstance(answer(desk, True, NOBODY), Denied)
    assert isinstance(answer(desk, True, HOST), Done)


def test_the_host_may_leave_it_open_or_close_it(desk: RealDesk):
    assert isinstance(desk.seat_requests.set_mode(ANA, "open"), Denied)
    assert isinstance(desk.seat_requests.set_mode(HOST, "ajar"), Invalid)
    desk.seat_requests.set_mode(HOST, "open")
    assert code(desk, asked(desk)) == code_of(2)
    desk.seat_requests.set_mode(HOST, "closed")
    assert isinstance(desk.seat_requests.ask(HERE, 3, "Nina", None), Denied)
    assert desk.seat_requests.state(NOBODY).mode == "closed"


def test_in_a_silent_match_somebody_says_yes_also_where_seats_are_open():
    """« In silent games no hand is shown before acceptance. »"""
    desk = RealDesk(profile="fr-bluff")
    desk.seat_requests.set_mode(HOST, "open")
    key = asked(desk)
    assert code(desk, key) is None
    assert isinstance(answer(desk, True), Done)
    assert code(desk, key) == code_of(2)
    desk.close()


def test_one_asks_for_a_seat_at_a_time_and_may_choose_another(desk: RealDesk):
    key = asked(desk, 2)
    assert isinstance(desk.seat_requests.ask(THERE, 2, "Olaf", None), Stale)
    asked(desk, 3, instead=key)
    assert waiting(desk) == [(3, "Nina")]
    asked(desk, 2, "Olaf", THERE)


@pytest.mark.parametrize("name", ["", " ", "a" * 41, "\u202eNina", "Ana", "ANA "])
def test_a_name_is_one_that_can_be_read_and_that_nobody_else_has(name: str, desk: RealDesk):
    assert isinstance(desk.seat_requests.ask(HERE, 2, name, None), Invalid)
    assert waiting(desk) == []


@pytest.mark.parametrize("seat", [0, 5, -1])
def test_there_is_no_such_seat(seat: int, desk: RealDesk):
    assert isinstance(desk.seat_requests.ask(HERE, seat, "Nina", None), NotFound)


def test_who_asks_three_times_in_vain_waits_ten_minutes(desk: RealDesk):
    for _ in range(TRIES):
        asked(desk)
        answer(desk, False)
    assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", None), Unavailable)
    asked(desk, 2, "Olaf", THERE)
    answer(desk, False)
    desk.now_s += TRIES_S
    asked(desk)


def test_a_bot_and_an_empty_seat_are_nobodys_to_ask_for():
    people = [{"name": "Ana"}, {"name": "Robo", "bot": True}, {"name": "Ben"}, {"name": "Cy"}]
    desk = RealDesk(people, "fr-explore")
    assert set(desk.seat_requests.state(NOBODY).free) == {1, 3, 4}
    assert isinstance(desk.match.correct(HOST, {"do": "seat", "seat": 4, "here": False}), Done)
    assert set(desk.seat_requests.state(NOBODY).free) == {1, 3}
    desk.close()


def test_at_a_simulated_table_and_without_a_match_there_is_nothing_to_ask_for():
    for desk in (RealDesk(simulated=True), RealDesk(running=False)):
        assert desk.seat_requests.state(HOST).free == ()
        assert isinstance(desk.seat_requests.ask(HERE, 1, "Nina", None), NotFound)
        desk.close()


def test_a_request_ends_with_its_match(desk: RealDesk):
    key = asked(desk)
    assert isinstance(desk.match.rematch(HOST), Done)
    assert (waiting(desk), code(desk, key)) == ([], Stale)
