"""What one look at a box of stickered cards shows: which were read, and how well."""

from __future__ import annotations

from dataclasses import dataclass

from companion.public.table import Point


@dataclass(frozen=True, slots=True)
class StickerSighting:
    """A sticker of the box that was read.

    Attributes:
        text: What it says.
        at_px: The middle of its code in the picture.
        module_px: How wide a module is there.
        worn: The share of its modules that are not as they were printed.
        turned_deg: How far it is turned clockwise from a sticker that stands upright in the picture, -180 to 180.
    """

    text: str
    at_px: Point
    module_px: float
    worn: float
    turned_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class UnreadSticker:
    """A code that can be seen and not be read."""

    at_px: Point
    module_px: float


@dataclass(frozen=True, slots=True)
class BoxReading:
    """One look: what was read, what could not be, and how many codes are not of this box."""

    seen: tuple[StickerSighting, ...] = ()
    unread: tuple[UnreadSticker, ...] = ()
    foreign: int = 0
