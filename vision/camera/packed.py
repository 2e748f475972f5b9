"""JPEG pictures from a camera or a phone; they may come from anyone."""

from __future__ import annotations

import cv2

from companion.errors import InputError
from vision.camera.frame import Gray
from vision.picture_file import decoded

MOST_PX = 16_000_000
"""Pixels of a camera's picture; twice as many as 4K."""


def unpack(jpeg: bytes) -> Gray | None:
    """The picture as grey; ``None`` if it is not a complete JPEG file, too large or damaged.

    The end of the file must be there, because half of a truncated picture would be grey.

    >>> import numpy as np
    >>> _, packed = cv2.imencode(".jpg", np.zeros((480, 640), np.uint8))
    >>> unpack(packed.tobytes()).shape, unpack(packed.tobytes()[:-9])
    ((480, 640), None)
    """
    if b"\xff\xd9" not in jpeg[-64:] or jpeg[:2] != b"\xff\xd8":
        return None
    try:
        return decoded(jpeg, cv2.IMREAD_GRAYSCALE, MOST_PX)
    except InputError:
        return None
