"""Tells a broker what everybody may know: contract, section 9."""

from __future__ import annotations

import json
import logging
import re
import threading
from contextlib import suppress
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from companion.public.standing import Standing, encode_standing
from companion.public.text import JSON
from companion.public.updates import Update

log = logging.getLogger(__name__)

QUEUED = 1000
"""Messages kept while the broker is away; older ones are dropped."""

FAREWELL_S = 2.0


class MqttPublisher:
    """A subscriber that publishes to an MQTT broker; close it to say good-bye.

    A broker that is not there is tried again for ever.

    Args:
        host: Where the broker is.
        port: Its port.
        table: This table's name in the topics; what topics cannot hold becomes ``-``.
        version: The companion's version, for Home Assistant.
        user, password: For brokers that ask.
        keepalive_s: How long the broker waits for a dead table before it says ``offline``.
    """

    def __init__(
        self,
        host: str,
        port: int = 1883,
        *,
        table: str = "table",
        version: str = "",
        user: str | None = None,
        password: str | None = None,
        keepalive_s: int = 30,
    ) -> None:
        self.table = re.sub(r"[^A-Za-z0-9_-]+", "-", table).strip("-") or "table"
        self._version = version
        self._lock = threading.Lock()
        self._standing: Standing | None = None
        self._online = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"companion-{self.table}")
        self._client.max_queued_messages_set(QUEUED)
        self._client.will_set(self._topic("available"), "offline", qos=1, retain=True)
        if user is not None:
            self._client.username_pw_set(user, password)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._gone
        self._client.reconnect_delay_set(1, 30)
        self._client.connect_async(host, port, keepalive=keepalive_s)
        self._client.loop_start()

    def __call__(self, update: Update) -> None:
        """Publish an update; never waits for the broker."""
        with self._lock:
            fresh = update.standing is not None and update.standing != self._standing
            shape_changed = fresh and _shape(update.standing) != _shape(self._standing)
            self._standing = update.standing or self._standing
        if shape_changed:
            self._discover()
        if fresh:
            self._tell_standing()
        if update.entry is not None:
            self._client.publish(self._topic("events"), _wire(dict(update.entry)), qos=1)

    def connected(self, within_s: float) -> bool:
        """Whether the broker answered, waiting so long at most."""
        return self._online.wait(within_s)

    def close(self) -> None:
        """Say good-bye; the broker need not be there."""
        if self._online.is_set():
            farewell = self._client.publish(self._topic("available"), "offline", qos=1, retain=True)
            with suppress(RuntimeError, ValueError):  # the broker went this moment: its last will says it
                farewell.wait_for_publish(FAREWELL_S)
        self._client.disconnect()
        self._client.loop_stop()

    def _topic(self, name: str) -> str:
        return f"companion/{self.table}/{name}"

    def _connected(self, client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        if reason.is_failure:
            log.warning("the MQTT broker refuses this table: %s", reason)
            return
        # A broker that was restarted may have forgotten what it had to keep.
        self._discover()
        self._tell_standing()
        client.publish(self._topic("available"), "online", qos=1, retain=True)
        self._online.set()

    def _gone(self, _client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        self._online.clear()
        if reason.is_failure:
            log.warning("the MQTT broker is out of reach: %s", reason)

    def _tell_standing(self) -> None:
        with self._lock:
            standing = self._standing
        if standing is not None:
            self._client.publish(self._topic("standing"), _wire(encode_standing(standing)), qos=1, retain=True)

    def _discover(self) -> None:
        with self._lock:
            standing = self._standing
        topic = f"homeassistant/device/{self.table}/config"
        self._client.publish(topic, _wire(discovery_json(self.table, standing, self._version)), qos=1, retain=True)


def _shape(standing: Standing | None) -> tuple[int, tuple[str, ...]]:
    """How many seats there are, and what is counted."""
    return (len(standing.points), tuple(standing.counters)) if standing else (0, ())


def _wire(value: JSON) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


ICONS = {"stack": "cards", "hands": "cards-playing-outline", "trumps": "star"}
"""For counters that several games may have; any other gets a plain one."""
PASSING = ("trumps",)
"""Counters of a moment, of which nobody wants a statistic."""


def discovery_json(table: str, standing: Standing | None, version: str) -> dict[str, JSON]:
    """What Home Assistant needs to show this table as one device (its MQTT device discovery)."""

    def sensor(name: str, of: str, template: str, icon: str, **more: JSON) -> dict[str, JSON]:
        return {
            "p": "sensor",
            "unique_id": f"companion_{table}_{of}",
            "name": name,
            "value_template": template,
            "icon": f"mdi:{icon}",
            **more,
        }

    seats, counters = _shape(standing)
    by_seat = [name for name in counters if standing and isinstance(standing.counters[name], tuple)]
    components = {"turn": sensor("Turn", "turn", "{{ value_json.turn | default('', true) }}", "account-arrow-right")}
    for name in counters:
        if name not in by_seat:
            kind = {} if name in PASSING else {"state_class": "measurement"}
            template = f"{{{{ value_json.{name} }}}}"
            components[name] = sensor(name.capitalize(), name, template, ICONS.get(name, "counter"), **kind)
    components["over"] = {
        "p": "binary_sensor",
        "unique_id": f"companion_{table}_over",
        "name": "Over",
        "value_template": "{{ 'ON' if value_json.over else 'OFF' }}",
        "icon": "mdi:flag-checkered",
    }
    for seat in range(1, seats + 1):
        for name in ("points", *by_seat):
            title = f"Seat {seat} {'hand' if name == 'hands' else name}"
            template = f"{{{{ value_json.{name}[{seat - 1}] }}}}"
            icon = ICONS.get(name, "counter")
            components[f"{name}_{seat}"] = sensor(title, f"{name}_{seat}", template, icon, state_class="measurement")
    return {
        "dev": {"ids": [f"companion_{table}"], "name": f"Companion {table}", "mf": "Companion", "sw": version},
        "o": {"name": "companion", "sw": version},
        "cmps": components,
        "state_topic": f"companion/{table}/standing",
        "availability_topic": f"companion/{table}/available",
        "qos": 1,
    }
