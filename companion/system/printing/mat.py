"""The mat: the tags in their places and the zones of a game, on one large page or on pages to put together.

The tags are where the camera expects them, so a carefully assembled mat needs no measuring.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from companion.errors import InputError, fault
from companion.public.layout import Layout
from companion.public.print_sizes import TAG_MM
from companion.public.table import Point
from companion.system.printing.lettering import can_print
from companion.system.printing.page import PAPERS_MM, TAG_PAPER_MM, Sheets

MAT_PAPERS_MM = {**PAPERS_MM, "a3": (297.0, 420.0)}
WHOLE = "whole"
"""One page as large as the mat, for a print shop."""

USUAL_FIELD_MM = (1100.0, 650.0)
RIM_MM = TAG_PAPER_MM / 2 + 2
"""Around the field: half a tag with its white, and a little more."""
MARGIN_MM, FOOT_MM = 10.0, 14.0
"""Margins of each page: on three sides, and at the bottom for its ruler."""
ZONE_COLOUR = "#8C8C8C"
ZONE_PT = 20.0

SAID = {
    "en": {
        "title": "Mat of {across:g} × {down:g} mm",
        "page": "Row {row}/{rows}, page {column}/{columns}. Cut along the marks, lay edge to edge, tape the back.",
    },
    "fr": {
        "title": "Tapis de {across:g} × {down:g} mm",
        "page": "Rangée {row}/{rows}, page {column}/{columns}. Couper aux repères, poser bord à bord, coller au dos.",
    },
}


@dataclass(frozen=True, slots=True)
class MatPage:
    """One page of the mat.

    Attributes:
        row, column: Counted from 1.
        part_mm: Left, top, width and height of the page's part, from the mat's top left corner.
    """

    row: int
    column: int
    part_mm: tuple[float, float, float, float]


def pdf(
    layout: Layout,
    printed_on: datetime.date,
    *,
    paper: str = "a4",
    language: str = "en",
    zone_word: Callable[[str], str] = str,
) -> bytes:
    """The mat of a table.

    Args:
        paper: ``a4``, ``letter`` or ``a3`` to put together, or ``whole``.
        zone_word: The displayed name of a zone.

    Raises:
        InputError: There is no such paper.
    """
    texts = SAID.get(language, SAID["en"])
    field = layout.size_mm or USUAL_FIELD_MM
    mat = field[0] + 2 * RIM_MM, field[1] + 2 * RIM_MM
    title = texts["title"].format(across=field[0], down=field[1])
    if paper.lower() == WHOLE:
        sheets = Sheets(mat, title)
        _draw(sheets, layout, field, zone_word, (0.0, 0.0))
        sheets.ruler(language, mat[1] - 3, RIM_MM + TAG_PAPER_MM)
        sheets.turn()
        return sheets.bytes()
    if paper.lower() not in MAT_PAPERS_MM:
        wrong = '"{paper}" is no paper that fits here; there are: {known}.'
        papers = ", ".join((*MAT_PAPERS_MM, WHOLE))
        raise InputError(fault("sheets.fault.paper", wrong, paper=paper, known=papers))
    size, columns, rows = grid(mat, MAT_PAPERS_MM[paper.lower()])
    sheets = Sheets(size, title)
    for page in pages(mat, columns, rows):
        left, top, wide, high = page.part_mm
        at = MARGIN_MM, MARGIN_MM
        with sheets.only_inside(*at, wide, high):
            _draw(sheets, layout, field, zone_word, (at[0] - left, at[1] - top))
        sheets.crop(*at, wide, high)
        words = texts["page"].format(row=page.row, rows=rows, column=page.column, columns=columns)
        sheets.words(f"{words} {printed_on.isoformat()}", MARGIN_MM, 6.5, 7)
        sheets.ruler(language, size[1] - 5)
        sheets.turn()
    return sheets.bytes()


def grid(mat_mm: Point, paper_mm: Point) -> tuple[Point, int, int]:
    """The paper, upright or turned sideways, with the fewest pages, and the number of columns and rows.

    Both numbers are odd, so that no cut goes through the tags in the middle of an edge.
    """

    def count(size: Point) -> tuple[int, int]:
        across = math.ceil(mat_mm[0] / (size[0] - 2 * MARGIN_MM))
        down = math.ceil(mat_mm[1] / (size[1] - MARGIN_MM - FOOT_MM))
        return across | 1, down | 1

    upright, lying = paper_mm, (paper_mm[1], paper_mm[0])
    size = min((upright, lying), key=lambda size: math.prod(count(size)))
    return (size, *count(size))


def pages(mat_mm: Point, columns: int, rows: int) -> Iterator[MatPage]:
    """Equal parts of the mat, row by row."""
    wide, high = mat_mm[0] / columns, mat_mm[1] / rows
    for row in range(rows):
        for column in range(columns):
            yield MatPage(row + 1, column + 1, (column * wide, row * high, wide, high))


def tag_places(field_mm: Point) -> tuple[Point, ...]:
    """The centres of tags 0 to 7 in the field.

    >>> tag_places((1100.0, 650.0))[2], tag_places((1100.0, 650.0))[4]
    ((1100.0, 650.0), (550.0, 0.0))
    """
    wide, high = field_mm
    corners = (0.0, 0.0), (wide, 0.0), (wide, high), (0.0, high)
    return (*corners, (wide / 2, 0.0), (wide, high / 2), (wide / 2, high), (0.0, high / 2))


def _draw(sheets: Sheets, layout: Layout, field: Point, zone_word: Callable[[str], str], at: Point) -> None:
    """Draw the whole mat with its top left corner at ``at``."""
    x0, y0 = at[0] + RIM_MM, at[1] + RIM_MM
    for zone in layout.zones:
        corners = [(x0 + x, y0 + y) for x, y in zone.polygon_mm]
        sheets.dashed(corners, 1.0, ZONE_COLOUR)
        word = zone_word(str(zone.name))
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        if can_print(word):
            sheets.words(word, left + 6, top + 34, ZONE_PT, bold=True, colour=ZONE_COLOUR)
    for number, (x, y) in enumerate(tag_places(field)):
        white = TAG_PAPER_MM
        sheets.box(x0 + x - white / 2, y0 + y - white / 2, white, white, "#FFFFFF")
        sheets.tag(number, x0 + x - TAG_MM / 2, y0 + y - TAG_MM / 2)
    sheets.box(*at, field[0] + 2 * RIM_MM, field[1] + 2 * RIM_MM, None, line_pt=0.25, line_colour=ZONE_COLOUR)
