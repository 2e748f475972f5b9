"""A tournament from the first name to the last standings, over tables that simulated people play to the end.

The tables are whole houses: referee, log, pages behind a socket, publisher at a real broker; only the eye is a perfect
one. What the hub makes of it is counted again here from the points alone, in the plainest way.
"""

from __future__ import annotations

import csv
import io
import itertools
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.live_house import LiveHouse, live_house
from support.mosquitto import mosquitto
from support.real_desk import HUB_WORDS
from support.waiting import wait
from werkzeug.serving import make_server

pytest.importorskip("alembic")

from companion.games import registry
from companion.plugins.hub.live_tables import TOPICS, Room
from companion.plugins.hub.pages.app import create_hub
from companion.plugins.hub.pages.listener import TableListener
from companion.plugins.hub.pages.table_client import RecordCollector
from companion.plugins.hub.store import TournamentStore, sqlite_address
from companion.plugins.mqtt.publisher import MqttPublisher
from companion.public.machine import SystemActions

pytestmark = pytest.mark.broker

JSON = Any
DECK = registry.demo_deck()


@dataclass
class RoomTable:
    """A table of the room: its house, and where its pages are."""

    id: str
    house: LiveHouse
    address: str

    def play(self, names: Sequence[str], seed: int, *, breaks_off: bool = False) -> None:
        """A match of these players to its end; or only its first minute."""
        self.house.begin(last_cards(names), DECK, seed)
        while not self.house.match.over and (self.house.now_s < 60 or not breaks_off):
            self.house.tick()


def last_cards(names: Sequence[str]) -> JSON:
    """A match near its end, so that it lasts minutes at the table."""
    pool, tree = ["1-3", "1-4", "2-5", "2-3", "2-4"], ["1-1", "1-2", "2-1"]
    left = [card["id"] for card in reversed(DECK["card"]) if card["id"] not in (*pool, *tree)]
    gone = left[: len(left) - 3 * len(names) - 4]
    discards = [gone[seat :: len(names)] for seat in range(len(names))]
    start = {"turn": 1, "tree": tree, "pool": pool, "discards": discards, "hands": [3] * len(names), "stack": 4}
    seats = [{"name": name} for name in names]
    return {"game": "discovery", "profile": "fr-explore", "seat": seats, "position": start}


@contextmanager
def room_table(folder: Path, number: int, broker: int) -> Iterator[RoomTable]:
    """A table that publishes, and answers at its address."""
    table_id, name = f"{number:08x}", f"Table {number}"
    folder.mkdir()
    with live_house(folder, SystemActions(id=table_id, name=name)) as house:
        app: Any = house.client.application
        match = app.extensions["context"].services.match
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        publisher = MqttPublisher(
            "127.0.0.1", broker, table=f"t-{table_id}", id=table_id, title=name, address=address, match=match.current,
            names_players=True,
        )  # fmt: skip
        match.subscribe(publisher)
        try:
            yield RoomTable(table_id, house, address)
        finally:
            publisher.close()
            server.shutdown()
            thread.join()
            server.server_close()


def as_host(table: RoomTable, do: str) -> JSON:
    """The host's page presses a button about the hub."""
    from companion.storage.join_codes import host_codes

    code = host_codes(table.house.runner.log)[0]
    said = table.house.client.post("/api/v1/hub", json={"do": do}, headers={"Authorization": f"Bearer {code}"})
    return said.json


class Organiser:
    """Who runs the tournament, with a browser."""

    def __init__(self, client: FlaskClient, store: TournamentStore) -> None:
        self._client, self._store = client, store
        assert client.get(f"/organiser/{store.code}").status_code == 303

    def says(self, do: str, **more: Any) -> None:
        form = {"do": do, "after": str(self._store.tournament(1).entries), **more}
        answer = self._client.post("/tournaments/1", data=form)
        assert answer.status_code == 303, answer.get_data(as_text=True)

    def begins(self, names: Sequence[str], smallest: int, largest: int) -> None:
        form = {"name": "Cup", "smallest": str(smallest), "largest": str(largest)}
        assert self._client.post("/tournaments", data=form).status_code == 303
        self.says("enter", names="\n".join(names))

    def connects(self, table: RoomTable) -> None:
        form = {"address": table.address, "code": as_host(table, "open")["code"]}
        assert self._client.post("/tables", data=form).status_code == 303

    def enters(self, number: int, table: int, points: Sequence[int], reason: str = "") -> None:
        told = {f"points-{seat}": str(one) for seat, one in enumerate(points, 1)}
        more = {"reason": reason} if reason else {}
        self.says("result", round=str(number), table=str(table), **told, **more)

    def page(self) -> str:
        return self._client.get("/tournaments/1").get_data(as_text=True)

    def standings(self) -> list[dict[str, str]]:
        told = self._client.get("/tournaments/1/standings.csv").get_data(as_text=True)
        return list(csv.DictReader(io.StringIO(told)))


