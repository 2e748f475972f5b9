"""The check of a box: stickered cards under the drawn camera, nine at a time, and what is wrong with them."""

from __future__ import annotations

import datetime
import random
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.printed_pages import PX_PER_MM, codes_mm, printed, through_the_camera

from companion.errors import InputError
from companion.games.registry import demo_deck, game_module
from companion.public.box_reading import BoxReading, StickerSighting
from companion.public.codes import sticker_text
from companion.public.machine import PrintOrder
from companion.service.box_check import BoxCheck, BoxPiece
from companion.system.printing import orders
from vision.codes.box_reading import read_box

LABELS = game_module().decks.stickers(demo_deck()).cards
PIECES = {sticker_text(label.token): BoxPiece(label.token, label.names, label.prefix) for label in LABELS}
NOTHING = BoxReading()


def jpeg(picture: np.ndarray) -> bytes:
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 95])[1].tobytes()


def tokens(texts: frozenset[str]) -> set[str]:
    return {PIECES[text].number for text in texts}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sticker_mm", "width_px", "pages"), [(20.0, 4608, 2), pytest.param(28.0, 2304, 6, marks=pytest.mark.long)]
)
def test_two_missing_one_doubled_and_one_smudged_are_found_exactly(
    sticker_mm: float, width_px: int, pages: int, tmp_path: Path
) -> None:
    """ "Scan-back finds seeded faults (two missing, one doubled, one smudged) exactly." """
    order = PrintOrder("cards", size_mm=sticker_mm)
    sheets = printed(orders.printed(order, datetime.date(2026, 11, 21)), tmp_path, pages=(1, pages)).pages
    dice = random.Random(11)
    cards = [(number, *one) for number, sheet in enumerate(sheets) for one in sorted(codes_mm(sheet).items())]
    first, second, twice, smudged = dice.sample(cards, 4)
    for number, _, (left, top, side) in (first, second):
        _box(sheets[number], left - 2, top - 2, side + 4)[:] = 255
    number, _, (left, top, side) = smudged
    middle = round((left + 0.62 * side) * PX_PER_MM), round((top + 0.6 * side) * PX_PER_MM)
    cv2.circle(sheets[number], middle, round(0.19 * side * PX_PER_MM), 0, -1)
    number, _, at = twice
    bearer = next(one for one in cards if one not in (first, second, twice, smudged) and one[0] != number)
    _box(sheets[bearer[0]], *bearer[2])[:] = _box(sheets[number], *at)[: _box(sheets[bearer[0]], *bearer[2]).shape[0]]
    missing = {first[1], second[1], bearer[1]}

    check = BoxCheck({text: PIECES[text] for _, text, _ in cards})
    for sheet in sheets:
        reading = read_box(jpeg(through_the_camera(sheet, width_px)), check.pieces)
        check = check.looked(reading).looked(reading).looked(NOTHING)
    assert tokens(check.missing) == tokens(frozenset(missing))
    assert tokens(check.doubled) == {PIECES[twice[1]].number}
    assert tokens(check.smudged) == {PIECES[smudged[1]].number}
    assert not check.small
    told = check.as_json("fr")
    assert told["missing"] == 3
    assert sorted(piece["wrong"] for piece in told["pieces"] if piece["wrong"]) == [["doubled"], ["smudged"]]


def _box(sheet: np.ndarray, left_mm: float, top_mm: float, side_mm: float) -> np.ndarray:
    """A square of a page; equal sides give equal sizes."""
    left, top, side = (round(mm * PX_PER_MM) for mm in (left_mm, top_mm, side_mm))
    return sheet[top : top + side, left : left + side]


def seen(text: str, x: float = 100.0, module_px: float = 3.0, worn: float = 0.0) -> StickerSighting:
    return StickerSighting(text, (x, 100.0), module_px, worn)


A, B = sorted(PIECES)[:2]


def test_a_card_that_comes_again_after_the_table_was_cleared_is_doubled() -> None:
    check = BoxCheck(PIECES).looked(BoxReading((seen(A),)))
    assert check.fresh == (A,)
    assert check.looked(BoxReading((seen(A, 400.0),))).doubled == set(), "it was only pushed"
    assert check.looked(NOTHING).looked(BoxReading((seen(A, 104.0),))).doubled == set(), "a hand had covered it"
    assert check.looked(NOTHING).looked(BoxReading((seen(A, 700.0),))).doubled == {A}


def test_two_stickers_that_say_the_same_at_once_are_doubled() -> None:
    assert BoxCheck(PIECES).looked(BoxReading((seen(A), seen(A, 400.0), seen(B, 800.0)))).doubled == {A}


def test_a_sticker_that_is_seen_better_later_is_neither_small_nor_smudged() -> None:
    """A card at the rim, or under the shadow of a hand, is not to blame."""
    check = BoxCheck(PIECES).looked(BoxReading((seen(A, module_px=1.3), seen(B, 400.0, worn=0.2))))
    assert (check.small, check.smudged) == ({A}, {B})
    check = check.looked(BoxReading((seen(A), seen(B, 400.0))))
    assert (check.small, check.smudged) == (set(), set())


def test_a_picture_that_is_none_is_said() -> None:
    with pytest.raises(InputError, match="damaged"):
        read_box(b"no picture", ())


def test_a_foreign_code_is_counted_and_ticks_nothing_off(tmp_path: Path) -> None:
    order = PrintOrder("commands", only=("KEND", "S1"))
    sheet = printed(orders.printed(order, datetime.date(2026, 11, 21)), tmp_path).pages[0]
    reading = read_box(jpeg(cv2.resize(sheet, None, fx=0.4, fy=0.4, interpolation=cv2.INTER_AREA)), {"DXKEND5"})
    assert [one.text for one in reading.seen] == ["DXKEND5"]
    assert reading.foreign == 1
