"""The picture of the table for everybody: when there is one, and what it costs the camera."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.real_desk import HOST_CODE, PICTURE, WORDS, RealDesk

from companion.public.table import Token
from web.app import close, create_app

ADDRESS = "/api/v1/table.jpg"


class Watched:
    """A table, and a browser without a code in front of it."""

    def __init__(self, **more: Any) -> None:
        self.desk = RealDesk(**more)
        self.app = create_app(self.desk, WORDS)
        self.client: FlaskClient = self.app.test_client()

    def status(self) -> int:
        return self.client.get(ADDRESS).status_code

    def show(self, shown: bool, code: str = HOST_CODE) -> int:
        head = {"Authorization": f"Bearer {code}"}
        return self.client.post("/api/v1/table-picture", json={"shown": shown}, headers=head).status_code

    def page_has_it(self) -> bool:
        return ADDRESS in self.client.get("/").get_data(as_text=True)


@pytest.fixture
def watched(request: pytest.FixtureRequest) -> Any:
    made = Watched(**getattr(request, "param", {}))
    yield made
    close(made.app)
    made.desk.close()


DRAWN = pytest.mark.parametrize("watched", [{"simulated": True}], indirect=True, ids=["drawn"])


@DRAWN
def test_everybody_sees_a_drawn_table_and_where_each_card_lies_in_the_picture(watched: Watched):
    desk = watched.desk
    corners = ((10.2, 20.0), (60.0, 20.0), (60.0, 90.7), (10.0, 90.0))
    desk.corners = {Token(desk.token("1-3")): corners, Token("KEND"): corners}
    answer = watched.client.get(ADDRESS)
    assert (answer.status_code, answer.mimetype) == (200, "image/jpeg")
    _, _, rest = answer.data.partition(b"companion ")
    told, _ = json.JSONDecoder().raw_decode(rest.decode("latin1"))
    assert told == {"cards": {"1-3": [[10, 20], [60, 20], [60, 91], [10, 90]]}}
    assert watched.page_has_it()


def test_a_real_table_is_seen_by_nobody_until_its_host_shows_it_and_no_longer_than_that(watched: Watched):
    assert watched.status() == 403
    assert not watched.page_has_it()
    assert watched.show(True) == 200
    assert watched.status() == 200
    assert watched.page_has_it()
    assert watched.show(False) == 200
    watched.desk.look(2.0)
    assert watched.status() == 403
    assert watched.desk.page_pictures == 1


def test_nobody_but_the_host_shows_a_real_table(watched: Watched):
    assert watched.client.post("/api/v1/table-picture", json={"shown": True}).status_code == 403
    assert watched.show(True, code="seat1" * 5) == 403
    assert watched.status() == 403


@pytest.mark.parametrize("profile", ["en-memory", "fr-bluff"])
@pytest.mark.parametrize("watched", [{"simulated": True}, {}], indirect=True, ids=["drawn", "real"])
def test_a_silent_game_has_no_picture_whatever_the_host_says(watched: Watched, profile: str):
    assert watched.show(True) == 200
    assert watched.status() == 200
    watched.desk.begin(profile)
    watched.desk.look(2.0)
    assert watched.status() == 403
    assert not watched.page_has_it()
    assert watched.show(True) == 200
    assert watched.status() == 403
    assert watched.desk.page_pictures == 1
    watched.desk.begin()
    assert watched.status() == 200


@DRAWN
def test_a_silent_match_that_begins_while_the_camera_is_asked_has_no_picture(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
):
    take = watched.desk.take_page_picture

    def begin_meanwhile() -> Any:
        watched.desk.begin("en-memory")
        return take()

    monkeypatch.setattr(watched.desk, "take_page_picture", begin_meanwhile)
    assert watched.status() == 403


@DRAWN
def test_the_camera_is_asked_once_a_second_however_many_look_and_never_when_nobody_does(watched: Watched):
    desk = watched.desk
    desk.look(10.0)
    assert desk.page_pictures == 0
    assert [watched.status() for _ in range(20)] == [200] * 20
    assert desk.page_pictures == 1
    desk.look(1.0)
    watched.status()
    assert desk.page_pictures == 2


@DRAWN
def test_a_table_that_is_not_found_has_no_picture_now(watched: Watched):
    watched.desk.shown = b""
    assert watched.status() == 404
    watched.desk.shown = PICTURE
    watched.desk.look(1.0)
    assert watched.status() == 200


def test_no_seat_of_a_real_table_is_taken_without_its_code(watched: Watched):
    assert watched.client.post("/api/v1/simulated/visit", json={}).status_code == 404
