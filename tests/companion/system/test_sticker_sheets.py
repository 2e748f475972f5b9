"""The printed sheets, looked at as a printer draws them: every code reads, every size is true."""

from __future__ import annotations

import datetime
import re
import subprocess
from pathlib import Path

import cv2
import numpy as np
import pytest
import zxingcpp
from support.long_cases import rest_long

from companion.errors import InputError
from companion.games.registry import GAMES, demo_deck, game_module
from companion.public.codes import sticker_token
from companion.public.table import Token
from companion.system import sticker_sheets
from companion.system.printing.label_sheets import label_sheet
from web.games.discovery.faces import pictogram_of

DECK = game_module().decks.stickers(demo_deck())
DAY = datetime.date(2026, 11, 21)
DPI = 300
EVERYTHING = {
    *(f"C{era}{n}" for era in range(1, 7) for n in range(1, 10)),
    *("J1", "J2", "J3", "J4", "KEND", "KPASS", "KSTOP", "KUNDO", "KPAUSE", "KGO"),
    *(f"S{seat}" for seat in range(1, 10)),
}


def drawn(pdf: bytes, folder: Path) -> list[np.ndarray]:
    """The pages as a printer at 300 dpi would draw them, grey."""
    for page in folder.glob("page*.png"):
        page.unlink()
    (folder / "sheet.pdf").write_bytes(pdf)
    subprocess.run(
        ["pdftoppm", "-r", str(DPI), "-gray", "-png", "sheet.pdf", "page"], cwd=folder, check=True, timeout=120
    )
    return [cv2.imread(str(page), cv2.IMREAD_GRAYSCALE) for page in sorted(folder.glob("page*.png"))]


def words(pdf: bytes, folder: Path) -> str:
    for page in folder.glob("page*.png"):
        page.unlink()
    (folder / "sheet.pdf").write_bytes(pdf)
    done = subprocess.run(
        ["pdftotext", "-layout", "sheet.pdf", "-"], cwd=folder, check=True, timeout=60, capture_output=True
    )
    return done.stdout.decode()


def codes(page: np.ndarray) -> dict[Token, np.ndarray]:
    """Token to the corners of its 21 modules."""
    found: dict[Token, np.ndarray] = {}
    for code in zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode):
        token, at = sticker_token(code.text), code.position
        assert token is not None, code.text
        assert token not in found
        found[token] = np.array([(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)])
    return found


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    """The usual sheets: 20 mm on A4."""
    return drawn(sticker_sheets.pdf(DECK, DAY, pictogram_of=pictogram_of), tmp_path_factory.mktemp("pages"))


@pytest.mark.parametrize(("size_mm", "paper"), rest_long([(20.0, "letter"), (30.0, "a4")]))
def test_every_code_on_every_page_reads_and_measures_what_was_asked(size_mm: float, paper: str, tmp_path: Path) -> None:
    """ "The printed sheet, rendered at 300 dpi, decodes completely; a sticker measures what was asked, to 0.2 mm." """
    pages = drawn(sticker_sheets.pdf(DECK, DAY, size_mm=size_mm, paper=paper), tmp_path)
    found = [codes(page) for page in pages]
    assert sum(map(len, found)) == len(EVERYTHING)
    assert set().union(*found) == EVERYTHING
    for corners in (corners for page in found for corners in page.values()):
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
        assert np.abs(edges.mean() / DPI * 25.4 * 25 / 21 - size_mm) < 0.2


def test_a_code_has_two_modules_of_white_around_it_inside_its_crop_marks(tmp_path: Path) -> None:
    page = drawn(sticker_sheets.pdf(DECK, DAY, size_mm=25), tmp_path)[0]
    rim = 2 * 25 / 25 / 25.4 * DPI
    for corners in codes(page).values():
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        around = page[
            round(top - rim + 2) : round(bottom + rim - 2), round(left - rim + 2) : round(right + rim - 2)
        ].copy()
        inner = round(rim) - 3
        around[inner:-inner, inner:-inner] = 255
        assert around.min() > 200


def test_the_eight_tags_are_opencvs_and_measure_36_mm(pages: list[np.ndarray]) -> None:
    page = pages[-1]
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(page)
    assert sorted(ids.ravel().tolist()) == list(range(8))
    for found in corners:
        edges = np.linalg.norm(found[0] - np.roll(found[0], 1, axis=0), axis=1)
        assert np.abs(edges / DPI * 25.4 - 36).max() < 0.2
        assert found[0][0][0] < found[0][1][0]  # upright
        assert found[0][0][1] < found[0][3][1]


def test_the_ruler_is_100_mm_long_on_every_sheet(pages: list[np.ndarray]) -> None:
    for page in pages:
        base = round((297 - 9) / 25.4 * DPI)
        dark = np.flatnonzero(page[base - 4 : base + 5].min(axis=0) < 160)
        runs = np.split(dark, np.flatnonzero(np.diff(dark) > 1) + 1)
        longest = max(runs, key=len)
        assert abs(len(longest) / DPI * 25.4 - 100) < 0.2


def test_a_sheet_says_its_deck_edition_size_and_day(tmp_path: Path) -> None:
    text = words(sticker_sheets.pdf(DECK, DAY, size_mm=22.5), tmp_path)
    assert text.count("Demo deck · edition demo · stickers 22.5 mm") == text.count("\f") >= 3
    assert f"{DAY.isoformat()} · 1/" in text


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


def test_beside_each_card_s_sticker_stands_its_picture_and_beside_no_other(pages: list[np.ndarray]):
    """In black, in the gap that the scissors take away; the codes are read all the same."""
    inked = {token for page in pages for token, corners in codes(page).items() if _ink_beside(page, corners) > 0.03}
    assert inked == {label.token for label in DECK.cards}


def _ink_beside(page: np.ndarray, corners: np.ndarray) -> float:
    """How much of the middle of the gap right of a sticker is dark, 0 to 1."""
    px_per_mm = DPI / 25.4
    left, middle = corners[:, 0].max() + 2.2 * px_per_mm, corners[:, 1].mean()
    half = 2.5 * px_per_mm
    gap = page[round(middle - half) : round(middle + half), round(left) : round(left + 2 * half)]
    return float((gap < 128).mean())


def code_widths_mm(sheets: bytes, letters: str, folder: Path) -> dict[str, float]:
    """How wide each code of a PDF is printed, by token."""
    widths: dict[str, float] = {}
    for page in drawn(sheets, folder):
        for code in zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode):
            token, at = sticker_token(code.text, "DX" if code.text.startswith("DX") else letters), code.position
            widths[token] = np.hypot(at.top_right.x - at.top_left.x, at.top_right.y - at.top_left.y) / DPI * 25.4
    return widths


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
    (code,) = zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)
    at, px_per_mm = code.position, DPI / 25.4
    corners = np.array([(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)])
    middle = corners.mean(0)
    farthest_mm = np.linalg.norm(corners - middle, axis=1).max() / px_per_mm
    # The first ink right of the code on a level with its middle is the line.
    level = page[round(middle[1]), round(corners[:, 0].max() + px_per_mm) :]
    line_mm = (corners[:, 0].max() + px_per_mm + int(np.argmax(level < 160)) - middle[0]) / px_per_mm
    assert line_mm - farthest_mm == pytest.approx(1.0, abs=0.25)


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
