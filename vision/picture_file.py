"""Decodes picture files from outside; their size is checked first."""

from __future__ import annotations

from typing import Any

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
    packed = np.frombuffer(data, np.uint8)
    try:
        picture: object = cv2.imdecode(packed, flags)
        if (seen_through := on_white(packed)) is not None:
            colour = flags & cv2.IMREAD_COLOR
            picture = seen_through if colour else cv2.cvtColor(seen_through, cv2.COLOR_BGR2GRAY)
    except cv2.error:
        picture = None
    if not isinstance(picture, np.ndarray) or not picture.size:
        raise InputError(fault("picture.fault.damaged", "The picture is damaged: take it again"))
    return np.asarray(picture, np.uint8)


def on_white(packed: NDArray[np.uint8]) -> NDArray[np.uint8] | None:
    """A transparent picture on a white background, ``(height, width, 3)`` uint8; ``None`` if it is not transparent.

    Args:
        packed: A picture file. Of those that cameras write only PNG and WebP can be transparent: by an alpha channel,
            by their palette, or by one colour that stands for nothing.
    """
    head = packed[:12].tobytes()
    if head[:8] != b"\x89PNG\r\n\x1a\n" and head[8:] != b"WEBP":
        return None
    picture: object = cv2.imdecode(packed, cv2.IMREAD_UNCHANGED)
    if isinstance(picture, np.ndarray) and picture.ndim == 2 and head[:1] == b"\x89":
        picture = _with_alpha(picture, packed.tobytes())
    if not isinstance(picture, np.ndarray) or picture.ndim != 3 or picture.shape[2] != 4:
        return None
    most = 65535 if picture.dtype == np.uint16 else 255
    share = picture[..., 3:].astype(np.float32) / most
    return np.asarray(np.round(255 * (picture[..., :3].astype(np.float32) / most * share + 1 - share)), np.uint8)


def _with_alpha(gray: NDArray[Any], png: bytes) -> NDArray[Any]:
    """A grey PNG file's picture with an alpha channel, if one of its greys stands for nothing (PNG, 11.3.2.1)."""
    at = png.find(b"tRNS", 8, png.find(b"IDAT"))
    if at < 0:
        return gray
    deep = gray.dtype == np.uint16
    bits = 16 if deep else png[24]
    level = int.from_bytes(png[at + 4 : at + 6], "big") * (65535 if deep else 255) // ((1 << bits) - 1)
    alpha = np.where(gray == level, 0, 65535 if deep else 255).astype(gray.dtype)
    return np.dstack([gray, gray, gray, alpha])
