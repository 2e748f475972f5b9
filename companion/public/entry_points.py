"""What installed packages bring: found by the names of their entry points, and loaded only when it is asked for."""

from __future__ import annotations

import logging
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

log = logging.getLogger(__name__)

OWN = "companion-referee"
CHECKOUT = Path(__file__).parents[2] / "pyproject.toml"
"""In a checkout it says what the companion brings, whatever it said when that was installed; a wheel has none."""


@cache
def entry_points_of(group: str) -> Mapping[str, EntryPoint]:
    """The entry points of a group by name, the companion's own first; the first package that takes a name has it."""
    own: dict[str, str] = {}
    if CHECKOUT.is_file():
        own = tomllib.loads(CHECKOUT.read_text("utf-8"))["project"]["entry-points"][group]
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
