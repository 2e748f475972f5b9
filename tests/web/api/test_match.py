"""The API as scripts use it: contract section 8, and its own description of itself."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import settings
from schemathesis import checks
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from support.long_cases import LONG, examples
from support.real_desk import HOST_CODE, MATCH, RealDesk, code_of

from companion.public.i18n import Translations
from companion.public.standing import encode_standing
from companion.public.table import ViewLost
from web.api.openapi import document
from web.app import create_app
from web.language import LOCALE_FOLDER

AS_HOST = {"Authorization": f"Bearer {HOST_CODE}"}
PICTURE = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffd9")


def test_the_standing_is_the_record_s_standing_with_what_the_profile_shows(client: FlaskClient, desk: RealDesk):
    told = client.get("/api/v1/standing").json
    assert told["match"] == MATCH
    assert told["number"] == 3
    assert told["standing"] == encode_standing(desk.standing)
    assert [entry["card"] for entry in told["public"]["tree"]] == ["1-1", "1-2"]


def test_before_the_first_match_nothing_stands_and_nothing_breaks(words: Translations):
    app = create_app(RealDesk(running=False), words)
    client = app.test_client()
    told = client.get("/api/v1/standing").json
    assert (told["match"], told["number"], told["standing"]) == (None, 0, None)
    assert client.get("/api/v1/match").json == {"match": None}
    assert client.get("/api/v1/matches").json == {"matches": []}
    for page in ("/", "/tv", "/overlay", "/matches", "/join"):
        assert client.get(page).status_code == 200
    assert client.get("/host", headers={"Authorization": f"Bearer {HOST_CODE}"}).status_code == 200
    app.extensions["context"].streams.close()


def test_the_last_entry_stays_known_when_the_newest_news_is_none(client: FlaskClient, desk: RealDesk):
    desk.lose()
    told = client.get("/api/v1/standing").json
    assert (told["number"], told["alert"]) == (3, "lost")


@pytest.mark.parametrize("why", list(ViewLost))
def test_each_reason_why_nothing_is_seen_is_said_on_the_scoreboard_and_beside_the_picture(
    why: ViewLost, client: FlaskClient, desk: RealDesk
):
    desk.lose(why)
    assert client.get("/api/v1/health", headers=AS_HOST).json["camera"] == why.value
    for language in ("en-GB", "fr-FR"):
        said = client.get("/api/v1/standing", headers={"Accept-Language": language}).json["texts"]
        assert said
        assert "referee." not in said[0]
        page = client.get("/host", headers={**AS_HOST, "Accept-Language": language}).text
        assert f'"camera.{why.value}"' in page


def test_verdicts_are_said_in_the_reader_s_language_with_the_cards_by_name(client: FlaskClient, desk: RealDesk):
    desk.refuse("1-8")
    english = client.get("/api/v1/standing", headers={"Accept-Language": "en-GB"}).json
    french = client.get("/api/v1/standing", headers={"Accept-Language": "fr-FR,en;q=0.5"}).json
    assert english["texts"][0] == "Hunting still needs Scavenging."
    assert french["texts"][0].startswith("Chasse")
    assert "Charognage" in french["texts"][0]


def test_joining_gives_a_session_for_pages_and_a_code_for_scripts(app: Flask):
    page, script = app.test_client(), app.test_client()
    joined = page.post("/api/v1/join", json={"code": code_of(3)})
    assert joined.json == {"role": "seat", "seat": 3, "code": code_of(3)}
    cookie = joined.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert page.get("/api/v1/seat").json["seat"] == 3
    assert script.get("/api/v1/seat", headers={"Authorization": f"Bearer {joined.json['code']}"}).json["seat"] == 3
    page.post("/api/v1/leave", json={})
    assert page.get("/api/v1/seat").status_code == 403


def test_a_seat_is_offered_its_own_moves_and_the_host_everybody_s(client: FlaskClient, bearer: Any):
    assert [one["do"] for one in client.get("/api/v1/seat", headers=bearer(1)).json["offers"]] == ["end_turn"]
    assert client.get("/api/v1/seat", headers=bearer(2)).json["offers"] == []
    assert client.get("/api/v1/seat", headers=bearer(HOST_CODE)).json["offers"]


def test_a_move_is_answered_with_its_entry(client: FlaskClient, desk: RealDesk, bearer: Any):
    body = {"move": {"do": "end_turn", "by": 1}, "after": 3}
    answer = client.post("/api/v1/moves", json=body, headers=bearer(1))
    assert answer.json["number"] == 4
    assert answer.json["move"] == {"do": "end_turn", "by": 1}
    assert answer.json["standing"]["turn"] == 2


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"do": "end_turn"},
        {"do": "", "by": 1},
        {"do": 3, "by": 1},
        {"do": "end_turn", "by": True},
        {"do": "x", "by": 1},
    ],
)
def test_what_is_no_move_is_unreadable(move: Any, client: FlaskClient, desk: RealDesk, bearer: Any):
    assert client.post("/api/v1/moves", json={"move": move}, headers=bearer(1)).status_code == 422
    assert desk.moves == []


def test_anybody_at_the_table_answers_whose_turn_it_is_but_no_spectator(
    client: FlaskClient, desk: RealDesk, bearer: Any
):
    desk.ask()
    yes = {"question": desk.newest_question, "answer": 0}
    assert client.post("/api/v1/answers", json=yes).status_code == 403
    assert client.post("/api/v1/answers", json={**yes, "answer": 1}, headers=bearer(3)).status_code == 409
    answer = client.post("/api/v1/answers", json=yes, headers=bearer(3))
    assert answer.json["move"] == {"do": "place", "by": 2, "card": "1-5", "from": "hand"}


def test_a_seat_claims_a_card_for_itself_and_for_no_other(client: FlaskClient, desk: RealDesk, bearer: Any):
    """ "That card was mine": the camera took it for seat 1's."""
    claim = {"do": "claim", "by": 3}
    told = client.post("/api/v1/corrections", json=claim, headers=bearer(2))
    assert (told.status_code, told.json["detail"]) == (403, "Claim a card for your own seat.")
    assert desk.corrections == []
    assert client.post("/api/v1/corrections", json=claim, headers=bearer(3)).status_code != 403
    assert client.post("/api/v1/corrections", json=claim, headers=bearer(HOST_CODE)).status_code != 403


