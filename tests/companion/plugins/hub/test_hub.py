"""A hub's pages: tables live from a real broker, and a tournament from its first name to its last correction."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support.mosquitto import mosquitto
from support.real_desk import RealDesk
from support.waiting import wait

pytest.importorskip("alembic")

from companion.plugins.hub.live_tables import TOPICS, Room
from companion.plugins.hub.pages.listener import TableListener
from companion.plugins.hub.store import TournamentStore
from companion.plugins.mqtt.publisher import MqttPublisher

NAMES = "Ana\nBen\n<b>Cy</b>\n=Dora"


def say(client: FlaskClient, do: str, **more: Any) -> int:
    return client.post("/tournaments/1", data={"do": do, **more}).status_code


def begun(client: FlaskClient, store: TournamentStore, names: str = NAMES) -> None:
    assert client.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"}).status_code == 303
    assert say(client, "enter", names=names) == 303
    assert say(client, "pair", after=store.tournament(1).entries) == 303


def test_a_tournament_from_its_first_name_to_a_correction(organiser: FlaskClient, store: TournamentStore) -> None:
    begun(organiser, store)
    for table in (1, 2):
        told = {"round": 1, "table": table, "points-1": "9", "points-2": "4"}
        assert say(organiser, "result", after=store.tournament(1).entries, **told) == 303
    wrong = {"round": 1, "table": 1, "points-1": "4", "points-2": "9", "after": store.tournament(1).entries}
    assert say(organiser, "result", **wrong) == 422
    assert say(organiser, "result", **wrong, reason="read the wrong way round") == 303
    page = organiser.get("/tournaments/1").get_data(as_text=True)
    assert "Table 1: 9, 4 became 4, 9. read the wrong way round" in page
    assert "<b>Cy</b>" not in page
    assert "&lt;b&gt;Cy&lt;/b&gt;" in page
    second = store.tournament(1).rounds[0].tables[0][1]
    explained = organiser.get(f"/tournaments/1/players/{second}").get_data(as_text=True)
    assert "Place 1: 1 in all" in explained
    told_csv = organiser.get("/tournaments/1/standings.csv").get_data(as_text=True)
    assert "'=Dora" in told_csv, "no formula for a spreadsheet"
    assert len(organiser.get("/tournaments/1/entries.json").get_json()) == store.tournament(1).entries


def test_before_the_first_round_there_are_names_and_what_comes_next_but_no_numbers(
    client: FlaskClient, organiser: FlaskClient, store: TournamentStore
) -> None:
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"})
    assert say(organiser, "enter", names="Ana\nBen") == 303
    page = client.get("/tournaments/1").get_data(as_text=True)
    assert "Wait for the organiser to pair the first round." in page
    assert "<li>Ana</li><li>Ben</li>" in page
    for place in ("/tournaments/1", "/wall"):
        told = client.get(place).get_data(as_text=True)
        assert "Wait for the organiser to pair the first round." in told
        assert "0.00" not in told
        assert "<span>1</span>" not in told
    assert say(organiser, "pair", after=store.tournament(1).entries) == 303
    assert "Standings" in client.get("/tournaments/1").get_data(as_text=True)


def test_pairings_and_slips_go_on_paper_and_on_the_wall(organiser: FlaskClient, store: TournamentStore) -> None:
    begun(organiser, store)
    for page in ("/tournaments/1/slips", "/wall"):
        said = organiser.get(page).get_data(as_text=True)
        assert all(name in said for name in ("Ana", "Ben", "Table 1", "Table 2", "Round 1")), page


def test_everybody_looks_and_only_the_organiser_changes(
    app: Flask, organiser: FlaskClient, store: TournamentStore
) -> None:
    begun(organiser, store)
    guest, before = app.test_client(), store.tournament(1)
    for page in ("/", "/wall", "/tournaments/1", "/tournaments/1/slips", "/tournaments/1/players/1"):
        seen = guest.get(page)
        assert seen.status_code == 200, page
        assert "<form" not in seen.get_data(as_text=True), page
        assert store.code not in seen.get_data(as_text=True), page
        assert guest.get(page, headers={"Host": "192.168.1.20:8090"}).status_code == 200
        foreign = guest.get(page, headers={"Host": "evil.example"})
        assert (foreign.status_code, "Ana" in foreign.get_data(as_text=True)) == (403, False), page
    assert say(guest, "enter", names="Eve") == 403
    assert guest.post("/tournaments", data={"name": "x", "smallest": "2", "largest": "2"}).status_code == 403
    assert guest.get("/organiser/0000").status_code == 403
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Host": "evil.example"}):
        answer = organiser.post("/tournaments/1", data={"do": "enter", "names": "Eve"}, headers=headers)
        assert answer.status_code == 403, headers
    assert store.tournament(1) == before


def test_who_decides_on_what_is_no_longer_so_is_asked_to_look_again(
    organiser: FlaskClient, store: TournamentStore
) -> None:
    begun(organiser, store)
    told = {"round": 1, "table": 1, "points-1": "9", "points-2": "4", "after": store.tournament(1).entries - 1}
    answer = organiser.post("/tournaments/1", data={"do": "result", **told})
    assert answer.status_code == 409
    assert "look again" in answer.get_data(as_text=True)


@pytest.mark.parametrize("page", ["tournaments/9", "tournaments/9/entries.json", "nothing", "tournaments/1/players/99"])
def test_what_is_not_there_is_a_page_in_the_readers_language(
    organiser: FlaskClient, store: TournamentStore, page: str
) -> None:
    begun(organiser, store)
    answer = organiser.get(f"/{page}?lang=fr")
    assert answer.status_code in (404, 422)
    assert "C’est impossible" in answer.get_data(as_text=True)


def test_points_may_be_less_than_nothing(organiser: FlaskClient, store: TournamentStore) -> None:
    """Rotten tiles cost points; a minus may be the keyboard's or the one that boards print."""
    begun(organiser, store)
    told = {"round": 1, "table": 1, "points-1": "-3", "points-2": "−12", "after": store.tournament(1).entries}
    assert say(organiser, "result", **told) == 303
    assert store.tournament(1).rounds[0].results[1] == (-3, -12)
    assert "\N{MINUS SIGN}12" in organiser.get("/tournaments/1").get_data(as_text=True)


