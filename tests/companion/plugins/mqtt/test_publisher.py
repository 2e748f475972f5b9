"""A real Mosquitto on this machine hears exactly what the players may know."""

from __future__ import annotations

import json
import queue
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode
from support.mosquitto import mosquitto
from support.ports import free_port
from support.real_desk import RealDesk
from support.table_at_broker import TableAtBroker

from companion import __version__
from companion.errors import DeviceError
from companion.plugins.mqtt.publisher import QUEUED, MqttPublisher
from companion.plugins.mqtt.table import topic
from companion.public.standing import Standing, encode_standing
from companion.public.table import Seat
from companion.public.text import Text
from companion.public.updates import Alert, Question, Signal, Update

ROOT = Path(__file__).parents[4]
pytestmark = pytest.mark.broker


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with mosquitto(tmp_path) as port:
        yield port


class Ear:
    """Hears every topic."""

    def __init__(self, port: int) -> None:
        self.heard: queue.Queue[tuple[str, str, bool]] = queue.Queue()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = lambda _c, _d, m: self.heard.put((m.topic, m.payload.decode(), m.retain))
        self.client.on_connect = lambda c, *_: c.subscribe("#", qos=1)
        listens = threading.Event()
        self.client.on_subscribe = lambda *_: listens.set()
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert listens.wait(60)  # what is published from now on comes in its order

    def next(self, topic: str) -> tuple[str, bool]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            found, payload, retained = self.heard.get(timeout=60)
            if found == topic:
                return payload, retained
        raise AssertionError(f"nothing came on {topic}")

    def each(self, topics: list[str]) -> dict[str, str]:
        """The next message on each of these topics, whichever comes first."""
        heard: dict[str, str] = {}
        end = time.monotonic() + 60
        while len(heard) < len(topics) and time.monotonic() < end:
            topic, payload, _ = self.heard.get(timeout=60)
            if topic in topics:
                heard.setdefault(topic, payload)
        return heard

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
    desk = RealDesk()
    desk.match.subscribe(broker)
    desk.lay(2)
    assert ear.next("companion/Stube-1/available")[0] == "online"
    entries = [json.loads(ear.next("companion/Stube-1/events")[0]) for _ in range(2)]
    assert entries == [news.entry for news in desk.told[1:]]  # the cards were dealt before anybody listened
    late = Ear(port)
    payload, retained = late.next("companion/Stube-1/standing")
    late.close()
    assert retained
    assert json.loads(payload) == encode_standing(desk.standing)


def test_home_assistant_finds_one_device_with_a_sensor_for_each_seat(port: int, broker: MqttPublisher):
    desk = RealDesk(seats=3)
    desk.match.subscribe(broker)
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
    there = [one for one in found["cmps"].values() if one != {"p": "sensor"}]
    assert len({one["unique_id"] for one in there}) == len(there)


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


def test_of_a_table_that_is_killed_the_broker_says_that_it_is_gone(port: int, ear: Ear):
    """A pulled plug or SIGKILL: nothing of the table's own can say it any more."""
    code = (
        "import sys, time; from companion.plugins.mqtt.publisher import MqttPublisher; "
        f"table = MqttPublisher('127.0.0.1', {port}, table='k', keepalive_s=5); "
        "print(table.connected(60), flush=True); time.sleep(600)"
    )
    table = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert table.stdout is not None
    try:
        assert table.stdout.readline() == "True\n"
        assert ear.next("companion/k/available")[0] == "online"
    finally:
        table.kill()
        table.wait(20)
        table.stdout.close()
    assert ear.next("companion/k/available")[0] == "offline"
    late = Ear(port)
    assert late.next("companion/k/available") == ("offline", True)
    late.close()


def test_what_is_no_entry_is_no_event(ear: Ear, broker: MqttPublisher):
    desk = RealDesk()
    desk.match.subscribe(broker)
    desk.lose()
    desk.lose(None)
    desk.lay(1)
    assert json.loads(ear.next("companion/Stube-1/events")[0])["number"] == 2


def test_without_a_broker_the_evening_goes_on_and_ends_at_once():
    broker = MqttPublisher("127.0.0.1", free_port(), table="t")
    desk = RealDesk()
    desk.match.subscribe(broker)
    began = time.monotonic()
    desk.lay(20)
    broker.close()
    assert time.monotonic() - began < 30
    assert not broker.connected(0)


def test_two_boxes_that_nobody_set_up_stand_side_by_side(port: int, ear: Ear, tmp_path: Path):
    """A broker hangs up on the first of two clients with one id: they knocked each other off every second."""
    desk = RealDesk()
    quiet: Any = SimpleNamespace(submit=lambda work: work())
    boxes = [
        TableAtBroker(
            tmp_path / name,
            {"host": "127.0.0.1", "port": port},
            desk,
            runner=quiet,
            address="http://192.168.1.2:8080",
        )
        for name in ("one", "two")
    ]
    own = [topic(box.box, socket.gethostname().partition(".")[0]) for box in boxes]
    online = [f"companion/{name}/available" for name in own]
    assert ear.each(online) == dict.fromkeys(online, "online")
    desk.lay(1)
    now = {f"companion/{name}/standing": encode_standing(desk.standing) for name in own}
    heard: dict[str, Any] = {}
    while heard != now:  # before it comes how it stood when they came
        told, payload, _ = ear.heard.get(timeout=60)
        if told in now:
            heard[told] = json.loads(payload)
    for box in boxes:
        box.close()
    left = [Ear(port).next(f"companion/{name}/available") for name in own]
    assert left == [("offline", True)] * 2


