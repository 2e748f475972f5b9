"""Checks pictures before they are decoded: their size, and the cost of decoding."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from itertools import islice

from companion.errors import InputError, fault

MOST_PICTURE_PX = 250_000_000
"""Phones with 200 million pixels are sold."""
MOST_SCANS = 32
"""For a JPEG file; each scan covers the whole picture. A progressive one has some ten."""
MOST_SEGMENTS = 2000
"""For a JPEG file; a phone writes some thirty."""


def picture_size(data: bytes) -> tuple[int, int, bool] | None:
    """Width and height of a JPEG, PNG or WebP file from its header, and whether it must be decoded whole.

    ``None`` if it is another kind of file.
    """
    try:
        if data[:3] == _JPEG:
            return next(_frames(data))
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack(">II", data[16:24])
            return width, height, True
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return *_webp(data), True
    except (struct.error, IndexError, StopIteration):
        pass
    return None


def check_picture(data: bytes, most_px: int, most_whole_px: int | None = None) -> tuple[int, int]:
    """Refuse a picture that would cost much time or memory, before decoding it; returns width and height.

    Args:
        data: A JPEG, PNG or WebP file.
        most_px: The most pixels it may have.
        most_whole_px: The most if it must be decoded whole; ``None`` = as many.

    Raises:
        InputError: It is another kind of file, has too many pixels, or more scans than any camera writes.
    """
    size = picture_size(data)
    if size is None:
        check_kind(data)
        raise InputError(fault("picture.fault.kind", "This is no JPEG, PNG or WebP picture"))
    width, height, whole = size
    scans = 1
    if data[:3] == _JPEG:
        markers = [marker for marker, _ in islice(_segments(data), MOST_SEGMENTS + 1)]
        scans = markers.count(_SCAN) if len(markers) <= MOST_SEGMENTS else len(markers)
    most = most_px if most_whole_px is None or not (whole or scans > 1) else most_whole_px
    if width * height > most:
        sentence = (
            "The picture has {width} × {height} pixels, {most} million pixels at most can be taken: take a smaller one"
        )
        params = {"width": width, "height": height, "most": most // 1_000_000}
        raise InputError(fault("picture.fault.large", sentence, **params))
    if scans > MOST_SCANS:
        sentence = "The picture is packed in more layers than any camera makes: take another one"
        raise InputError(fault("picture.fault.scans", sentence))
    return width, height


def check_kind(data: bytes) -> None:
    """Refuse what phones write instead of JPEG and nothing here can read (ISO/IEC 23008-12, 10).

    Raises:
        InputError: It is a HEIC or AVIF file.
    """
    if data[4:8] != b"ftyp":
        return
    brands = data[8:64]
    if b"avif" in brands or b"avis" in brands:
        sentence = "This is an AVIF picture, which cannot be read: save it as JPEG or PNG"
        raise InputError(fault("picture.fault.avif", sentence))
    if any(brand in brands for brand in (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1")):
        sentence = (
            "This is a HEIC picture, which cannot be read: have the phone make JPEGs (iPhone: Settings, Camera, "
            "Formats, Most Compatible; Android: in the camera's settings, without high efficiency) and take it again"
        )
        raise InputError(fault("picture.fault.heic", sentence))


_JPEG = b"\xff\xd8\xff"
PICTURE_BEGINS = (_JPEG, b"\x89PNG", b"RIFF")
"""The first bytes of the kinds of file that ``check_picture`` accepts."""
_SCAN, _END_OF_PICTURE = 0xDA, 0xD9
_MARKER = re.compile(rb"\xff[\xc0-\xcf\xd9-\xfe]")
"""Markers of segments, and the end of the picture; others have no length and are skipped."""


def _segments(data: bytes) -> Iterator[tuple[int, int]]:
    """The segments of a JPEG file as marker and position of its length, found as decoders do (ITU T.81, B.1.1).

    Bytes between two segments are picture data or garbage, and hide no segment.
    """
    at = 2
    while (found := _MARKER.search(data, at)) is not None and data[found.end() - 1] != _END_OF_PICTURE:
        yield data[found.end() - 1], found.end()
        at = found.end() + int.from_bytes(data[found.end() : found.end() + 2], "big")


def _frames(data: bytes) -> Iterator[tuple[int, int, bool]]:
    """The content of the frame headers of a JPEG file (ITU T.81, B.2.2); only the first counts."""
    for marker, at in islice(_segments(data), MOST_SEGMENTS):
        if marker in range(0xC0, 0xD0) and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 3 : at + 7])
            yield width, height, marker not in (0xC0, 0xC1)


def _webp(data: bytes) -> tuple[int, int]:
    """Canvas or frame size of a WebP file (RFC 9649, 2.5 to 2.7)."""
    match data[12:16]:
        case b"VP8X":
            width, height = (1 + int.from_bytes(data[at : at + 3], "little") for at in (24, 27))
            return width, height
        case b"VP8L":
            bits = struct.unpack("<I", data[21:25])[0]
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            width, height = struct.unpack("<HH", data[26:30])
            return width & 0x3FFF, height & 0x3FFF
        case _:
            raise IndexError
