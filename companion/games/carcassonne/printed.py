"""Carcassonne's tiles, printed for play without the box: the land as on the pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.games.carcassonne.deck import TileDeck
from companion.games.carcassonne.faces import SQUARE, city_places, ground_of, polygons
from companion.games.carcassonne.setup import COUNTER, TILE_MM
from companion.games.carcassonne.tiles import Tile
from companion.games.game_module import StickerLabel, StickerSet
from companion.games.printed import PrintedThing
from companion.games.square_tiles import MARGIN_MM, STICKER_MM
from companion.public.colours import SEAT_COLOURS
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText

COLOURS = {"mountain": "#8A7A6B", "grassland": "#D6E8AE", "sea": "#8FBFE3"}
"""Of the terrains: dark, light and medium, also on a printer without colours."""
CITY_MM = 5.0
NUMBER_PT = 7.0
START = {"en": "Start", "fr": "Départ"}


def things(
    read: TileDeck, stickers: StickerSet, language: str, _sticker_mm: float, _history: Mapping[str, Mapping[str, str]]
) -> tuple[PrintedThing, ...]:
    """The tiles of a deck. Their stickers have a fixed size, because the camera derives the tile's position from it."""
    corner = MARGIN_MM, MARGIN_MM
    size = TILE_MM, TILE_MM
    return tuple(
        PrintedThing(label, size, corner, STICKER_MM, tuple(_tile(read.tiles[read.tokens[label.token]], language)))
        for label in stickers.cards
    )


def faces(read: TileDeck, stickers: StickerSet, language: str) -> tuple[PrintedThing, ...]:
    """The tiles, and the counters in their seats' colours, as they lie on a drawn table."""
    side = COUNTER.size_mm[0]
    discs = (
        PrintedThing(label, (side, side), (0, 0), 0, (PrintedArea.box(0, 0, side, side, _colour(label)),))
        for label in stickers.others
    )
    return (*things(read, stickers, language, STICKER_MM, {}), *discs)


def _colour(counter: StickerLabel) -> str:
    """The seat's."""
    return SEAT_COLOURS[int(counter.token[1]) - 1]


def _tile(tile: Tile, language: str) -> Iterator[PrintedArea | PrintedText | PrintedDrawing]:
    """The land, its cities, and the tile's number below the sticker."""
    areas, ground = polygons(tile), ground_of(tile)
    for number in sorted(range(1, len(areas) + 1), key=lambda number: number != ground):
        loop = tuple((x * TILE_MM, y * TILE_MM) for x, y in areas[number - 1])
        yield PrintedArea((loop,), COLOURS[tile.terrain(number)], line=True)
    half = CITY_MM / 2
    for x, y in city_places(tile):
        walls = tuple((x * TILE_MM + dx * half, y * TILE_MM + dy * half) for dx, dy in SQUARE)
        gate = tuple((x * TILE_MM + dx * half / 3, y * TILE_MM + dy * half / 3) for dx, dy in SQUARE)
        yield PrintedArea((walls, gate), "#FFFFFF", line=True)
    top_mm = MARGIN_MM + STICKER_MM
    yield PrintedArea.box(MARGIN_MM, top_mm, STICKER_MM, 3.2, "#FFFFFF")
    words = f"{tile.id} · {START.get(language, START['en'])}" if tile.start else tile.id
    yield PrintedText(words, MARGIN_MM, top_mm - 0.1, STICKER_MM, (NUMBER_PT,), bold=True, middle=True)
