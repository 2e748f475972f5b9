"""Detects a moved camera, and compensates the change of magnification while a lens focuses."""

from __future__ import annotations

import math
import statistics

import numpy as np

from vision.camera.frame import Frame, Gray
from vision.codes.mirrored import shows_mirrored_tags
from vision.codes.patches import Patch, extract_patch, likenesses
from vision.geometry.homography import Geometry
from vision.geometry.quads import Corners, Points, corners
from vision.geometry.tags import find_tags
from vision.tracking.magnification import SEEN_WIDTH_PX, Magnification, MagnificationMeter

SAME_TAG_CORRELATION = 0.6
"""Correlation above which a tag is still where it was."""

SAME_SIZE_CORRELATION = 0.95
"""Below this a tag is off by a good half pixel of the fast mode: the lens may be focusing."""

ASK_AGAIN_S = 0.06
"""How often one tag is compared while the lens is steady; pictures may come twice as fast."""

DOUBT_AGAIN_S = 0.5
"""A tag that no other magnification explains is half covered, or in a shadow; compare it again after this time."""

ASKED_TAGS = 2
"""This many other tags are compared before all are measured.

The outermost are used, because a change of magnification moves them most.
"""

UNNOTICED_PX = 0.5
"""Smaller offsets are ignored, in pixels of the fast mode."""

STEADY_SHARE, BREATH_S = 0.0003, 1.0
"""With a smaller change of magnification, the lens is steady; otherwise measure every picture for this
long.
"""

SETTLED_S = 8.0
"""A lens that has been steady for this long has found its focus: locate the table again at this magnification."""

LOOK_AGAIN_S, LOOK_SELDOM_S = 0.5, 8.0
"""The shortest and longest interval between searches for tags; it grows while the same ones are
covered.
"""

MIN_TAGS = 3
"""The least number of tags that shows whether the camera was moved."""

KNOCKED_MM = 2.5
"""If tags have moved by more, the camera was moved."""

OUT_OF_VIEW_S = 3.0
"""If no tag was seen in its place for so long, the camera was turned away or something is in front of it."""

STABLE_MM = 1.0
"""Two locations in a row in which most tags agree within this: the camera is steady again. The corners of one in a dark
place, or under fingers, may be measured otherwise in every picture."""


