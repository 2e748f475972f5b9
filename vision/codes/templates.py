"""Identifies a code that cannot be decoded: which of the possible stickers does it look like?

A code that was located may be too blurred for its error correction, but still resemble one sticker far more than any
other. This has no check character, so one such look is never enough.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.public.codes import StickerCodes
from companion.public.print_sizes import CODE_MODULES
from companion.public.table import Point, Token
from vision.camera.frame import Gray
from vision.codes.qr_code import modules

MIN_MATCH = 0.55
"""Least correlation with the sticker; blurred codes of other texts give 0.25, sharp ones, which can be read, 0.52."""

MIN_MATCH_LEAD = 0.25
"""Least lead over the correlation with the next sticker."""

COMMON_TEXTURE_SHARE = 0.95
"""A module with this mean over all stickers (-1 = black, 1 = white) carries no information."""

FINE_MODULE_PX = 2
"""Samples per module."""

NUDGES_PX = (0.0, 0.5, -0.5, 1.0, -1.0)
"""In modules: the corner without a finder pattern is only estimated, and may be this far outside."""

Corners = tuple[Point, Point, Point, Point]


class TemplateMatcher:
    """The printed modules of some stickers."""

    def __init__(self, codes: StickerCodes) -> None:
        self._tokens = sorted(codes.texts)
        printed = np.stack([np.where(modules(codes.text(token)), -1.0, 1.0).ravel() for token in self._tokens])
        common = printed.mean(0)
        self._telling: NDArray[np.bool_] = np.abs(common) < COMMON_TEXTURE_SHARE
        pages = (printed - common)[:, self._telling]
        self._common = common[self._telling]
        self._pages = pages / np.maximum(np.linalg.norm(pages, axis=1, keepdims=True), 1e-9)

    def identify(self, picture: Gray, corners_px: Corners) -> tuple[Token, Corners] | None:
        """The sticker of a code, with its corners; ``None`` if none matches clearly better than all others.

        Args:
            corners_px: As located, clockwise from the code's own top left.
        """
        first, second, third, fourth = corners_px
        step = tuple((a - b) / CODE_MODULES for a, b in zip(third, first, strict=True))
        best, match = MIN_MATCH, None
        for nudge in NUDGES_PX:
            place = first, second, (third[0] + nudge * step[0], third[1] + nudge * step[1]), fourth
            likeness = self._pages @ self._sampled(picture, place)
            *_, next_best, most = np.sort(np.append(likeness, 0.0))
            if most < MIN_MATCH / 2:
                break  # it is none of these
            if most >= best and most - next_best >= MIN_MATCH_LEAD:
                best, match = most, (self._tokens[int(likeness.argmax())], place)
        return match

    def _sampled(self, picture: Gray, corners_px: Corners) -> NDArray[np.float64]:
        """The distinctive modules of a code, without the common part, length 1."""
        side = CODE_MODULES * FINE_MODULE_PX
        flat = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) - 0.5
        turn = cv2.getPerspectiveTransform(np.array(corners_px, np.float32), flat)
        fine = cv2.warpPerspective(picture, turn, (side, side), borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        seen = cv2.resize(fine, (CODE_MODULES, CODE_MODULES), interpolation=cv2.INTER_AREA)
        telling = seen.ravel()[self._telling].astype(np.float64)
        telling -= telling.mean()
        telling -= self._common * (telling @ self._common / max(float(self._common @ self._common), 1e-9))
        return np.asarray(telling / max(float(np.linalg.norm(telling)), 1e-9))


@lru_cache(maxsize=4)
def template_matcher(codes: StickerCodes) -> TemplateMatcher | None:
    """The matcher of these stickers, cached; ``None`` for none."""
    return TemplateMatcher(codes) if codes.texts else None