def test_a_record_of_a_running_match_is_the_host_s(client: FlaskClient, desk: RealDesk, bearer: Any):
    address = f"/api/v1/matches/{MATCH}/record"
    assert client.get(address).status_code == 403
    told = client.get(address, headers=bearer(HOST_CODE))
    assert [json.loads(line).get("number") for line in told.text.splitlines()] == [None, 1, 2, 3]
    desk.win()
    assert client.get(address).status_code == 200
    assert client.get("/api/v1/matches/none/record").status_code == 404


def test_kept_pictures_and_figures_are_as_private_as_the_record(client: FlaskClient, desk: RealDesk, bearer: Any):
    match = f"/api/v1/matches/{MATCH}"
    host = bearer(HOST_CODE)
    desk.keep_pictures(2, PICTURE, PICTURE + b"later")
    for address in (f"{match}/pictures/2/1", f"{match}/figures"):
        assert client.get(address).status_code == 403
        assert client.get(address, headers=bearer(1)).status_code == 403
        assert client.get(address, headers=host).status_code == 200
    desk.win()
    second = client.get(f"{match}/pictures/2/2")
    assert (second.data, second.mimetype) == (PICTURE + b"later", "image/jpeg")
    assert client.get(f"{match}/figures").json["pictures"] == {"2": 2}


@pytest.mark.parametrize("address", [f"{MATCH}/pictures/2/3", f"{MATCH}/pictures/2/0", f"{MATCH}/pictures/1/1"])
def test_a_picture_that_was_not_kept_is_not_there(address: str, client: FlaskClient, desk: RealDesk, bearer: Any):
    desk.keep_pictures(2, PICTURE, PICTURE + b"later")
    answer = client.get(f"/api/v1/matches/{address}", headers=bearer(HOST_CODE))
    assert answer.status_code == 404
    assert "were kept" in answer.json["detail"]


