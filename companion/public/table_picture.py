"""The picture of a table for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.public.table import Point


@dataclass(frozen=True, slots=True)
class TablePicture:
    """A drawn table in colour, or the field of a real one.

    Attributes:
        jpeg: The file's bytes.
        size_px: Its width and height.
        places: The corners of each thing that lies still, clockwise from its own top left, as fractions of the
            picture's width and height; by its sticker, and from the service by its card's id.
    """

    jpeg: bytes
    size_px: tuple[int, int]
    places: Mapping[str, tuple[Point, ...]]
