"""Real cards, tiles and counters to cut out and play with, with their codes printed on them.

Pieces lie edge to edge, so one cut separates two of them; thin lines show where.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Collection, Iterator, Sequence

from companion.errors import InputError, fault
from companion.games.game_module import StickerLabel
from companion.games.printed import COUNTER_STICKER, PrintedThing, counter_mm
from companion.public.codes import sticker_text
from companion.public.command_symbols import SYMBOLS, circle
from companion.public.pictogram import SIDE, PictogramOf
from companion.public.print_sizes import CARD_MM, CODE_MODULES, STICKER_MODULES
from companion.public.printed_parts import PrintedArea, PrintedDrawing, PrintedText
from companion.public.table import Point
from companion.system.printing.lettering import can_print, largest_pt, plain, wrapped
from companion.system.printing.page import Sheets, paper_mm
from companion.system.sticker_sheets import (
    common_labels,
    counter_ring,
    head_and_ruler,
    marked,
    print_missing,
    unprintable,
    wanted_labels,
)

SymbolOf = Callable[[str], tuple[tuple[Point, ...], ...] | None]
"""A symbol from a game's pages as the outlines of its black areas, in the square of a pictogram."""

STICKERS_MM = (18.0, 28.0)
"""Within this range a sticker is readable and leaves room for a card's words."""
TOP_MM, FOOT_MM, SIDE_MM = 13.0, 13.9, 6.0
"""Margins of a page: for its title, for its ruler, and where printers cannot print."""
CUT_COLOUR = "#B0B0B0"
STICKER_FROM_EDGE_MM = 4.0
COUNTER_GAP_MM = 4.0
TEXT_PT = 7.0
MARK_MM = 2.4
"""The width of a letter of a mark."""

HEADS = {
    "en": "{deck} · edition {edition} · cards to play with",
    "fr": "{deck} · édition {edition} · à découper et à jouer",
}


def pdf(
    deck: str,
    edition: str,
    things: Sequence[PrintedThing],
    counters: Sequence[StickerLabel],
    printed_on: datetime.date,
    *,
    commands: Sequence[StickerLabel] = (),
    sticker_mm: float = 20.0,
    counter_sticker_mm: float = 18.0,
    paper: str = "a4",
    language: str = "en",
    pictogram_of: PictogramOf = lambda _: None,
    symbol_of: SymbolOf = lambda _: None,
    only: Collection[str] = (),
    mark: str = "",
) -> bytes:
    """Cards or tiles, then command cards and seat tags as cards in both languages, then round counters.

    Args:
        things: If empty, only command cards and seat tags are printed.
        commands: The game's own command cards, besides the common ones.
        sticker_mm: The side of the sticker printed on each card; tiles have their game's size.
        counter_sticker_mm: Of the stickers that the counters belong to (``counter_mm``).
        mark: Printed on every piece, to tell two boxes apart.

    Raises:
        InputError: A size or a paper that cannot be printed, or an unknown piece.
    """
    page_mm = paper_mm(paper)
    check_sticker(sticker_mm)
    things = [*things, *(command_card(label, sticker_mm) for label in (*commands, *common_labels()))]
    if only:
        wanted = wanted_labels([*(thing.label for thing in things), *counters], only)
        things = [thing for thing in things if thing.label.token in wanted]
        counters = [label for label in counters if label.token in wanted]
    head = HEADS.get(language, HEADS["en"]).format(deck=plain(deck), edition=edition)
    pages = [*_pages(things, page_mm), *_counter_pages(counters, page_mm, counter_sticker_mm)]
    sheets = Sheets(page_mm, head)
    missing = unprintable([thing.label for thing in things], language)
    for number, page in enumerate(pages, 1):
        head_and_ruler(sheets, head, f"{printed_on.isoformat()} · {number}/{len(pages)}", language)
        if missing and number == 1:
            print_missing(sheets, missing, language, page_mm[1] - 4)
        for item, x_mm, y_mm in page:
            if isinstance(item, PrintedThing):
                _thing(sheets, item, x_mm, y_mm, pictogram_of, symbol_of, mark)
            else:
                _counter(sheets, marked(item, mark), language, x_mm, y_mm, counter_sticker_mm * item.scale)
        sheets.turn()
    return sheets.bytes()


def check_sticker(sticker_mm: float) -> None:
    """Check that a sticker of this size can be printed on a card.

    Raises:
        InputError: It cannot.
    """
    if not STICKERS_MM[0] <= sticker_mm <= STICKERS_MM[1]:
        message = "The sticker printed on a card measures {least} to {most} mm, not {size} mm."
        least, most = (f"{size:g}" for size in STICKERS_MM)
        raise InputError(fault("sheets.fault.card_sticker", message, least=least, most=most, size=f"{sticker_mm:g}"))


Placed = tuple[PrintedThing | StickerLabel, float, float]


