"""Decodes picture files from outside; their size is checked first.

OpenCV 4.10 and 4.11 write beyond their memory when they decode a crafted JPEG (CVE-2025-53644, mended in 4.12), and a
Raspberry Pi with Bookworm can have no newer one (``packaging/lock``). There Pillow decodes JPEGs.
"""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

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
        picture = imdecode(packed, flags)
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
    picture = imdecode(packed, cv2.IMREAD_UNCHANGED)
    if isinstance(picture, np.ndarray) and picture.ndim == 2 and head[:1] == b"\x89":
        picture = _with_alpha(picture, packed.tobytes())
    if not isinstance(picture, np.ndarray) or picture.ndim != 3 or picture.shape[2] != 4:
        return None
    most = 65535 if picture.dtype == np.uint16 else 255
    white = np.empty((*picture.shape[:2], 3), np.uint8)
    for top in range(0, len(white), STRIP_PX):  # a whole photograph in floats is a gigabyte
        rows = picture[top : top + STRIP_PX].astype(np.float32) / most
        white[top : top + STRIP_PX] = np.round(255 * (rows[..., :3] * rows[..., 3:] + 1 - rows[..., 3:]))
    return white


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


STRIP_PX = 64
"""So many rows of a transparent picture are worked out at once."""

MENDED = 4, 12
"""The first version of OpenCV without CVE-2025-53644."""
LESS = {
    cv2.IMREAD_REDUCED_GRAYSCALE_2: 2, cv2.IMREAD_REDUCED_COLOR_2: 2, cv2.IMREAD_REDUCED_GRAYSCALE_4: 4,
    cv2.IMREAD_REDUCED_COLOR_4: 4, cv2.IMREAD_REDUCED_GRAYSCALE_8: 8, cv2.IMREAD_REDUCED_COLOR_8: 8,
}  # fmt: skip
"""The fraction of its size at which a JPEG is decoded."""


def imdecode(packed: NDArray[np.uint8], flags: int) -> object:
    """``cv2.imdecode``, without its hole; the caller has checked the picture's size.

    Returns:
        The picture as OpenCV gives it; ``None`` if it is damaged.
    """
    if packed[:3].tobytes() == b"\xff\xd8\xff" and _opencv_version() < MENDED:
        return _with_pillow(packed.tobytes(), flags)
    return cv2.imdecode(packed, flags)


def _opencv_version() -> tuple[int, int]:
    major, minor = re.findall("[0-9]+", cv2.__version__)[:2]
    return int(major), int(minor)


def _with_pillow(data: bytes, flags: int) -> NDArray[np.uint8] | None:
    coloured = flags == cv2.IMREAD_UNCHANGED or bool(flags & cv2.IMREAD_COLOR)
    mode = "RGB" if coloured else "L"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of large pictures; the size was checked
            opened = Image.open(io.BytesIO(data), formats=("JPEG",))
            if (less := LESS.get(flags, 1)) > 1:
                # It is decoded at no less than this size: at exactly this fraction, rounded up.
                opened.draft(None, (max(1, opened.width // less), max(1, opened.height // less)))
            picture = opened if flags == cv2.IMREAD_UNCHANGED else ImageOps.exif_transpose(opened)
            pixels = np.asarray(picture.convert(mode), np.uint8)
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError, MemoryError):
        return None
    return np.ascontiguousarray(pixels[..., ::-1]) if coloured else np.ascontiguousarray(pixels)
