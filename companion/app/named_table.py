"""A table's name: on screens, in the home network, in the box's own Wi-Fi and where it is published."""

from __future__ import annotations

import logging
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.public.machine import Box, SystemActions
from companion.service.runner import MatchRunner
from companion.storage.box import box_name, new_id, read_box, write_box
from companion.system.network_name import keep_network_name

log = logging.getLogger(__name__)


class NamedTable:
    """Announces a table in the network under its name, and again when it is renamed. Close it.

    Attributes:
        box: The table's name and number now.

    Args:
        folder: The data folder, with the name.
        runner: Runs the match; names change in its thread, so that no update falls between two names.
        port: The port of the pages on this computer.
        renamed: Called in the runner's thread when name or number have changed.
    """

    def __init__(self, folder: Path, runner: MatchRunner, port: int, renamed: Callable[[], None]) -> None:
        self._folder, self._runner, self._port, self._renamed = folder, runner, port, renamed
        self.box: Box = read_box(folder)
        self._entry: subprocess.Popen[bytes] | None = None
        self._announce()

    def system(self, system: SystemActions, *, published: bool) -> SystemActions:
        """The actions, with renaming added.

        Args:
            published: Whether anything of the table is published.
        """

        def rename(name: str, names_players: bool) -> None:
            self.rename(name, names_players)
            named.name = self.box.name
            named.names_players = self.box.names_players if published else None

        def renumber() -> None:
            self.renumber()
            named.id = self.box.id

        named = replace(
            system,
            rename=rename,
            renumber=renumber,
            id=self.box.id,
            name=self.box.name,
            names_players=self.box.names_players if published else None,
        )
        return named

    def renumber(self) -> None:
        """Draw a new number, because a copy of this card is another table with the same one.

        Raises:
            OSError: It cannot be saved.
        """
        self._change(replace(self.box, id=new_id()))

    def rename(self, name: str, names_players: bool) -> None:
        """Save another name, and announce it.

        Raises:
            InputError: It cannot be displayed.
            OSError: It cannot be saved.
        """
        self._change(replace(self.box, name=box_name(name), names_players=names_players))

    def close(self) -> None:
        """Sign off from the network."""
        if self._entry is not None:
            self._entry.terminate()
            self._entry.wait()
            self._entry = None

    def _change(self, box: Box) -> None:
        if box == self.box:
            return
        write_box(self._folder, box)
        self.box = box

        def change() -> None:
            self.close()
            self._announce()
            self._renamed()

        self._runner.submit(change)

    def _announce(self) -> None:
        """Announce a named table as a web page in the network (mDNS), as long as this runs."""
        keep_network_name(self.box.in_network())
        tool = shutil.which("avahi-publish-service")
        if not self.box.name or tool is None:
            return
        command = [tool, f"Companion: {self.box.name}", "_http._tcp", str(self._port), "path=/"]
        try:
            quiet = subprocess.DEVNULL
            self._entry = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet)
        except OSError as wrong:
            log.warning("the network is not told this table's name: %s", wrong)
