"""JPEG pictures from a camera or a phone; they may come from anyone."""

from __future__ import annotations

import cv2

from companion.errors import InputError
from vision.camera.frame import Gray
from vision.picture_file import decoded

MOST_PX = 32_000_000
"""Pixels of a camera's picture; twice as many as the largest that sends films."""


JPEG_BEGINS = b"\xff\xd8"
JPEG_END = b"\xff\xd9"
_PADDING = b"\0\xff\t\r\n" + bytes(range(32, 127))
"""What cameras send after a picture: zeros, or the head of the next one."""


def is_whole(jpeg: bytes) -> bool:
    """Whether a JPEG file has its end; decoders make what is missing grey, and some say nothing of it.

    >>> is_whole(b"\\xff\\xd8 ... \\xff\\xd9\\0\\0\\0"), is_whole(b"\\xff\\xd8 ...")
    (True, False)
    """
    _, end, after = jpeg.rpartition(JPEG_END)
    return bool(end) and (len(after) < 64 or not after.translate(None, _PADDING))


def unpack(jpeg: bytes) -> Gray | None:
    """The picture as grey; ``None`` if it is not a complete JPEG file, too large or damaged.

    >>> import numpy as np
    >>> _, packed = cv2.imencode(".jpg", np.zeros((480, 640), np.uint8))
    >>> unpack(packed.tobytes()).shape, unpack(packed.tobytes()[:-9])
    ((480, 640), None)
    """
    before, begins, _ = jpeg.partition(JPEG_BEGINS)
    if not is_whole(jpeg) or not begins or before.strip(b"\0"):
        return None
    try:
        return decoded(jpeg[len(before) :], cv2.IMREAD_GRAYSCALE, MOST_PX)
    except InputError:
        return None
