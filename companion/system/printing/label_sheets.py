"""Labels sold in shops, on sheets and on the rolls of label printers: the position of each on its page."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.errors import InputError, fault
from companion.public.machine import ENDLESS_ROLL, OWN_GRID, OWN_ROLL
from companion.public.table import Point
from companion.system.printing.page import PAPERS_MM


@dataclass(frozen=True, slots=True)
class LabelSheet:
    """A grid of equal labels, or one of a roll, which is a page of its own.

    Attributes:
        name: As on the packet.
        page_mm: Width and height of the page.
        columns, rows: The number of labels across and down.
        label_mm: Width and height of each.
        first_mm: The top left corner of the first, from that of the page.
        step_mm: From one label to the next, across and down.
    """

    name: str
    page_mm: Point
    columns: int
    rows: int
    label_mm: Point
    first_mm: Point
    step_mm: Point

    @property
    def places_mm(self) -> tuple[Point, ...]:
        """The top left corner of each label, row by row."""
        return tuple(
            (self.first_mm[0] + column * self.step_mm[0], self.first_mm[1] + row * self.step_mm[1])
            for row in range(self.rows)
            for column in range(self.columns)
        )


def _centred(name: str, paper: str, columns: int, rows: int, label_mm: Point, gap_mm: Point = (0.0, 0.0)) -> LabelSheet:
    """Labels in the middle of their page, as nearly all are: so their positions follow from the sizes on the packet."""
    step = label_mm[0] + gap_mm[0], label_mm[1] + gap_mm[1]
    across, down = PAPERS_MM[paper]
    first = (across - (columns - 1) * step[0] - label_mm[0]) / 2, (down - (rows - 1) * step[1] - label_mm[1]) / 2
    return LabelSheet(name, (across, down), columns, rows, label_mm, (round(first[0], 2), round(first[1], 2)), step)


_ROLL_RIM_MM = 1.5, 3.0
"""What label printers leave white at the sides, and at both ends of a label."""
_ENDLESS_MM = 100.0
"""The length that is cut from a roll without labels of its own."""
_ROLL_WIDTHS_MM, _ROLL_LENGTHS_MM = (18.0, 120.0), (18.0, 300.0)


def _roll(name: str, wide: float, high: float = _ENDLESS_MM) -> LabelSheet:
    """A roll this wide; ``high`` is along it. What is printed is as large as the printer reaches."""
    side, end = _ROLL_RIM_MM
    label_mm = wide - 2 * side, high - 2 * end
    return LabelSheet(name, (wide, high), 1, 1, label_mm, _ROLL_RIM_MM, label_mm)


_INCH = 25.4
SHEETS = (
    _centred("Avery L7651", "a4", 5, 13, (38.1, 21.2), (2.5, 0.0)),
    _centred("Avery L7160", "a4", 3, 7, (63.5, 38.1), (2.54, 0.0)),
    _centred("Avery L7163", "a4", 2, 7, (99.1, 38.1), (2.5, 0.0)),
    _centred("Avery L7164", "a4", 3, 4, (63.5, 72.0), (2.5, 0.0)),
    _centred("Avery L7165", "a4", 2, 4, (99.1, 67.7), (2.54, 0.0)),
    _centred("Avery L7666", "a4", 2, 5, (70.0, 52.0), (23.1, 0.0)),
    _centred("Avery C32011", "a4", 2, 5, (85.0, 54.0), (10.0, 0.0)),
    _centred("Herma 4608", "a4", 4, 11, (48.3, 25.4)),
    _centred("Herma 4614", "a4", 3, 8, (66.0, 33.8)),
    _centred("Herma 4828", "a4", 2, 6, (78.7, 46.5), (25.4, 0.0)),
    _centred("Avery 5162", "letter", 2, 7, (4 * _INCH, 4 / 3 * _INCH), (0.1875 * _INCH, 0.0)),
    _centred("Avery 5163", "letter", 2, 5, (4 * _INCH, 2 * _INCH), (0.1875 * _INCH, 0.0)),
    _centred("Avery 5164", "letter", 2, 3, (4 * _INCH, 10 / 3 * _INCH), (0.1875 * _INCH, 0.0)),
    _centred("Avery 5371", "letter", 2, 5, (3.5 * _INCH, 2 * _INCH)),
    _roll("Brother DK-22205", 62.0),
    _roll("Brother DK-11209", 62.0, 29.0),
    _roll("Brother DK-11201", 29.0, 90.0),
)
"""Computed from the packets: the size and number of the labels, and the gaps between them."""

_NUMBER = r"(\d+(?:\.\d+)?)"
_OWN = re.compile(
    rf"(?:(a4|letter)\s+)?(\d+)x(\d+)\s+{_NUMBER}x{_NUMBER}\s+at\s+{_NUMBER},{_NUMBER}"
    rf"(?:\s+step\s+{_NUMBER},{_NUMBER})?",
    re.IGNORECASE,
)
_OWN_ROLL = re.compile(rf"roll\s+{_NUMBER}(?:x{_NUMBER})?", re.IGNORECASE)
MOST_LABELS = 1000


def label_sheet(named: str) -> LabelSheet:
    """A sheet or a roll by the name on its packet, with or without its maker, or a grid or a roll in one line.

    >>> label_sheet("l7163").columns, label_sheet("4x11 48.3x25.4 at 8.4,8.8").step_mm, label_sheet("roll 62").page_mm
    (2, (48.3, 25.4), (62.0, 100.0))

    Raises:
        InputError: It is neither, or does not fit on its paper.
    """
    wanted = " ".join(named.split()).lower()
    for sheet in SHEETS:
        if wanted in (sheet.name.lower(), sheet.name.split()[-1].lower()):
            return sheet
    if (roll := _OWN_ROLL.fullmatch(wanted)) is not None:
        return _own_roll(named, float(roll[1]), float(roll[2] or _ENDLESS_MM))
    own = _OWN.fullmatch(wanted)
    if own is None:
        message = (
            '"{labels}" is no sheet or roll of labels known here; there are: {known}. '
            'Write a sheet of your own as "{form}", a roll as "{roll}" or "{endless}".'
        )
        names = ", ".join(sheet.name for sheet in SHEETS)
        forms = {"form": OWN_GRID, "roll": OWN_ROLL, "endless": ENDLESS_ROLL}
        raise InputError(fault("sheets.fault.labels", message, labels=named, known=names, **forms))
    paper, columns, rows, *sizes = own.groups()
    wide, high, left, top = map(float, sizes[:4])
    step = (wide, high) if sizes[4] is None else (float(sizes[4]), float(sizes[5]))
    across, down = PAPERS_MM[(paper or "a4").lower()]
    sheet = LabelSheet(named, (across, down), int(columns), int(rows), (wide, high), (left, top), step)
    count = sheet.columns * sheet.rows
    too_close = (sheet.columns > 1 and step[0] < wide) or (sheet.rows > 1 and step[1] < high)
    if not 1 <= count <= MOST_LABELS or min(wide, high) < 1 or too_close:
        message = 'The labels of "{labels}" lie over each other, or there are none.'
        raise InputError(fault("sheets.fault.grid", message, labels=named))
    if left + (sheet.columns - 1) * step[0] + wide > across or top + (sheet.rows - 1) * step[1] + high > down:
        message = 'The labels of "{labels}" do not fit on a page of {across} × {down} mm.'
        sides = {"across": f"{across:g}", "down": f"{down:g}"}
        raise InputError(fault("sheets.fault.off_page", message, labels=named, **sides))
    return sheet


def _own_roll(named: str, wide: float, high: float) -> LabelSheet:
    for size, (least, most) in ((wide, _ROLL_WIDTHS_MM), (high, _ROLL_LENGTHS_MM)):
        if not least <= size <= most:
            message = 'The labels of "{labels}" must measure {least} to {most} mm on this side, not {size}.'
            sides = {"least": f"{least:g}", "most": f"{most:g}", "size": f"{size:g}"}
            raise InputError(fault("sheets.fault.roll", message, labels=named, **sides))
    return _roll(named, wide, high)
