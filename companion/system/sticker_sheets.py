"""The printed sheets: stickers for cards and tags for the mat, true to size.

Black on white first, for home printers; a colour only where a numeral says the same.
"""

from __future__ import annotations

import datetime
import io
from collections.abc import Iterator, Sequence

import segno
from reportlab.lib.colors import HexColor, black
from reportlab.lib.units import mm
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from companion.errors import InputError, fault
from companion.games.protocol import StickerLabel, StickerSet
from companion.public.codes import sticker_text
from companion.public.pictogram import LINE_WIDTH, SIDE, Pictogram, PictogramOf
from companion.public.print_sizes import COUNTER_STICKER, STICKER_MODULES, TAG_MM
from companion.public.table import Token

PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}

TAG_CELLS = 6
TAGS = (0xB532, 0x0F9A, 0x332D, 0x9946, 0x549E, 0x79CD, 0x9E2E, 0xC4F2)
"""The 16 cells of the tags 0 to 7, row by row, white = 1 (OpenCV's ``DICT_4X4_50``)."""

TAG_PLACES = {
    "en": ("far left", "far right", "near right", "near left", "far edge", "right edge", "near edge", "left edge"),
    "fr": (
        "loin, gauche",
        "loin, droite",
        "près, droite",
        "près, gauche",
        "bord loin",
        "bord droit",
        "bord près",
        "bord gauche",
    ),
}
"""Where the tags 0 to 7 lie, seen from seat 1."""

COMMAND_LABELS = {
    "KEND": {"en": "End of turn", "fr": "Fin du tour"},
    "KPASS": {"en": "Pass", "fr": "Passe"},
    "KSTOP": {"en": "Stop!", "fr": "Stop !"},
    "KUNDO": {"en": "Undo", "fr": "Annuler"},
    "KPAUSE": {"en": "Hold on", "fr": "Pause"},
    "KGO": {"en": "Go on", "fr": "Reprise"},
}
SEAT_LABEL = {"en": "Seat", "fr": "Place"}
HEADS = {
    "en": "{deck} · edition {edition} · stickers {size:g} mm",
    "fr": "{deck} · édition {edition} · étiquettes {size:g} mm",
}
RULER = {
    "en": "This line is 100 mm long: print at 100 %, without fitting to the page.",
    "fr": "Cette ligne mesure 100 mm : imprimer à 100 %, sans adapter à la page.",
}

_FONT, _BOLD, _PT = "Helvetica", "Helvetica-Bold", 7.0
_COUNTER_PT = 4.0
_MARGIN_MM = 12.0
_HEAD_MM, _FOOT_MM = 14.0, 16.0
_GAP_MM = 7.0
_LINE_MM = 3.1
_PICTOGRAM_MM, _PICTOGRAM_RIM_MM = 5.4, 0.8
_MARK_MM = 2.0
_SIZES_MM = (12.0, 60.0)


PlacedLabel = tuple[StickerLabel | int, float, float]
"""A label or a tag's number, and its top left corner from the page's, in millimetres."""


def labels(stickers: StickerSet, seats: int = 9) -> tuple[tuple[StickerLabel, ...], ...]:
    """All stickers, by what they are for: cards; then the game's others, command cards and seat tags."""
    tags = (
        StickerLabel(Token(f"S{seat}"), {language: f"{word} {seat}" for language, word in SEAT_LABEL.items()})
        for seat in range(1, seats + 1)
    )
    commands = (StickerLabel(Token(token), names) for token, names in COMMAND_LABELS.items())
    return stickers.cards, (*stickers.others, *commands, *tags)


