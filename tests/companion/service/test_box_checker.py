"""The host ticks a box off under the camera; what is lawful when, and that the referee hears nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.real_desk import Evening, evening_in

from companion.app.services import box_pieces
from companion.public.box_reading import BoxReading, StickerSighting
from companion.public.service import Denied, Done, Invalid, Result, Role, Stale, Unavailable, User
from companion.public.table import Seat
from companion.public.text import Text
from companion.service.box_checker import BoxChecker

HOST = User(Role.HOST)
SEEN = BoxReading((StickerSighting("DXC18Y", (10.0, 10.0), 3.0, 0.0),))


def checker(evening: Evening, *, simulated: bool = False, picture: bytes | None = b"jpeg") -> BoxChecker:
    return BoxChecker(
        evening.host, simulated=simulated, picture=lambda: picture, read=lambda _, texts: SEEN, pieces_of=box_pieces
    )


def told(result: Result) -> dict[str, object]:
    assert isinstance(result, Done), result
    return dict(result.value)


def test_on_a_real_table_nothing_is_looked_at_while_a_match_is_played(evening: Evening) -> None:
    """What people lay then is a move: they pause first. And no look leads to an entry."""
    box = checker(evening)
    number = len(evening.host.match.record.lines)
    assert box.begin(HOST, None, None, "en") == Stale(Text("desk.check_playing"))
    assert isinstance(evening.desk.match.correct(HOST, {"do": "pause"}), Done)
    assert told(box.begin(HOST, None, None, "en"))["missing"] == 73
    now = told(box.look(HOST, "en"))
    assert (now["missing"], now["fresh"], now["lying"]) == (72, ["C18"], 1)
    assert told(box.look(HOST, "en"))["fresh"] == []
    assert isinstance(evening.desk.match.correct(HOST, {"do": "resume"}), Done)
    assert box.look(HOST, "en") == Stale(Text("desk.check_playing"))
    assert len(evening.host.match.record.lines) == number + 2, "the pause, and its end"


@pytest.mark.parametrize("user", [User(Role.SEAT, Seat(1)), User(Role.SPECTATOR), User(Role.HUB)])
def test_a_drawn_table_may_be_looked_at_any_time_but_by_the_host_alone(evening: Evening, user: User) -> None:
    box = checker(evening, simulated=True)
    assert told(box.begin(HOST, None, "carcassonne", "fr"))["missing"] == 84 + 20 + 15
    refused = Denied(Text("desk.host_only"))
    assert (box.begin(user, None, None, "fr"), box.look(user, "fr"), box.see(user, None)) == (refused,) * 3
    assert "seen" in told(box.see(HOST, "discovery"))


def test_what_is_missing_is_said(evening: Evening) -> None:
    box = checker(evening, simulated=True, picture=None)
    assert box.look(HOST, "en") == Stale(Text("desk.check_begin"))
    assert isinstance(box.begin(HOST, {"deck": {}}, None, "en"), Invalid)
    assert isinstance(box.begin(HOST, None, "whist", "en"), Invalid)
    box.begin(HOST, None, None, "en")
    assert box.look(HOST, "en") == Unavailable(Text("desk.check_unseen"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    yield from evening_in(tmp_path)
