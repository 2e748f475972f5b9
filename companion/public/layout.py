"""The zones of a table as its host drew them: kept in the data folder, and fitted to each match."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.errors import Fault, InputError, fault
from companion.public.table import Point, Zone
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class ZoneShape:
    """A zone's outline: at least three corners in table millimetres, in order around it."""

    name: Zone
    polygon_mm: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Layout:
    """The playing field.

    Attributes:
        size_mm: Width and height between the centres of the corner tags; ``None`` = taken from
            the tags' own 36 mm.
        zones: The first that holds a point wins.
    """

    size_mm: Point | None
    zones: tuple[ZoneShape, ...]

    def zone_at(self, x_mm: float, y_mm: float) -> Zone | None:
        """The zone that holds a point, or ``None``."""
        for zone in self.zones:
            if _inside(zone.polygon_mm, x_mm, y_mm):
                return zone.name
        return None


def _inside(polygon: tuple[Point, ...], x: float, y: float) -> bool:
    """Even-odd rule (Shimrat 1962)."""
    inside = False
    ax, ay = polygon[-1]
    for bx, by in polygon:
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
        ax, ay = bx, by
    return inside


def read_layout(table: JSON) -> Layout:
    """The playing field from a match file's ``[table]``.

    Raises:
        InputError: With every fault.
    """
    if not isinstance(table, Mapping):
        raise InputError(fault("zones.fault.form", "should be a table with size_mm and zone", "table"))
    faults: list[Fault] = []
    size = table.get("size_mm")
    if size is not None and not _is_point(size):
        faults.append(fault("zones.fault.size", "should be two lengths in millimetres", "table", "size_mm"))
    zones: list[ZoneShape] = []
    listed = table.get("zone", [])
    if not isinstance(listed, list) or not listed:
        faults.append(
            fault("zones.fault.list", "should be a list of zones, each with name and polygon", "table", "zone")
        )
        listed = []
    elif len(listed) > MOST_ZONES:
        sentence = "{count} zones are too many; a table has {most} at most"
        faults.append(fault("zones.fault.many", sentence, "table", "zone", count=len(listed), most=MOST_ZONES))
        listed = []
    for i, zone in enumerate(listed):
        name = zone.get("name") if isinstance(zone, Mapping) else None
        polygon = zone.get("polygon") if isinstance(zone, Mapping) else None
        if not isinstance(name, str) or not name:
            faults.append(fault("zones.fault.name", "needs a name", "table", "zone", i, "name"))
        elif any(name == other.name for other in zones):
            faults.append(
                fault("zones.fault.twice", "there are two zones {zone}", "table", "zone", i, "name", zone=repr(name))
            )
        elif not isinstance(polygon, list) or len(polygon) < 3 or not all(_is_point(corner) for corner in polygon):
            sentence = "needs at least three corners [x, y] in millimetres"
            faults.append(fault("zones.fault.corners", sentence, "table", "zone", i, "polygon"))
        else:
            zones.append(ZoneShape(Zone(name), tuple((float(x), float(y)) for x, y in polygon)))
    if faults:
        raise InputError(*faults)
    return Layout(None if size is None else (float(size[0]), float(size[1])), tuple(zones))


MOST_ZONES = 100
FAR_MM = 20_000.0
"""No table reaches so far; also keeps what is compared on a grid finite."""


def _is_point(value: JSON) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(x) in (int, float) and -FAR_MM <= x <= FAR_MM for x in value)
    )


GRID_STEP_MM = 10.0
"""Zones are compared on a grid as fine as this: no sticker is so small."""


def encode_layout(layout: Layout) -> Mapping[str, JSON]:
    """A layout as a match file's ``[table]``; without ``size_mm`` where the tags tell it."""
    size = {} if layout.size_mm is None else {"size_mm": list(layout.size_mm)}
    zones = [{"name": zone.name, "polygon": [list(corner) for corner in zone.polygon_mm]} for zone in layout.zones]
    return {**size, "zone": zones}


def fit_zone(drawn: Layout | None, usual: Layout, same_place: Callable[[Zone, Zone], bool] = operator.eq) -> Layout:
    """The zones of a match: where they were drawn, if they were drawn for a match with the same zones.

    With another number of seats or bots the numbered zones, such as ``discard-2``, are the usual ones, which share
    their edge of the table by number; what was not drawn is the usual one, too.

    Args:
        same_place: Which zones are one place by two names, as the game says.
    """
    if drawn is None:
        return usual
    there = {zone.name: zone.polygon_mm for zone in drawn.zones}
    alike = {name for name in there if _is_numbered(name)} == {z.name for z in usual.zones if _is_numbered(z.name)}
    zones = []
    for zone in usual.zones:
        alias = next((name for name in there if same_place(name, zone.name)), zone.name)
        polygon = there.get(zone.name) or there.get(alias)
        takes = polygon is not None and (alike or not _is_numbered(zone.name))
        zones.append(replace(zone, polygon_mm=polygon) if takes and polygon is not None else zone)
    return Layout(drawn.size_mm, tuple(zones))


def overlapping_zones(layout: Layout) -> tuple[Zone, Zone] | None:
    """Two zones that hold the same place of the table, or ``None``. A card there would be in the first of them."""
    corners = [corner for zone in layout.zones for corner in zone.polygon_mm]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    alone = [(zone.name, Layout(None, (zone,))) for zone in layout.zones]
    for across in range(int((right - left) / GRID_STEP_MM) + 1):
        for down in range(int((bottom - top) / GRID_STEP_MM) + 1):
            at = left + (across + 0.5) * GRID_STEP_MM, top + (down + 0.5) * GRID_STEP_MM
            holding = [name for name, one in alone if one.zone_at(*at) is not None]
            if len(holding) > 1:
                return holding[0], holding[1]
    return None


def _is_numbered(name: str) -> bool:
    return re.fullmatch(r".+-[0-9]+", name) is not None
