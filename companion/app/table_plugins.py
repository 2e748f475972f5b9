"""The plug-ins of a table in use: opened with it, told what everybody may know, closed with it."""

from __future__ import annotations

import logging
from collections import ChainMap
from collections.abc import Callable
from functools import partial
from itertools import chain
from typing import TypeVar

from companion.errors import CompanionError
from companion.public.machine import HostNote
from companion.public.plugins import OpenedPlugin, TableForPlugin, plugins, unloaded
from companion.public.text import JSON, Text
from companion.public.updates import Update
from companion.storage.settings import Settings

log = logging.getLogger(__name__)

T = TypeVar("T")

LEFT_OUT = "the plug-in %s is left out until the next start: %s"


class TablePlugins:
    """All that are installed and not switched off. Close them.

    One that raises is closed and left out until the next start; the log, the doctor and the host's page say why.

    Attributes:
        left_out: Of each that does not work, its name and why.

    Args:
        table: What each may know of the table, by its section of the settings.
    """

    def __init__(self, settings: Settings, table: Callable[[JSON], TableForPlugin]) -> None:
        self.left_out = {name: why for name, why in unloaded().items() if name not in settings.switched_off}
        self._opened: dict[str, OpenedPlugin] = {}
        for plugin in plugins():
            if plugin.name not in settings.switched_off:
                at = table(settings.sections.get(plugin.name))
                if (opened := self._tried(plugin.name, partial(plugin.open, at))) is not None:
                    self._opened[plugin.name] = opened

    @property
    def publishes(self) -> bool:
        """Whether one of them tells anybody else the score."""
        return any(opened.publishes for opened in tuple(self._opened.values()))

    def __call__(self, update: Update) -> None:
        self._each(lambda opened: opened(update))

    def renamed(self) -> None:
        """The table's name or number is another one now."""
        self._each(lambda opened: opened.renamed())

    def health(self) -> dict[str, JSON]:
        """What they add to the table's health."""
        return dict(ChainMap(*self._each(lambda opened: dict(opened.health()))))

    def notes(self) -> tuple[HostNote, ...]:
        """What the host should know of them now."""
        told = tuple(chain.from_iterable(self._each(lambda opened: tuple(opened.notes()))))
        wrong = tuple(self.left_out.items())
        return (*told, *(HostNote(Text("note.plugin", {"plugin": name, "why": why})) for name, why in wrong))

    def close(self) -> None:
        while self._opened:
            name, opened = self._opened.popitem()
            self._tried(name, opened.close)

    def _each(self, do: Callable[[OpenedPlugin], T]) -> list[T]:
        """What ``do`` returns for each; nothing for one that raises."""
        results = [self._tried(name, partial(do, opened)) for name, opened in tuple(self._opened.items())]
        return [result for result in results if result is not None]

    def _tried(self, name: str, do: Callable[[], T]) -> T | None:
        try:
            return do()
        except (Exception, SystemExit) as wrong:
            is_told = isinstance(wrong, CompanionError)
            why = str(wrong).rstrip(".") if is_told else f"{type(wrong).__name__}: {wrong}"
            self.left_out[name] = why
            log.error(LEFT_OUT, name, why, exc_info=None if is_told else wrong)
        if (opened := self._opened.pop(name, None)) is not None:
            self._tried(name, opened.close)
        return None
