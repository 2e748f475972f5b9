"""What is known about one sticker: where it lies, or may lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from companion.public.table import Placement, Point, Token, Zone
from vision.camera.frame import Gray
from vision.codes.patches import Patch
from vision.geometry.quads import Corners, Points, center, rotation
from vision.geometry.tile_grid import SmallBox
from vision.motion.background import PlaceBefore

RELIABLE_LOOKS = 2
"""A sticker that cannot be decoded must be guessed in this many looks."""


class TrackState(Enum):
    """Whether a lying sticker was visible in the last look that could tell.

    A sticker that is not confirmed yet has its own type, ``TentativeTrack``.
    """

    VISIBLE = auto()
    OCCLUDED = auto()
    GONE = auto()


@dataclass(frozen=True, eq=False)
class StickerPose:
    """Where a code lies on the table.

    Attributes:
        corners_mm: ``(4, 2)`` float64 in table mm, clockwise from the code's own top left.
    """

    corners_mm: Points

    @cached_property
    def center_mm(self) -> Point:
        """The code's centre, in table mm."""
        return center(self.corners_mm)

    @cached_property
    def rotation_deg(self) -> float:
        """Clockwise, 0 when the code's top points to the far edge."""
        return rotation(self.corners_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """How a piece and the table around it looked when they were last seen.

    Attributes:
        look: The piece of the small picture, ``(height, width)`` uint8, at usual light.
        light: Its usual brightness at that time relative to the first picture.
        box: Its rows and columns in the small picture.
    """

    look: Gray
    light: float
    box: SmallBox

    def in_light(self, light: float) -> Surroundings:
        """The same at another usual brightness of the place."""
        look = np.clip(self.look * (light / self.light), 0, np.iinfo(np.uint8).max)
        return Surroundings(look.astype(np.uint8), light, self.box)


@dataclass(slots=True, eq=False)
class Track:
    """A sticker that lies on the table, as far as is known.

    Attributes:
        corners_px: Of the code in the picture, clockwise from its own top left.
        pose: The same on the table.
        patch: Its picture, turned upright.
        zone, zoned_mm: Its zone, and where its centre was when that was decided.
        laid: The number of the look that confirmed it here.
        state: The result of the last look that could tell.
        before: How its place looked before it came, if that was seen.
        around: How it and what is around it looked before it was missed, if that was seen.
        hidden_since: The number of the look that first missed it.
        seen_since: The number of the look that first saw it at its present place: laid, nudged, or uncovered.
        there_first: It lay there in the first picture already.
        first_empty_s, last_empty_s: When its place was first and last seen empty since it was visible; ``None``: never.
        empty_looks, empty_since_s: How often in a row, and since when, its place was seen empty.
        under: The token on top of it.
        reads: The number of readings that its pose is the mean of.
        texture: The texture of its place when it was confirmed, in grey levels at usual light.
        rim: How much brighter it was inside its edge than outside when it was confirmed, in grey levels at usual
            light; ``None`` for pieces of unknown size.
        attempts: The number of decode attempts at its place since it was missed.
        fitted_mm: The width of its code, measured by fitting its print; 0 if that does not fit, ``None`` if not
            measured yet.
    """

    token: Token
    corners_px: Corners
    pose: StickerPose
    patch: Patch
    zone: Zone | None
    zoned_mm: Point
    laid: int
    state: TrackState = TrackState.VISIBLE
    before: PlaceBefore | None = None
    around: Surroundings | None = None
    hidden_since: int = 0
    seen_since: int = 0
    there_first: bool = False
    first_empty_s: float | None = None
    last_empty_s: float = 0.0
    empty_looks: int = 0
    empty_since_s: float = 0.0
    under: Token | None = None
    reads: int = 1
    texture: float = 0.0
    rim: NDArray[np.float32] | None = None
    attempts: int = 0
    fitted_mm: float | None = None

    @property
    def center_mm(self) -> Point:
        """The sticker's centre, in table mm."""
        return self.pose.center_mm

    @property
    def side_mm(self) -> float:
        """The width of its code, in mm."""
        return math.dist(self.pose.corners_mm[0], self.pose.corners_mm[1])

    def placement(self) -> Placement:
        return Placement(self.token, self.zone, *self.pose.center_mm, self.pose.rotation_deg, self.under)


@dataclass(slots=True, eq=False)
class TentativeTrack:
    """A sticker seen at a place where it is not confirmed yet.

    Attributes:
        corners_px: Of the code in the picture, clockwise from its own top left.
        corners_mm: The same on the table, ``(4, 2)`` float64 in table mm.
        patch: Its picture, turned upright.
        number, taken_s: The look that saw it last, and when.
        read: The number of the look that read it last.
        certainty: The certainty of its token; guessed in two looks is as good as decoded in one.
        looks: How many looks agree.
        attempts: The number of decode attempts at its place since it was seen.
        fits: Whether it is as large and as square as if it lay on the table; ``None`` = not checked yet.
    """

    token: Token
    corners_px: Corners
    corners_mm: Points
    patch: Patch
    number: int
    taken_s: float
    read: int
    certainty: int = RELIABLE_LOOKS
    looks: int = 1
    attempts: int = 0
    fits: bool | None = None
