"""A table's name: on screens, in the home network, in the box's own Wi-Fi and in MQTT topics."""

from __future__ import annotations

import logging
import shutil
import socket
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.public.machine import SystemActions
from companion.public.service import MatchService
from companion.public.text import JSON
from companion.service.runner import MatchRunner
from companion.storage.box import (
    Box,
    box_name,
    forget_broker,
    new_id,
    read_box,
    read_broker,
    write_box,
    write_broker,
)
from companion.system.network_name import keep_network_name

if TYPE_CHECKING:  # loaded where a broker is named
    from web.push.mqtt import MqttPublisher

log = logging.getLogger(__name__)


class NamedTable:
    """Announces a table to network and broker under its name, and again when it is renamed. Close it.

    Args:
        folder: The data folder, with the name.
        mqtt: The ``[mqtt]`` table of the settings; ``None`` = no broker.
        runner: Runs the match; names change in its thread, so that no update falls between two names.
        address: The address of the pages; empty = not known yet.
        port: Their port on this computer.

    Raises:
        DeviceError: The broker's certificate cannot be used.
    """

    def __init__(
        self,
        folder: Path,
        mqtt: Mapping[str, JSON] | None,
        runner: MatchRunner,
        match: MatchService,
        address: str,
        port: int,
    ) -> None:
        self._folder, self._mqtt, self._runner, self._match = folder, mqtt, runner, match
        self._address, self._port = address, port
        self.box: Box = read_box(folder)
        self._entry: subprocess.Popen[bytes] | None = None
        self._publisher: MqttPublisher | None = None
        self._unsubscribe: Callable[[], None] = lambda: None
        self._open()

    def system(self, system: SystemActions) -> SystemActions:
        """The actions, with renaming added."""

        def rename(name: str, names_players: bool) -> None:
            self.rename(name, names_players)
            named.name = self.box.name
            named.names_players = None if self._mqtt is None else self.box.names_players

        are_named = None if self._mqtt is None else self.box.names_players

        def renumber() -> None:
            self.renumber()
            named.id = self.box.id

        named = replace(
            system,
            rename=rename,
            renumber=renumber,
            broker=lambda: self.broker,
            id=self.box.id,
            name=self.box.name,
            names_players=are_named,
        )
        return named

    @property
    def broker(self) -> str | None:
        """How table and broker get along (``MqttPublisher.state``); ``None`` = there is no broker."""
        publisher = self._publisher
        return None if publisher is None else publisher.state

    def renumber(self) -> None:
        """Draw a new number, because a copy of this card is another table with the same one.

        What lies at the broker under the old number is left to the other table.

        Raises:
            OSError: It cannot be saved.
        """
        box = replace(self.box, id=new_id())
        write_box(self._folder, box)
        self.box = box

        def change() -> None:
            self._close(forget=False)
            forget_broker(self._folder)
            self._open()

        self._runner.submit(change)

    def rename(self, name: str, names_players: bool) -> None:
        """Save another name, and announce it.

        Raises:
            InputError: It cannot be displayed.
            OSError: It cannot be saved.
        """
        box = replace(self.box, name=box_name(name), names_players=names_players)
        if box == self.box:
            return
        write_box(self._folder, box)
        self.box = box

        def change() -> None:
            self._close(forget=True)
            self._open()

        self._runner.submit(change)

    def close(self) -> None:
        """Sign off from network and broker."""
        self._close(forget=False)

    def _open(self) -> None:
        self._entry = self._announce()
        keep_network_name(self.box.in_network())
        if self._mqtt is None:
            return
        from web.push.mqtt import MqttPublisher

        settings = {**self._mqtt}
        named = settings.pop("table", None)
        about: dict[str, Any] = {
            "version": __version__,
            "id": self.box.id,
            "title": self.box.name or named or socket.gethostname(),
            "address": self._address,
            "match": self._match.current,
            "names_players": self.box.names_players,
            "left": read_broker(self._folder),
            "remember": partial(write_broker, self._folder),
        }
        own = named or self.box.topic(socket.gethostname().partition(".")[0])
        self._publisher = MqttPublisher(**settings, table=own, **about)
        if (newest := self._match.newest()) is not None:
            self._publisher(replace(newest, entry=None))
        self._unsubscribe = self._match.subscribe(self._publisher)

    def _close(self, *, forget: bool) -> None:
        self._unsubscribe()
        if self._publisher is not None:
            self._publisher.close(forget=forget)
            self._publisher = None
        if self._entry is not None:
            self._entry.terminate()
            self._entry.wait()
            self._entry = None

    def _announce(self) -> subprocess.Popen[bytes] | None:
        """Announce a named table as a web page in the network (mDNS), as long as this runs."""
        tool = shutil.which("avahi-publish-service")
        if not self.box.name or tool is None:
            return None
        command = [tool, f"Companion: {self.box.name}", "_http._tcp", str(self._port), "path=/"]
        try:
            quiet = subprocess.DEVNULL
            return subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError as wrong:
            log.warning("the network is not told this table's name: %s", wrong)
            return None
