"""A game's cards and tiles as printed things, for play without the box.

Positions are in millimetres from a thing's top left corner, x to the right and y down.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.games.game_module import StickerLabel
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText
from companion.public.table import Point

COUNTER_STICKER = 15 / 18
"""The code of a round counter, relative to the other stickers: its corners are on a circle as wide as those
stickers."""

COUNTER_RING_MM = 1.0
"""Margin between that circle and the cut: people do not cut exactly along a line, and a cut into the code is far worse
than a little white."""


def counter_mm(sticker_mm: float) -> float:
    """The width of a round counter that comes with stickers of this size; its code takes ``COUNTER_STICKER`` of it."""
    return sticker_mm + 2 * COUNTER_RING_MM


@dataclass(frozen=True, slots=True)
class PrintedThing:
    """A printed card or tile.

    Attributes:
        label: Its sticker, which is printed in place on white.
        size_mm: Its width and height.
        sticker_at_mm: The sticker's top left corner, including its white margin.
        sticker_mm: The sticker's side.
        parts: Its drawing, each part over the earlier ones; the sticker over all of them.
    """

    label: StickerLabel
    size_mm: Point
    sticker_at_mm: Point
    sticker_mm: float
    parts: tuple[PrintedArea | PrintedText | PrintedDrawing, ...]
