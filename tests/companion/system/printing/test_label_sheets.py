"""Where the labels of bought sheets are."""

from __future__ import annotations

import re

import pytest

from companion.errors import InputError
from companion.public.machine import ENDLESS_ROLL, LABEL_SHEETS, OWN_GRID, OWN_ROLL
from companion.system.printing.label_sheets import SHEETS, LabelSheet, label_sheet
from companion.system.printing.page import PAPERS_MM


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.name)
def test_a_bought_sheet_has_equal_margins_and_its_labels_do_not_touch_the_edge(sheet: LabelSheet) -> None:
    across, down = sheet.page_mm
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
    assert label_sheet("letter 2x5 101.6x50.8 at 4,12.7 step 106.4,50.8").page_mm == PAPERS_MM["letter"]


def test_a_roll_is_one_line_too_and_each_of_its_labels_is_a_page() -> None:
    assert label_sheet(OWN_ROLL).page_mm == label_sheet("DK-11201").page_mm == (29.0, 90.0)
    assert label_sheet(ENDLESS_ROLL).page_mm == label_sheet("DK-22205").page_mm == (62.0, 100.0)
    assert len(label_sheet("Roll 57.5x32").places_mm) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("L9999", "is no sheet or roll of labels known here"),
        ("4x11 48.3x25.4", "is no sheet or roll of labels known here"),
        ("5x11 48.3x25.4 at 8.4,8.8", "do not fit on a page of 210 × 297 mm"),
        ("4x11 48.3x25.4 at 8.4,8.8 step 40,25.4", "lie over each other"),
        ("0x11 48.3x25.4 at 8.4,8.8", "there are none"),
        ("roll 900", "must measure 18 to 120 mm on this side, not 900"),
        ("roll 62x5", "must measure 18 to 300 mm on this side, not 5"),
        ("roll", "is no sheet or roll of labels known here"),
        ("9999999x9 0.0x0.0 at 0,0", "there are none"),
    ],
)
def test_a_grid_that_cannot_be_is_one_sentence(line: str, said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        label_sheet(line)
