"""What installed packages bring: found by the names of their entry points, and loaded only when it is asked for."""

from __future__ import annotations

import logging
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, shortened

log = logging.getLogger(__name__)

OWN = "companion-referee"
CHECKOUT = Path(__file__).parents[2] / "pyproject.toml"
"""In a checkout it says what the companion brings, whatever it said when that was installed; a wheel has none."""

IMPORT_S = 20.0
"""How long a package may take to be imported; a large one takes seconds on a Pi."""


_CAME_TO_AN_END = b"the import came to an end"


class LoadError(CompanionError):
    """What a package brings cannot be loaded; the message says why, in a few words."""


@cache
def load(door: EntryPoint) -> Any:
    """What an entry point names, imported.

    A stranger's package is imported in a process of its own first, so that one that never returns, or ends the
    process, takes nothing along.

    Raises:
        LoadError: It cannot be imported, whatever it does instead.
    """
    if package_of(door) != OWN:
        _try_import(door)
    try:
        return door.load()
    except (Exception, SystemExit) as wrong:
        raise LoadError(f"{type(wrong).__name__}: {shortened(str(wrong))}") from wrong


def _try_import(door: EntryPoint) -> None:
    """
    Raises:
        LoadError: The import does not come to its end within ``IMPORT_S``.
    """
    module = door.value.partition(":")[0]
    # A program that raises comes to its end too; threads that it began do not keep it.
    program = f"""import importlib, os, sys
sys.path[:] = {sys.path!r}
try:
    importlib.import_module({module!r})
finally:
    os.write(1, {_CAME_TO_AN_END!r})
    os._exit(0)
"""
    try:
        done = subprocess.run(
            [sys.executable, "-c", program],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=IMPORT_S,
            check=False,
        )
    except subprocess.TimeoutExpired as wrong:
        raise LoadError(f"its import does not end within {IMPORT_S:.0f} seconds") from wrong
    except OSError as wrong:
        log.warning("%s was not tried before it is imported: %s", package_of(door), wrong)
        return
    if _CAME_TO_AN_END not in done.stdout:
        how = f"signal {-done.returncode}" if done.returncode < 0 else "os._exit"
        raise LoadError(f"its import ends the process ({how})")


@cache
def _brought_by(checkout: Path) -> Mapping[str, Mapping[str, str]]:
    """What a checkout brings, by group; its file is long, and read once."""
    if not checkout.is_file():
        return {}
    brought: Mapping[str, Mapping[str, str]] = tomllib.loads(checkout.read_text("utf-8"))["project"]["entry-points"]
    return brought


@cache
def entry_points_of(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name, the companion's own first; the first package that takes a name has it."""
    own = _brought_by(CHECKOUT).get(group, {})
    found = [(OWN, name, EntryPoint(name, value, group)) for name, value in own.items()]
    for door in entry_points(group=group):
        if door.value == own.get(door.name):
            continue  # to ask for its owner is to read the whole metadata
        by = package_of(door)
        if not own or by != OWN:
            found.append((by, door.name, door))
    by_name: dict[str, EntryPoint] = {}
    for _, _, door in sorted(found, key=lambda one: (one[0] != OWN, *one[:2])):
        if (first := by_name.setdefault(door.name, door)) is not door:
            log.error("%s and %s both bring %s: uninstall one of them", package_of(first), package_of(door), door.name)
    return by_name


def package_of(door: EntryPoint) -> str:
    """The package that brings it, as ``pip`` names it."""
    return OWN if door.dist is None else door.dist.name
