"""Where things lie on the table and where people sit around it."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.errors import InputError, fault
from companion.public.layout import Layout
from companion.public.print_sizes import CARD_MM
from companion.public.table import COMMAND_ZONE, Point, Seat, Token, Zone

TREE = Zone("tree")
POOL = Zone("pool")
PILE = Zone("pile")

ERAS = 6
PER_ERA = 9
_GAP_MM = 3.0
_FANNED_MM = 33.0
"""Between fanned cards: a little more than a sticker."""


@dataclass(frozen=True, slots=True)
class Measures:
    """What a card measures.

    Attributes:
        card_mm: Its width and height.
        sticker_mm: From its top left corner to its sticker's centre.
    """

    card_mm: Point = CARD_MM
    sticker_mm: Point = (45.5, 70.5)

    def middle(self, pose: CardPose) -> Point:
        """The middle of a card whose sticker is there."""
        turn = math.radians(pose.rotation_deg)
        x = self.card_mm[0] / 2 - self.sticker_mm[0]
        y = self.card_mm[1] / 2 - self.sticker_mm[1]
        return (
            pose.x_mm + x * math.cos(turn) - y * math.sin(turn),
            pose.y_mm + x * math.sin(turn) + y * math.cos(turn),
        )


@dataclass(frozen=True, slots=True)
class CardPose:
    """Where a card's sticker is: its centre, clockwise turn, and height over the table."""

    x_mm: float
    y_mm: float
    rotation_deg: float = 0.0
    z_mm: float = 0.3


def row(seat: int) -> Zone:
    """The zone of a bot's row."""
    return Zone(f"row-{seat}")


def discard(seat: int) -> Zone:
    """The zone of a seat's discards."""
    return Zone(f"discard-{seat}")


def card_token(card: str) -> Token:
    """What the sticker of a card says: ``1-8`` is ``C18``; jokers keep their name."""
    return Token(card if card.startswith("J") else "C" + card.replace("-", ""))


ZonePlace = tuple[Zone, int]
"""A zone and which of its places."""


