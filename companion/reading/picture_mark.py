"""The positions of cards in a picture: a comment in the JPEG file, so that both stay together."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.public.table import Point
from companion.public.text import JSON
from companion.reading.pictures import picture_size

HEAD_BYTES = 1024
"""A picture's size and mark are within its first bytes."""

_COMMENT = b"\xff\xfe"
_WORD = b"companion "


@dataclass(frozen=True, slots=True)
class PictureMark:
    """A card in a picture: the picture's size and the card's four corners, all in pixels."""

    width: int
    height: int
    corners: tuple[Point, ...]


def marked(jpeg: bytes, corners: Sequence[Point]) -> bytes:
    """The picture with a comment that holds the card's corners; unchanged if it is not a JFIF file."""
    return commented(jpeg, {"card": [[round(x), round(y)] for x, y in corners]})


def commented(jpeg: bytes, note: Mapping[str, JSON]) -> bytes:
    """The picture with a comment, ``companion {...}``; unchanged if it is not a JFIF file.

    >>> commented(bytes.fromhex("ffd8 ffe0 0002 ffd9"), {"cards": {}}).partition(b"companion")[2][:13]
    b' {"cards": {}'
    """
    if jpeg[:4] != b"\xff\xd8\xff\xe0":
        return jpeg
    at = 2 + int(struct.unpack(">H", jpeg[4:6])[0]) + 2
    words = _WORD + json.dumps(note).encode()
    return jpeg[:at] + _COMMENT + struct.pack(">H", len(words) + 2) + words + jpeg[at:]


def read_mark(head: bytes) -> PictureMark | None:
    """The mark of a picture, from its first ``HEAD_BYTES``; ``None`` if it has no valid one."""
    begins = head.find(_COMMENT)
    size = picture_size(head)
    if begins < 0 or size is None or head[begins + 4 :][: len(_WORD)] != _WORD:
        return None
    try:
        length = struct.unpack(">H", head[begins + 2 : begins + 4])[0]
        corners = json.loads(head[begins + 4 + len(_WORD) : begins + 2 + length])["card"]
        points = tuple((float(x), float(y)) for x, y in corners)
    except (struct.error, ValueError, TypeError, KeyError, RecursionError):
        return None
    inside = all(-size[0] <= x <= 2 * size[0] and -size[1] <= y <= 2 * size[1] for x, y in points)
    return PictureMark(size[0], size[1], points) if len(points) == 4 and inside else None