@pytest.mark.parametrize("address", ["none/pictures/2/1", "none/figures"])
def test_of_no_match_there_is_nothing(address: str, client: FlaskClient):
    assert client.get(f"/api/v1/matches/{address}").status_code == 404


def test_the_camera_is_the_host_s_and_in_silent_games_only_of_one_who_does_not_play(
    client: FlaskClient, desk: RealDesk, bearer: Any
):
    desk.shown = PICTURE
    told = client.get("/api/v1/camera.jpg", headers=bearer(HOST_CODE))
    assert (told.data, told.mimetype) == (PICTURE, "image/jpeg")
    assert client.get("/api/v1/camera.jpg", headers=bearer(1)).status_code == 403
    desk.begin("fr-bluff")
    assert client.get("/api/v1/camera.jpg", headers=bearer(HOST_CODE)).status_code == 403
    desk.begin("fr-bluff", host="outside")
    assert client.get("/api/v1/camera.jpg", headers=bearer(HOST_CODE)).data == PICTURE


def test_wrong_addresses_and_methods_are_problems_too(client: FlaskClient):
    for answer, status in ((client.get("/api/v1/nothing"), 404), (client.put("/api/v1/moves"), 405)):
        assert answer.status_code == answer.json["status"] == status
        assert answer.mimetype == "application/problem+json"
    assert "POST" in client.put("/api/v1/moves").headers["Allow"]


def test_the_description_names_exactly_the_routes_that_exist(app: Flask):
    routes = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in document()["paths"].items() for method in methods}
    assert described == routes


def test_every_operation_has_an_id_a_tag_and_a_typed_answer():
    told = document()
    operations = [one for path, methods in told["paths"].items() if "/v1/" in path for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert {one["tags"][0] for one in operations} == {tag["name"] for tag in told["tags"]}
    for one in operations:
        for schema in (kind["schema"] for kind in one["responses"]["200"]["content"].values()):
            forms = schema.get("anyOf", [schema])
            assert all("$ref" in form or form["type"] in ("null", "string") for form in forms), one["operationId"]
            assert one["summary"]


CASES = examples(5, 190)
"""For each route and role; the many make more than 5,000 for each role."""


def described(who: str | None) -> Any:
    """The API around a desk of its own, as schemathesis sees it."""
    app = create_app(RealDesk(), Translations((LOCALE_FOLDER,)))
    config = schemathesis.Config()
    # A request for every bound of every schema, thousands in all: the host gets past the most doors.
    config.projects.default.phases.coverage.enabled = LONG or who == HOST_CODE
    schema = schemathesis.openapi.from_wsgi("/api/openapi.json", app, config=config)
    return schema.exclude(path="/api/v1/events"), {"Authorization": f"Bearer {who}"} if who else {}


SPECTATOR, SPECTATOR_HEADERS = described(None)
SEAT, SEAT_HEADERS = described(code_of(2))
HOST, HOST_HEADERS = described(HOST_CODE)
PROMISES = [checks.not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


@pytest.mark.slow
@SPECTATOR.parametrize()
@settings(max_examples=CASES, deadline=None)
def test_a_spectator_gets_only_described_answers(case: Any):
    case.call_and_validate(headers=SPECTATOR_HEADERS, checks=PROMISES)


@pytest.mark.slow
@SEAT.parametrize()
@settings(max_examples=CASES, deadline=None)
def test_a_seat_gets_only_described_answers(case: Any):
    case.call_and_validate(headers=SEAT_HEADERS, checks=PROMISES)


@pytest.mark.slow
@HOST.parametrize()
@settings(max_examples=CASES, deadline=None)
def test_the_host_gets_only_described_answers(case: Any):
    case.call_and_validate(headers=HOST_HEADERS, checks=PROMISES)


def test_the_description_names_every_figure():
    from companion.history.statistics import encode_statistics, match_statistics
    from web.api.archive import Figures

    assert set(Figures.__annotations__) == {*encode_statistics(match_statistics(())), "pictures", "marks"}
