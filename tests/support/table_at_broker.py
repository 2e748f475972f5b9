"""A table with its name and its plug-ins, as the program puts them together, at a broker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.app.named_table import NamedTable
from companion.app.table_plugins import TablePlugins
from companion.public.machine import Box
from companion.public.plugins import TableForPlugin
from companion.storage.settings import Settings


class TableAtBroker:
    """Close it.

    Args:
        desk: Has the match: a ``RealDesk``, or what stands for one.
        mqtt: What ``[mqtt]`` says.
        runner: Where names change, if not in the desk's own thread.
    """

    def __init__(self, folder: Path, mqtt: dict[str, Any], desk: Any, *, runner: Any = None, address: str = "") -> None:
        match = desk.match
        self.named = NamedTable(folder, runner or desk.runner, 8080, lambda: self.plugins.renamed())
        self.plugins = TablePlugins(
            Settings(sections={"mqtt": mqtt}),
            lambda section: TableForPlugin(
                folder, section, address, lambda: self.named.box, match.newest, match.current
            ),
        )
        self._unsubscribe = match.subscribe(self.plugins)
        self.rename, self.renumber = self.named.rename, self.named.renumber

    @property
    def box(self) -> Box:
        return self.named.box

    @property
    def broker(self) -> str | None:
        """How they get along."""
        told: str | None = self.plugins.health().get("broker")
        return told

    def close(self) -> None:
        self._unsubscribe()
        self.plugins.close()
        self.named.close()