def _pages(things: Sequence[PrintedThing], page_mm: Point) -> Iterator[list[Placed]]:
    """Pieces of one size edge to edge, in the middle of as many pages as needed."""
    for size in dict.fromkeys(thing.size_mm for thing in things):
        alike = [thing for thing in things if thing.size_mm == size]
        columns = int((page_mm[0] - 2 * SIDE_MM) // size[0])
        rows = int((page_mm[1] - TOP_MM - FOOT_MM) // size[1])
        left_mm = (page_mm[0] - columns * size[0]) / 2
        for first in range(0, len(alike), columns * rows):
            yield [
                (thing, left_mm + k % columns * size[0], TOP_MM + k // columns * size[1])
                for k, thing in enumerate(alike[first : first + columns * rows])
            ]


def _counter_pages(counters: Sequence[StickerLabel], page_mm: Point, sticker_mm: float) -> Iterator[list[Placed]]:
    """Counters in rows; each size on separate pages."""
    for scale in dict.fromkeys(label.scale for label in counters):
        alike = [label for label in counters if label.scale == scale]
        step_mm = counter_mm(scale * sticker_mm) + COUNTER_GAP_MM
        columns = int((page_mm[0] - 2 * SIDE_MM) // step_mm)
        rows = int((page_mm[1] - TOP_MM - FOOT_MM) // step_mm)
        for first in range(0, len(alike), columns * rows):
            yield [
                (label, SIDE_MM + 4 + k % columns * step_mm, TOP_MM + 2 + k // columns * step_mm)
                for k, label in enumerate(alike[first : first + columns * rows])
            ]


def _thing(
    sheets: Sheets,
    thing: PrintedThing,
    x_mm: float,
    y_mm: float,
    pictogram_of: PictogramOf,
    symbol_of: SymbolOf,
    mark: str = "",
) -> None:
    """Draw a piece: its parts, its sticker on white with the sticker's text below, and its cutting line."""
    wide, high = thing.size_mm
    for part in thing.parts:
        match part:
            case PrintedArea():
                loops = [[(x_mm + x, y_mm + y) for x, y in loop] for loop in part.loops]
                sheets.area(loops, part.colour, line_pt=0.5 if part.line else 0.0)
            case PrintedText():
                _text(sheets, part, x_mm, y_mm)
            case PrintedDrawing():
                left, top = x_mm + part.left_mm, y_mm + part.top_mm
                if part.of:
                    unit = part.side_mm / SIDE
                    loops = [[(left + x * unit, top + y * unit) for x, y in loop] for loop in symbol_of(part.of) or ()]
                    sheets.area(loops, "#000000")
                elif (pictogram := pictogram_of(thing.label.names)) is not None:
                    sheets.pictogram(pictogram, left, top, part.side_mm)
    left, top = x_mm + thing.sticker_at_mm[0], y_mm + thing.sticker_at_mm[1]
    code_mm = thing.sticker_mm * CODE_MODULES / STICKER_MODULES
    rim_mm = (thing.sticker_mm - code_mm) / 2
    sheets.box(left, top, thing.sticker_mm, thing.sticker_mm, "#FFFFFF")
    sheets.code(thing.label.token, thing.label.letters, left + rim_mm, top + rim_mm, code_mm)
    if thing.size_mm == CARD_MM:
        text = sticker_text(thing.label.token, thing.label.letters)
        text = f"{text} · {mark}" if mark else text
        sheets.words(text, left + thing.sticker_mm / 2, top + thing.sticker_mm + 1.6, TEXT_PT, align="middle")
    elif mark:
        right, room_mm = left + thing.sticker_mm, MARK_MM * len(mark)
        sheets.box(right, top, room_mm, 3.4, "#FFFFFF")
        sheets.words(mark, right + room_mm / 2, top + 2.6, TEXT_PT, bold=True, align="middle")
    sheets.box(x_mm, y_mm, wide, high, None, line_pt=0.25, line_colour=CUT_COLOUR)


def _text(sheets: Sheets, part: PrintedText, x_mm: float, y_mm: float) -> None:
    words = plain(part.words)
    if not words or not can_print(words):
        return
    pt = largest_pt(words, part.width_mm, part.most_lines, part.pts, part.bold)
    align = "middle" if part.middle else "left"
    x = x_mm + part.left_mm + (part.width_mm / 2 if part.middle else 0)
    lines = wrapped(words, part.width_mm, pt, part.bold)
    sheets.lines(lines, x, y_mm + part.top_mm, pt, bold=part.bold, colour=part.colour, align=align)


def _counter(sheets: Sheets, label: StickerLabel, language: str, x_mm: float, y_mm: float, sticker_mm: float) -> None:
    code_mm = sticker_mm * COUNTER_STICKER * CODE_MODULES / STICKER_MODULES
    radius_mm = counter_mm(sticker_mm) / 2
    rim_mm = radius_mm - code_mm / 2
    sheets.code(label.token, label.letters, x_mm + rim_mm, y_mm + rim_mm, code_mm)
    counter_ring(sheets, label, language, x_mm + radius_mm, y_mm + radius_mm, radius_mm)


# -- command cards and seat tags ------------------------------------------------------------------


def command_card(label: StickerLabel, sticker_mm: float) -> PrintedThing:
    """A command card or a seat tag as a real card: a symbol, and its word in each language."""
    wide, high = CARD_MM
    corner = STICKER_FROM_EDGE_MM, STICKER_FROM_EDGE_MM
    room_mm = wide - 2 * STICKER_FROM_EDGE_MM
    words = [
        PrintedText(name, STICKER_FROM_EDGE_MM, top, room_mm, (20.0, 16.0), bold=True, middle=True)
        for name, top in zip(label.names.values(), (high - 24.0, high - 14.0), strict=False)
    ]
    left_mm = sticker_mm + STICKER_FROM_EDGE_MM + 2
    token = PrintedText(str(label.token), left_mm, 5, wide - left_mm - 4, (14.0,), bold=True, middle=True)
    middle = wide / 2, 46.0
    loops = SYMBOLS[label.token](*middle) if label.token in SYMBOLS else ()
    parts: list[PrintedArea | PrintedText] = [PrintedArea(loops, "#000000")] if loops else []
    if not loops:
        number = str(label.token).removeprefix("S")
        parts = [
            PrintedArea((circle(*middle, 14), circle(*middle, 12.8)), "#000000"),
            PrintedText(number, 0, middle[1] - 9.7, wide, (44.0,), bold=True, middle=True),
        ]
    return PrintedThing(label, CARD_MM, corner, sticker_mm, (*parts, *words, token))
