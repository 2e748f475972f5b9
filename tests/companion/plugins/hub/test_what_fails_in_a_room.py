"""A database, a broker or a network that goes in the middle of a round: nothing that was said is lost or made up."""

from __future__ import annotations

import json
import threading
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.cable import cable
from support.mosquitto import mosquitto
from support.ports import free_port
from support.postgres import PostgresServer
from support.real_desk import HUB_WORDS, RealDesk
from support.waiting import wait

pytest.importorskip("alembic")
pytest.importorskip("psycopg")

from companion.plugins.hub.live_tables import TOPICS, Room
from companion.plugins.hub.pages.app import create_hub
from companion.plugins.hub.pages.listener import TableListener
from companion.plugins.hub.store import TournamentStore
from companion.plugins.mqtt.publisher import MqttPublisher

pytestmark = pytest.mark.broker


def organiser_of(store: TournamentStore, room: Room) -> FlaskClient:
    client = create_hub(room, store, HUB_WORDS).test_client()
    assert client.get(f"/organiser/{store.code}").status_code == 303
    return client


@pytest.mark.slow
def test_a_postgresql_that_is_killed_in_the_middle_of_a_round_has_kept_what_it_said_it_kept() -> None:
    server = PostgresServer()
    store = TournamentStore(server.address)
    organiser = organiser_of(store, Room())
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"})
    organiser.post("/tournaments/1", data={"do": "enter", "names": "Ana\nBen\nCy\nDora"})
    organiser.post("/tournaments/1", data={"do": "pair", "after": str(store.tournament(1).entries)})

    def result(table: int, after: int) -> Any:
        points = {"points-1": "9", "points-2": "4"}
        form = {"do": "result", "round": "1", "table": str(table), "after": str(after), **points}
        return organiser.post("/tournaments/1", data=form)

    entries = store.tournament(1).entries
    assert result(1, entries).status_code == 303
    server.kill()
    lost = result(2, entries + 1)
    assert (lost.status_code, "cannot be" in lost.get_data(as_text=True)) == (503, True)
    assert organiser.get("/tournaments/1").status_code == 503
    assert organiser.get("/wall").status_code == 503
    server.start()
    now = store.tournament(1)
    assert (dict(now.rounds[0].results), now.entries) == ({1: (9, 4)}, entries + 1)
    assert result(2, entries + 1).status_code == 303, "said again, it is kept"
    assert store.tournament(1).ready
    assert organiser.get("/wall").status_code == 200
    store.close()
    server.close()


@pytest.mark.slow
def test_a_broker_that_is_restarted_under_load_leaves_the_room_as_its_tables_are(tmp_path: Path) -> None:
    port, room, desks = free_port(), Room(), [RealDesk(seats=2) for _ in range(12)]
    with ExitStack() as stack:
        with mosquitto(tmp_path, port):
            listener = TableListener(room.receive, TOPICS, "127.0.0.1", port)
            stack.callback(listener.close)
            for number, desk in enumerate(desks):
                publisher = MqttPublisher(
                    "127.0.0.1",
                    port,
                    table=f"t{number}",
                    title=f"T{number}",
                    match=desk.match.current,
                    names_players=True,
                )
                stack.callback(publisher.close)
                desk.match.subscribe(publisher)
            playing = threading.Event()
            playing.set()

            def play(desk: RealDesk) -> None:
                while playing.is_set():
                    desk.lay()
                    if desk.standing.over:
                        desk.begin(seats=2)
                    time.sleep(0.005)

            threads = [threading.Thread(target=play, args=(desk,)) for desk in desks]
            for thread in threads:
                thread.start()
            wait(lambda: len(room.all()) == len(desks) and all(one.points for one in room.all()))
        wait(lambda: not listener.online)
        before = {one.topic: one.points for one in room.all()}
        with mosquitto(tmp_path, port):
            wait(lambda: listener.online)
            wait(lambda: all(one.points != before[one.topic] for one in room.all()))
            playing.clear()
            for thread in threads:
                thread.join()
            for number, desk in enumerate(desks):
                wait(lambda number=number, desk=desk: points(room, f"t{number}") == desk.standing.points)
            assert all(one.online for one in room.all())
            assert room.refused == 0
            stack.close()


def points(room: Room, topic: str) -> tuple[int, ...]:
    return next(one.points for one in room.all() if one.topic == topic)


@pytest.mark.slow
def test_a_table_whose_network_is_away_for_a_round_plays_on_and_brings_its_result(
    tmp_path: Path, store: TournamentStore
) -> None:
    """Meanwhile the room shows it as gone, and not as it was; its result is offered when it is back."""
    room, desk = Room(), RealDesk(seats=2)
    organiser = organiser_of(store, room)
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "2", "largest": "2"})
    organiser.post("/tournaments/1", data={"do": "enter", "names": "Ana\nBen"})
    organiser.post("/tournaments/1", data={"do": "pair", "after": str(store.tournament(1).entries)})
    with mosquitto(tmp_path) as port, cable(port) as wire:
        listener = TableListener(room.receive, TOPICS, "127.0.0.1", port)
        table = MqttPublisher(
            "127.0.0.1", wire.port, table="t", title="Den", match=desk.match.current, names_players=True
        )
        desk.match.subscribe(table)
        desk.lay(2)
        wait(lambda: room.all() and room.all()[0].online and room.all()[0].points)
        wire.pull()
        wait(lambda: not room.all()[0].online)
        assert "Not connected" in organiser.get("/wall").get_data(as_text=True)
        desk.lay(20)
        desk.win()
        page = organiser.get("/tournaments/1").get_data(as_text=True)
        assert "has published this result" not in page
        wire.plug_in()
        wait(lambda: room.all()[0].online and room.all()[0].over)
        assert room.all()[0].points == desk.standing.points
        page = organiser.get("/tournaments/1").get_data(as_text=True)
        assert "Den has published this result" in page
        table.close()
        listener.close()


def test_what_was_on_its_way_when_the_network_went_does_not_overwrite_what_happened_since(tmp_path: Path) -> None:
    """The client sends again what was not confirmed; a broker keeps whatever standing comes last."""
    room, desk, numbers = Room(), RealDesk(seats=2), []

    def hear(table: str, what: str, payload: bytes) -> None:
        if what == "events":
            numbers.append(json.loads(payload)["number"])
        else:
            room.receive(table, what, payload)

    with mosquitto(tmp_path) as port, cable(port) as wire:
        listener = TableListener(hear, (*TOPICS, "events"), "127.0.0.1", port)
        table = MqttPublisher("127.0.0.1", wire.port, table="t", match=desk.match.current)
        desk.match.subscribe(table)
        desk.lay(2)
        wait(lambda: room.all() and room.all()[0].online and len(numbers) == 2)
        wire.loosen()
        desk.lay(5)
        wire.pull()
        wait(lambda: not room.all()[0].online)
        desk.lay(5)
        desk.win()
        wire.plug_in()
        wait(lambda: room.all()[0].online and len(set(numbers)) >= 12)
        wait(lambda: room.all()[0].over)
        table.close()
        listener.close()
    first_time = list(dict.fromkeys(numbers))
    assert first_time == sorted(first_time), "and the events come in their order"
    assert room.all()[0].points == desk.standing.points
