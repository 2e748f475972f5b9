"""A tournament of twenty-four players, from the first name to the last place, with tables that play and publish."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.cable import cable
from support.mosquitto import mosquitto
from support.waiting import wait

pytest.importorskip("alembic")

from companion.games import registry
from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.hub.live_tables import TOPICS, Room
from companion.hub.store import TournamentStore
from companion.public.i18n import Translations
from companion.public.updates import Signal, Update
from web.hub.app import create_hub
from web.hub.listener import TableListener
from web.language import LOCALE_FOLDER
from web.push.mqtt import MqttPublisher

pytestmark = [pytest.mark.broker, pytest.mark.slow]
ROUNDS, LOST, CORRECTED = 4, (2, 3), (3, 1)


class PlayedTable:
    """A table at which dice play a match of Darwinci, and which publishes how it stands."""

    def __init__(self, port: int, number: int, names: Sequence[str], seed: int) -> None:
        file = {"game": "darwinci", "seat": [{"name": name} for name in names]}
        self.game: Any = open_match(file, demo_deck(DARWINCI)).game
        self.state, self.number, self._dice = self.game.rules.start, 0, Random(seed)
        seats = [{"number": seat, "name": name} for seat, name in enumerate(names, 1)]
        match = {"id": f"m-{seed}", "game": "darwinci", "profile": "base", "simulated": True, "seats": seats}
        self.publisher = MqttPublisher(
            "127.0.0.1", port, table=f"t{number}", title=f"Table {number}", match=lambda: match, names_players=True
        )

    def plays(self, until: Callable[[PlayedTable], bool]) -> None:
        player = DARWINCI.demonstration.random_player(self.game)
        while not until(self):
            self.number += 1
            at = MoveContext(self.number, float(self.number))
            move = next(
                one for one in player(self.state, self._dice, at) if not self.game.rules.judge(self.state, one, at)
            )
            self.state = self.game.rules.apply(self.state, move, at).state
            self.publisher(Update(self.number, Signal.PLAYED, standing=self.game.board.standing(self.state)))

    def __enter__(self) -> PlayedTable:
        return self

    def __exit__(self, *_: object) -> None:
        self.publisher.close(forget=True)


def says(organiser: FlaskClient, store: TournamentStore, do: str, **more: Any) -> None:
    answer = organiser.post("/tournaments/1", data={"do": do, "after": str(store.tournament(1).entries), **more})
    assert answer.status_code == 303, answer.get_data(as_text=True)


def offered(organiser: FlaskClient, table: int) -> dict[str, str]:
    """What stands in the form of a table in the newest round, with what the hub has filled in."""
    page = organiser.get("/tournaments/1").get_data(as_text=True)
    forms = re.findall(r'<form method="post" class="result">.*?</form>', page.split("<section>")[1], re.S)
    (form,) = (one for one in forms if f'name="table" value="{table}"' in one)
    return dict(re.findall(r'name="([a-z]+(?:-\d)?)"[^>]*? value="([^"]*)"', form))


def share(points: Sequence[int], mine: int) -> float:
    """The part of the others that somebody is ahead of; half of those who are level."""
    ahead = sum(other < mine for other in points) + (points.count(mine) - 1) / 2
    return ahead / (len(points) - 1)


@pytest.mark.long
def test_twenty_four_players_over_four_rounds_with_a_table_lost_and_a_result_corrected(
    tmp_path: Path, store: TournamentStore
) -> None:
    """« pairings valid (no pair twice while avoidable, checked by an independent count), standings right by an
    independent count »"""
    room = Room()
    organiser = create_hub(room, store, Translations((*registry.locale_folders(), LOCALE_FOLDER))).test_client()
    assert organiser.get(f"/organiser/{store.code}").status_code == 303
    organiser.post("/tournaments", data={"name": "Cup", "smallest": "3", "largest": "4"})
    everybody = [f"Player {number:02}" for number in range(1, 25)]
    says(organiser, store, "enter", names="\n".join(everybody))
    met: Counter[frozenset[str]] = Counter()
    counted = dict.fromkeys(everybody, 0.0)
    with mosquitto(tmp_path) as port:
        listener = TableListener(room.receive, TOPICS, "127.0.0.1", port)
        for number in range(1, ROUNDS + 1):
            says(organiser, store, "pair")
            now = store.tournament(1)
            seated = [[now.player(one).name for one in seats] for seats in now.rounds[-1].tables]
            assert sorted(name for names in seated for name in names) == everybody
            with ExitStack() as stack:
                wire = stack.enter_context(cable(port))
                for table, names in enumerate(seated, 1):
                    lost = (number, table) == LOST
                    there = PlayedTable(wire.port if lost else port, table, names, 10 * number + table)
                    stack.enter_context(there)
                    assert there.publisher.connected(60)
                    if lost:
                        there.plays(lambda one: one.number == 30)
                        wait(lambda table=table: any(one.topic == f"t{table}" and one.points for one in room.all()))
                        wire.pull()
                        wait(lambda table=table: not next(one for one in room.all() if one.topic == f"t{table}").online)
                        says(organiser, store, "lose", round=number, table=table, reason="the box fell")
                        counted.update({name: counted[name] + 0.5 for name in names})
                        continue
                    there.plays(lambda one: one.state.over)
                    points = list(there.game.board.standing(there.state).points)
                    wait(lambda table=table: offered(organiser, table)["points-1"])
                    form = offered(organiser, table)
                    assert [int(form[f"points-{seat}"]) for seat in range(1, len(names) + 1)] == points
                    says(organiser, store, "result", **{key: form[key] for key in form if key not in ("do", "after")})
                    if (number, table) == CORRECTED:
                        points = [4, 1, 3, -2]
                        more = {f"points-{seat}": str(mine) for seat, mine in enumerate(points, 1)}
                        says(organiser, store, "result", round=number, table=table, reason="read wrong", **more)
                    for name, mine in zip(names, points, strict=True):
                        counted[name] += share(points, mine)
                    met.update(frozenset(pair) for pair in combinations(names, 2))
        listener.close()
    assert max(met.values()) == 1, "nobody meets twice where that can be avoided"
    rows = list(csv.DictReader(io.StringIO(organiser.get("/tournaments/1/standings.csv").get_data(as_text=True))))
    assert {row["name"]: float(row["total"]) for row in rows} == pytest.approx(counted, abs=1e-4)
    totals = [float(row["total"]) for row in rows]
    assert totals == sorted(totals, reverse=True)
    page = organiser.get("/tournaments/1").get_data(as_text=True)
    assert "read wrong" in page
    assert "the box fell" in page
    assert "\N{MINUS SIGN}2" in page