class CameraShiftDetector:
    """Compares one tag after the other.

    Args:
        frame: The picture in which the table was located.
    """

    def __init__(self, frame: Frame, geometry: Geometry) -> None:
        self.geometry = geometry
        self._tags = list(geometry.tags_px)
        self._patches: dict[int, Patch] = {
            tag: extract_patch(frame.gray, corners(points)) for tag, points in geometry.tags_px.items()
        }
        self._places = {tag: corners(points) for tag, points in geometry.tags_px.items()}
        height, width = frame.gray.shape
        middle = np.array([(width - 1) / 2, (height - 1) / 2])
        far_px = {tag: math.dist(points.mean(0), middle) for tag, points in geometry.tags_px.items()}
        self._farthest_first = sorted(far_px, key=lambda tag: -far_px[tag])
        self._meter = MagnificationMeter(frame.gray, geometry.tags_px)
        self._magnification = Magnification()
        self._steady_since_s = frame.taken_s
        self._next = 0
        self._asked_s = -math.inf
        self._likeness = 1.0
        self._missed: set[int] = set()
        self._doubted_s: dict[int, float] = {}
        self._sought_s = self._in_place_s = frame.taken_s
        self._patience_s = LOOK_AGAIN_S
        self._last: Geometry | None = None

    def steadied(self, frame: Frame) -> Frame:
        """The frame at the magnification with which the table was located; the same frame if unchanged."""
        if self._magnification.scale == 1 and frame.taken_s - self._asked_s < ASK_AGAIN_S:
            return frame
        self._asked_s = frame.taken_s
        self._next = (self._next + 1) % len(self._tags)
        tag = self._tags[self._next]
        self._likeness = self._compare(tag, frame.gray, self._drawn(tag))
        doubted_s = self._doubted_s.get(tag, -math.inf)
        if frame.taken_s - self._steady_since_s < BREATH_S and self._magnification.scale != 1:
            self._measure(frame)
        elif self._likeness < SAME_SIZE_CORRELATION and frame.taken_s - doubted_s >= DOUBT_AGAIN_S:
            if self._magnification.scale != 1 or not self._one_is_in_place(tag, frame.gray):
                self._measure(frame)
            if self._likeness < SAME_SIZE_CORRELATION:
                self._doubted_s[tag] = frame.taken_s
        return self.as_located(frame)

    def as_located(self, frame: Frame) -> Frame:
        """A frame rescaled from the magnification of the last steadied frame to that of the location."""
        return frame if self._magnification.scale == 1 else self._magnification.undone(frame)

    def has_settled(self, taken_s: float) -> bool:
        """Whether the lens has found another focus than the one with which the table was located."""
        return self._magnification.scale != 1 and taken_s - self._steady_since_s >= SETTLED_S

    def is_stable(self, frame: Frame) -> bool:
        """Whether the tags are still where they were in the picture, or most of them are hidden.

        Args:
            frame: The last steadied one.
        """
        tag = self._tags[self._next]
        if self._likeness >= SAME_TAG_CORRELATION:
            self._missed.discard(tag)
            self._in_place_s = frame.taken_s
            return True
        if tag not in self._missed:
            self._missed.add(tag)
            self._patience_s = LOOK_AGAIN_S
        if frame.taken_s - self._sought_s < self._patience_s or self._most_in_place(frame):
            return True
        self._sought_s = frame.taken_s
        self._patience_s = min(2 * self._patience_s, LOOK_SELDOM_S)
        tags = find_tags(frame.gray, MIN_TAGS)
        if not tags and shows_mirrored_tags(frame.gray):
            return False
        off = [tag for tag, points in tags.items() if tag in self._patches and self._apart_mm(tag, points) > KNOCKED_MM]
        if len(off) == len(tags) and frame.taken_s - self._in_place_s >= OUT_OF_VIEW_S:
            return False
        return len(off) < 2 or len(off) < len(tags) / 2

    def _measure(self, frame: Frame) -> None:
        height, width = frame.gray.shape
        measured = self._meter.measure(frame.gray)
        if measured is None:
            return
        if measured.most_px(width, height) < UNNOTICED_PX * max(1.0, width / SEEN_WIDTH_PX):
            measured = Magnification()
        if abs(measured.scale - self._magnification.scale) > STEADY_SHARE:
            self._steady_since_s = frame.taken_s
        self._magnification = measured
        tag = self._tags[self._next]
        self._likeness = self._compare(tag, frame.gray, self._drawn(tag))

    def _one_is_in_place(self, doubted: int, gray: Gray) -> bool:
        """Whether another tag, far from the middle of the picture, is where it was: then the magnification
        has not changed.
        """
        others = [tag for tag in self._farthest_first if tag != doubted]
        return any(self._compare(tag, gray, self._places[tag]) >= SAME_SIZE_CORRELATION for tag in others[:ASKED_TAGS])

    def _drawn(self, tag: int) -> Corners:
        """Where a tag is now, if only the magnification has changed."""
        if self._magnification.scale == 1:
            return self._places[tag]
        return corners(self._magnification.place(self.geometry.tags_px[tag]))

    def _compare(self, tag: int, gray: Gray, place: Corners) -> float:
        return likenesses(gray, [(place, self._patches[tag])])[0]

    def agrees(self, geometry: Geometry) -> bool:
        """Whether a new location agrees with the one found just before."""
        before, self._last = self._last, geometry
        if before is None:
            return False
        both = [tag for tag in geometry.tags_px if tag in before.tags_px]
        apart = [geometry.to_mm(before.tags_px[tag]) - geometry.to_mm(geometry.tags_px[tag]) for tag in both]
        return bool(apart) and statistics.median(float(abs(gap).max()) for gap in apart) <= STABLE_MM

    def _most_in_place(self, frame: Frame) -> bool:
        """Whether most tags are where they were: then the others are covered by a card or a hand."""
        alike = likenesses(frame.gray, [(self._places[tag], self._patches[tag]) for tag in self._tags])
        return 2 * sum(likeness >= SAME_TAG_CORRELATION for likeness in alike) > len(self._tags)

    def _apart_mm(self, tag: int, points: Points) -> float:
        gap = self.geometry.to_mm(points) - self.geometry.to_mm(self.geometry.tags_px[tag])
        return float(abs(gap.mean(0)).max())
