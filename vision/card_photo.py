"""Photos of cards from a phone: reduced in size and stripped of metadata."""

from __future__ import annotations

import cv2
import numpy as np

from companion.reading.pictures import MOST_PICTURE_PX, picture_size
from vision.picture_file import decoded

SIDE_PX = 800
"""The longest side of a stored photo."""

QUALITY = 82
MOST_PX = MOST_PICTURE_PX
"""Baseline JPEG can be decoded at a fraction of its size, so a large one needs little memory."""

MOST_WHOLE_PX = 30_000_000
"""Everything else is decoded whole, at three or more bytes per pixel."""

REDUCED = {
    1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4, 8: cv2.IMREAD_REDUCED_COLOR_8,
}  # fmt: skip


def card_photo(data: bytes) -> bytes:
    """A small JPEG without the phone's metadata (place, owner).

    The size is read from the header before anything is decoded, because a small file can contain a huge picture.

    Args:
        data: A JPEG, PNG or WebP file.

    Raises:
        InputError: It is none of these, too large or damaged.
    """
    size = picture_size(data)
    less = 1
    if size is not None and not size[2]:
        less = next((n for n in (8, 4, 2) if max(size[:2]) >= n * SIDE_PX), 1)
    picture = decoded(data, REDUCED[less], MOST_PX, MOST_WHOLE_PX)
    scale = SIDE_PX / max(picture.shape[:2])
    if scale < 1:
        picture = np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()
