"""New codes instead of old ones: from the host's page, for a phone that was lost or a link that went too far."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from support.real_desk import HOST, WORDS, Evening, evening_in

from companion.errors import LogError
from companion.public.service import JoinCode
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.join_codes import host_codes
from web.app import close, create_app


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    yield from evening_in(tmp_path)


@pytest.fixture
def app(evening: Evening) -> Iterator[Flask]:
    app = create_app(evening.desk, WORDS)
    yield app
    close(app)


def codes(evening: Evening) -> dict[str | int, JoinCode]:
    return {one.user.seat or "host": one for one in evening.desk.match.join_codes(HOST)}


def renew(app: Flask, code: str, key: str | None = None, **whose: Any) -> Any:
    headers = {"Cookie": f"companion-80={code}", **({"Idempotency-Key": key} if key else {})}
    return app.test_client(use_cookies=False).post("/api/v1/invitations", json=whose, headers=headers)


def opens(app: Flask, code: str) -> list[int]:
    """What a code gets wherever it is shown: as a bearer's, as a link, in the body, and in a phone's cookie."""
    client = app.test_client(use_cookies=False)
    ways = (
        client.get("/api/v1/seat", headers={"Authorization": f"Bearer {code}"}),
        client.get(f"/join/{code}"),
        client.post("/api/v1/join", json={"code": code}),
        client.get("/seat", headers={"Cookie": f"companion-80={code}"}),
    )
    return [answer.status_code for answer in ways]


OPEN, SHUT = [200, 303, 200, 200], [403, 403, 403, 403]


def test_a_seat_s_new_code_makes_the_old_one_useless_and_no_other(app: Flask, evening: Evening):
    """Ana's phone was left on the train: whoever found it is nobody at this table."""
    old = codes(evening)
    answer = renew(app, old["host"].code, renew="seat", seat=1)
    assert answer.status_code == 200
    new = codes(evening)
    assert {one["seat"]: one["code"] for one in answer.json["invitations"] if one["seat"]} == {
        seat: one.code for seat, one in new.items() if seat != "host"
    }
    assert opens(app, old[1].code) == SHUT
    assert opens(app, new[1].code) == OPEN
    assert opens(app, old[1].short) == SHUT
    assert {seat: one for seat, one in new.items() if seat != 1} == {k: v for k, v in old.items() if k != 1}
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize("whose", ["host", "all"])
def test_the_phone_that_asks_stays_the_host_and_every_other_host_s_phone_joins_again(
    whose: str, app: Flask, evening: Evening
):
    old = codes(evening)
    answer = renew(app, old["host"].code, renew=whose)
    new = codes(evening)
    kept = answer.headers["Set-Cookie"]
    assert kept.startswith(f"companion-80={new['host'].code};")
    assert "HttpOnly" in kept
    assert opens(app, old["host"].code) == SHUT
    client = app.test_client(use_cookies=False)
    assert client.get("/host", headers={"Cookie": f"companion-80={new['host'].code}"}).status_code == 200
    assert client.get("/host", headers={"Cookie": f"companion-80={old['host'].code}"}).status_code == 403
    assert (opens(app, old[2].code) == SHUT) == (whose == "all")


def test_a_phone_that_did_not_hear_its_new_code_asks_again_with_the_old_one(app: Flask, evening: Evening):
    """The answer was lost in the air: the same press gets the same answer, and another press gets none."""
    old = codes(evening)["host"].code
    first = renew(app, old, "a-press", renew="host")
    new = codes(evening)["host"].code
    again = renew(app, old, "a-press", renew="host")
    assert (again.status_code, again.json, again.headers["Set-Cookie"]) == (
        200,
        first.json,
        first.headers["Set-Cookie"],
    )
    assert codes(evening)["host"].code == new, "it acted once"
    assert renew(app, old, "another-press", renew="host").status_code == 403
    assert renew(app, "x" * 22, "a-press", renew="host").status_code == 403
    assert renew(app, old, "a-press", renew="all").status_code == 422


def test_a_new_code_is_for_who_sits_there_now(app: Flask, evening: Evening):
    """Ana and Ben have changed places; the code that is made new is Ben's, and he sits in seat 1."""
    ana, ben = codes(evening)[1], codes(evening)[2]
    assert evening.desk.match.correct(HOST, {"do": "seat", "seat": 1, "swaps": 2})
    assert codes(evening)[1].code == ben.code
    assert renew(app, codes(evening)["host"].code, renew="seat", seat=1).status_code == 200
    assert codes(evening)[2].code == ana.code
    assert codes(evening)[1].code not in (ana.code, ben.code)


@pytest.mark.parametrize(
    ("whose", "status"),
    [
        ({"renew": "seat", "seat": 9}, 404),
        ({"renew": "seat", "seat": 0}, 404),
        ({"renew": "seat", "seat": -1}, 404),
        ({"renew": "seat"}, 422),
        ({"renew": "host", "seat": 1}, 422),
        ({"renew": "everything"}, 422),
        ({}, 422),
    ],
)
def test_who_is_nobody_gets_no_new_code_and_nobody_loses_his(
    whose: dict[str, Any], status: int, app: Flask, evening: Evening
):
    old = codes(evening)
    answer = renew(app, old["host"].code, **whose)
    assert answer.status_code == status
    assert answer.json["detail"]
    assert codes(evening) == old


def test_new_codes_are_kept_over_a_restart_and_none_is_new_when_the_disk_takes_nothing(
    app: Flask, evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    host = codes(evening)["host"].code
    assert renew(app, host, renew="all").status_code == 200
    new = codes(evening)
    again = EventLog(evening.folder / LOG_FILE, reading=True, witness=False)
    assert evening.host.stored is not None
    assert again.table.codes(evening.host.stored.id) == [
        (seat, new[seat].code, new[seat].short) for seat in range(1, 5)
    ]
    assert host_codes(again) == (new["host"].code, new["host"].short)
    again.close()

    def full(*_: Any) -> None:
        raise LogError("the log could not be written; is the disk full?")

    monkeypatch.setattr(evening.paper.table, "renew_codes", full)
    assert renew(app, new["host"].code, renew="all").status_code == 503
    assert codes(evening) == new


def test_before_the_first_match_the_host_alone_has_a_code_to_renew(app: Flask, evening: Evening):
    evening.host.ask(evening.host.close)
    host = codes(evening)["host"].code
    assert renew(app, host, renew="seat", seat=1).status_code == 404
    assert renew(app, host, renew="all").status_code == 200
    assert list(codes(evening)) == ["host"]
    assert evening.desk.match.user(host) is None
