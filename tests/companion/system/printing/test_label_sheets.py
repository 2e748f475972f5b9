"""Where the labels of bought sheets are: our own figures, compared with those that Debian has."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.errors import InputError
from companion.public.machine import LABEL_SHEETS, OWN_GRID
from companion.system.printing.label_sheets import SHEETS, LabelSheet, label_sheet
from companion.system.printing.page import PAPERS_MM

TEMPLATES = Path("/usr/share/libglabels-3.0/templates")
MM = {"mm": 1.0, "in": 25.4, "pt": 25.4 / 72, "": 25.4 / 72}
AS_GLABELS_CALLS_IT = {"L7651": "8651", "C32011": "C32011-10", "L7666": "8666"}
OTHER_MARGINS = {
    # Debian's figures for these do not leave equal margins left and right, or above and below; ours do. What is
    # compared all the same is the label's size and how many there are.
    "Avery L7160": "first",
    "Avery L7163": "first step",
    "Avery L7164": "first",
}


@cache
def templates() -> dict[tuple[str, str], ElementTree.Element]:
    found = {}
    for file in TEMPLATES.glob("*-templates.xml"):
        for template in ElementTree.parse(file).getroot():
            if template.get("part"):
                found[template.get("brand", ""), template.get("part", "")] = template
    return found


def debians(sheet: LabelSheet) -> dict[str, tuple[float, float]]:
    """What Debian's list says of a sheet."""
    brand, part = sheet.name.split()
    template = templates()[brand, AS_GLABELS_CALLS_IT.get(part, part)]
    while template.get("equiv"):
        template = templates()[brand, template.get("equiv", "")]
    label = next(one for one in template if "Label-rectangle" in one.tag)
    grid = next(one for one in label if one.tag.endswith("Layout"))

    def mm(element: ElementTree.Element, *keys: str) -> tuple[float, float]:
        found = (re.fullmatch(r"([\d.]+)([a-z]*)", element.get(key, "0")) for key in keys)
        x, y = (float(one[1]) * MM[one[2]] for one in found if one)
        return x, y

    return {
        "count": (float(grid.get("nx", 0)), float(grid.get("ny", 0))),
        "label": mm(label, "width", "height"),
        "first": mm(grid, "x0", "y0"),
        "step": mm(grid, "dx", "dy"),
    }


@pytest.mark.skipif(not TEMPLATES.is_dir(), reason="glabels-data is not installed: apt-get install glabels-data")
@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_our_grid_and_debians_agree_to_0_3_mm(sheet: LabelSheet) -> None:
    ours = {
        "count": (float(sheet.columns), float(sheet.rows)),
        "label": sheet.label_mm,
        "first": sheet.first_mm,
        "step": sheet.step_mm,
    }
    for what, theirs in debians(sheet).items():
        if what in OTHER_MARGINS.get(sheet.name, "").split():
            continue
        limit = 0.5 if (sheet.name, what) == ("Avery L7160", "label") else 0.3
        assert ours[what] == pytest.approx(theirs, abs=limit), what


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_bought_sheet_has_equal_margins_and_its_labels_do_not_touch_the_edge(sheet: LabelSheet) -> None:
    across, down = PAPERS_MM[sheet.paper]
    last = sheet.places_mm[-1]
    assert len(sheet.places_mm) == sheet.columns * sheet.rows
    assert sheet.first_mm[0] == pytest.approx(across - last[0] - sheet.label_mm[0], abs=0.02)
    assert sheet.first_mm[1] == pytest.approx(down - last[1] - sheet.label_mm[1], abs=0.02)
    assert min(sheet.first_mm) > 0


def test_the_page_offers_every_sheet_that_is_known() -> None:
    assert tuple(sheet.name for sheet in SHEETS) == LABEL_SHEETS


def test_a_sheet_is_known_by_its_number_with_its_maker_or_without() -> None:
    assert label_sheet("L7163") is label_sheet("avery l7163") is label_sheet(" Avery  L7163 ")


def test_a_grid_of_ones_own_is_one_line() -> None:
    own = label_sheet(OWN_GRID)
    assert (own.columns, own.rows, own.label_mm, own.first_mm) == (4, 11, (48.3, 25.4), (8.4, 8.8))
    assert own.step_mm == (48.3, 25.4)
    assert label_sheet("letter 2x5 101.6x50.8 at 4,12.7 step 106.4,50.8").paper == "letter"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("L9999", "is no sheet of labels known here"),
        ("4x11 48.3x25.4", "is no sheet of labels known here"),
        ("5x11 48.3x25.4 at 8.4,8.8", "do not fit on a page of 210 × 297 mm"),
        ("4x11 48.3x25.4 at 8.4,8.8 step 40,25.4", "lie over each other"),
        ("0x11 48.3x25.4 at 8.4,8.8", "there are none"),
        ("9999999x9 0.0x0.0 at 0,0", "there are none"),
    ],
)
def test_a_grid_that_cannot_be_is_one_sentence(line: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        label_sheet(line)
