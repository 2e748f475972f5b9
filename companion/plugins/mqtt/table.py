"""A table at its broker, under its name: published from its start to its end, and anew when it is renamed."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from companion.plugins.mqtt.publisher import REFUSED, TWIN, MqttPublisher
from companion.public.machine import Box, HostNote, plain_name
from companion.public.plugins import OpenedPlugin, TableForPlugin
from companion.public.text import JSON, Text
from companion.public.updates import Update
from companion.version import __version__

log = logging.getLogger(__name__)

BROKER_FILE = "broker.json"
"""What stays at the broker when the program ends, so that the next start can take away what is of no use any more."""


class PublishedTable(OpenedPlugin):
    """Publishes what everybody may know of a table.

    Raises:
        DeviceError: The broker's certificate cannot be used.
    """

    publishes = True

    def __init__(self, table: TableForPlugin) -> None:
        self._table = table
        self._box = table.box()
        self._publisher = self._published()

    def __call__(self, update: Update) -> None:
        self._publisher(update)

    def renamed(self) -> None:
        """Publish under the new name; what lies at the broker under the old one is taken away.

        With a new number it is left: this card was copied, and it belongs to the other table with the old number.
        """
        before, self._box = self._box, self._table.box()
        is_other = before.id != self._box.id
        self._publisher.close(forget=not is_other)
        if is_other:
            (self._table.folder / BROKER_FILE).unlink(missing_ok=True)
        self._publisher = self._published()

    def health(self) -> Mapping[str, JSON]:
        return {"broker": self._publisher.state}

    def notes(self) -> tuple[HostNote, ...]:
        state = self._publisher.state
        if state == REFUSED:
            return (HostNote(Text("note.broker")),)
        return (HostNote(Text("note.twin", {"id": self._box.id}), renumbers=True),) if state == TWIN else ()

    def close(self) -> None:
        self._publisher.close()

    def _published(self) -> MqttPublisher:
        settings = {**self._table.section}
        named = settings.pop("table", None)
        box, folder = self._box, self._table.folder
        about: dict[str, Any] = {
            "version": __version__,
            "id": box.id,
            "title": box.name or named or socket.gethostname(),
            "address": self._table.address,
            "match": self._table.current,
            "names_players": box.names_players,
            "left": read_left(folder),
            "remember": partial(write_left, folder),
        }
        own = named or topic(box, socket.gethostname().partition(".")[0])
        publisher = MqttPublisher(**settings, table=own, **about)
        if (newest := self._table.newest()) is not None:
            publisher(replace(newest, entry=None))
        return publisher


def topic(box: Box, host: str) -> str:
    """A table's part of topics: its name, or else the computer's, and its number.

    >>> topic(Box("3fa90c21", "Kitchen"), "pi")
    'kitchen-3fa90c21'
    """
    return f"{plain_name(box.name or host) or 'table'}-{box.id}"


def read_left(folder: Path) -> Mapping[str, JSON]:
    """What an earlier start left at the broker, as ``MqttPublisher`` remembered it; empty if that is not known."""
    try:
        content = json.loads((folder / BROKER_FILE).read_text("utf-8"))
        topics, entities = content["topics"], content["entities"]
        if all(isinstance(one, str) for one in (*topics, *entities, *entities.values())):
            return {"topics": list(topics), "entities": dict(entities)}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        pass  # it costs some stale values at the broker
    return {}


def write_left(folder: Path, left: Mapping[str, JSON]) -> None:
    """Write down what stays at the broker; what cannot be written is logged."""
    fresh = folder / f"{BROKER_FILE}.new"
    try:
        fresh.write_text(json.dumps(left), "utf-8")
        fresh.replace(folder / BROKER_FILE)
    except OSError as wrong:
        log.warning("%s cannot be written: %s", folder / BROKER_FILE, wrong)
