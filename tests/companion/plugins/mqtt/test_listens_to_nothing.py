"""The companion tells a broker what is public, and never asks it for anything."""

from __future__ import annotations

import ast
from pathlib import Path
from unittest.mock import MagicMock

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from companion.plugins.mqtt.publisher import MqttPublisher

ROOT = Path(__file__).parents[4]


def test_no_code_of_a_table_subscribes_or_reads_a_message():
    asked = {
        f"{path.name}: {node.attr}"
        for wing in ("companion", "web", "hardware", "vision")
        for path in (ROOT / wing).rglob("*.py")
        if ROOT / "companion" / "plugins" / "hub" not in path.parents  # a hub is no table: it listens
        if "paho" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute)
        and (node.attr in ("subscribe", "on_message", "on_subscribe") or "callback_add" in node.attr)
    }
    assert asked == set()


def test_a_connected_publisher_never_subscribes(monkeypatch: pytest.MonkeyPatch):
    client = MagicMock(spec=mqtt.Client)
    monkeypatch.setattr("companion.plugins.mqtt.publisher.mqtt.Client", lambda *_, **__: client)
    publisher = MqttPublisher("broker.example", table="den")
    yes = ReasonCode(PacketTypes.CONNACK, "Success")
    client.on_connect(client, None, None, yes, None)
    publisher.close()
    told = {call[0] for call in client.method_calls}
    assert "publish" in told
    assert told <= {
        "max_queued_messages_set", "will_set", "reconnect_delay_set", "connect_async", "loop_start", "publish",
        "publish().wait_for_publish", "disconnect", "loop_stop",
    }  # fmt: skip
