"""Pictures that come as files: looked at from outside before they are unpacked, for anybody may have sent them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, fault
from companion.public.reading import check_picture
from vision.camera.frame import Gray

MOST_PX = 16_000_000
"""Pixels of a camera's picture; twice as many as 4K has."""


def decoded(data: bytes, flags: int, most_px: int, most_whole_px: int | None = None) -> NDArray[np.uint8]:
    """A picture from outside: ``(height, width)`` or ``(height, width, 3)`` uint8. Nothing else decodes such pictures.

    Args:
        data: A JPEG, PNG or WebP file.
        flags: OpenCV's own: grey or coloured, whole or at a fraction of its size.
        most_px, most_whole_px: As ``check_picture`` has them.

    Raises:
        InputError: As ``check_picture``, or it is damaged.
    """
    check_picture(data, most_px, most_whole_px)
    try:
        picture: object = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        picture = None
    if not isinstance(picture, np.ndarray) or not picture.size:
        raise InputError(fault("picture.fault.damaged", "The picture is damaged: take it again"))
    return np.asarray(picture, np.uint8)


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
