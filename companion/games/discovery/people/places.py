"""The places of cards: rows by era in the tree, a grid for the pool, fans for the discards, one card on another in a
pile.

Overlapping cards show their stickers: cards further left or further away are on top.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.errors import InputError, fault
from companion.games.discovery.deck import ERAS, PER_ERA
from companion.public.layout import Layout
from companion.public.table import COMMAND_ZONE, Point, Token, Zone
from companion.simulation.stage import CARD, Kept, Measures, ThingPose

TREE = Zone("tree")
POOL = Zone("pool")
PILE = Zone("pile")

_GAP_MM = 3.0
_FANNED_MM = 33.0
"""Offset of fanned cards: a little more than a sticker."""
_STACKED_MM = 0.3
"""Height of a card in a pile."""


def row(seat: int) -> Zone:
    """The zone of a bot's row."""
    return Zone(f"row-{seat}")


def discard(seat: int) -> Zone:
    """The zone of a seat's discards."""
    return Zone(f"discard-{seat}")


def card_token(card: str) -> Token:
    """The sticker of a card: ``1-8`` is ``C18``; jokers keep their name."""
    return Token(card if card.startswith("J") else "C" + card.replace("-", ""))


class CardPlaces:
    """The places of a table with this number of seats; a ``companion.simulation.stage.Places``.

    Attributes:
        tree: The zone of the tree, or of the pile in silent games.
        zones: The zones where cards can be placed.

    Raises:
        InputError: The layout lacks a zone that the match needs.
    """

    def __init__(self, layout: Layout, seats: int, measures: Measures = CARD) -> None:
        self._measures = measures
        shapes = {zone.name: zone.polygon_mm for zone in layout.zones}
        self.tree = PILE if PILE in shapes else TREE
        rows = [row(seat) for seat in range(1, seats + 1) if row(seat) in shapes]
        zones = [self.tree, POOL, COMMAND_ZONE, *rows, *(discard(seat) for seat in range(1, seats + 1))]
        if lacking := [zone for zone in zones if zone not in shapes]:
            sentence = "The table has no zone {zones}; a simulated match needs all of them."
            raise InputError(fault("simulated.fault.zones", sentence, zones=", ".join(lacking)))
        self._slots = {
            zone: [p for p in self._grid(zone, shapes[zone]) if layout.zone_at(p.x_mm, p.y_mm) == zone]
            for zone in zones
        }
        if full := [zone for zone in zones if not self._slots[zone]]:
            raise InputError(
                fault("simulated.fault.full", "No card fits into the zone {zones}.", zones=", ".join(full))
            )
        self.zones = tuple(zone for zone in zones if zone != COMMAND_ZONE)

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        """The first free slot of the zone, in the usual order; the last if all are taken."""
        slots = self._slots[place]
        there = [pose for zone, pose in kept.values() if zone == place]
        if place == PILE:  # stacked
            return replace(slots[0], z_mm=max((pose.z_mm for pose in there), default=0.0) + _STACKED_MM)
        used = {slots.index(pose) for pose in there}
        near = None if beside is None else kept.get(beside)
        wanted: Sequence[int]
        if near is not None and near[0] == place and place in (TREE, POOL):
            at = near[1]
            wanted = sorted(
                range(len(slots)), key=lambda s: math.hypot(slots[s].x_mm - at.x_mm, slots[s].y_mm - at.y_mm)
            )
        elif place == TREE and len(slots) == ERAS * PER_ERA:
            wanted = range((int(token[1]) - 1) * PER_ERA, int(token[1]) * PER_ERA)
        elif place.startswith("discard-"):  # a card in the middle of a fan would cover the next one
            wanted = range(max(used, default=-1) + 1, len(slots))
        else:
            wanted = range(len(slots))
        return slots[next((s for s in (*wanted, *range(len(slots))) if s not in used), len(slots) - 1)]

    def _grid(self, zone: Zone, polygon: tuple[Point, ...]) -> Iterator[ThingPose]:
        """The slots of a zone, in the order of use."""
        card_mm, sticker_mm = self._measures.size_mm, self._measures.sticker_mm
        left, top = (min(point[k] for point in polygon) for k in (0, 1))
        across, down = max(p[0] for p in polygon) - left, max(p[1] for p in polygon) - top
        if zone == TREE:
            columns, rows = PER_ERA, ERAS
        elif zone == POOL:
            columns = max(1, int(across // (card_mm[0] + _GAP_MM)))
            rows = max(-(-5 // columns), int(down // (card_mm[1] + _GAP_MM)))
        elif zone == PILE:
            columns = rows = 1
        elif zone == COMMAND_ZONE:
            columns, rows = (2 if across >= 2 * card_mm[0] else 1), 1
        else:
            columns, rows = (
                max(1, int((room - card) // _FANNED_MM) + 1) for room, card in zip((across, down), card_mm, strict=True)
            )
        xs = _spread(left, across, columns, card_mm[0], sticker_mm[0])
        ys = _spread(top, down, rows, card_mm[1], sticker_mm[1])
        overlap = len(xs) > 1 and xs[1] - xs[0] < card_mm[0]
        overlap |= len(ys) > 1 and ys[1] - ys[0] < card_mm[1]
        fanned = zone not in (TREE, PILE, POOL)
        for r in range(rows) if zone == POOL else reversed(range(rows)):
            for c in reversed(range(columns)) if fanned else range(columns):
                above = (columns - 1 - c) + (rows - 1 - r) if overlap else 0
                yield ThingPose(xs[c], ys[r], 0.0, 0.3 + 0.25 * above)


def _spread(start_mm: float, room_mm: float, count: int, card_mm: float, sticker_mm: float) -> list[float]:
    """The centres of ``count`` stickers, so that their cards fill a stretch of the table without leaving it."""
    if count == 1 or room_mm < card_mm:
        return (
            [start_mm + room_mm / 2] * count if room_mm < card_mm else [start_mm + (room_mm - card_mm) / 2 + sticker_mm]
        )
    pitch = min(
        (room_mm - card_mm) / (count - 1), room_mm / count if room_mm / count > card_mm else room_mm, card_mm + 13
    )
    lead = max(0.0, (room_mm - card_mm - pitch * (count - 1)) / 2)
    return [start_mm + lead + sticker_mm + pitch * k for k in range(count)]
