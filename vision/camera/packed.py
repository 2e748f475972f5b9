"""Pictures that a camera or a phone sends as JPEG files; anybody may have sent them."""

from __future__ import annotations

import cv2

from companion.errors import InputError
from vision.camera.frame import Gray
from vision.picture_file import decoded

MOST_PX = 16_000_000
"""Pixels of a camera's picture; twice as many as 4K has."""


def unpack(jpeg: bytes) -> Gray | None:
    """The picture as grey; ``None`` when it is no whole JPEG file, too large or damaged.

    One that was cut off on its way would show a half of the table as grey, so its end must be there.
    """
    if b"\xff\xd9" not in jpeg[-64:] or jpeg[:2] != b"\xff\xd8":
        return None
    try:
        return decoded(jpeg, cv2.IMREAD_GRAYSCALE, MOST_PX)
    except InputError:
        return None
