"""A picture of a card as a phone took it, made small and plain: what is kept of it is pixels alone."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import cv2
import numpy as np

from companion.errors import InputError, fault

SIDE_PX = 800
"""The longest side of what is kept."""

QUALITY = 82
MOST_PX = 64_000_000
"""Baseline JPEG is decoded at a fraction of its size, so that a large one takes little memory."""

MOST_WHOLE_PX = 16_000_000
"""All else is decoded whole, at three bytes a pixel and more."""


def card_photo(data: bytes) -> bytes:
    """A small JPEG without anything that the phone wrote into the file (where it was, whose it is).

    Its size is read from its header before anything is decoded: a small file can hold a huge picture.

    Args:
        data: A JPEG, PNG or WebP file.

    Raises:
        InputError: It is none of them, too large or damaged.
    """
    width, height, whole = _size(data)
    most = MOST_WHOLE_PX if whole else MOST_PX
    if width * height > most:
        said = "the picture has {found} million pixels, {most} at most can be taken: take a smaller one"
        found = round(width * height / 1e6)
        raise InputError(fault("picture.fault.large", said, found=found, most=most // 1_000_000))
    less = next((n for n in (8, 4, 2) if max(width, height) >= n * SIDE_PX and not whole), 1)
    flags = {1: cv2.IMREAD_COLOR, 2: cv2.IMREAD_REDUCED_COLOR_2, 4: cv2.IMREAD_REDUCED_COLOR_4}
    try:
        picture: object = cv2.imdecode(np.frombuffer(data, np.uint8), flags.get(less, cv2.IMREAD_REDUCED_COLOR_8))
    except cv2.error:
        picture = None
    if not isinstance(picture, np.ndarray) or not picture.size:
        raise InputError(fault("picture.fault.damaged", "the picture is damaged: take it again"))
    scale = SIDE_PX / max(picture.shape[:2])
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    _, packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return packed.tobytes()


def _size(data: bytes) -> tuple[int, int, bool]:
    """Width and height as the header has them, and whether it must be decoded whole.

    Raises:
        InputError: It is no picture that can be taken.
    """
    try:
        if data[:3] == b"\xff\xd8\xff":
            return next(_frames(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack(">II", data[16:24])
            return width, height, True
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return *_webp(data), True
    except (struct.error, IndexError, StopIteration):
        pass
    raise InputError(fault("picture.fault.kind", "this is no JPEG, PNG or WebP picture"))


def _frames(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """What the frame headers of a JPEG file say (ITU T.81, B.2.2); only the first counts."""
    at = 2
    while data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        length = struct.unpack(">H", data[at + 2 : at + 4])[0]
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            yield width, height, marker not in (0xC0, 0xC1)
        at += 2 + length


def _webp(data: bytes) -> tuple[int, int]:
    """Canvas or frame of a WebP file (RFC 9649, 2.5 to 2.7)."""
    match data[12:16]:
        case b"VP8X":
            return tuple(1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))  # type: ignore[return-value]
        case b"VP8L":
            bits = struct.unpack("<I", data[21:25])[0]
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case _:
            raise IndexError