def counted_again(names: Sequence[str], rounds: Sequence[Sequence[tuple[Sequence[str], JSON]]]) -> JSON:
    """Who stands where, from nothing but who sat where with how many points (``None``: the match was lost)."""
    total: dict[str, Fraction] = defaultdict(Fraction)
    met: dict[str, list[str]] = defaultdict(list)
    won: dict[str, list[Fraction]] = defaultdict(list)
    for tables in rounds:
        for players, points in tables:
            for one in players:
                if points is None:
                    total[one] += Fraction(1, 2)
                    continue
                others = [other for other in players if other != one]
                beaten = sum(points[one] > points[other] for other in others)
                equal = sum(points[one] == points[other] for other in others)
                total[one] += Fraction(2 * beaten + equal, 2 * len(others))
                met[one] += others
                won[one].append(Fraction(points[one], sum(points.values())) if sum(points.values()) > 0 else Fraction())
    mean = lambda values: sum(values, Fraction()) / len(values) if values else Fraction()  # noqa: E731
    rows = {name: (total[name], mean([total[other] for other in met[name]]), mean(won[name])) for name in names}
    return {name: (1 + sum(other > row for other in rows.values()), *row) for name, row in rows.items()}


def tournament(
    tmp_path: Path, players: int, at_a_table: int, rounds: int, lost_in: int, corrected_in: int
) -> tuple[Any, list[str]]:
    """Plays it; answers the tournament and what the hub's pages said of it after each round."""
    names = [f"Player {number:02}" for number in range(1, players + 1)]
    played: list[list[tuple[Sequence[str], JSON]]] = []
    with ExitStack() as stack:
        broker = stack.enter_context(mosquitto(tmp_path))
        tables = [
            stack.enter_context(room_table(tmp_path / f"table-{number}", number, broker))
            for number in range(1, players // at_a_table + 1)
        ]
        store = TournamentStore(sqlite_address(tmp_path / "hub"))
        stack.callback(store.close)
        room = Room()
        stack.callback(TableListener(room.receive, TOPICS, "127.0.0.1", broker).close)
        collector = RecordCollector(store, every_s=0.5)
        stack.callback(collector.close)
        organiser = Organiser(create_hub(room, store, HUB_WORDS, collector=collector).test_client(), store)
        organiser.begins(names, at_a_table, at_a_table)
        for table in tables:
            organiser.connects(table)
        for number in range(1, rounds + 1):
            organiser.says("pair")
            results: list[tuple[Sequence[str], JSON]] = []
            for place, (table, seats) in enumerate(zip(tables, store.tournament(1).rounds[-1].tables, strict=True), 1):
                people = [store.tournament(1).player(one).name for one in seats]
                lost = (number, place) == (lost_in, 1)
                table.play(people, seed=100 * number + place, breaks_off=lost)
                if lost:
                    organiser.says("lose", round=str(number), table=str(place), reason="the table fell over")
                    results.append((people, None))
                    continue
                standing = table.house.match.standing
                wait(lambda people=people: any(list(one.seats) == people for one in store.finished()))
                offered = [int(part.split('"')[0]) for part in offered_form(organiser.page(), place)]
                assert offered == list(standing.points), "the record's points are in the form"
                organiser.enters(number, place, offered)
                if (number, place) == (corrected_in, 1):
                    offered[0] += 40
                    organiser.enters(number, place, offered, reason="a prize was forgotten")
                results.append((people, dict(zip(people, offered, strict=True))))
            played.append(results)
            for row in organiser.standings():
                place_, total, opposition, part = counted_again(names, played)[row["name"]]
                told = [row["place"], row["total"], row["opposition"], row["part"]]
                assert told == [str(place_), *(f"{float(one):.4f}" for one in (total, opposition, part))], row["name"]
            assert len(organiser.standings()) == players
        page = organiser.page()
        assert "the table fell over" in page
        assert "a prize was forgotten" in page
        return played, names


def offered_form(page: str, table: int) -> list[str]:
    """The values in the form of the newest round's table."""
    newest = page.split("<section>")[1]
    row = next(one for one in newest.split("<li>") if f"<b>Table {table}</b>" in one)
    return row.split("<form")[1].split('required value="')[1:]


def meetings(played: Any) -> dict[tuple[str, str], int]:
    """How often two have played with each other; a match that was lost counts for nobody."""
    found: dict[tuple[str, str], int] = defaultdict(int)
    for tables in played:
        for people, points in tables:
            for pair in itertools.combinations(sorted(people), 2):
                found[pair] += points is not None
    return found


def judged(played: Any, names: Sequence[str], at_a_table: int) -> None:
    """Everybody sat once a round, at a table of the right size, and nobody met anybody twice."""
    for tables in played:
        assert sorted(name for people, _ in tables for name in people) == sorted(names)
        assert all(len(people) == at_a_table for people, _ in tables)
    assert max(meetings(played).values()) == 1


@pytest.mark.slow
def test_a_small_tournament_of_simulated_tables_from_the_first_name_to_the_last(tmp_path: Path) -> None:
    """Four players, two rounds, a table lost and a result corrected; the long test has twenty-four."""
    played, names = tournament(tmp_path, 4, 2, 2, lost_in=1, corrected_in=2)
    judged(played, names, 2)


@pytest.mark.long
def test_a_tournament_of_24_players_over_4_rounds_of_simulated_tables(tmp_path: Path) -> None:
    """With a table lost in round 2 and a result corrected in round 3. In six tables of four nobody need meet twice."""
    played, names = tournament(tmp_path, 24, 4, 4, lost_in=2, corrected_in=3)
    judged(played, names, 4)
