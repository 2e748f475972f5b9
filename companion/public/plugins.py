"""Plug-ins: parts of the companion that not every table needs, and that other packages may add.

A package names its plug-in as an entry point in ``companion.plugins``. ``[plugins]`` in the settings switches one off.
A plug-in runs with the companion's rights: whoever installs one trusts it as the companion itself.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from companion.public.entry_points import LoadError, entry_points_of, load, package_of

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
class Plugin:
    """What a package adds. The module that holds it is imported by every command: it loads nothing else.

    Attributes:
        name: As its entry point, and as its line in ``[plugins]``.
        add_commands: Adds what ``companion --help`` gains.
    """

    name: str
    add_commands: Callable[[AddCommand], None] = lambda _: None


def plugin_names() -> tuple[str, ...]:
    """All that are installed, loaded or not."""
    return tuple(entry_points_of(GROUP))


def plugins() -> Iterator[Plugin]:
    """All that are installed and load; why another does not is written to the log."""
    for name, door in entry_points_of(GROUP).items():
        try:
            found = load(door)
            if not isinstance(found, Plugin) or found.name != name:
                raise LoadError(f"{door.value} is not its Plugin")
        except LoadError as wrong:
            sentence = "the plug-in %s does not load (%s): install %s again, or uninstall it"
            log.error(sentence, name, wrong, package_of(door))
            continue
        yield found