def test_a_table_with_a_new_name_leaves_nothing_behind_under_the_old_one(port: int, ear: Ear, tmp_path: Path):
    desk = RealDesk()
    box = TableAtBroker(tmp_path, {"host": "127.0.0.1", "port": port}, desk)
    desk.lay(1)
    old = topic(box.box, socket.gethostname().partition(".")[0])
    ear.next(f"companion/{old}/standing")
    box.rename("Back room", names_players=True)
    new = f"back-room-{box.box.id}"
    about = json.loads(ear.next(f"companion/{new}/match")[0])
    assert (about["table"], about["seats"][0]) == ("Back room", {"number": 1, "name": "Ana"})
    found: Any = json.loads(ear.next(f"homeassistant/device/{new}/config")[0])
    assert found["dev"] == {
        "ids": [f"companion_{box.box.id}"], "name": "Companion Back room", "mf": "Companion", "sw": __version__,
    }  # fmt: skip
    box.close()
    late = Ear(port)
    late.next(f"companion/{new}/available")
    kept = {topic for topic, payload, retained in list(late.heard.queue) if retained and payload}
    late.close()
    assert not {topic for topic in kept if old in topic}


def test_players_are_numbers_until_the_host_agrees_to_names():
    desk = RealDesk(seats=2)
    for agrees, seats in ((False, [{"number": 1}, {"number": 2}]), (True, [{"number": 1, "name": "Ana"}, ANY])):
        broker = MqttPublisher("127.0.0.1", free_port(), match=desk.match.current, names_players=agrees)
        waiting = broker._retained  # noqa: SLF001  # what would be sent
        assert json.loads(waiting["companion/table/match"])["seats"] == seats
        assert ("Ana" in "".join(waiting.values())) is agrees
        broker.close()


