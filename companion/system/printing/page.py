"""Drawing on paper: in millimetres from the top left corner of the page, y down.

Black on white, for home printers; a colour always has a number or a word with the same meaning.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import segno
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.errors import InputError, fault
from companion.public.codes import sticker_text
from companion.public.pictogram import LINE_WIDTH, SIDE, Pictogram
from companion.public.print_sizes import CODE_MODULES, TAG_MM
from companion.public.table import Point, Token
from companion.system.printing.lettering import font, line_mm, width_mm

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
INK = "#000000"
MARK_MM, MARK_AWAY_MM = 2.0, 0.5
"""The distances from its corner at which a crop mark ends and begins."""

TAG_CELLS = 6
TAG_PAPER_MM = TAG_MM * (TAG_CELLS + 2) / TAG_CELLS
"""A tag with one cell of white around it."""
TAGS = (0xB532, 0x0F9A, 0x332D, 0x9946, 0x549E, 0x79CD, 0x9E2E, 0xC4F2)
"""The 16 cells of tags 0 to 7, row by row, white = 1 (OpenCV's ``DICT_4X4_50``)."""

RULER_MM = 100
RULER_ROOM_MM = 8.4
"""The least height of a margin for the ruler, without the 4 mm at the edge where printers cannot print."""
RULER = {
    "en": "This line is 100 mm long: print at 100 %, without fitting to the page.",
    "fr": "Cette ligne mesure 100 mm : imprimer à 100 %, sans adapter à la page.",
}


def paper_mm(paper: str) -> tuple[float, float]:
    """Width and height of a paper.

    Raises:
        InputError: There is no such paper here.
    """
    if paper.lower() not in PAPERS_MM:
        message = '"{paper}" is no paper that fits here; there are: {known}.'
        raise InputError(fault("sheets.fault.paper", message, paper=paper, known=", ".join(PAPERS_MM)))
    return PAPERS_MM[paper.lower()]


class Sheets:
    """The pages of one PDF file. The same drawings give the same bytes."""

    def __init__(self, size_mm: tuple[float, float], title: str) -> None:
        self._out = io.BytesIO()
        self.width_mm, self.height_mm = size_mm
        self._canvas = Canvas(self._out, pagesize=(size_mm[0] * mm, size_mm[1] * mm), invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        # Some viewers obey it, and propose 100 % where they would have fitted the page to the printer's margins.
        self._canvas.setViewerPreference("PrintScaling", "None")

    def turn(self) -> None:
        """Finish this page and begin the next."""
        self._canvas.showPage()

    def bytes(self) -> bytes:
        """Finish the file and return it."""
        self._canvas.save()
        return self._out.getvalue()

    def _y(self, y_mm: float) -> float:
        return (self.height_mm - y_mm) * mm

    # -- words ------------------------------------------------------------------------------------

    def words(
        self,
        words: str,
        x_mm: float,
        base_mm: float,
        pt: float,
        *,
        bold: bool = False,
        colour: str = INK,
        align: str = "left",
    ) -> None:
        """One line at its baseline: starting at ``x_mm``, centred on it (``middle``) or ending there (``right``)."""
        self._canvas.setFont(font(words, bold), pt)
        self._canvas.setFillColor(HexColor(colour))
        draw = {
            "left": self._canvas.drawString,
            "middle": self._canvas.drawCentredString,
            "right": self._canvas.drawRightString,
        }[align]
        draw(x_mm * mm, self._y(base_mm), words)

    def lines(
        self,
        lines: Iterable[str],
        x_mm: float,
        top_mm: float,
        pt: float,
        *,
        bold: bool = False,
        colour: str = INK,
        align: str = "left",
    ) -> float:
        """Lines one below the other; returns where they end."""
        for line in lines:
            self.words(line, x_mm, top_mm + line_mm(pt) * 0.8, pt, bold=bold, colour=colour, align=align)
            top_mm += line_mm(pt)
        return top_mm

    # -- lines and areas --------------------------------------------------------------------------

    def line(self, x0: float, y0: float, x1: float, y1: float, pt: float = 0.25, colour: str = INK) -> None:
        """A straight line, ``pt`` points wide."""
        self._canvas.setLineWidth(pt)
        self._canvas.setStrokeColor(HexColor(colour))
        self._canvas.line(x0 * mm, self._y(y0), x1 * mm, self._y(y1))

    def circle(self, x_mm: float, y_mm: float, radius_mm: float, pt: float = 0.25) -> None:
        self._canvas.setLineWidth(pt)
        self._canvas.setStrokeColor(HexColor(INK))
        self._canvas.circle(x_mm * mm, self._y(y_mm), radius_mm * mm)

    def area(
        self,
        loops: Iterable[Sequence[Point]],
        colour: str | None,
        *,
        line_pt: float = 0.0,
        line_colour: str = INK,
    ) -> None:
        """Fill what is inside exactly one of these loops; with an outline, if ``line_pt`` is positive."""
        path = self._canvas.beginPath()
        for loop in loops:
            for at, (x, y) in enumerate(loop):
                (path.lineTo if at else path.moveTo)(x * mm, self._y(y))
            path.close()
        if colour is not None:
            self._canvas.setFillColor(HexColor(colour))
        self._canvas.setStrokeColor(HexColor(line_colour))
        self._canvas.setLineWidth(line_pt)
        self._canvas.setLineJoin(1)
        self._canvas.drawPath(path, stroke=int(line_pt > 0), fill=int(colour is not None), fillMode=0)

    def box(
        self,
        x_mm: float,
        y_mm: float,
        width: float,
        height: float,
        colour: str | None,
        *,
        line_pt: float = 0.0,
        line_colour: str = INK,
    ) -> None:
        right, low = x_mm + width, y_mm + height
        corners = (x_mm, y_mm), (right, y_mm), (right, low), (x_mm, low)
        self.area((corners,), colour, line_pt=line_pt, line_colour=line_colour)

    def dashed(self, corners: Sequence[Point], pt: float, colour: str = INK) -> None:
        self._canvas.setDash(6, 4)
        self.area((corners,), None, line_pt=pt, line_colour=colour)
        self._canvas.setDash()

    @contextmanager
    def only_inside(self, x_mm: float, y_mm: float, width: float, height: float) -> Iterator[None]:
        """Clip what is drawn meanwhile to this rectangle."""
        self._canvas.saveState()
        path = self._canvas.beginPath()
        path.rect(x_mm * mm, self._y(y_mm + height), width * mm, height * mm)
        self._canvas.clipPath(path, stroke=0, fill=0)
        yield
        self._canvas.restoreState()

    # -- codes and tags ---------------------------------------------------------------------------

    def code(self, token: Token, letters: str, x_mm: float, y_mm: float, code_mm: float) -> None:
        """The black modules of a sticker's code, without the white around it."""
        text = sticker_text(token, letters)
        made = segno.make(text, micro=False, version=1, error="h", mode="alphanumeric", boost_error=False)
        self._blocks([list(row) for row in made.matrix_iter(border=0)], x_mm, y_mm, code_mm / CODE_MODULES)

    def tag(self, number: int, x_mm: float, y_mm: float) -> None:
        """The black square of a tag of the mat."""
        cells = TAGS[number]
        inner = [[cells >> (15 - (4 * r + c)) & 1 for c in range(4)] for r in range(4)]
        dark = [[1] * 6, *([1, *(1 - bit for bit in row), 1] for row in inner), [1] * 6]
        self._blocks(dark, x_mm, y_mm, TAG_MM / TAG_CELLS)

    def _blocks(self, dark: Sequence[Sequence[int]], left_mm: float, top_mm: float, cell_mm: float) -> None:
        """Dark cells as one filled path, so that no printer leaves hairlines between them."""
        path = self._canvas.beginPath()
        for r, row in enumerate(dark):
            c = 0
            while c < len(row):
                run = c
                while run < len(row) and row[run]:
                    run += 1
                if run > c:
                    low = self._y(top_mm + (r + 1) * cell_mm)
                    path.rect((left_mm + c * cell_mm) * mm, low, (run - c) * cell_mm * mm, cell_mm * mm)
                c = run + 1
        self._canvas.setFillColor(HexColor(INK))
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=1)

    # -- around the pieces ------------------------------------------------------------------------

    def crop(self, left_mm: float, top_mm: float, width: float, height: float) -> None:
        """Crop marks just outside the four corners."""
        for x, outwards in ((left_mm, -1), (left_mm + width, 1)):
            for y, down in ((top_mm, -1), (top_mm + height, 1)):
                self.line(x + outwards * MARK_AWAY_MM, y, x + outwards * MARK_MM, y)
                self.line(x, y + down * MARK_AWAY_MM, x, y + down * MARK_MM)

    def ruler(self, language: str, base_mm: float, left_mm: float = 12.0) -> None:
        """A line of 100 mm for measuring the print, with an explanation."""
        self.line(left_mm, base_mm, left_mm + RULER_MM, base_mm, 0.4)
        for tick in range(0, RULER_MM + 1, 5):
            high_mm = 3 if tick % 50 == 0 else 2 if tick % 10 == 0 else 1
            self.line(left_mm + tick, base_mm, left_mm + tick, base_mm - high_mm, 0.4)
        words = RULER.get(language, RULER["en"])
        room_mm = self.width_mm - left_mm - RULER_MM - 6
        pt = next(pt for pt in (7.0, 6.5, 6.0) if width_mm(words, pt) <= room_mm or pt == 6.0)
        self.words(words, left_mm + RULER_MM + 3, base_mm - 0.4, pt)

    def pictogram(self, pictogram: Pictogram, left_mm: float, top_mm: float, side_mm: float) -> None:
        unit = side_mm / SIDE
        self._canvas.setLineWidth(LINE_WIDTH * unit * mm)
        self._canvas.setStrokeColor(HexColor(INK))
        self._canvas.setFillColor(HexColor(INK))
        self._canvas.setLineCap(1)
        self._canvas.setLineJoin(1)
        for stroke in pictogram:
            path = self._canvas.beginPath()
            for at, (x, y) in enumerate(stroke.points):
                (path.lineTo if at else path.moveTo)((left_mm + x * unit) * mm, self._y(top_mm + y * unit))
            self._canvas.drawPath(path, stroke=0 if stroke.filled else 1, fill=1 if stroke.filled else 0)
        self._canvas.setLineCap(0)
        self._canvas.setLineJoin(0)