def test_a_form_that_somebody_made_up_is_a_sentence(organiser: FlaskClient, store: TournamentStore) -> None:
    begun(organiser, store)
    now = store.tournament(1).entries
    for form in (
        {"do": "result"},
        {"do": "result", "round": "x", "table": "-", "points-1": "1e9"},
        {"do": "boom"},
        *(
            {"do": "result", "round": "1", "table": "1", "points-1": "9", "points-2": no}
            for no in ("--5", "-", "", "4-")
        ),
        {},
    ):
        assert organiser.post("/tournaments/1", data={**form, "after": str(now)}).status_code == 422, form
    assert store.tournament(1).entries == now


def test_a_table_shows_its_game_and_its_seats_shapes(tables: Room, client: FlaskClient) -> None:
    for topic, game in (("kitchen", "carcassonne"), ("attic", "<i>own</i>")):
        match = {"match": "m", "game": game, "seats": [{"number": 1, "name": "Ana"}, {"number": 2, "name": "Ben"}]}
        tables.receive(topic, "available", b"online")
        tables.receive(topic, "match", json.dumps(match).encode())
        tables.receive(topic, "standing", json.dumps({"turn": 2, "points": [3, 4], "winners": []}).encode())
    for place in ("/", "/wall"):
        page = client.get(place).get_data(as_text=True)
        assert "Carcassonne: The Discovery" in page
        assert "&lt;i&gt;own&lt;/i&gt;" in page
        shapes = re.findall(r'<use href="#(\w+)"', page)
        assert shapes == ["s1", "s2"] * 2
        assert set(shapes) <= set(re.findall(r'<symbol id="(\w+)"', page))
        assert page.count("<small>plays</small>") == 2
    with client.get("/vollkorn-bold.woff2") as face:
        assert face.content_type == "font/woff2"


@pytest.mark.broker
def test_a_table_is_seen_with_what_it_needs_and_its_result_is_offered(
    tmp_path: Path, tables: Room, organiser: FlaskClient, store: TournamentStore
) -> None:
    begun(organiser, store, "Ana\nBen")
    with mosquitto(tmp_path) as port:
        listener = TableListener(tables.receive, TOPICS, "127.0.0.1", port)
        desk = RealDesk(seats=2)
        table = MqttPublisher(
            "127.0.0.1", port, table="t", title="<i>Den</i>", match=desk.match.current, names_players=True
        )
        desk.match.subscribe(table)
        desk.lay(2)
        desk.ask()
        wait(lambda: tables.all() and tables.all()[0].needs)
        page = organiser.get("/wall").get_data(as_text=True)
        assert "&lt;i&gt;Den&lt;/i&gt;" in page
        assert "<i>" not in page
        assert "a question is open" in page
        desk.win()
        wait(lambda: tables.all()[0].over)
        assert "has published this result" in organiser.get("/tournaments/1").get_data(as_text=True)
        table.close()
        wait(lambda: not tables.all()[0].online)
        assert "Not connected" in organiser.get("/").get_data(as_text=True)
        listener.close()
