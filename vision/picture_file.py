"""Decodes picture files from outside; their size is checked first."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError, fault
from companion.reading.pictures import check_picture


def decoded(data: bytes, flags: int, most_px: int, most_whole_px: int | None = None) -> NDArray[np.uint8]:
    """A picture from outside: ``(height, width)`` or ``(height, width, 3)`` uint8. All such pictures are decoded here.

    Args:
        data: A JPEG, PNG or WebP file.
        flags: OpenCV's: grey or colour, at full size or a fraction.
        most_px, most_whole_px: As for ``check_picture``.

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
