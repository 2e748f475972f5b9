"""Subscribes to what tables publish. Only a hub does this, never a table."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Callable
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from companion.plugins.broker import give_access

log = logging.getLogger(__name__)


class TableListener:
    """Receives what all tables of a broker publish; close it. A broker that cannot be reached is tried again forever.

    Args:
        hear: Called with the table's part of the topic, the last part, and the payload, in its own thread.
        topics: The last parts to subscribe to.
        host, port, user, password, tls, ca, prefix: As in section 9 of the contract.

    Raises:
        DeviceError: The certificate cannot be used.
    """

    def __init__(
        self,
        hear: Callable[[str, str, bytes], None],
        topics: tuple[str, ...],
        host: str,
        port: int = 1883,
        *,
        user: str | None = None,
        password: str | None = None,
        tls: bool = False,
        ca: str = "",
        prefix: str = "companion",
    ) -> None:
        self._hear, self._prefix, self._topics = hear, prefix, topics
        self._online = threading.Event()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=f"companion-hub-{uuid.uuid4().hex[:8]}")
        give_access(self._client, user, password, tls, ca)
        self._client.on_connect = self._connected
        self._client.on_disconnect = self._gone
        self._client.on_message = self._came
        self._client.reconnect_delay_set(1, 30)
        self._client.connect_async(host, port, keepalive=30)
        self._client.loop_start()

    @property
    def online(self) -> bool:
        """Whether the broker is connected."""
        return self._online.is_set()

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        if reason.is_failure:
            log.warning("the MQTT broker refuses this hub: %s", reason)
            return
        client.subscribe([(f"{self._prefix}/+/{topic}", 1) for topic in self._topics])
        self._online.set()

    def _gone(self, _client: mqtt.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Any) -> None:
        self._online.clear()
        if reason.is_failure:
            log.warning("the MQTT broker is out of reach: %s", reason)

    def _came(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        try:
            table, what = message.topic.removeprefix(f"{self._prefix}/").split("/")
        except (ValueError, UnicodeDecodeError):  # forged: the hub did not subscribe to such a topic
            return
        self._hear(table, what, bytes(message.payload))