def pdf(
    stickers: StickerSet,
    printed_on: datetime.date,
    *,
    size_mm: float = 20.0,
    paper: str = "a4",
    language: str = "en",
    pictogram_of: PictogramOf = lambda _: None,
) -> bytes:
    """All sheets of a deck: its stickers, then the tags of the mat. The same arguments, the same bytes.

    Args:
        size_mm: Outer edge of a sticker with its white rim.
        pictogram_of: What is drawn beside a sticker, so that its card is found without reading.

    Raises:
        InputError: A size or a paper that cannot be printed.
    """
    if paper.lower() not in PAPERS_MM:
        said = '"{paper}" is no paper that fits here; there are: {known}.'
        raise InputError(fault("sheets.fault.paper", said, paper=paper, known=", ".join(PAPERS_MM)))
    if not _SIZES_MM[0] <= size_mm <= _SIZES_MM[1]:
        said = "A sticker measures {least} to {most} mm, not {size} mm."
        least, most = (f"{size:g}" for size in _SIZES_MM)
        raise InputError(fault("sheets.fault.size", said, least=least, most=most, size=f"{size_mm:g}"))
    page_mm = PAPERS_MM[paper.lower()]
    sheets = [
        *(sheet for group in labels(stickers) for sheet in _fill(group, page_mm, size_mm, size_mm + 5 * _LINE_MM)),
        *_fill(range(len(TAGS)), page_mm, _tag_paper_mm(), _tag_paper_mm() + 2 * _LINE_MM),
    ]
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(page_mm[0] * mm, page_mm[1] * mm), invariant=1, pageCompression=1)
    head = HEADS.get(language, HEADS["en"]).format(deck=stickers.deck, edition=stickers.edition, size=size_mm)
    canvas.setTitle(head)
    for number, sheet in enumerate(sheets, 1):
        _frame(canvas, page_mm, head, f"{printed_on.isoformat()} · {number}/{len(sheets)}")
        _ruler(canvas, RULER.get(language, RULER["en"]))
        for item, x_mm, y_mm in sheet:
            if isinstance(item, StickerLabel):
                _sticker(canvas, item, language, x_mm, page_mm[1] - y_mm, size_mm)
                if (pictogram := pictogram_of(item.names)) is not None:
                    _pictogram(canvas, pictogram, x_mm + size_mm + _PICTOGRAM_RIM_MM, page_mm[1] - y_mm - size_mm / 2)
            else:
                _tag(canvas, item, TAG_PLACES.get(language, TAG_PLACES["en"])[item], x_mm, page_mm[1] - y_mm)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _fill(
    items: Sequence[StickerLabel | int], page_mm: tuple[float, float], width_mm: float, height_mm: float
) -> Iterator[list[PlacedLabel]]:
    """Share things out over pages, in rows from the top left."""
    wide, high = page_mm[0] - 2 * _MARGIN_MM, page_mm[1] - _HEAD_MM - _FOOT_MM - _MARGIN_MM
    columns = int((wide + _GAP_MM) // (width_mm + _GAP_MM))
    rows = int((high + _GAP_MM) // (height_mm + _GAP_MM))
    for first in range(0, len(items), columns * rows):
        yield [
            (item, _MARGIN_MM + k % columns * (width_mm + _GAP_MM), _HEAD_MM + 6 + k // columns * (height_mm + _GAP_MM))
            for k, item in enumerate(items[first : first + columns * rows])
        ]


def _frame(canvas: Canvas, page_mm: tuple[float, float], title: str, corner: str) -> None:
    """What the sheet is."""
    canvas.setFont(_BOLD, 9)
    canvas.drawString(_MARGIN_MM * mm, (page_mm[1] - 10) * mm, title)
    canvas.setFont(_FONT, 8)
    canvas.drawRightString((page_mm[0] - _MARGIN_MM) * mm, (page_mm[1] - 10) * mm, corner)


def _ruler(canvas: Canvas, words: str) -> None:
    """100 mm to measure the print by."""
    left, base = _MARGIN_MM * mm, 9 * mm
    canvas.setLineWidth(0.4)
    canvas.line(left, base, left + 100 * mm, base)
    for tick in range(0, 101, 5):
        high_mm = 3 if tick % 50 == 0 else 2 if tick % 10 == 0 else 1
        canvas.line(left + tick * mm, base, left + tick * mm, base + high_mm * mm)
    canvas.setFont(_FONT, _PT)
    for tick in (0, 50, 100):
        canvas.drawCentredString(left + tick * mm, base + 3.6 * mm, str(tick))
    canvas.drawString(left + 103 * mm, base + 0.4 * mm, words)


def _sticker(canvas: Canvas, label: StickerLabel, language: str, x_mm: float, top_mm: float, size_mm: float) -> None:
    """The code and its text inside the crop marks; below them, for whoever sticks it on, the card's name."""
    text = sticker_text(label.token, label.letters)
    made = segno.make(
        text,
        micro=False,
        version=1,
        error="h",
        mode="alphanumeric",
        boost_error=False,
    )
    side_mm = COUNTER_STICKER * size_mm if label.round else size_mm
    module = side_mm / STICKER_MODULES
    rim_mm = (size_mm - side_mm) / 2 + 2 * module
    _blocks(canvas, [list(row) for row in made.matrix_iter(border=0)], x_mm + rim_mm, top_mm - rim_mm, module)
    if label.round:
        _circle(canvas, label.prefix, x_mm + size_mm / 2, top_mm - size_mm / 2, size_mm / 2)
    else:
        _crop(canvas, x_mm, top_mm, size_mm, size_mm + _LINE_MM)
    canvas.setFont(_FONT, _PT)
    canvas.drawCentredString((x_mm + size_mm / 2) * mm, (top_mm - size_mm - _LINE_MM + 1.0) * mm, text)
    below_mm = top_mm - size_mm - 2 * _LINE_MM - 1.8
    indent_mm = 0.0
    if label.colour is not None:
        canvas.setFillColor(HexColor(label.colour))
        canvas.setLineWidth(0.3)
        canvas.rect(x_mm * mm, (below_mm - 0.5) * mm, 2.6 * mm, 2.6 * mm, stroke=1, fill=1)
        canvas.setFillColor(black)
        indent_mm = 3.4
    name = _named(label.names, language, "" if label.prefix else label.token)
    title = f"{label.prefix} {name}" if label.prefix else name
    for line, words in enumerate(_wrapped(title, size_mm + _GAP_MM - 1.5, indent_mm)):
        canvas.setFont(_BOLD if line == 0 else _FONT, _PT)
        canvas.drawString((x_mm + (indent_mm if line == 0 else 0)) * mm, (below_mm - line * _LINE_MM) * mm, words)


def _circle(canvas: Canvas, name: str, x_mm: float, y_mm: float, radius_mm: float) -> None:
    """The line along which a counter is cut out, and its name below the code, for people."""
    canvas.setLineWidth(0.25)
    canvas.circle(x_mm * mm, y_mm * mm, radius_mm * mm)
    canvas.setFont(_BOLD, _COUNTER_PT)
    canvas.drawCentredString(x_mm * mm, (y_mm - radius_mm + 0.35) * mm, name)


def _pictogram(canvas: Canvas, pictogram: Pictogram, left_mm: float, middle_mm: float) -> None:
    """The card's small picture in the gap beside its sticker, where the scissors take it away."""
    unit = _PICTOGRAM_MM / SIDE * mm
    canvas.setLineWidth(LINE_WIDTH * unit)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for stroke in pictogram:
        path = canvas.beginPath()
        points = [(left_mm * mm + x * unit, middle_mm * mm + (SIDE / 2 - y) * unit) for x, y in stroke.points]
        path.moveTo(*points[0])
        for point in points[1:]:
            path.lineTo(*point)
        canvas.drawPath(path, stroke=0 if stroke.filled else 1, fill=1 if stroke.filled else 0)
    canvas.setLineCap(0)
    canvas.setLineJoin(0)


def _tag(canvas: Canvas, number: int, where: str, x_mm: float, top_mm: float) -> None:
    """A tag of the mat inside its white rim, with its crop marks and where it lies."""
    cells = TAGS[number]
    cell = TAG_MM / TAG_CELLS
    inner = [[cells >> (15 - (4 * r + c)) & 1 for c in range(4)] for r in range(4)]
    dark = [[1] * 6, *([1, *(1 - bit for bit in row), 1] for row in inner), [1] * 6]
    _blocks(canvas, dark, x_mm + cell, top_mm - cell, cell)
    _crop(canvas, x_mm, top_mm, _tag_paper_mm(), _tag_paper_mm())
    canvas.setFont(_BOLD, _PT + 1)
    canvas.drawString(x_mm * mm, (top_mm - _tag_paper_mm() - _MARK_MM - 2.6) * mm, f"{number}: {where}")


def _tag_paper_mm() -> float:
    """A tag with one cell of white around it."""
    return TAG_MM * (TAG_CELLS + 2) / TAG_CELLS


def _blocks(canvas: Canvas, dark: Sequence[Sequence[int]], left_mm: float, top_mm: float, cell_mm: float) -> None:
    """Dark cells as one filled path, so that no printer leaves hairlines between them."""
    path = canvas.beginPath()
    for r, row in enumerate(dark):
        c = 0
        while c < len(row):
            run = c
            while run < len(row) and row[run]:
                run += 1
            if run > c:
                low = (top_mm - (r + 1) * cell_mm) * mm
                path.rect((left_mm + c * cell_mm) * mm, low, (run - c) * cell_mm * mm, cell_mm * mm)
            c = run + 1
    canvas.setFillColor(black)
    canvas.drawPath(path, stroke=0, fill=1)


def _crop(canvas: Canvas, left_mm: float, top_mm: float, width_mm: float, height_mm: float) -> None:
    """Marks just outside the four corners."""
    canvas.setLineWidth(0.25)
    for x, outwards in ((left_mm, -1), (left_mm + width_mm, 1)):
        for y, upwards in ((top_mm, 1), (top_mm - height_mm, -1)):
            canvas.line((x + outwards * 0.5) * mm, y * mm, (x + outwards * _MARK_MM) * mm, y * mm)
            canvas.line(x * mm, (y + upwards * 0.5) * mm, x * mm, (y + upwards * _MARK_MM) * mm)


def _wrapped(words: str, width_mm: float, indent_mm: float) -> list[str]:
    """Lines no wider than this; the first is shorter by the indent, what does not fit into three is left out."""
    lines = [""]
    for word in words.split():
        room = (width_mm - (indent_mm if len(lines) == 1 else 0)) * mm
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and stringWidth(longer, _BOLD, _PT) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines[:3]


def _named(names: object, language: str, otherwise: str) -> str:
    """A name that the printed font has letters for."""
    known = dict(names) if isinstance(names, dict) else {}
    name = known.get(language) or known.get("en") or next(iter(known.values()), otherwise)
    return name if all(sign.encode("cp1252", "ignore") for sign in name) else otherwise
