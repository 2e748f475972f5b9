"""The zones of a table as its host drew them: kept in the data folder, and fitted to each match."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from companion.catalog import read_layout
from companion.documents import read_toml
from companion.game import JSON
from companion.table import Layout, Zone

FILE = "zones.toml"
"""In the data folder; its form is that of a match file's ``[table]`` (contract, section 4)."""

STEP_MM = 10.0
"""Zones are compared on a grid as fine as this: no sticker is so small."""

_SAME = {"tree": "pile", "pile": "tree"}


class Looker(Protocol):
    """What an eye does with zones."""

    def relayout(self, layout: Layout) -> None:
        """Go by other zones from now on."""

    def snapshot(self, straight: bool = False) -> bytes | None:
        """The field as JPEG, ``straight`` from above; ``None`` when it is not seen."""


class Zoning:
    """The zones of a table in use.

    Attributes:
        now: The layout that the eye goes by.

    Args:
        folder: Where they are kept.
        eye: The eye that looks now, if one does.

    Raises:
        InputError: What is kept there is no layout.
    """

    def __init__(self, folder: Path, eye: Callable[[], Looker | None]) -> None:
        self._folder = folder
        self._eye = eye
        self._drawn = read_zones(folder)
        self._usual = self.now = Layout(None, ())

    def picture(self) -> bytes | None:
        """The field seen straight from above as JPEG; ``None`` while nobody sees it."""
        eye = self._eye()
        return None if eye is None else eye.snapshot(straight=True)

    def begin(self, usual: Layout, *, fixed: bool = False) -> Layout:
        """The layout for what is looked at from now on; ``fixed`` = the usual one, however others were drawn."""
        self._usual = usual
        self.now = usual if fixed else fitted(self._drawn, usual)
        return self.now

    def settle(self, drawn: Layout | None, *, at_once: bool) -> None:
        """Keep other zones, with ``None`` the usual ones; ``at_once``: the eye goes by them from now on.

        Raises:
            OSError: The disk would not take it.
        """
        write_zones(self._folder, drawn)
        self._drawn = drawn
        if at_once:
            layout, eye = self.begin(self._usual), self._eye()
            if eye is not None:
                eye.relayout(layout)


def read_zones(folder: Path) -> Layout | None:
    """The layout that was drawn for the table with this data folder; ``None`` where none was.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    path = folder / FILE
    if not path.exists():
        return None
    return read_toml(path).located(lambda content: read_layout(content.get("table")))


def write_zones(folder: Path, layout: Layout | None) -> None:
    """Keep a layout; ``None`` forgets the one that is kept.

    Raises:
        OSError: The disk would not take it.
    """
    path = folder / FILE
    if layout is None:
        path.unlink(missing_ok=True)
        return
    folder.mkdir(parents=True, exist_ok=True)
    lines = ["[table]"]
    if layout.size_mm is not None:
        lines.append(f"size_mm = {list(layout.size_mm)}")
    for zone in layout.zones:
        corners = ", ".join(str(list(corner)) for corner in zone.polygon_mm)
        lines += ["[[table.zone]]", f'name = "{zone.name}"', f"polygon = [{corners}]"]
    fresh = path.with_suffix(".new")
    fresh.write_text("\n".join(lines) + "\n", encoding="utf-8")
    fresh.replace(path)


def encode_layout(layout: Layout) -> Mapping[str, JSON]:
    """A layout as a match file's ``[table]``; without ``size_mm`` where the tags tell it."""
    size = {} if layout.size_mm is None else {"size_mm": list(layout.size_mm)}
    zones = [{"name": zone.name, "polygon": [list(corner) for corner in zone.polygon_mm]} for zone in layout.zones]
    return {**size, "zone": zones}


def fitted(drawn: Layout | None, usual: Layout) -> Layout:
    """The zones of a match: where they were drawn, if they were drawn for a match with the same zones.

    A drawn tree is also the pile of a silent game. With another number of seats or bots the discards and rows
    are the usual ones, which share their edge of the table by number; what was not drawn is the usual one, too.
    """
    if drawn is None:
        return usual
    there = {zone.name: zone.polygon_mm for zone in drawn.zones}
    alike = {name for name in there if _is_numbered(name)} == {z.name for z in usual.zones if _is_numbered(z.name)}
    zones = []
    for zone in usual.zones:
        polygon = there.get(zone.name) or there.get(Zone(_SAME.get(zone.name, zone.name)))
        takes = polygon is not None and (alike or not _is_numbered(zone.name))
        zones.append(replace(zone, polygon_mm=polygon) if takes and polygon is not None else zone)
    return Layout(drawn.size_mm, tuple(zones))


def overlapping(layout: Layout) -> tuple[Zone, Zone] | None:
    """Two zones that hold the same place of the table, or ``None``. A card there would be in the first of them."""
    corners = [corner for zone in layout.zones for corner in zone.polygon_mm]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    alone = [(zone.name, Layout(None, (zone,))) for zone in layout.zones]
    for across in range(int((right - left) / STEP_MM) + 1):
        for down in range(int((bottom - top) / STEP_MM) + 1):
            at = left + (across + 0.5) * STEP_MM, top + (down + 0.5) * STEP_MM
            holding = [name for name, one in alone if one.zone_at(*at) is not None]
            if len(holding) > 1:
                return holding[0], holding[1]
    return None


def _is_numbered(name: str) -> bool:
    return name.startswith(("discard-", "row-"))
