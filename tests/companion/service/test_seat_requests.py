"""« Anybody sits down from the television's code »: who may ask for which seat, who answers, and what comes of it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.errors import LogError
from companion.public.service import Denied, Done, Invalid, NotFound, Role, Stale, Unavailable, User
from companion.public.table import Seat
from companion.service.seat_requests import ANSWER_S, JOIN_S, TRIES, TRIES_S, SeatPhones

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
    assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", None), Denied)
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


def test_a_seat_is_held_for_the_phone_that_was_let_in(desk: RealDesk):
    """The second of two who ask one after the other does not come to the same seat."""
    desk.seat_requests.set_mode(HOST, "open")
    first = asked(desk)
    assert isinstance(desk.seat_requests.ask(THERE, 2, "Olaf", None), Stale)
    assert code(desk, first) == code_of(2)
    assert names(desk)[1] == "Nina"


def test_who_was_let_in_too_late_for_a_seat_with_a_phone_has_no_code(desk: RealDesk):
    key = asked(desk)
    answer(desk, True)
    desk.match.user(code_of(2))
    assert code(desk, key) is Stale


def test_who_has_left_asks_anew(desk: RealDesk):
    key = asked(desk)
    answer(desk, True)
    desk.match.user(str(code(desk, key)))
    desk.seat_requests.left(BEN)
    assert code(desk, key) is Stale


def test_who_was_asked_for_is_whom_the_phone_plays_for_wherever_they_sit(desk: RealDesk):
    key = asked(desk, 2)
    assert isinstance(desk.match.correct(HOST, {"do": "seat", "seat": 2, "swaps": 3}), Done)
    assert waiting(desk) == [(3, "Nina")]
    answer(desk, True)
    assert names(desk) == ["Ana", "Cy", "Nina", "Dora"]
    assert code(desk, key) == code_of(2)


def test_a_seat_is_occupied_after_a_restart_in_the_next_match_too(desk: RealDesk):
    desk.match.user(code_of(2))
    desk.match.rematch(HOST)
    desk.match.user(code_of(2))
    assert desk.runner.stored is not None
    assert SeatPhones(desk.runner.log).has(desk.runner.stored.id, code_of(2))


def test_requests_count_from_when_they_were_over(desk: RealDesk):
    """« Within ten minutes »: also when nobody looked meanwhile."""
    for seat in range(1, TRIES + 1):
        asked(desk, seat, f"Nina {seat}")
    desk.now_s += ANSWER_S + TRIES_S
    asked(desk)


def test_what_is_taken_back_came_to_nothing(desk: RealDesk):
    """Else one phone might speak on every screen without end."""
    key = None
    for _ in range(TRIES):
        key = asked(desk, instead=key)
    assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", key), Denied)


def test_who_is_let_in_and_never_comes_has_asked_in_vain(desk: RealDesk):
    desk.seat_requests.set_mode(HOST, "open")
    for number in range(TRIES):
        asked(desk, 2, f"Nina {number}")
        desk.now_s += JOIN_S
    assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", None), Denied)


def test_a_disk_that_takes_nothing_leaves_no_request_behind(desk: RealDesk, monkeypatch: pytest.MonkeyPatch):
    def full(**_: object) -> object:
        raise LogError("full")

    desk.seat_requests.set_mode(HOST, "open")
    with monkeypatch.context() as broken:
        broken.setattr(desk.runner.log.file, "transaction", full)
        assert desk.match.user(code_of(1)) == ANA, "keeping who has a phone is never why a code does not work"
        assert isinstance(desk.seat_requests.ask(HERE, 2, "Nina", None), Unavailable)
    assert code(desk, asked(desk)) == code_of(2)


STEPS = (
    "ask",
    "ask",
    "ask",
    "join",
    "join",
    "join",
    "answer",
    "answer",
    "code",
    "leave",
    "leave",
    "swap",
    "mode",
    "time",
    "rematch",
)


@pytest.mark.parametrize("seed", range(2))
def test_laws_of_sitting_down(seed: int):
    """Whatever happens in whatever order: a phone that asks never comes to somebody with a phone, nor without a yes
    where one is needed; it plays for whom it asked; and what is on disk knows every seat with a phone."""
    chance, desk = random.Random(seed), RealDesk()
    addresses = [f"192.168.1.{number}" for number in range(20, 32)]
    asks: dict[str, tuple[str, str]] = {}  # by address: the key, and the code of whom it asked for
    holds: dict[str, str] = {}  # by address: the code with which it plays
    yes: set[str] = set()
    shown: set[str] = set()  # in this match
    let_in = 0
    for turn in range(150):
        who = chance.choice(addresses)
        codes = desk.spoken.seat_codes()
        free = desk.seat_requests.state(NOBODY).free
        assert not {codes[seat] for seat in free} & set(holds.values())
        match chance.choice(STEPS):
            case "ask" if who not in holds:
                seat = Seat(chance.randint(1, 4))
                mode = desk.seat_requests.state(NOBODY).mode
                reply = desk.seat_requests.ask(who, seat, chance.choice((f"N{turn}", names(desk)[seat - 1])), None)
                if isinstance(reply, Done):
                    asks[who] = reply.value["key"], codes[seat]
                    yes |= {asks[who][0]} if mode == "open" else set()
            case "join" if who in asks and who not in holds:
                key, meant = asks[who]
                reply = desk.seat_requests.joined(key)
                if isinstance(reply, Done) and (got := reply.value["code"]) is not None:
                    assert key in yes
                    assert got == meant
                    assert got not in holds.values()
                    desk.match.user(got)
                    holds[who], let_in = got, let_in + 1
                    shown.add(got)
            case "answer" if wait := desk.seat_requests.state(HOST).waiting:
                one, answered = chance.choice(wait), chance.random() < 0.7
                reply = desk.seat_requests.answer(HOST, one.number, answered)
                if answered and isinstance(reply, Done):
                    yes |= {key for key, meant in asks.values() if meant == codes[one.seat]}
            case "code" if (
                who not in holds
                and chance.random() < 0.3
                and (rest := sorted(set(codes.values()) - set(holds.values())))
            ):
                holds[who] = chance.choice(rest)  # with the code on the table
                desk.match.user(holds[who])
                shown.add(holds[who])
            case "leave" if who in holds:
                desk.seat_requests.left(desk.match.user(holds[who]))
                shown.discard(holds.pop(who))
            case "swap":
                first, second = chance.sample(range(1, 5), 2)
                desk.match.correct(HOST, {"do": "seat", "seat": first, "swaps": second})
            case "mode":
                desk.seat_requests.set_mode(HOST, chance.choice(("open", "ask")))
            case "time":
                desk.now_s += chance.choice((5.0, ANSWER_S, TRIES_S))
            case "rematch" if chance.random() < 0.3:
                desk.match.rematch(HOST)
                shown.clear()
                for code_shown in holds.values():
                    desk.match.user(code_shown)
                    shown.add(code_shown)
        assert desk.runner.stored is not None
        kept = SeatPhones(desk.runner.log)
        assert all(kept.has(desk.runner.stored.id, one) for one in shown)
    assert let_in, "the walk hardly came to a table"
    desk.close()
