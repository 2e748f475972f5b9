"""A real Mosquitto on this machine hears exactly what the players may know."""

from __future__ import annotations

import json
import queue
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from support.fake_desk import FakeDesk

from companion.public.standing import encode_standing
from web.push.mqtt import MqttPublisher

pytestmark = pytest.mark.broker
MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    if not Path(MOSQUITTO).exists():
        pytest.skip("Mosquitto is not installed: apt-get install mosquitto")
    port = free_port()
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(f"listener {port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    broker = subprocess.Popen([MOSQUITTO, "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.05)
    yield port
    broker.terminate()
    broker.wait(10)


class Ear:
    """Hears every topic."""

    def __init__(self, port: int) -> None:
        self.heard: queue.Queue[tuple[str, str, bool]] = queue.Queue()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _c, _d, m: self.heard.put((m.topic, m.payload.decode(), m.retain))
        self.client.on_connect = lambda c, *_: c.subscribe("#", qos=1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def next(self, topic: str) -> tuple[str, bool]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found, payload, retained = self.heard.get(timeout=60)
            if found == topic:
                return payload, retained
        raise AssertionError(f"nothing came on {topic}")

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


@pytest.fixture
def ear(port: int) -> Iterator[Ear]:
    ear = Ear(port)
    yield ear
    ear.close()


@pytest.fixture
def broker(port: int) -> Iterator[MqttPublisher]:
    broker = MqttPublisher("127.0.0.1", port, table="Stube 1/é", version="0.1.0", keepalive_s=5)
    assert broker.connected(60)
    yield broker
    broker.close()


def test_the_standing_is_kept_and_every_public_entry_is_told_once(port: int, ear: Ear, broker: MqttPublisher):
    desk = FakeDesk()
    desk.subscribe(broker)
    desk.lay(2)
    assert ear.next("companion/Stube-1/available")[0] == "online"
    entries = [json.loads(ear.next("companion/Stube-1/events")[0]) for _ in range(2)]
    assert entries == [news.entry for news in desk.told]
    late = Ear(port)
    payload, retained = late.next("companion/Stube-1/standing")
    late.close()
    assert retained
    assert json.loads(payload) == encode_standing(desk.standing)


def test_home_assistant_finds_one_device_with_a_sensor_for_each_seat(port: int, broker: MqttPublisher):
    desk = FakeDesk(seats=3)
    desk.subscribe(broker)
    desk.lay(1)
    found: Any = {}
    end = time.monotonic() + 60
    while "points_3" not in found.get("cmps", {}) and time.monotonic() < end:
        late = Ear(port)
        found = json.loads(late.next("homeassistant/device/Stube-1/config")[0])
        late.close()
    assert found["dev"]["ids"] == ["companion_Stube-1"]
    assert found["o"]["name"] == "companion"
    assert found["availability_topic"] == "companion/Stube-1/available"
    assert set(found["cmps"]) >= {"turn", "stack", "points_1", "points_2", "points_3", "hands_3"}
    assert found["cmps"]["points_3"]["value_template"] == "{{ value_json.points[2] }}"
    assert len({one["unique_id"] for one in found["cmps"].values()}) == len(found["cmps"])


def test_a_table_that_leaves_says_so_and_one_that_dies_is_said_to(port: int, ear: Ear):
    leaving = MqttPublisher("127.0.0.1", port, table="a", keepalive_s=5)
    assert leaving.connected(60)
    assert ear.next("companion/a/available")[0] == "online"
    leaving.close()
    assert ear.next("companion/a/available")[0] == "offline"

    dying = MqttPublisher("127.0.0.1", port, table="b", keepalive_s=5)
    assert dying.connected(60)
    assert ear.next("companion/b/available")[0] == "online"
    cut = dying._client.socket()  # noqa: SLF001  # a connection that dies
    assert cut is not None
    dying._client.reconnect_delay_set(60, 120)  # noqa: SLF001  # a connection that dies
    cut.shutdown(socket.SHUT_RDWR)
    assert ear.next("companion/b/available")[0] == "offline"
    dying.close()


def test_what_is_no_entry_is_no_event(ear: Ear, broker: MqttPublisher):
    desk = FakeDesk()
    desk.subscribe(broker)
    desk.lose()
    desk.lay(1)
    assert json.loads(ear.next("companion/Stube-1/events")[0])["number"] == 1


def test_without_a_broker_the_evening_goes_on_and_ends_at_once():
    broker = MqttPublisher("127.0.0.1", free_port(), table="t")
    desk = FakeDesk()
    desk.subscribe(broker)
    began = time.monotonic()
    desk.lay(20)
    broker.close()
    assert time.monotonic() - began < 30
    assert not broker.connected(0)
