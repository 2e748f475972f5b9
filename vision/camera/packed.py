"""Pictures that come as JPEG files: looked at from outside before they are unpacked, for anybody may have sent them."""

from __future__ import annotations

import cv2
import numpy as np

from companion.public.reading import picture_size
from vision.camera.frame import Gray

MOST_PX = 16_000_000
"""Pixels of a picture; twice as many as 4K has."""


def unpack(jpeg: bytes) -> Gray | None:
    """The picture as grey; ``None`` when it is no whole JPEG file, too large or damaged.

    A small file can hold a huge picture, so its size is read from its head first. One that was cut off on its way would
    show a half of the table as grey, so its end must be there.
    """
    size = picture_size(jpeg)
    if size is None or size[0] * size[1] > MOST_PX or b"\xff\xd9" not in jpeg[-64:] or jpeg[:2] != b"\xff\xd8":
        return None
    try:
        picture: object = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_GRAYSCALE)
    except cv2.error:
        return None
    return np.asarray(picture, np.uint8) if isinstance(picture, np.ndarray) and picture.size else None
