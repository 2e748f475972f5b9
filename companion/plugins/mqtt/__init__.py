"""What everybody may know, published to an MQTT broker: contract, section 9.

Imports only ``companion.errors``, ``companion.public`` and ``companion.plugins.broker``: it gets updates and nothing
else, so a broker hears of a silent game what its table hears. Without ``[mqtt]`` in the settings, or with it switched
off, paho is not loaded.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from companion.plugins.broker import broker_faults
from companion.public.findings import Finding
from companion.public.plugins import OpenedPlugin, Plugin, TableForPlugin
from companion.public.text import JSON


def _open(table: TableForPlugin) -> OpenedPlugin | None:
    if table.section is None:
        return None
    from companion.plugins.mqtt.table import PublishedTable

    return PublishedTable(table)


def _doctor(section: JSON, health: JSON) -> Iterable[Finding]:
    if section is None:
        return ()
    from companion.plugins.mqtt.doctor import broker

    return broker(section, health)


PLUGIN = Plugin("mqtt", words=Path(__file__).parent / "locale", settings=broker_faults, doctor=_doctor, open=_open)
