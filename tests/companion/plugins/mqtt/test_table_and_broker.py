"""A table and a real broker that do not get along: two tables with one number, a wrong password, an earlier evening."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from support.mosquitto import mosquitto
from support.ports import free_port
from support.real_desk import HOST_CODE, WORDS, RealDesk
from support.table_at_broker import TableAtBroker
from support.waiting import wait

from companion.plugins.mqtt import PLUGIN, publisher as pushing
from companion.plugins.mqtt.table import BROKER_FILE, topic
from companion.public.findings import Level
from companion.public.machine import Box, HostNote, SystemActions
from companion.public.text import Text
from companion.storage.box import read_box, write_box
from companion.storage.settings import SETTINGS_FILE, read_settings
from companion.system.camera_check import in_english
from web.app import close, create_app

pytestmark = pytest.mark.broker


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with mosquitto(tmp_path) as port:
        yield port


def opened(folder: Path, port: int, stack: ExitStack, **settings: Any) -> TableAtBroker:
    """A table at the broker."""
    folder.mkdir(exist_ok=True)
    desk = RealDesk()
    table = TableAtBroker(folder, {"host": "127.0.0.1", "port": port, **settings}, desk)
    stack.callback(lambda: (table.close(), desk))  # a desk that nobody holds ends
    return table


def kept(port: int) -> dict[str, str]:
    """What the broker keeps, by topic."""
    found: dict[str, str] = {}
    all_here = threading.Event()
    ear = mqtt.Client(CallbackAPIVersion.VERSION2)

    def hear(_client: Any, _data: Any, message: Any) -> None:
        if message.topic == "end":
            all_here.set()
        else:
            found[message.topic] = message.payload.decode()

    ear.on_message = hear
    ear.on_connect = lambda client, *_: client.subscribe("#", qos=1)
    ear.on_subscribe = lambda client, *_: client.publish("end", "x", qos=1)
    ear.connect("127.0.0.1", port)
    ear.loop_start()
    assert all_here.wait(60)
    ear.disconnect()
    ear.loop_stop()
    return {topic: payload for topic, payload in found.items() if payload}


@pytest.mark.parametrize(
    ("name", "host", "part"),
    [
        ("", "raspberrypi", "raspberrypi-3fa90c21"),
        ("Kitchen", "raspberrypi", "kitchen-3fa90c21"),
        ("Küche 1/é #+", "x", "kuche-1-e-3fa90c21"),
        ("台", "", "table-3fa90c21"),
    ],
)
def test_a_table_s_topic_is_its_name_and_what_no_other_table_has(name: str, host: str, part: str) -> None:
    assert topic(Box("3fa90c21", name), host) == part


def test_two_tables_with_one_number_know_of_each_other_until_one_gets_a_new_one(
    port: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A club copies its card, and gives one of the two another name."""
    monkeypatch.setattr(pushing, "TWIN_S", 2.0)
    with ExitStack() as stack:
        for name, called in (("a", "Kitchen"), ("b", "Back room")):
            (tmp_path / name).mkdir()
            write_box(tmp_path / name, Box("0a0b0c0d", called))
        a = opened(tmp_path / "a", port, stack)
        wait(lambda: a.broker == "ok" and "companion/kitchen-0a0b0c0d/available" in kept(port))
        b = opened(tmp_path / "b", port, stack)
        seen: set[tuple[str | None, str | None]] = set()

        def both() -> bool:
            seen.add((a.broker, b.broker))
            return ("twin", "twin") in seen

        wait(both)
        a.renumber()
        assert read_box(tmp_path / "a").id != "0a0b0c0d"
        assert read_box(tmp_path / "a").name == "Kitchen"
        wait(lambda: (a.broker, b.broker) == ("ok", "ok"))
        there = kept(port)
        assert there[f"companion/kitchen-{a.box.id}/available"] == "online"
        assert there["companion/back-room-0a0b0c0d/available"] == "online"


def test_the_host_s_page_says_so_and_has_the_button_and_nobody_else_s_has(tmp_path: Path) -> None:
    drawn: list[str] = []
    note = HostNote(Text("note.twin", {"id": "0a0b0c0d"}), renumbers=True)
    system = SystemActions(
        id="0a0b0c0d",
        health=lambda: {"broker": "twin"},
        notes=lambda: (note,),
        renumber=lambda: drawn.append("new"),
    )
    app = create_app(RealDesk(), WORDS, system=system)
    client = app.test_client()
    host = {"Authorization": f"Bearer {HOST_CODE}"}
    said = "Another table at the broker has the number of this one, 0a0b0c0d"
    assert said in client.get("/host", headers=host).text
    assert 'id="renumber"' in client.get("/host", headers=host).text
    assert said not in client.get("/").text
    assert client.get("/api/v1/health").json["broker"] == "twin"
    assert client.post("/api/v1/box", json={"do": "new-number"}).status_code == 403
    assert client.post("/api/v1/box", json={"do": "new-number"}, headers=host).status_code == 200
    assert drawn == ["new"]
    close(app)


