"""The outline of cards around their stickers, learned from several cards with the sticker in the same place."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.print_sizes import CARD_MM
from vision.camera.frame import Gray
from vision.geometry.quads import Points, Quad
from vision.motion.tiles import median

LEAST_CARDS = 5
"""Fewer cards do not show what they have in common."""

STEP_MM = 2.0
REACH_MM = 100.0

CLEARLY, ELSEWHERE_MM = 1.05, 6.0
"""The clearest rectangle must have edges so many times as clear as each that is at least so far from it.

Of 336 drawn tables with five to sixteen cards, on seven surfaces, 279 outlines were learned rightly and 55 wrongly from
strips through the stickers; from whole rectangles 310 rightly and 3 wrongly. Of 448 others, most of them rows whose
cards lie edge to edge, 384 rightly and 2 wrongly from all cards alike; 430 rightly and none wrongly where the last of a
row must show its edge too.
"""

Profile = NDArray[np.float32]
"""Something about each step of the square around a sticker, or of some lines through it."""


@dataclass(frozen=True, slots=True)
class CardOutline:
    """The card's edges, in millimetres from the sticker's centre, with the code upright."""

    left_mm: float
    top_mm: float
    right_mm: float
    bottom_mm: float

    def around_mm(self, margin_mm: float = 0.0) -> Points:
        """The card's four corners from its sticker's centre, ``(4, 2)``, with a margin on all sides."""
        left, top = -self.left_mm - margin_mm, -self.top_mm - margin_mm
        right, bottom = self.right_mm + margin_mm, self.bottom_mm + margin_mm
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)])


def placed(around_mm: Points, sticker_mm: Points) -> Points:
    """The corners of a piece on the table, ``(n, 2)``, whose sticker's corners lie at ``sticker_mm``.

    Args:
        around_mm: The corners from the sticker's centre, with the code upright.
    """
    center, turn = _pose(sticker_mm)
    return np.asarray(center + around_mm @ turn.T, np.float64)


def learn_outline(lores: Gray, stickers_mm: Sequence[Points], to_px: Callable[[Points], Quad]) -> CardOutline | None:
    """The common outline of cards around their stickers, or ``None`` if no rectangle is clearly it.

    Args:
        stickers_mm: The corners of the codes on the table, clockwise from their own top left.
        to_px: Points of the table as points of the small picture.
    """
    if len(stickers_mm) < LEAST_CARDS:
        return None
    across, down = _edges(lores, stickers_mm, to_px)
    (wide, high), code_mm = CARD_MM, math.dist(stickers_mm[0][0], stickers_mm[0][1])
    apart_mm = _offsets(stickers_mm)
    both = [_Rectangles(across, down, apart_mm, *size, code_mm / 2) for size in ((wide, high), (high, wide))]
    first, second = sorted(both, key=lambda one: -one.clear.max())
    top, left = divmod(int(first.clear.argmax()), len(first.left_mm))
    near = (np.abs(first.top_mm - first.top_mm[top]) < ELSEWHERE_MM)[:, None]
    near = near & (np.abs(first.left_mm - first.left_mm[left]) < ELSEWHERE_MM)
    if first.clear[top, left] < CLEARLY * max(second.clear.max(), first.clear[~near].max()):
        return None
    return first.outline(top, left)


class _Rectangles:
    """All places of a card around its sticker, and how clear its edges are there.

    Args:
        across, down: As ``_edges`` returns them.
        apart_mm: As ``_offsets`` returns them.
        inside_mm: The sticker's middle is so far inside the card.

    Attributes:
        left_mm, top_mm: From the sticker's middle to the card's left and upper edges.
        clear: By ``(top, left)``: how clear the least clear of the four edges is, and all of them, in equal parts; 1 is
            usual for such a line.
    """

    def __init__(
        self, across: Profile, down: Profile, apart_mm: NDArray[np.float64], wide: float, high: float, inside_mm: float
    ) -> None:
        self._wide, self._high = wide, high
        self.left_mm = np.arange(math.ceil(inside_mm), wide - inside_mm)
        self.top_mm = np.arange(math.ceil(inside_mm), high - inside_mm)
        beside, below = _ends(apart_mm, wide, high), _ends(apart_mm[..., ::-1], high, wide)
        left, right = _sides(across, beside, -self.top_mm, high, (-self.left_mm, wide - self.left_mm))
        top, bottom = _sides(down.transpose(0, 2, 1), below, -self.left_mm, wide, (-self.top_mm, high - self.top_mm))
        four = np.stack([left, right, top.T, bottom.T])
        self.clear = (four.min(0) + four.mean(0)) / 2

    def outline(self, top: int, left: int) -> CardOutline:
        left_mm, top_mm = float(self.left_mm[left]), float(self.top_mm[top])
        return CardOutline(left_mm, top_mm, self._wide - left_mm, self._high - top_mm)


def _edges(lores: Gray, stickers_mm: Sequence[Points], to_px: Callable[[Points], Quad]) -> tuple[Profile, Profile]:
    """How much the picture changes across and down around each sticker, in logarithms, ``(cards, side, side)``."""
    side = 2 * round(REACH_MM / STEP_MM) + 1
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * (side - 1)
    around_mm = np.asarray((square - (side - 1) / 2) * STEP_MM, np.float64)
    across, down = np.zeros((2, len(stickers_mm), side, side), np.float32)
    for number, sticker_mm in enumerate(stickers_mm):
        warp = cv2.getPerspectiveTransform(square.astype(np.float32), to_px(placed(around_mm, sticker_mm)))
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        piece = cv2.warpPerspective(lores, warp, (side, side), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        across[number, :, 1:-1] = np.log1p(cv2.absdiff(piece[:, 2:], piece[:, :-2]), dtype=np.float32)
        down[number, 1:-1] = np.log1p(cv2.absdiff(piece[2:], piece[:-2]), dtype=np.float32)
    return across, down


def _offsets(stickers_mm: Sequence[Points]) -> NDArray[np.float64]:
    """From each sticker to each, as the first one is turned, ``(cards, cards, 2)``."""
    centers, turns = zip(*map(_pose, stickers_mm), strict=True)
    return np.stack([(np.stack(centers) - center) @ turn for center, turn in zip(centers, turns, strict=True)])


def _ends(apart_mm: NDArray[np.float64], wide: float, high: float) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """The cards that have none close to their left, and those that have none close to their right.

    Where cards lie edge to edge, whatever is printed on all of them looks like the edge of one: only the last of a row
    shows where it ends.
    """
    along, athwart = apart_mm.transpose(2, 0, 1)
    left, right = ((np.abs(along - to_mm) < ELSEWHERE_MM) & (np.abs(athwart) < high) for to_mm in (-wide, wide))
    return ~left.any(1), ~right.any(1)


def _sides(
    edges: Profile,
    ends: tuple[NDArray[np.bool_], NDArray[np.bool_]],
    from_mm: NDArray[np.float64],
    long_mm: float,
    at_mm: tuple[NDArray[np.float64], NDArray[np.float64]],
) -> tuple[Profile, Profile]:
    """How clear the lines are that run down from each of ``from_mm``, at each of ``at_mm``: ``(from, at)`` each.

    They have to be clear on all cards, and on those that are the last ones on that side.
    """
    common = _lines(edges.mean(0), from_mm, long_mm)
    first, second = (
        _between(common if last.all() else np.minimum(common, _lines(edges[last].mean(0), from_mm, long_mm)), at).T
        for last, at in zip(ends, at_mm, strict=True)
    )
    return first, second


def _lines(edges: Profile, from_mm: NDArray[np.float64], long_mm: float) -> Profile:
    """How clear the lines are that run down from each of ``from_mm``: ``(across, from)``; 1 is usual."""
    sums = np.pad(edges.cumsum(0), ((1, 0), (0, 0)))  # up to between two rows
    lines = _between(sums, from_mm + long_mm + STEP_MM / 2) - _between(sums, from_mm + STEP_MM / 2)
    return np.asarray(lines.T / max(median(lines.ravel()), 1e-6), np.float32)


def _between(rows: Profile, at_mm: NDArray[np.float64]) -> Profile:
    """The rows at these distances from the middle one, interpolated."""
    at = REACH_MM / STEP_MM + at_mm / STEP_MM
    before = at.astype(int)
    share = (at - before)[:, None].astype(np.float32)
    return np.asarray(rows[before] * (1 - share) + rows[before + 1] * share, np.float32)


def _pose(points: Points) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Centre and rotation of a sticker on the table."""
    along = points[1] - points[0] + points[2] - points[3]
    angle = math.atan2(float(along[1]), float(along[0]))
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return points.mean(0), turn
