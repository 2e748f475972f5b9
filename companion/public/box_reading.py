"""The result of one look at a box of stickered cards: which were read, and how well."""

from __future__ import annotations

from dataclasses import dataclass

from companion.public.table import Point


@dataclass(frozen=True, slots=True)
class StickerSighting:
    """A sticker that was read.

    Attributes:
        at_px: The centre of its code in the picture.
        module_px: The width of a module there.
        worn: The share of its modules that are not as they were printed.
        turned_deg: Clockwise from upright in the picture, -180 to 180.
    """

    text: str
    at_px: Point
    module_px: float
    worn: float
    turned_deg: float = 0.0


@dataclass(frozen=True, slots=True)
class UnreadSticker:
    """A code that is visible but cannot be read."""

    at_px: Point
    module_px: float


@dataclass(frozen=True, slots=True)
class BoxReading:
    """``foreign`` counts the codes that do not belong to this box."""

    seen: tuple[StickerSighting, ...] = ()
    unread: tuple[UnreadSticker, ...] = ()
    foreign: int = 0
