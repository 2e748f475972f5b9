"""Phones that come to a seat that has one, and phones whose seat a new match took away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from support.real_desk import HOST_CODE, RealDesk, code_of

from companion.public.text import Text
from companion.public.updates import Signal, Update

Bearer = Callable[[int | str], dict[str, str]]


def notices(desk: RealDesk) -> Callable[[], list[Text]]:
    """What everybody is told from now on that is no entry."""
    heard: list[Update] = []
    desk.match.subscribe(heard.append)

    def told() -> list[Text]:
        desk.runner.ask(lambda: None)  # whatever was said before has been told
        return [text for update in heard if update.signal is Signal.NOTICE for text in update.texts]

    return told


@pytest.mark.parametrize(
    ("code", "news"),
    [(code_of(2), Text("phone.seat", {"seat": 2})), (HOST_CODE, Text("phone.host"))],
    ids=["seat", "host"],
)
def test_everybody_hears_when_a_second_phone_takes_a_seat_or_becomes_host(
    app: Flask, desk: RealDesk, code: str, news: Text
) -> None:
    told = notices(desk)
    first, second = app.test_client(), app.test_client()
    assert first.post("/api/v1/join", json={"code": code}).status_code == 200
    assert first.get("/api/v1/seat").status_code == 200
    assert told() == [], "the first phone of a seat is no news"
    assert second.get(f"/join/{code}").status_code == 303
    assert told() == [news]
    second.get("/api/v1/seat")
    second.get(f"/join/{code}")
    first.post("/join", data={"code": code})
    assert told() == [news], "the same phones scan again"


def test_who_left_is_no_second_phone_when_they_come_back(app: Flask, desk: RealDesk) -> None:
    told = notices(desk)
    phone = app.test_client()
    phone.post("/api/v1/join", json={"code": code_of(2)})
    phone.get("/api/v1/seat")
    phone.post("/api/v1/leave", json={})
    phone.get("/api/v1/standing")
    phone.post("/api/v1/join", json={"code": code_of(2)})
    assert told() == []


def test_who_takes_another_seat_has_left_the_first(app: Flask, desk: RealDesk) -> None:
    phone = app.test_client()

    def free() -> object:
        answer = app.test_client().get("/api/v1/seats").json
        return answer and answer["free"]

    phone.post("/api/v1/join", json={"code": code_of(2)})
    phone.get("/api/v1/seat")
    assert free() == [1, 3, 4]
    phone.get(f"/join/{code_of(3)}")
    assert free() == [1, 2, 4]
    phone.post("/api/v1/join", json={"code": HOST_CODE})
    phone.get("/api/v1/invitations")
    assert free() == [1, 2, 4], "a host who plays keeps the own seat"


def test_without_scripts_the_page_for_sitting_down_is_the_form_for_a_code(app: Flask) -> None:
    page = app.test_client().get("/join").get_data(as_text=True)
    assert '<form id="sit" class="sit" hidden>' in page, "nothing to press that does nothing"
    assert '<details id="by-code" open>' in page


@pytest.mark.parametrize(
    ("language", "said"), [("en", "This phone has no seat now"), ("fr", "Ce téléphone n’a plus de place")]
)
def test_a_phone_without_a_seat_in_the_new_match_may_join_or_watch(app: Flask, language: str, said: str) -> None:
    """It is not told off for a code that it did not type."""
    phone = app.test_client()
    phone.set_cookie("companion-80", "a_code_of_the_match_before__")
    gone = phone.get(f"/seat?lang={language}")
    page = gone.get_data(as_text=True)
    assert gone.status_code == 403
    assert said in page
    assert 'class="button" href="/"' in page
    assert '<form method="post" action="/join"' in page
    assert said in phone.get("/join?lost").get_data(as_text=True)
    assert said not in phone.get("/join").get_data(as_text=True)
    stranger = app.test_client().get(f"/seat?lang={language}")
    assert said not in stranger.get_data(as_text=True)


HERE, BESIDE = "http://companion.local:8080", "http://companion.local:8081"


def test_a_second_table_on_one_computer_does_not_throw_the_host_out_of_the_first(app: Flask) -> None:
    """A browser sends its cookies to every port of a host."""
    phone = app.test_client()
    assert phone.post("/api/v1/join", base_url=HERE, json={"code": HOST_CODE}).get_json()["role"] == "host"
    assert phone.post("/api/v1/join", base_url=BESIDE, json={"code": code_of(2)}).get_json()["seat"] == 2
    assert phone.get("/api/v1/box", base_url=HERE).status_code == 200
    assert phone.get("/api/v1/box", base_url=BESIDE).status_code == 403
    phone.post("/api/v1/leave", base_url=BESIDE, json={})
    assert phone.get("/api/v1/box", base_url=HERE).status_code == 200
    assert phone.get("/api/v1/seat", base_url=BESIDE).status_code == 403


def test_the_host_who_takes_a_seat_stays_the_host_and_is_only_one_of_both_at_a_time(app: Flask) -> None:
    phone = app.test_client()
    phone.get(f"/join/{HOST_CODE}")
    assert phone.get(f"/join/{code_of(2)}").status_code == 303
    seat = phone.get("/seat").get_data(as_text=True)
    assert 'href="/seat"' in seat
    assert 'href="/host"' in seat
    assert phone.get("/api/v1/seat").status_code == 200
    assert phone.get("/api/v1/box").status_code == 403, "a seat's page says nothing for the host"
    assert phone.get("/decks").status_code == 200, "any page of the host's makes the phone the host again"
    assert phone.get("/api/v1/box").status_code == 200
    assert 'href="/seat"' in phone.get("/host").get_data(as_text=True)
    assert phone.get("/seat").status_code == 200
    assert phone.get("/api/v1/box").status_code == 403
    assert phone.post("/api/v1/leave", json={}).get_json() == {"role": "host", "seat": None}
    assert phone.get("/api/v1/box").status_code == 200
    assert phone.get("/seat").status_code == 302, "the seat is left"
    assert phone.post("/api/v1/leave", json={}).get_json() == {"role": "spectator", "seat": None}
    assert phone.get("/host").status_code == 403


def test_a_host_whose_seat_a_new_match_took_away_is_still_the_host(app: Flask) -> None:
    phone = app.test_client()
    phone.get(f"/join/{HOST_CODE}")
    phone.get(f"/join/{code_of(2)}")
    phone.set_cookie("companion-80", "a_code_of_the_match_before__", domain="localhost")
    assert phone.get("/host").status_code == 200


def test_new_codes_end_both_roles_of_a_phone_that_others_have_as_well(app: Flask) -> None:
    phone, other = app.test_client(), app.test_client()
    for one in (phone, other):
        one.get(f"/join/{HOST_CODE}")
        one.get(f"/join/{code_of(2)}")
    phone.get("/host")
    assert phone.post("/api/v1/invitations", json={"renew": "all"}).status_code == 200
    assert phone.get("/host").status_code == 200
    assert other.get("/host").status_code == 403
    assert other.get("/seat").status_code == 403
