"""Tells pictures that an app has mirrored: codes are read in them, but no table is found and no print."""

from __future__ import annotations

import cv2
import numpy as np

from companion.public.print_sizes import CODE_MODULES
from vision.camera.frame import Gray
from vision.codes.qr_code import modules
from vision.geometry.quads import Corners
from vision.geometry.tags import find_tags

SAMPLES = 4
"""Per module and direction; their mean is the module's grey."""


def is_mirrored(gray: Gray, corners_px: Corners, text: str) -> bool:
    """Whether a code that was read lies there as in a mirror: the reader says nothing of that.

    Args:
        corners_px: As the reader gave them; of a mirrored code it takes rows for columns.
        text: What it read.
    """
    side = CODE_MODULES * SAMPLES
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32)
    to_code = cv2.getPerspectiveTransform(np.array(corners_px, np.float32), corners)
    fine = cv2.warpPerspective(gray, to_code, (side, side))
    seen = cv2.resize(fine, (CODE_MODULES, CODE_MODULES), interpolation=cv2.INTER_AREA).astype(np.float64)
    printed = np.where(modules(text), -1.0, 1.0)
    seen -= seen.mean()
    return float((seen * printed.T).sum()) > float((seen * printed).sum())


def shows_a_mirrored_table(gray: Gray) -> bool:
    """Whether the corner tags are found only when the picture is turned over."""
    return not find_tags(gray) and shows_mirrored_tags(gray)


def shows_mirrored_tags(gray: Gray) -> bool:
    """Whether corner tags are found when a picture in which there are none is turned over."""
    return len(find_tags(np.asarray(cv2.flip(gray, 1), np.uint8))) >= 2
