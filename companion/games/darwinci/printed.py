"""Darwinci's bone tiles, printed for play without the box: bone, value and jewels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from companion.games.darwinci.deck import BoneDeck, BoneTile
from companion.games.darwinci.faces import WAYS
from companion.games.darwinci.setup import BIG_STONE, COLOURS, DARWIN_TILE, SMALL_STONE, TILE_MM
from companion.games.game_module import StickerLabel, StickerSet
from companion.games.printed import PrintedThing
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText
from companion.public.table import Point

EARTH, BONE, ROTTEN = "#CDBB9C", "#FFFBEE", "#54453A"
"""Light, white and dark, also on a printer without colours."""
INK = {"red": "#B3261E", "blue": "#2456A6", "green": "#2E7D32", "yellow": "#F2C230", "white": "#FFFFFF"}
PALE = ("yellow", "white")
SHAFT_MM, KNOB_MM = 4.4, 6.4
"""Half the width of a bone, and of its centre; wide enough to be visible beside the sticker."""
JEWEL_MM, JEWEL_STEP_MM, JEWEL_PT = 2.3, 5.2, 8.0
JEWELS_AT_MM = (3.2, 28.0)
"""The centre of the first jewel; three are in a row."""
CIRCLE_STEPS = 24

Part = PrintedArea | PrintedText | PrintedDrawing


BIG_MM = 25.0
"""The side of a big stone, which is printed square: its sticker is larger than that of the small ones."""
BIG_PT = 6.0


def things(
    read: BoneDeck, stickers: StickerSet, language: str, _sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The tiles of a deck, the Darwin tile and the big stones. The sizes and places of their stickers are fixed for the
    camera."""
    corner, size = (MARGIN_MM, MARGIN_MM), (TILE_MM, TILE_MM)
    drawn = []
    big = [label for label in stickers.others if str(label.token) == DARWIN_TILE or label.token.endswith("0")]
    for label in (*stickers.cards, *big):
        if label.round:
            drawn.append(_big_stone(label, language))
            continue
        is_tile = str(label.token) != DARWIN_TILE
        parts = _tile(read.tiles[read.tokens[label.token]]) if is_tile else _darwin(label, language)
        drawn.append(PrintedThing(label, size, corner, STICKER_MM, tuple(parts)))
    return tuple(drawn)


def faces(read: BoneDeck, stickers: StickerSet, language: str) -> tuple[PrintedThing, ...]:
    """The tiles, and the stones in their colours, as they lie on a drawn table."""
    stones = []
    for label in stickers.others:
        if label.round:
            side = (BIG_STONE if label.scale > 1 else SMALL_STONE).size_mm[0]
            colour = next(INK[name] for name, letter in COLOURS.items() if letter == label.token[0])
            stones.append(PrintedThing(label, (side, side), (0, 0), 0, (PrintedArea.box(0, 0, side, side, colour),)))
    tiles = (thing for thing in things(read, stickers, language, STICKER_MM, {}) if not thing.label.round)
    return (*tiles, *stones)


def _big_stone(label: StickerLabel, language: str) -> PrintedThing:
    rim_mm = (BIG_MM - BIG_STONE.sticker_mm) / 2
    words = f"{label.token} {label.names.get(language, label.names['en'])}"
    text = PrintedText(words, 1, BIG_MM - rim_mm + 0.2, BIG_MM - 2, (BIG_PT,), bold=True, middle=True)
    return PrintedThing(label, (BIG_MM, BIG_MM), (rim_mm, rim_mm), BIG_STONE.sticker_mm, (text,))


def _tile(tile: BoneTile) -> Iterator[Part]:
    """Earth and bone; the value in the south-east, the jewels in the south-west, the number in the north-east."""
    middle = TILE_MM / 2
    colour = ROTTEN if tile.rotten else BONE
    yield PrintedArea.box(0, 0, TILE_MM, TILE_MM, EARTH)
    for end in tile.ends:
        across, down = WAYS[end]
        wide, high = (SHAFT_MM, 0.0) if down else (0.0, SHAFT_MM)
        left, right = sorted((middle, middle + across * middle))
        top, low = sorted((middle, middle + down * middle))
        yield PrintedArea.box(left - wide, top - high, right - left + 2 * wide, low - top + 2 * high, colour)
    yield PrintedArea((_circle(middle, middle, KNOB_MM),), colour)
    room_mm = middle - KNOB_MM
    value = f"{tile.value:+}".replace("-", "\u2212") if tile.value else "0"
    yield PrintedText(value, middle + KNOB_MM, TILE_MM - 10.5, room_mm, (20.0,), bold=True, middle=True)
    yield PrintedText(tile.id, middle + KNOB_MM, 1.5, room_mm, (8.0,), bold=True, middle=True)
    letters = dict(COLOURS)
    for nth, jewel in enumerate(tile.jewels):
        x = JEWELS_AT_MM[0] + nth % 3 * JEWEL_STEP_MM
        y = JEWELS_AT_MM[1] + nth // 3 * JEWEL_STEP_MM + 2
        yield PrintedArea((_circle(x, y, JEWEL_MM),), INK[jewel], line=True)
        ink = "#000000" if jewel in PALE else "#FFFFFF"
        letter_at = letters[jewel], x - JEWEL_MM, y - 1.75, 2 * JEWEL_MM
        yield PrintedText(*letter_at, (JEWEL_PT,), bold=True, middle=True, colour=ink)


def _darwin(label: StickerLabel, language: str) -> Iterator[Part]:
    """The tile whose holder decides ties."""
    yield PrintedArea.box(0, 0, TILE_MM, TILE_MM, BONE)
    words = label.names.get(language, label.names["en"])
    yield PrintedText(words, 2, TILE_MM - 13, TILE_MM - 4, (14.0, 11.0), bold=True, middle=True)


def _circle(x: float, y: float, radius: float) -> tuple[Point, ...]:
    angles = (2 * math.pi * step / CIRCLE_STEPS for step in range(CIRCLE_STEPS))
    return tuple((x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles)
