"""The hub's bench, with a handful of tables: what it measures is measured, and it ends by itself."""

from __future__ import annotations

import json
import shutil

import pytest

pytest.importorskip("alembic")

from companion.hub.live_tables import Room
from tests.bench import hub


def test_the_traffic_is_what_a_hub_takes_from_a_table_with_four_seats() -> None:
    room, before_s = Room(), 0.0
    for at_s, what, payload in json.loads(hub.TRAFFIC.read_text("utf-8")):
        assert at_s >= before_s
        before_s = at_s
        if what in hub.RETAINED:
            room.hear("t", what, payload.encode())
    (table,) = room.all()
    assert (len(table.points), len(table.seats), table.online, table.needs, room.refused) == (4, 4, True, False, 0)
    assert before_s > 120, "some minutes at game speed"


@pytest.mark.long
@pytest.mark.broker
@pytest.mark.parametrize("broker", ["mosquitto", "nats-server"])
def test_a_few_tables_are_heard_and_nothing_is_lost(broker: str) -> None:
    tool = shutil.which(broker) or shutil.which(broker, path="/usr/sbin")
    if tool is None:
        pytest.skip(f"{broker} is not installed: apt-get install {broker}")
    measured = hub.measure(broker, tool, tables=6, spectators=3, lasts_s=6.0)
    assert measured.lost == 0
    assert len(measured.behind_s) == measured.sent >= 6 * len(("available", "match", "standing"))
    assert 0 < measured.behind_s[-1] < 60
    assert len(measured.looks_s) >= 3
    assert measured.hub_cpu > 0
    assert "none lost" in str(measured)
