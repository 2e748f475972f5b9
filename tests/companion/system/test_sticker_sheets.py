"""The printed sheets, looked at as a printer draws them: every code reads, every size is true."""

from __future__ import annotations

import datetime
import math
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.long_cases import rest_long
from support.printed_pages import INK, PX_PER_MM, codes_mm, printed, tags_mm

from companion.errors import InputError
from companion.games.discovery.pages.faces import pictogram_of
from companion.games.registry import GAMES, demo_deck, game_module
from companion.public.codes import sticker_token
from companion.public.table import Token
from companion.system import sticker_sheets
from companion.system.printing.label_sheets import label_sheet

DECK = game_module().decks.stickers(demo_deck())
DAY = datetime.date(2026, 11, 21)
EVERYTHING = {
    *(f"C{era}{n}" for era in range(1, 7) for n in range(1, 10)),
    *("J1", "J2", "J3", "J4", "KEND", "KPASS", "KSTOP", "KUNDO", "KPAUSE", "KGO"),
    *(f"S{seat}" for seat in range(1, 10)),
}


Code = tuple[float, float, float]
"""Left, top and side of a code's 21 modules, in millimetres."""


def drawn(pdf: bytes, folder: Path) -> tuple[np.ndarray, ...]:
    return printed(pdf, folder).pages


def codes(page: np.ndarray, letters: str = "DX") -> dict[Token, Code]:
    """The codes of a page by token."""
    read = codes_mm(page).items()
    found = {sticker_token(text, "DX" if text.startswith("DX") else letters): at for text, at in read}
    assert None not in found
    return found  # type: ignore[return-value]


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> tuple[np.ndarray, ...]:
    """The usual sheets: 20 mm on A4."""
    return drawn(sticker_sheets.pdf(DECK, DAY, pictogram_of=pictogram_of), tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize(("size_mm", "paper"), rest_long([(20.0, "letter"), (30.0, "a4")]))
def test_every_code_on_every_page_reads_and_measures_what_was_asked(size_mm: float, paper: str, tmp_path: Path) -> None:
    """ "The printed sheet, rendered at 300 dpi, decodes completely; a sticker measures what was asked, to 0.2 mm." """
    pages = drawn(sticker_sheets.pdf(DECK, DAY, size_mm=size_mm, paper=paper), tmp_path)
    found = [codes(page) for page in pages]
    assert sum(map(len, found)) == len(EVERYTHING)
    assert set().union(*found) == EVERYTHING
    assert all(abs(side * 25 / 21 - size_mm) < 0.2 for page in found for _, _, side in page.values())


def test_a_code_has_two_modules_of_white_around_it_inside_its_crop_marks(tmp_path: Path) -> None:
    page = drawn(sticker_sheets.pdf(DECK, DAY, size_mm=25), tmp_path)[0]
    for left, top, side in codes(page).values():
        box = np.array([top - 2, top + side + 2, left - 2, left + side + 2])  # of 25 modules, one is 1 mm
        y0, y1, x0, x1 = np.round(box * PX_PER_MM + (2, -2, 2, -2)).astype(int)
        around = page[y0:y1, x0:x1].copy()
        inner = round(2 * PX_PER_MM) - 4
        around[inner:-inner, inner:-inner] = 255
        assert around.min() > 200


def test_the_eight_tags_are_opencvs_and_measure_36_mm(pages: tuple[np.ndarray, ...]) -> None:
    tags = tags_mm(pages[-1])
    assert sorted(tags) == list(range(8))
    for corners in tags.values():
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert np.abs(edges - 36).max() < 0.2
        assert corners[0][0] < corners[1][0]  # upright
        assert corners[0][1] < corners[3][1]


def test_the_ruler_is_100_mm_long_on_every_sheet(pages: tuple[np.ndarray, ...]) -> None:
    for page in pages:
        base = round((297 - 9) * PX_PER_MM)
        dark = np.flatnonzero(page[base - 4 : base + 5].min(axis=0) < 160)
        runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
        longest = max(runs, key=len)
        assert abs(len(longest) / PX_PER_MM - 100) < 0.2


def test_a_sheet_says_its_deck_edition_size_and_day(tmp_path: Path) -> None:
    sheets = printed(sticker_sheets.pdf(DECK, DAY, size_mm=22.5), tmp_path)
    texts = [sheets.words(number, (0, 0, 210, 297)) for number in range(len(sheets.pages))]
    assert len(texts) >= 3
    assert all("Demo deck · edition demo · stickers 22.5 mm" in text for text in texts)
    assert f"{DAY.isoformat()} · 1/" in texts[0]


def test_no_type_is_smaller_than_7_points(tmp_path: Path) -> None:
    (tmp_path / "sheet.pdf").write_bytes(sticker_sheets.pdf(DECK, DAY, size_mm=12))
    subprocess.run(["pdftotext", "-bbox", "sheet.pdf", "out.html"], cwd=tmp_path, check=True, timeout=60)
    boxes = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)"', (tmp_path / "out.html").read_text())
    assert len(boxes) > 100
    assert min(float(low) - float(high) for high, low in boxes) >= 7 * 0.9  # a line of Helvetica is 0.925 high


def test_the_same_day_prints_the_same_bytes() -> None:
    assert sticker_sheets.pdf(DECK, DAY) == sticker_sheets.pdf(DECK, DAY)
    assert sticker_sheets.pdf(DECK, DAY) != sticker_sheets.pdf(DECK, DAY + datetime.timedelta(days=1))


