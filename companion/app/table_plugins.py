"""The plug-ins of a table in use: opened with it, told what everybody may know, closed with it."""

from __future__ import annotations

import json
import logging
import queue
import threading
from collections import ChainMap
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain
from typing import TypeVar

from companion.errors import CompanionError, DeviceError
from companion.public.machine import HostNote
from companion.public.plugins import OpenedPlugin, Plugin, TableForPlugin, is_own, plugins, unloaded
from companion.public.text import JSON, Text
from companion.public.updates import Update
from companion.storage.settings import Settings

log = logging.getLogger(__name__)

T = TypeVar("T")

LEFT_OUT = "the plug-in %s is left out until the next start: %s"

MOST_WAITING = 200
"""So many updates wait for a plug-in of another package; one that lets more wait is left out."""
CLOSES_S = 5.0
"""How long the end of a table waits for such a plug-in."""


class TablePlugins:
    """All that are installed and not switched off. Close them.

    One that raises is closed and left out until the next start; the log, the doctor and the host's page say why. Those
    of other packages have a thread each for what they are told.

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
                self._tried(plugin.name, partial(self._open, plugin, table(settings.sections.get(plugin.name))))

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
        return dict(ChainMap(*self._each(lambda opened: json.loads(json.dumps(dict(opened.health()))))))

    def notes(self) -> tuple[HostNote, ...]:
        """What the host should know of them now."""
        told = tuple(
            chain.from_iterable(self._each(lambda opened: [_checked(HostNote, one) for one in opened.notes()]))
        )
        wrong = tuple(self.left_out.items())
        return (*told, *(HostNote(Text("note.plugin", {"plugin": name, "why": why})) for name, why in wrong))

    def close(self) -> None:
        while self._opened:
            name, opened = self._opened.popitem()
            self._tried(name, opened.close)

    def _open(self, plugin: Plugin, table: TableForPlugin) -> None:
        if (found := plugin.open(table)) is not None:
            opened = _checked(OpenedPlugin, found)
            self._opened[plugin.name] = opened if is_own(plugin) else _Apart(plugin.name, opened, self._left_out)

    def _each(self, do: Callable[[OpenedPlugin], T]) -> list[T]:
        """What ``do`` returns for each; nothing for one that raises."""
        results = [self._tried(name, partial(do, opened)) for name, opened in tuple(self._opened.items())]
        return [result for result in results if result is not None]

    def _tried(self, name: str, do: Callable[[], T]) -> T | None:
        try:
            return do()
        except (Exception, SystemExit) as wrong:  # noqa: BLE001  # the evening goes on without it
            self._left_out(name, wrong)
        return None

    def _left_out(self, name: str, wrong: BaseException) -> None:
        is_told = isinstance(wrong, CompanionError)
        why = str(wrong).rstrip(".") if is_told else f"{type(wrong).__name__}: {wrong}"
        self.left_out[name] = why
        log.error(LEFT_OUT, name, why, exc_info=None if is_told else wrong)
        if (opened := self._opened.pop(name, None)) is not None:
            self._tried(name, opened.close)


def _checked(kind: type[T], value: object) -> T:
    """What a stranger's code returned.

    Raises:
        TypeError: It is something else.
    """
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


class _Apart(OpenedPlugin):
    """A plug-in of another package in a thread of its own: one that waits keeps nobody else waiting.

    Args:
        failed: Called in that thread with what it raised.
    """

    def __init__(self, name: str, opened: OpenedPlugin, failed: Callable[[str, BaseException], None]) -> None:
        self._name, self._plugin, self._failed = name, opened, failed
        self.publishes = opened.publishes
        self._work: queue.Queue[Callable[[], None]] = queue.Queue(MOST_WAITING)
        self._is_open = True
        self._thread = threading.Thread(target=self._run, name=f"plug-in {name}", daemon=True)
        self._thread.start()

    def __call__(self, update: Update) -> None:
        self._later(partial(self._plugin, update))

    def renamed(self) -> None:
        self._later(self._plugin.renamed)

    def health(self) -> Mapping[str, JSON]:
        return self._plugin.health()

    def notes(self) -> tuple[HostNote, ...]:
        return self._plugin.notes()

    def close(self) -> None:
        """Let it do what waits for it, and close it; it is not waited for longer than ``CLOSES_S``."""
        self._is_open = False
        with suppress(queue.Full):
            self._work.put_nowait(lambda: None)
        if self._thread is not threading.current_thread():
            self._thread.join(CLOSES_S)

    def _later(self, work: Callable[[], None]) -> None:
        try:
            self._work.put_nowait(work)
        except queue.Full:
            raise DeviceError(f"{MOST_WAITING} updates wait for it") from None

    def _run(self) -> None:
        failed = False
        while self._is_open or not self._work.empty():
            work = self._work.get()
            try:
                if not failed:
                    work()
            except (Exception, SystemExit) as wrong:  # noqa: BLE001  # the evening goes on without it
                failed = True
                self._failed(self._name, wrong)
        try:
            self._plugin.close()
        except (Exception, SystemExit) as wrong:  # noqa: BLE001  # the evening goes on without it
            self._failed(self._name, wrong)
