"""What a hub's code opens at a table: nothing that a spectator may not see, and answers if the host allows them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.public.service import SPECTATOR, Denied, Done, NotFound, Role, Stale, User
from companion.public.table import Seat
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.join_codes import HubAccess, hub_access, set_hub

HOST, HUB = User(Role.HOST), User(Role.HUB)


@pytest.fixture
def playing(services: TableService) -> TableService:
    match = {"game": "discovery", "profile": "fr-explore", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
    assert isinstance(services.match.start(HOST, match), Done)
    return services


def test_the_host_alone_makes_a_code_for_a_hub_and_takes_it_back(playing: TableService) -> None:
    match = playing.match
    for user in (SPECTATOR, HUB, User(Role.SEAT, Seat(1))):
        for do in ("open", "close", "allow", "forbid"):
            assert isinstance(match.set_hub(user, do), Denied)
        assert match.hub_code(user) is None
    assert isinstance(match.set_hub(HOST, "allow"), NotFound), "there is no code that could be allowed anything"
    assert isinstance(match.set_hub(HOST, "open"), Done)
    short, code = match.hub_code(HOST), match.hub_long_code()
    assert short is not None
    assert code is not None
    assert match.user(short) == match.user(code) == HUB
    assert all(one.user.role is not Role.HUB for one in match.join_codes(HOST)), "it is nobody's invitation"
    assert isinstance(match.set_hub(HOST, "open"), Done)
    assert match.user(code) is match.user(short) is None, "the one before opens nothing"
    again = match.hub_long_code()
    assert again is not None
    assert isinstance(match.set_hub(HOST, "close"), Done)
    assert match.user(again) is None
    assert match.hub_code(HOST) is None


def test_a_hub_moves_and_corrects_nothing_and_answers_only_when_allowed(playing: TableService) -> None:
    match = playing.match
    assert isinstance(match.move(HUB, {"do": "end_turn", "by": 1}, None), Denied)
    for do in ("undo", "pause", "claim", "seat"):
        assert isinstance(match.correct(HUB, {"do": do}), Denied)
    assert match.available_moves(HUB) == ()
    assert match.view(HUB) == match.view(SPECTATOR)
    match.set_hub(HOST, "open")
    assert isinstance(match.answer(HUB, 1, 0), Denied), "a new code allows nothing"
    match.set_hub(HOST, "allow")
    assert isinstance(match.answer(HUB, 1, 0), Stale), "no question is open"
    match.set_hub(HOST, "open")
    assert isinstance(match.answer(HUB, 1, 0), Denied)


def test_new_codes_for_everybody_leave_no_hub_in(playing: TableService) -> None:
    match = playing.match
    match.set_hub(HOST, "open")
    code = match.hub_long_code()
    assert code is not None
    assert isinstance(match.renew_join_codes(HOST, User(Role.SEAT, Seat(1))), Done)
    assert match.user(code) == HUB
    assert isinstance(match.renew_join_codes(HOST, None), Done)
    assert match.user(code) is None


def test_a_hubs_code_outlives_a_restart(tmp_path: Path) -> None:
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        assert hub_access(log) is None
        set_hub(log, HubAccess("c", "s", answers=True))
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        assert hub_access(log) == HubAccess("c", "s", answers=True)