@pytest.mark.parametrize(("password", "state"), [("right", "ok"), ("wrong", "refused"), (None, "away")])
def test_a_wrong_password_is_a_line_in_the_doctor_whether_a_table_runs_or_not(
    password: str | None, state: str, tmp_path: Path
) -> None:
    if not shutil.which("mosquitto_passwd"):
        pytest.skip("mosquitto_passwd is not installed here")
    people = tmp_path / "people"
    subprocess.run(["mosquitto_passwd", "-b", "-c", str(people), "ana", "right"], check=True, capture_output=True)
    with ExitStack() as stack:
        port = free_port()
        if password is not None:
            lines = ("allow_anonymous false", f"password_file {people}", "user root")
            port = stack.enter_context(mosquitto(tmp_path, port, *lines))
        data = tmp_path / "data"
        table = opened(data, port, stack, user="ana", password=password or "right")
        wait(lambda: table.broker == state)
        (data / SETTINGS_FILE).write_text(
            f'[mqtt]\nhost = "127.0.0.1"\nport = {port}\nuser = "ana"\npassword = "{password or "right"}"\n'
        )
        for health in (None, {"broker": table.broker}):
            (finding,) = PLUGIN.doctor(read_settings(data).sections["mqtt"], health)
            assert finding.name == "broker"
            assert (finding.level is Level.OK) is (state == "ok")
            words = in_english()(finding.what)
            assert f"127.0.0.1:{port}" in words
            assert ("refuses this table" in words) is (state == "refused")
            assert "right" not in words


def test_what_another_game_left_at_the_broker_is_taken_away_after_a_restart(port: int, tmp_path: Path) -> None:
    """Discovery on one evening, a game without hands and stack on the next, the table off between."""
    own = topic(Box("0a0b0c0d"), socket.gethostname().partition(".")[0])
    config = f"homeassistant/device/{own}/config"
    (tmp_path / "data").mkdir()
    write_box(tmp_path / "data", Box("0a0b0c0d"))

    def entities() -> dict[str, Any]:
        return dict(json.loads(kept(port)[config])["cmps"])

    with ExitStack() as stack:
        desk = RealDesk()
        first = TableAtBroker(tmp_path / "data", {"host": "127.0.0.1", "port": port}, desk)
        stack.callback(first.close)
        desk.lay(1)
        wait(lambda: config in kept(port) and "hands_1" in entities())
        assert entities()["stack"].keys() > {"p"}
    with ExitStack() as stack:
        opened(tmp_path / "data", port, stack, prefix="club")
        wait(lambda: f"club/{own}/available" in kept(port))
        wait(lambda: f"companion/{own}/standing" not in kept(port))
        assert not [topic for topic in kept(port) if topic.startswith("companion/")], "the old prefix is left by none"
    with ExitStack() as stack:
        bare = MatchlessDesk()
        third = TableAtBroker(tmp_path / "data", {"host": "127.0.0.1", "port": port}, bare)
        stack.callback(third.close)
        wait(lambda: config in kept(port) and entities().get("hands_1") == {"p": "sensor"})
        assert entities()["stack"] == {"p": "sensor"}
        assert entities()["turn"].keys() > {"p"}


class MatchlessDesk:
    """A table between two matches: it counts nothing."""

    def __init__(self) -> None:
        desk = RealDesk()
        self.desk, self.runner = desk, desk.runner
        self.match = desk.match
        self.match.newest = lambda: None  # type: ignore[method-assign]
        self.match.current = lambda: None  # type: ignore[method-assign]


@pytest.mark.parametrize("content", ["", "[]", '{"topics": 3}', '{"topics": [1], "entities": {}}', "\0"])
def test_a_damaged_memory_of_the_broker_costs_nothing_but_that(content: str, port: int, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / BROKER_FILE).write_text(content)
    with ExitStack() as stack:
        table = opened(tmp_path / "data", port, stack)
        wait(lambda: any(topic.endswith("/available") for topic in kept(port)))
        assert table.broker == "ok"
