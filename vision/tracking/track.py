"""What is known about one sticker: where it lies, or where it may."""

from __future__ import annotations

from dataclasses import dataclass

from companion.public.table import Placement, Point, Token, Zone
from vision.camera.frame import Gray
from vision.codes.patches import Patch
from vision.geometry.quads import Corners, Points, center, rotation

RELIABLE_LOOKS = 2
"""A sticker that cannot be decoded must be guessed in so many looks."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaceBefore:
    """How a place looked just before a card came to lie there.

    Attributes:
        look: The piece of the low-resolution picture, at usual light.
        light: How bright the place usually was then against the first picture.
        place: Its rows and columns there; a pose that is known better later may fall into others.
    """

    look: Gray
    light: float
    place: tuple[slice, slice]


@dataclass(slots=True)
class Track:
    """A sticker that is held to lie on the table.

    Attributes:
        corners_mm: Of the code, ``(4, 2)``, clockwise from its own top left.
        zone, zoned_mm: The zone that holds it, and where its centre was when that was decided.
        laid: The number of the look that confirmed it here.
        seen: Whether the last look that could tell saw it.
        empty_looks, empty_since_s: How often in a row, and since when, its place was seen through.
        under: What lies on it.
    """

    token: Token
    corners_px: Corners
    corners_mm: Points
    patch: Patch
    zone: Zone | None
    zoned_mm: Point
    laid: int
    beneath: PlaceBefore | None = None
    seen: bool = True
    hidden_since: int = 0
    empty_looks: int = 0
    empty_since_s: float = 0.0
    under: Token | None = None
    reads: int = 1
    relief: float = 0.0
    tried: int = 0
    said: Placement | None = None
    said_of: Points | None = None
    _center_mm: Point = (0.0, 0.0)
    _center_of: Points | None = None

    @property
    def center_mm(self) -> Point:
        """The sticker's centre."""
        if self._center_of is not self.corners_mm:
            self._center_mm, self._center_of = center(self.corners_mm), self.corners_mm
        return self._center_mm

    @property
    def rotation_deg(self) -> float:
        """Clockwise, 0 when the code's top points to the far edge."""
        return rotation(self.corners_mm)

    def placement(self) -> Placement:
        """As the table knows it; the same value as long as nothing about it changes."""
        said = self.said
        if said is None or self.said_of is not self.corners_mm or said.zone != self.zone or said.under != self.under:
            said = self.said = Placement(self.token, self.zone, *self.center_mm, self.rotation_deg, self.under)
            self.said_of = self.corners_mm
        return said


@dataclass(slots=True)
class TentativeTrack:
    """A sticker seen at a place where it is not held to lie yet.

    Attributes:
        read: The number of the look that read it last.
        sure: How sure it is who it is; guessed in two looks is as good as decoded in one.
    """

    token: Token
    corners_px: Corners
    corners_mm: Points
    patch: Patch
    number: int
    taken_s: float
    read: int
    sure: int = RELIABLE_LOOKS
    looks: int = 1
    tried: int = 0