@pytest.mark.parametrize(("how", "named"), [({"size_mm": 5.0}, "12 to 60 mm"), ({"paper": "a3"}, "a4, letter")])
def test_what_cannot_be_printed_is_said(how: dict[str, float | str], named: str) -> None:
    with pytest.raises(InputError, match=named):
        sticker_sheets.pdf(DECK, DAY, **how)  # type: ignore[arg-type]


def test_beside_each_card_s_sticker_stands_its_picture_and_beside_no_other(pages: tuple[np.ndarray, ...]):
    """In black, in the gap that the scissors take away; the codes are read all the same."""
    inked = {token for page in pages for token, code in codes(page).items() if _ink_beside(page, code) > 0.03}
    assert inked == {label.token for label in DECK.cards}


def _ink_beside(page: np.ndarray, code: Code) -> float:
    """How much of the middle of the gap right of a sticker is dark, 0 to 1."""
    left, top, side = code
    x0, middle, half = left + side + 2.2, top + side / 2, 2.5
    y0, y1, x0, x1 = (round(mm * PX_PER_MM) for mm in (middle - half, middle + half, x0, x0 + 2 * half))
    return float((page[y0:y1, x0:x1] < 128).mean())


def code_widths_mm(sheets: bytes, letters: str, folder: Path) -> dict[Token, float]:
    """How wide each code of a PDF is printed."""
    pages = (codes(page, letters) for page in drawn(sheets, folder))
    return {token: side for page in pages for token, (_, _, side) in page.items()}


def test_tiles_bear_18_mm_and_counters_are_round_with_the_code_of_15_mm(tmp_path):
    """A counter's code never changes, for older counters are measured beside newer ones."""
    module = GAMES["carcassonne"]
    sheets = sticker_sheets.pdf(module.decks.stickers(demo_deck(module)), DAY, size_mm=module.decks.sticker_mm)
    widths_mm = code_widths_mm(sheets, "CD", tmp_path)
    tiles = {f"T{number:02}" for number in range(1, 85)}
    counters = {f"F{seat}{number}" for seat in range(1, 6) for number in range(1, 5)}
    assert set(widths_mm) == tiles | counters | {token for token in EVERYTHING if token[0] in "KS"}
    assert all(abs(widths_mm[token] - 18 * 21 / 25) < 0.3 for token in widths_mm.keys() - counters)
    assert all(abs(widths_mm[token] - 15 * 21 / 25) < 0.3 for token in counters)


@pytest.mark.parametrize(("game", "token"), [("carcassonne", "F11"), ("darwinci", "R1"), ("darwinci", "R0")])
@pytest.mark.parametrize("labels", [None, "L7160"])
def test_whoever_cuts_a_counter_out_a_millimetre_too_far_does_not_cut_into_its_code(
    game: str, token: str, labels: str | None, tmp_path: Path
):
    """The corners of a code in the middle of a circle are the farthest from that middle."""
    module = GAMES[game]
    stickers, on = module.decks.stickers(demo_deck(module)), label_sheet(labels) if labels else None
    (page,) = drawn(
        sticker_sheets.pdf(stickers, DAY, size_mm=module.decks.sticker_mm, only=[token], labels_of=on), tmp_path
    )
    ((left, top, side),) = codes_mm(page).values()
    # The first ink right of the code on a level with its middle is the line.
    level = page[round((top + side / 2) * PX_PER_MM), round((left + side + 1) * PX_PER_MM) :]
    line_mm = side / 2 + 1 + int(np.argmax(level < INK)) / PX_PER_MM
    assert line_mm - side / math.sqrt(2) == pytest.approx(1.0, abs=0.25)


@pytest.mark.long
def test_big_stones_are_printed_as_large_as_the_eye_looks_for_them(tmp_path):
    """« 25 mm » stickers for experts' chips, beside small ones of 18 mm, on plain paper and on labels."""
    module = GAMES["darwinci"]
    deck = demo_deck(module)
    game = module.open_match({"profile": "experts", "seat": [{"name": str(seat)} for seat in range(5)]}, deck)
    stickers = module.decks.stickers(deck)
    plain, glued = (
        code_widths_mm(sticker_sheets.pdf(stickers, DAY, size_mm=18, labels_of=labels), "DW", tmp_path)
        for labels in (None, label_sheet("L7160"))
    )
    assert set(plain) == set(glued) == {label.token for group in sticker_sheets.labels(stickers) for label in group}
    for token in (f"{colour}{number}" for colour in "RBGYW" for number in range(9)):
        assert game.table.shapes[token].size_mm[0] == pytest.approx(27 if token.endswith("0") else 20, abs=0.1)
        assert plain[token] == pytest.approx(game.table.shapes[token].code_mm, abs=0.3)
        assert glued[token] == pytest.approx(game.table.shapes[token].code_mm, abs=0.3)


def test_big_stones_are_left_out_of_labels_that_are_too_low_for_them_unless_they_are_asked_for(tmp_path):
    module = GAMES["darwinci"]
    stickers, low = module.decks.stickers(demo_deck(module)), label_sheet("L7651")
    printed = code_widths_mm(sticker_sheets.pdf(stickers, DAY, size_mm=18, labels_of=low), "DW", tmp_path)
    assert {"T65", "W9", "KEND"} <= set(printed)
    assert "W0" not in printed
    with pytest.raises(InputError, match=r"27 mm .* does not fit"):
        sticker_sheets.pdf(stickers, DAY, size_mm=18, labels_of=low, only=["W0"])
