"""What a host asks for that is not there, or says of another kind, is answered with one sentence."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient
from support.real_desk import HOST_CODE, HUB_CODE, RealDesk

from companion.public.i18n import Translations
from companion.public.machine import SystemActions
from web.app import close, create_app

WITHOUT = "This box cannot do that."


def is_refused(answer: Any, status: int, sentence: str) -> None:
    assert (answer.status_code, answer.mimetype) == (status, "application/problem+json")
    assert sentence in answer.json["detail"]


@pytest.mark.parametrize(
    ("method", "address", "kind", "status", "sentence"),
    [
        ("GET", "decks/none/deck.csv", None, 404, "Not found."),
        ("GET", "decks/none/pictures/1-1", None, 404, "Not found."),
        ("GET", "decks/none/readings", None, 404, "Not found."),
        ("GET", "decks/NO!/readings", None, 404, "Not found."),
        ("GET", "decks/none/readings/1-1/title.jpg", None, 404, "Not found."),
        ("GET", "recording.zip", None, 404, "Not found."),
        ("GET", "stickers.pdf", None, 404, WITHOUT),
        ("GET", "backup.zip", None, 404, WITHOUT),
        ("GET", "wifi", None, 404, WITHOUT),
        ("GET", "update", None, 404, WITHOUT),
        ("POST", "decks/NO!/deck.csv", "text/csv", 404, "Lower-case letters"),
        ("POST", "decks/ours/deck.csv", "text/plain", 415, "spreadsheet"),
        ("POST", "decks/ours/pictures/1-1", "text/plain", 415, "picture"),
        ("POST", "decks/NO!/readings", "image/jpeg", 404, "Lower-case letters"),
        ("POST", "decks/ours/readings", "text/plain", 415, "picture"),
    ],
)
def test_what_is_not_there_or_of_another_kind(
    method: str, address: str, kind: str | None, status: int, sentence: str, client: FlaskClient, bearer: Any
):
    body = None if kind is None else b"none"
    answer = client.open(f"/api/v1/{address}", method=method, data=body, content_type=kind, headers=bearer(HOST_CODE))
    is_refused(answer, status, sentence)


@pytest.mark.parametrize(
    ("address", "body", "status", "sentence"),
    [
        ("join", {"code": HUB_CODE}, 403, "That code isn’t right."),
        ("hub/join", {"code": HOST_CODE}, 403, "That code isn’t right."),
        ("hub", {"do": "fly"}, 422, "not fly"),
        ("moves", {"move": {"by": 1}}, 422, "what is done"),
        ("moves", {"move": {"do": "", "by": 1}}, 422, "what is done"),
        ("moves", {"move": {"do": "end_turn"}}, 422, "by which seat"),
        ("moves", {"move": {"do": "end_turn", "by": True}}, 422, "by which seat"),
        ("moves", {"move": {"do": "end_turn", "by": 10}}, 422, "by which seat"),
        ("recording", {"do": "plan", "seconds": 0}, 422, "1 to 600 seconds"),
        ("recording", {"do": "plan", "ring_minutes": 0}, 422, "1 to 60 minutes"),
        ("box-check", {"do": "fly"}, 422, "cannot do fly"),
        ("box-check", {"do": "begin", "deck": "none"}, 404, "Not found."),
        ("zones", {}, 422, "table is missing"),
    ],
)
def test_what_means_nothing(
    address: str, body: Any, status: int, sentence: str, client: FlaskClient, desk: RealDesk, bearer: Any
):
    is_refused(client.post(f"/api/v1/{address}", json=body, headers=bearer(HOST_CODE)), status, sentence)
    assert desk.moves == []


def test_a_camera_that_sees_nothing_has_no_picture(client: FlaskClient, desk: RealDesk, bearer: Any):
    desk.shown = b""
    is_refused(client.get("/api/v1/camera.jpg", headers=bearer(HOST_CODE)), 404, "picture")


def test_a_table_without_zones_has_none_to_move(client: FlaskClient, desk: RealDesk, bearer: Any):
    desk.setup.zones = lambda: None  # type: ignore[method-assign]
    is_refused(client.get("/api/v1/zones", headers=bearer(HOST_CODE)), 404, WITHOUT)


def test_what_a_box_can_do_needs_to_be_told_with_what(desk: RealDesk, words: Translations, bearer: Any):
    taker: Any = object()
    able = SystemActions(
        rename=lambda name, names_players: None, sheets=lambda order: b"%PDF", restore=lambda: taker, update=taker
    )
    app = create_app(desk, words, system=able)
    client, host = app.test_client(), bearer(HOST_CODE)
    is_refused(client.post("/api/v1/box", json={"do": "name"}, headers=host), 422, "Kitchen")
    is_refused(client.get("/api/v1/stickers.pdf?deck=none", headers=host), 404, "Not found.")
    for address in ("restore", "update"):
        for body in ({"do": "begin"}, {"do": "begin", "bytes": 0}):
            is_refused(client.post(f"/api/v1/{address}", json=body, headers=host), 422, "bytes")
    close(app)
