"""The zones of a table, as its host drew them: kept in the data folder, and fitted to each match."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from companion.errors import Fault, InputError, fault
from companion.public.table import Point, Zone
from companion.public.text import JSON


@dataclass(frozen=True, slots=True)
class ZoneShape:
    """A part of the table.

    Attributes:
        name: Its name.
        polygon_mm: Its outline: at least three corners in table millimetres, in order around it.
        also: Its name in other profiles of the game, if that differs: where it was drawn under that name, it lies too.
    """

    name: Zone
    polygon_mm: tuple[Point, ...]
    also: Zone | None = field(default=None, compare=False)

    @classmethod
    def box(cls, name: str, left: float, top: float, right: float, bottom: float) -> ZoneShape:
        return cls(Zone(name), ((left, top), (right, top), (right, bottom), (left, bottom)))


@dataclass(frozen=True, slots=True)
class Layout:
    """The playing field.

        >>> square = ZoneShape(Zone("left"), ((0, 0), (100, 0), (100, 100), (0, 100)))
        >>> layout = Layout(None, (square,))
        >>> layout.zone_at(50, 50), layout.zone_at(150, 50)
        ('left', None)

    Attributes:
        size_mm: Width and height between the centres of the corner tags; ``None`` = computed from the tags, whose
            side is 36 mm.
        zones: The first one that contains a point wins.
    """

    size_mm: Point | None
    zones: tuple[ZoneShape, ...]

    def zone_at(self, x_mm: float, y_mm: float) -> Zone | None:
        """The zone that contains a point, or ``None``."""
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
    corners = 0
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
        elif (corners := corners + len(polygon)) > MOST_CORNERS:
            sentence = "the zones have more than {most} corners together; draw them with fewer"
            faults.append(fault("zones.fault.corners_many", sentence, "table", "zone", i, "polygon", most=MOST_CORNERS))
            break
        else:
            zones.append(ZoneShape(Zone(name), tuple((float(x), float(y)) for x, y in polygon)))
    if faults:
        raise InputError(*faults)
    return Layout(None if size is None else (float(size[0]), float(size[1])), tuple(zones))


MOST_ZONES = 100
MOST_CORNERS = 1000
"""For all zones together; each costs time at every look."""
FAR_MM = 20_000.0
"""Larger than any table."""


def _is_point(value: JSON) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(type(x) in (int, float) and -FAR_MM <= x <= FAR_MM for x in value)
    )


GRID_STEP_MM = 10.0
"""Zones are compared on a grid of this step; every sticker is larger."""
MOST_ROWS = 500
"""Rows of that grid; larger fields are compared in coarser rows."""


def encode_layout(layout: Layout) -> Mapping[str, JSON]:
    """A layout as a match file's ``[table]``; without ``size_mm`` if it is computed from the tags."""
    size = {} if layout.size_mm is None else {"size_mm": list(layout.size_mm)}
    zones = [{"name": zone.name, "polygon": [list(corner) for corner in zone.polygon_mm]} for zone in layout.zones]
    return {**size, "zone": zones}


def fit_zone(drawn: Layout | None, usual: Layout) -> Layout:
    """The zones of a match: the drawn ones where they apply, and the default ones elsewhere.

    If the number of seats or bots differs, the numbered zones, whose names end in ``-2``, are the default ones, because
    these divide their edge of the table by number.
    """
    if drawn is None:
        return usual
    there = {zone.name: zone.polygon_mm for zone in drawn.zones}
    alike = {name for name in there if _is_numbered(name)} == {z.name for z in usual.zones if _is_numbered(z.name)}
    zones = []
    for zone in usual.zones:
        polygon = there.get(zone.name) or there.get(zone.also or zone.name)
        takes = polygon is not None and (alike or not _is_numbered(zone.name))
        zones.append(replace(zone, polygon_mm=polygon) if takes and polygon is not None else zone)
    return Layout(drawn.size_mm, tuple(zones))


def overlapping_zones(layout: Layout) -> tuple[Zone, Zone] | None:
    """Two zones that overlap, or ``None``. A card in both belongs to the first of them.

    In each row, the spans of all zones are sorted; if one begins before the last has ended, two overlap.
    """
    ys = [y for zone in layout.zones for _, y in zone.polygon_mm]
    rows = max(1, min(MOST_ROWS, int((max(ys) - min(ys)) / GRID_STEP_MM) + 1))
    step_mm = max(GRID_STEP_MM, (max(ys) - min(ys)) / rows)
    for row in range(rows):
        y = min(ys) + (row + 0.5) * step_mm
        spans = sorted((*span, place) for place, zone in enumerate(layout.zones) for span in _spans(zone, y))
        reach, last = -math.inf, 0
        for first_step, end_step, place in spans:
            if first_step < reach and place != last:
                one, other = sorted((last, place))
                return layout.zones[one].name, layout.zones[other].name
            if end_step > reach:
                reach, last = end_step, place
    return None


def _spans(zone: ZoneShape, y: float) -> Iterator[tuple[int, int]]:
    """The grid steps of a zone in one row, as pairs of first and last + 1."""
    crossed = []
    ax, ay = zone.polygon_mm[-1]
    for bx, by in zone.polygon_mm:
        if (ay > y) != (by > y):
            crossed.append((bx - ax) * (y - ay) / (by - ay) + ax)
        ax, ay = bx, by
    crossed.sort()
    for left, right in zip(crossed[::2], crossed[1::2], strict=True):
        span = math.ceil(left / GRID_STEP_MM - 0.5), math.ceil(right / GRID_STEP_MM - 0.5)
        if span[0] < span[1]:
            yield span


def _is_numbered(name: str) -> bool:
    return re.fullmatch(r".+-[0-9]+", name) is not None
