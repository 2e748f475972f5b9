"""Plug-ins: parts of the companion that not every table needs, and that other packages may add.

A package names its plug-in as an entry point in ``companion.plugins``. ``[plugins]`` in the settings switches one off.
A plug-in runs with the companion's rights: whoever installs one trusts it as the companion itself.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

from companion.errors import Fault
from companion.public.entry_points import OWN, LoadError, entry_points_of, load, package_of
from companion.public.findings import Finding
from companion.public.machine import Box, HostNote
from companion.public.text import JSON
from companion.public.updates import Update

log = logging.getLogger(__name__)

GROUP = "companion.plugins"


class AddCommand(Protocol):
    """Adds a command to the command line."""

    def __call__(self, name: str, does: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        """A command's parser.

        Args:
            does: Runs it; returns its exit status. It may raise ``CompanionError``.
            about: One sentence for ``companion --help``.
        """


@dataclass(frozen=True, slots=True)
class TableForPlugin:
    """What a plug-in may know of the table at which it is opened.

    Attributes:
        folder: The data folder, where it may keep files of its own.
        section: Its section of the settings; ``None`` = there is none.
        address: The address of the table's pages; empty = not known yet.
        box: The table's name and number now.
        newest: The last update; ``None`` before anything happened.
        current: The running match as ``MatchService.current`` has it, or ``None``.
    """

    folder: Path
    section: JSON
    address: str
    box: Callable[[], Box]
    newest: Callable[[], Update | None]
    current: Callable[[], JSON | None]


class OpenedPlugin:
    """A plug-in at a table in use. Override what it has.

    If anything raises, the plug-in is closed and left out until the next start. One of another package is told of
    updates and names in a thread of its own, so there it may wait, but not in ``health`` and ``notes``.

    Attributes:
        publishes: Whether it tells anybody else the table's score. Then the host is asked whether with the players'
            names, and ``Box.names_players`` has the answer.
    """

    publishes: bool = False

    def __call__(self, update: Update) -> None:
        """What everybody may know has changed."""

    def renamed(self) -> None:
        """The table's name or number is another one now."""

    def health(self) -> Mapping[str, JSON]:
        """What is added to ``GET /health``."""
        return {}

    def notes(self) -> tuple[HostNote, ...]:
        """What the host should know now."""
        return ()

    def close(self) -> None:
        """The table ends."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """What a package adds. The module that holds it is imported by every command: it loads nothing else.

    Attributes:
        name: As its entry point, its line in ``[plugins]``, and its own section of the settings.
        add_commands: Adds what ``companion --help`` gains.
        words: The folder with its ``en.po`` and ``fr.po``.
        settings: Finds what is wrong with its section; ``where`` of a fault begins inside it. ``None`` = it has no
            section.
        doctor: Its lines in ``companion doctor``, from its section and the health of the companion that runs here,
            each ``None`` if there is none.
        open: Opens it at a table; ``None`` = nothing is to be done here.
    """

    name: str
    add_commands: Callable[[AddCommand], None] = lambda _: None
    words: Path | None = None
    settings: Callable[[JSON], Iterable[Fault]] | None = None
    doctor: Callable[[JSON, JSON], Iterable[Finding]] = lambda *_: ()
    open: Callable[[TableForPlugin], OpenedPlugin | None] = lambda _: None


def plugin_names() -> tuple[str, ...]:
    """All that are installed, loaded or not."""
    return tuple(entry_points_of(GROUP))


def is_own(plugin: Plugin) -> bool:
    """Whether it comes with the companion."""
    return package_of(entry_points_of(GROUP)[plugin.name]) == OWN


def plugins() -> tuple[Plugin, ...]:
    """All that are installed and load; why another does not is written to the log."""
    return _loaded()[0]


def unloaded() -> dict[str, str]:
    """Those that are installed and do not load, and why."""
    return dict(_loaded()[1])


@cache
def _loaded() -> tuple[tuple[Plugin, ...], Mapping[str, str]]:
    found: list[Plugin] = []
    broken: dict[str, str] = {}
    for name, door in entry_points_of(GROUP).items():
        try:
            plugin = load(door)
            if not isinstance(plugin, Plugin) or plugin.name != name:
                raise LoadError(f"{door.value} is not its Plugin")
        except LoadError as wrong:
            sentence = "the plug-in %s does not load (%s): install %s again, or uninstall it"
            log.error(sentence, name, wrong, package_of(door))
            broken[name] = str(wrong)
        else:
            found.append(plugin)
    return tuple(found), broken


def words(switched_off: Collection[str] = ()) -> tuple[Path, ...]:
    """The folders of the plug-ins' catalogs."""
    from companion.public.i18n import Translations  # loads Babel

    folders = []
    for plugin in plugins():
        if plugin.words is None or plugin.name in switched_off:
            continue
        try:
            Translations((plugin.words,))
        except Exception as wrong:  # noqa: BLE001  # its sentences stay keys, and all others are translated
            log.error("the words of the plug-in %s cannot be read (%s)", plugin.name, wrong)
        else:
            folders.append(plugin.words)
    return tuple(folders)