class CardPlaces:
    """The table and the places on it: rows by era in the tree, a grid for the pool, fans for the discards.

    Cards that overlap show their stickers: what lies further left or further away lies on top.

    Raises:
        InputError: The layout lacks a zone that the match needs, or its size.
    """

    def __init__(self, layout: Layout, seats: int, measures: Measures, seed: int) -> None:
        if layout.size_mm is None:
            raise InputError(fault("simulated.fault.size", "A simulated table needs size_mm in [table]."))
        self.size_mm = layout.size_mm
        self.measures = measures
        self.lying: dict[Token, CardPose] = {}
        self.seats = seats
        self._dice = random.Random(f"stage {seed}")
        self._taken: dict[Token, ZonePlace] = {}
        shapes = {zone.name: zone.polygon_mm for zone in layout.zones}
        self.tree = PILE if PILE in shapes else TREE
        rows = [row(seat) for seat in range(1, seats + 1) if row(seat) in shapes]
        zones = [self.tree, POOL, COMMAND_ZONE, *rows, *(discard(seat) for seat in range(1, seats + 1))]
        if lacking := [zone for zone in zones if zone not in shapes]:
            said = "The table has no zone {zones}; a simulated match needs all of them."
            raise InputError(fault("simulated.fault.zones", said, zones=", ".join(lacking)))
        self._slots = {
            zone: [p for p in self._grid(zone, shapes[zone]) if layout.zone_at(p.x_mm, p.y_mm) == zone]
            for zone in zones
        }
        if full := [zone for zone in zones if not self._slots[zone]]:
            raise InputError(
                fault("simulated.fault.full", "No card fits into the zone {zones}.", zones=", ".join(full))
            )

    @property
    def zones(self) -> tuple[Zone, ...]:
        """Where cards can be laid."""
        return tuple(self._slots)

    def put(self, token: Token, zone: Zone, beside: Token | None = None) -> CardPose:
        """Find a place for a card, not quite straight, and keep it for it.

        Args:
            beside: A card near which it is laid, if that one lies there.
        """
        slots = self._slots[zone]
        if zone == PILE:  # one on the other
            high = max(
                (self.lying[lies].z_mm for lies, (z, _) in self._taken.items() if z == PILE and lies in self.lying),
                default=0.0,
            )
            self._taken[token] = (zone, 0)
            return replace(self._laid(slots[0]), z_mm=high + 0.3)
        used = {slot for place, slot in self._taken.values() if place == zone}
        near = None if beside is None else self._taken.get(beside)
        wanted: Sequence[int]
        if near is not None and near[0] == zone and zone in (TREE, POOL):
            at = slots[near[1]]
            wanted = sorted(
                range(len(slots)), key=lambda s: math.hypot(slots[s].x_mm - at.x_mm, slots[s].y_mm - at.y_mm)
            )
        elif zone == TREE and len(slots) == ERAS * PER_ERA:
            wanted = range((int(token[1]) - 1) * PER_ERA, int(token[1]) * PER_ERA)
        elif zone.startswith("discard-"):  # a card in the middle of a fan cannot be laid without covering the next
            wanted = range(max(used, default=-1) + 1, len(slots))
        else:
            wanted = range(len(slots))
        slot = next((s for s in (*wanted, *range(len(slots))) if s not in used), len(slots) - 1)
        self._taken[token] = (zone, slot)
        return self._laid(slots[slot])

    def place(self, token: Token) -> ZonePlace | None:
        """Which place is kept for a card."""
        return self._taken.get(token)

    def free(self, token: Token) -> None:
        """Its place may be used again."""
        self._taken.pop(token, None)

    def give_back(self, token: Token, place: ZonePlace | None) -> None:
        """It goes where it was before."""
        self.free(token)
        if place is not None:
            self._taken[token] = place

    def straight(self, token: Token) -> CardPose:
        """Its place again, laid anew."""
        zone, slot = self._taken[token]
        return replace(self._laid(self._slots[zone][slot]), z_mm=self.lying[token].z_mm)

    def _laid(self, pose: CardPose) -> CardPose:
        """As exactly as people lay cards."""
        x, y, turn = (self._dice.gauss(0, sigma) for sigma in (0.7, 0.7, 1.2))
        return CardPose(pose.x_mm + x, pose.y_mm + y, max(-3.0, min(3.0, turn)), pose.z_mm)

    def edge(self, seat: Seat) -> tuple[float, float, float]:
        """Where a seat's hands come from, outside the table, and the direction of that arm: 90 = the near edge.

        Seat 1 sits at the near edge, the others follow clockwise.
        """
        angle = math.radians(90 + 360 / self.seats * (max(seat, 1) - 1))
        w, h = self.size_mm
        x, y = w / 2 + (w / 2 + 190) * math.cos(angle), h / 2 + (h / 2 + 190) * math.sin(angle)
        return x, y, math.degrees(angle) % 360

    def _grid(self, zone: Zone, polygon: tuple[Point, ...]) -> Iterator[CardPose]:
        """The places of a zone, in the order in which they are used."""
        left, top = (min(point[k] for point in polygon) for k in (0, 1))
        across, down = max(p[0] for p in polygon) - left, max(p[1] for p in polygon) - top
        if zone == TREE:
            columns, rows = PER_ERA, ERAS
        elif zone == POOL:
            columns = max(1, int(across // (self.measures.card_mm[0] + _GAP_MM)))
            rows = max(-(-5 // columns), int(down // (self.measures.card_mm[1] + _GAP_MM)))
        elif zone == PILE:
            columns = rows = 1
        elif zone == COMMAND_ZONE:
            columns, rows = (2 if across >= 2 * self.measures.card_mm[0] else 1), 1
        else:
            columns, rows = (
                max(1, int((room - card) // _FANNED_MM) + 1)
                for room, card in zip((across, down), self.measures.card_mm, strict=True)
            )
        xs = _spread(left, across, columns, self.measures.card_mm[0], self.measures.sticker_mm[0])
        ys = _spread(top, down, rows, self.measures.card_mm[1], self.measures.sticker_mm[1])
        overlap = len(xs) > 1 and xs[1] - xs[0] < self.measures.card_mm[0]
        overlap |= len(ys) > 1 and ys[1] - ys[0] < self.measures.card_mm[1]
        fanned = zone not in (TREE, PILE, POOL)
        for r in range(rows) if zone == POOL else reversed(range(rows)):
            for c in reversed(range(columns)) if fanned else range(columns):
                above = (columns - 1 - c) + (rows - 1 - r) if overlap else 0
                yield CardPose(xs[c], ys[r], 0.0, 0.3 + 0.25 * above)


def _spread(start_mm: float, room_mm: float, count: int, card_mm: float, sticker_mm: float) -> list[float]:
    """Where stickers' centres go, so that so many cards fill a stretch of table without leaving it."""
    if count == 1 or room_mm < card_mm:
        return (
            [start_mm + room_mm / 2] * count if room_mm < card_mm else [start_mm + (room_mm - card_mm) / 2 + sticker_mm]
        )
    pitch = min(
        (room_mm - card_mm) / (count - 1), room_mm / count if room_mm / count > card_mm else room_mm, card_mm + 13
    )
    lead = max(0.0, (room_mm - card_mm - pitch * (count - 1)) / 2)
    return [start_mm + lead + sticker_mm + pitch * k for k in range(count)]