def test_of_a_long_time_without_a_broker_the_newest_is_kept():
    table = MqttPublisher("127.0.0.1", free_port(), table="t")
    for number in range(QUEUED + 50):
        table(_entry(number))
    sent: list[int] = []
    line = table._client  # noqa: SLF001  # a line on which everything arrives at once

    def publish(topic: str, payload: str, **_: Any) -> Any:
        if topic.endswith("/events"):
            sent.append(json.loads(payload)["number"])
        line.on_publish(line, None, 1, None, None)
        return SimpleNamespace(wait_for_publish=lambda within_s: None)

    line.publish = publish  # type: ignore[method-assign]
    line.on_connect(line, None, None, ReasonCode(PacketTypes.CONNACK, "Success"), None)
    table.close()
    # Every second event was a verdict, so that half of them are left, the newest.
    assert sent == list(range(50 + QUEUED // 2, QUEUED + 50))


def _entry(number: int) -> Update:
    return Update(number, Signal.PLAYED, entry={"number": number})


def test_somebody_is_needed_while_a_question_is_open(ear: Ear, broker: MqttPublisher):
    asked = Question(1, Text("q"), ())
    broker(Update(3, Signal.ASKS, alert=Alert.ASKS, questions=(asked,), entry={"number": 3}))
    needs = "companion/Stube-1/needs"
    assert json.loads(ear.next(needs)[0]) == {"needs": True, "alert": "asks", "questions": 1}
    broker(Update(4, Signal.PLAYED, entry={"number": 4}, match="2026-11-20-1"))
    assert json.loads(ear.next(needs)[0]) == {"needs": False, "alert": "none", "questions": 0}
    verdict = json.loads(ear.next("companion/Stube-1/verdict")[0])
    assert verdict == {"event_type": "played", "number": 4, "match": "2026-11-20-1"}


def test_players_who_left_and_counts_of_another_game_are_taken_from_home_assistant(port: int, ear: Ear):
    """It keeps what a new document does not name, and its templates point past the list then."""
    table = MqttPublisher("127.0.0.1", port, table="t")
    config = "homeassistant/device/t/config"
    assert "points_1" not in json.loads(ear.next(config)[0])["cmps"], "nothing is taken away before a match is known"
    four = Standing(turn=None, points=(1, 2, 3, 4), counters={"hands": (5, 5, 5, 5), "stack": 9})
    two = Standing(turn=None, points=(1, 2), counters={"bones": (3, 4)})
    for standing, there, gone in (
        (four, {"points_4", "hands_4", "stack"}, {"points_5", "hands_9"}),
        (two, {"points_2", "bones_2"}, {"points_3", "points_4", "hands_1", "hands_4", "stack"}),
        (four, {"points_4", "hands_4", "stack"}, {"bones_1", "bones_2"}),
    ):
        table(Update(None, Signal.STARTED, standing=standing))
        found = json.loads(ear.next(config)[0])["cmps"]
        assert all("unique_id" in found[name] for name in there)
        assert all(found[name] == {"p": "sensor"} for name in gone)
    table.close()


@pytest.mark.parametrize("named", [False, True])
def test_a_stop_a_question_and_the_end_are_events_with_what_an_automation_needs(port: int, ear: Ear, named: bool):
    desk = RealDesk(seats=2)
    table = MqttPublisher("127.0.0.1", port, table="t", match=desk.match.current, names_players=named)
    playing = Standing(turn=None, points=(3, 5))
    stop = {"number": 7, "event": "played", "move": {"do": "stop", "by": 2, "number": 6}}
    asked = Question(1, Text("q"), ())
    contested = replace(playing, over=True, winners=(Seat(2),), provisional=True)
    ended = replace(contested, provisional=False)
    table(Update(None, Signal.STARTED, standing=playing, match="m"))
    table(Update(7, Signal.RECOGNISED, standing=playing, entry=stop, match="m"))
    for _ in range(2):  # the same question is told once
        table(Update(None, Signal.ASKS, standing=playing, questions=(asked,), match="m"))
    table(Update(8, Signal.OVER, standing=contested, entry={"number": 8}, match="m"))
    table(Update(None, Signal.NOTICE, standing=ended, match="m"))
    table(Update(None, Signal.NOTICE, standing=ended, match="m"))
    ben = {"seat": 2, **({"name": "Ben"} if named else {})}
    assert [json.loads(ear.next("companion/t/moment")[0]) for _ in range(3)] == [
        {"event_type": "stop", **ben, "match": "m"},
        {"event_type": "question", "questions": 1, "match": "m"},
        {"event_type": "over", "points": [3, 5], "winners": [ben], "match": "m"},
    ]
    table.close()
    rest = [topic for topic, _, _ in iter_rest(ear)]
    assert "companion/t/moment" not in rest


def iter_rest(ear: Ear) -> list[tuple[str, str, bool]]:
    """All until the table has said good-bye."""
    heard = []
    while not heard or heard[-1][:2] != ("companion/t/available", "offline"):
        heard.append(ear.heard.get(timeout=60))
    return heard


def test_a_prefix_of_the_house_is_taken_everywhere(port: int, ear: Ear):
    table = MqttPublisher("127.0.0.1", port, table="t", prefix="club/room 1", discovery="ha")
    heard = ear.each(["ha/device/t/config", "club/room 1/t/available"])
    found: Any = json.loads(heard["ha/device/t/config"])
    assert found["availability_topic"] == "club/room 1/t/available"
    assert found["cmps"]["verdict"]["state_topic"] == "club/room 1/t/verdict"
    assert heard["club/room 1/t/available"] == "online"
    table.close()


@pytest.mark.parametrize(("password", "enters"), [("right", True), ("wrong", False)])
def test_a_broker_behind_tls_and_a_password(tmp_path: Path, password: str, enters: bool, caplog):
    if not shutil.which("openssl") or not shutil.which("mosquitto_passwd"):
        pytest.skip("OpenSSL and mosquitto_passwd are not installed here")
    key, certificate, people = (str(tmp_path / name) for name in ("key.pem", "cert.pem", "people"))
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    subprocess.run(["mosquitto_passwd", "-b", "-c", people, "ana", "right"], check=True, capture_output=True)
    for path in (key, certificate, people):
        Path(path).chmod(0o644)
    tmp_path.chmod(0o755)
    # As root Mosquitto would become another user, who may not look into this folder.
    lines = (
        f"certfile {certificate}",
        f"keyfile {key}",
        "allow_anonymous false",
        f"password_file {people}",
        "user root",
    )
    with mosquitto(tmp_path, None, *lines) as port, caplog.at_level("WARNING"):
        table = MqttPublisher("127.0.0.1", port, user="ana", password=password, tls=True, ca=certificate)
        assert table.connected(30 if enters else 3) is enters
        assert ("refuses this table" in caplog.text) is not enters
        table.close()


def test_a_certificate_that_is_not_there_is_one_sentence(tmp_path: Path):
    with pytest.raises(DeviceError, match=r"certificate .*none\.pem cannot be used"):
        MqttPublisher("127.0.0.1", tls=True, ca=str(tmp_path / "none.pem"))


def test_who_named_a_table_in_the_settings_keeps_its_entities():
    """Home Assistant would show each of them twice."""
    for table, own in (("living-room", "companion_living-room"), ("hall-3fa90c21", "companion_3fa90c21")):
        broker = MqttPublisher("127.0.0.1", free_port(), table=table, id="3fa90c21")
        told = json.loads(broker._retained[f"homeassistant/device/{table}/config"])  # noqa: SLF001  # what would be sent
        assert told["dev"]["ids"] == [own]
        assert told["cmps"]["turn"]["unique_id"] == f"{own}_turn"
        broker.close()
