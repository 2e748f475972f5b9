"""Whether the camera still hangs where it hung."""

from __future__ import annotations

from vision.camera.frame import Frame
from vision.codes.patches import Patch, correlation, extract_patch
from vision.geometry.homography import Geometry
from vision.geometry.quads import Points, corners
from vision.geometry.tags import find_tags

SAME_TAG_CORRELATION = 0.6
"""Correlation above which a tag is still where it was."""

LOOK_AGAIN_S, LOOK_SELDOM_S = 0.5, 8.0
"""Tags are sought anew at most so often, and ever more seldom while the same ones are missing: something lies there."""

MIN_TAGS = 3
"""So many tell whether the camera was moved."""

KNOCKED_MM = 2.5
"""Tags that have moved by more mean that the camera was moved."""

REST_LOOK_S = 0.2
"""While nothing moves and every tag is where it was, one is looked at so often."""

STABLE_MM = 1.0
"""Two finds in a row that agree within this: the camera hangs still again."""


class CameraShiftDetector:
    """Looks at one tag in every frame while something moves, and now and then while nothing does.

    Args:
        frame: The picture in which the table was located.
    """

    def __init__(self, frame: Frame, geometry: Geometry) -> None:
        self.geometry = geometry
        self._tags = list(geometry.tags_px)
        self._patches: dict[int, Patch] = {
            tag: extract_patch(frame.gray, corners(points)) for tag, points in geometry.tags_px.items()
        }
        self._next = 0
        self._missed: set[int] = set()
        self._sought_s = self._looked_s = frame.taken_s
        self._patience_s = LOOK_AGAIN_S
        self._last: Geometry | None = None

    def is_stable(self, frame: Frame, anything_moves: bool) -> bool:
        """False once the tags are seen to lie elsewhere in the picture than they did.

        Args:
            anything_moves: Whether anything moves in the small picture.
        """
        if not self._missed and not anything_moves and frame.taken_s - self._looked_s < REST_LOOK_S:
            return True
        self._looked_s = frame.taken_s
        self._next = (self._next + 1) % len(self._tags)
        tag = self._tags[self._next]
        if self._is_in_place(tag, frame):
            self._missed.discard(tag)
            return True
        if tag not in self._missed:
            self._missed.add(tag)
            self._patience_s = LOOK_AGAIN_S
        if frame.taken_s - self._sought_s < self._patience_s or self._most_in_place(frame):
            return True
        self._sought_s = frame.taken_s
        self._patience_s = min(2 * self._patience_s, LOOK_SELDOM_S)
        found = find_tags(frame.gray, MIN_TAGS)
        off = [
            tag for tag, points in found.items() if tag in self._patches and self._apart_mm(tag, points) > KNOCKED_MM
        ]
        return len(off) < 2 or len(off) < len(found) / 2

    def agrees(self, geometry: Geometry) -> bool:
        """Whether a new location agrees with the one found just before."""
        before, self._last = self._last, geometry
        if before is None:
            return False
        both = [tag for tag in geometry.tags_px if tag in before.tags_px]
        apart = [geometry.to_mm(before.tags_px[tag]) - geometry.to_mm(geometry.tags_px[tag]) for tag in both]
        return bool(apart) and max(float(abs(gap).max()) for gap in apart) <= STABLE_MM

    def _is_in_place(self, tag: int, frame: Frame) -> bool:
        place = corners(self.geometry.tags_px[tag])
        return correlation(self._patches[tag], extract_patch(frame.gray, place)) >= SAME_TAG_CORRELATION

    def _most_in_place(self, frame: Frame) -> bool:
        """Whether most tags are where they were: what is missed lies under a card or a hand."""
        return 2 * sum(self._is_in_place(tag, frame) for tag in self._tags) > len(self._tags)

    def _apart_mm(self, tag: int, points: Points) -> float:
        gap = self.geometry.to_mm(points) - self.geometry.to_mm(self.geometry.tags_px[tag])
        return float(abs(gap.mean(0)).max())
