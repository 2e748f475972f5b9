"""Whatever is printed, cut out and laid under the camera: the name is on the piece, and the code is read."""

from __future__ import annotations

import datetime
import random
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from support.long_cases import rest_long
from support.printed_pages import PX_PER_MM, codes_mm, cut_along_marks, printed, read_through_the_camera, tags_mm

from companion.cli.main import main
from companion.errors import InputError
from companion.games.game_module import StickerSet
from companion.games.registry import GAMES, demo_deck, game_module, open_match
from companion.public.codes import sticker_text
from companion.public.machine import PRINTABLE, PrintOrder
from companion.public.print_sizes import CARD_MM
from companion.system import sticker_sheets
from companion.system.printing import mat, orders
from companion.system.printing.label_sheets import label_sheet

DAY = datetime.date(2026, 11, 21)
DECK = game_module().decks.stickers(demo_deck())
BY_TEXT = {sticker_text(label.token, label.letters): label for group in sticker_sheets.labels(DECK) for label in group}


def letters(words: str) -> str:
    """Without spaces, and without the hyphens where a line ends."""
    return re.sub(r"\W", "", words)


LONG = pytest.mark.long
CUTS = [(20.0, "en", 5), pytest.param(12.0, "fr", 73, marks=LONG), pytest.param(30.0, "en", 73, marks=LONG)]


@pytest.mark.parametrize("what", PRINTABLE)
def test_every_file_asks_whoever_prints_it_not_to_scale_it(what: str) -> None:
    assert b"/PrintScaling /None" in orders.printed(PrintOrder(what=what), DAY)


@pytest.mark.parametrize(("size_mm", "language", "pieces"), CUTS)
def test_every_cut_piece_bears_its_code_its_name_and_its_number(
    size_mm: float, language: str, pieces: int, tmp_path: Path
) -> None:
    """ "Today the words lie outside the crop marks, so cut pieces are anonymous." """
    out = printed(sticker_sheets.pdf(DECK, DAY, size_mm=size_mm, language=language), tmp_path)
    found = [(number, text, at) for number, page in enumerate(out.pages) for text, at in codes_mm(page).items()]
    assert len(found) == len(BY_TEXT)
    for number, text, at in random.Random(5).sample(found, pieces):
        cut = cut_along_marks(out.pages[number], *at)
        assert abs(cut[2] - size_mm) < 0.2
        said = letters(out.words(number, cut))
        label = BY_TEXT[text]
        name = label.names.get(language, label.names["en"])
        assert all(letters(one) in said for one in (text, label.prefix, name)), (text, said)
        left, top, wide, high = (round(side * PX_PER_MM) for side in cut)
        piece = out.pages[number][top : top + high, left : left + wide]
        assert set(codes_mm(np.pad(piece, 9, constant_values=255))) == {text}


@pytest.mark.parametrize(
    "named",
    [
        "L7651",
        "roll 62",
        "roll 29x90",
        *(pytest.param(one, marks=LONG) for one in ("Herma 4608", "5163", "L7163", "DK-11209")),
    ],
)
def test_on_bought_labels_each_piece_lies_on_a_label_with_its_name(named: str, tmp_path: Path) -> None:
    sheet = label_sheet(named)
    out = printed(sticker_sheets.pdf(DECK, DAY, labels_of=sheet), tmp_path)
    read = [codes_mm(page) for page in out.pages]
    assert sorted(text for page in read for text in page) == sorted(BY_TEXT)
    wide, high = sheet.label_mm
    size = np.array(out.pages[0].shape[::-1]) / PX_PER_MM
    assert size == pytest.approx(sheet.page_mm, abs=0.2), "a label of a roll is a page"
    for number, page in enumerate(read):
        for text, (left, top, side) in random.Random(number).sample(sorted(page.items()), min(5, len(page))):
            rim = 2 * side / 21 - 0.1
            label = next(
                (x, y, wide, high)
                for x, y in sheet.places_mm
                if x <= left - rim and y <= top - rim and left + side + rim <= x + wide and top + side + rim <= y + high
            )
            assert text in out.words(number, label)


def test_greek_and_cyrillic_names_are_printed_and_other_scripts_are_named_as_missing(tmp_path: Path) -> None:
    own = {"1-1": "Φωτιά", "1-2": "Охота", "1-3": "火"}
    cards = tuple(replace(one, names={"en": own[one.prefix]}) if one.prefix in own else one for one in DECK.cards)
    out = printed(sticker_sheets.pdf(StickerSet("Моё", "own", cards, DECK.others), DAY), tmp_path, pages=(1, 1))
    said = out.words(0, (0, 0, 210, 297))
    assert "Φωτιά" in said
    assert "Охота" in said
    assert "Моё" in said
    assert "No letters here for the names of: 1-3" in said
    fonts = subprocess.run(["pdffonts", str(out.file)], check=True, timeout=60, capture_output=True, text=True).stdout
    assert re.search(r"\+DejaVuSansCondensed\s+TrueType\s+\S+\s+yes", fonts)


def test_single_pieces_are_printed_again_by_any_of_their_names(tmp_path: Path) -> None:
    out = printed(sticker_sheets.pdf(DECK, DAY, only=("1-8", "kend", "DXS1V", "TAG3")), tmp_path)
    assert {text for page in out.pages for text in codes_mm(page)} == {"DXC18Y", "DXKEND5", "DXS1V"}
    assert [tag for page in out.pages for tag in tags_mm(page)] == [3]
    with pytest.raises(InputError, match='no piece "9-9"'):
        sticker_sheets.pdf(DECK, DAY, only=("9-9",))


# -- cards and tiles to play with -----------------------------------------------------------------


def order(what: str, game: str, **more: object) -> bytes:
    return orders.printed(PrintOrder(what, game=game, **more), DAY)  # type: ignore[arg-type]


def test_the_demo_deck_is_nine_cards_of_63_by_88_mm_on_a_page_each_with_its_code_in_place(tmp_path: Path) -> None:
    out = printed(order("cards", "discovery"), tmp_path, pages=(1, 1))
    page = out.pages[0]
    read = codes_mm(page)
    assert sorted(read) == sorted(text for text, label in BY_TEXT.items() if label.prefix.startswith("1-"))
    lefts, tops = (sorted({round(at[axis] / 5) for at in read.values()}) for axis in (0, 1))
    assert (len(lefts), len(tops)) == (3, 3)
    for text, (left, top, side) in read.items():
        assert abs(side - 20 * 21 / 25) < 0.2
        card = _card_around(page, left, top)
        assert abs(card[2] - CARD_MM[0]) < 0.2
        assert abs(card[3] - CARD_MM[1]) < 0.2
        said = out.words(0, card)
        label = BY_TEXT[text]
        assert {text, label.prefix, "Needs:", *label.names["en"].split()} <= set(said.split())


def _card_around(page: np.ndarray, left_mm: float, top_mm: float) -> tuple[float, float, float, float]:
    """The card whose cut lines lie around a code, found in the picture."""
    y, x = round((top_mm + 45) * PX_PER_MM), round((left_mm + 19) * PX_PER_MM)
    row = np.flatnonzero((page[y - 60 : y + 60] < 235).mean(axis=0) > 0.9) / PX_PER_MM
    column = np.flatnonzero((page[:, x - 12 : x + 12] < 235).mean(axis=1) > 0.9) / PX_PER_MM
    across = max(at for at in row if at < left_mm), min(at for at in row if at > left_mm + 30)
    # The band of the era ends with the card: its last dark row is the cut.
    above = max(at for at in column if at < top_mm)
    below = max(at for at in column if at < above + 89)
    return across[0], above, across[1] - across[0], below - above


def test_a_french_deck_is_french_with_a_line_of_history(tmp_path: Path) -> None:
    out = printed(order("cards", "discovery", language="fr"), tmp_path, pages=(1, 1))
    said = out.words(0, (0, 0, 210, 297))
    for words in ("Prérequis", "Galet taillé", "Ère 1 · Société", "à découper et à jouer", "Lucy est la plus connue"):
        assert words in said.replace("\u00a0", " ")


def test_command_cards_and_seat_tags_are_cards_in_both_languages(tmp_path: Path) -> None:
    out = printed(order("commands", "discovery", language="fr"), tmp_path)
    read = {text for page in out.pages for text in codes_mm(page)}
    assert read == {text for text, label in BY_TEXT.items() if label.token[0] in "KS"}
    said = " ".join(out.words(number, (0, 0, 210, 297)) for number in range(len(out.pages)))
    for words in ("End of turn", "Fin du tour", "Seat 4", "Place 4"):
        assert words in said


def test_the_tiles_are_45_mm_with_the_code_where_the_eye_expects_it(tmp_path: Path) -> None:
    """The rules' engine knows where on a tile the sticker is: 1.5 mm from the north-west corner's edges."""
    module = GAMES["carcassonne"]
    out = printed(order("cards", "carcassonne", only=("T01", "T30", "F21")), tmp_path)
    tiles, counters = out.pages
    read = codes_mm(tiles)
    first, second = sorted(read, key=lambda text: read[text][0])
    assert (first, second) == (sticker_text("T01", "CD"), sticker_text("T30", "CD"))
    assert abs(read[second][0] - read[first][0] - 45) < 0.2
    assert abs(read[first][2] - 18 * 21 / 25) < 0.2
    line = np.flatnonzero(tiles[round((read[first][1] + 40) * PX_PER_MM)] < 200)[0] / PX_PER_MM
    assert abs(read[first][0] - line - (1.5 + 18 * 2 / 25)) < 0.2
    assert "T01" in out.words(0, (line, read[first][1] - 3, 45, 45))
    (counter,) = codes_mm(counters).values()
    assert "F21" in out.words(1, (counter[0] - 4, counter[1] - 4, 20, 20))
    assert "Seat" in out.words(1, (counter[0] - 4, counter[1] - 4, 20, 20))
    assert module.prints


@pytest.mark.long
def test_all_of_darwinci_is_printed_each_thing_as_large_as_the_eye_expects_it(tmp_path: Path) -> None:
    """Tiles of 40 mm, big stones with the large sticker, small ones with the small, and the card for buying."""
    opened = open_match(GAMES["darwinci"].demonstration.match, demo_deck(GAMES["darwinci"])).game
    out = printed(order("cards", "darwinci"), tmp_path)
    read = {text: (number, at) for number, page in enumerate(out.pages) for text, at in codes_mm(page).items()}
    stickers = GAMES["darwinci"].decks.stickers(demo_deck(GAMES["darwinci"]))
    assert set(read) == {
        sticker_text(label.token, label.letters)
        for label in (*stickers.cards, *stickers.others, *sticker_sheets.common_labels())
    }
    for token, shape in opened.shapes.items():
        assert abs(read[sticker_text(token, "DW")][1][2] - shape.code_mm) < 0.2, token
    first, second = (read[sticker_text(one, "DW")][1] for one in ("T01", "T02"))
    assert abs(second[0] - first[0] - 40) < 0.2
    # T10: a straight bone from west to east, rotten, of value -2.
    number, (left, top, _) = read[sticker_text("T10", "DW")]
    corner = left - 1.5 - 18 * 2 / 25, top - 1.5 - 18 * 2 / 25
    assert {"T10", "\u22122"} <= set(out.words(number, (*corner, 40, 40)).split())
    page = out.pages[number]

    def brightness(x_mm: float, y_mm: float) -> int:
        return int(page[round((corner[1] + y_mm) * PX_PER_MM), round((corner[0] + x_mm) * PX_PER_MM)])

    assert max(brightness(1, 22), brightness(39, 20)) < 110 < brightness(32, 8)


CAMERA = [
    ("stickers", "discovery", 20.0, 4608, 0),
    ("stickers", "discovery", 30.0, 2304, 1),
    ("cards", "discovery", 20.0, 4608, 3),
    ("cards", "discovery", 28.0, 2304, 5),
    ("cards", "carcassonne", 18.0, 4608, 1),
    ("cards", "darwinci", 18.0, 4608, 2),
]


@pytest.mark.slow
@pytest.mark.parametrize(("what", "game", "size_mm", "width_px", "page"), rest_long(CAMERA, quick=2))
def test_a_page_is_read_through_the_drawn_camera(
    what: str, game: str, size_mm: float, width_px: int, page: int, tmp_path: Path
) -> None:
    sheet = printed(order(what, game, size_mm=size_mm), tmp_path, pages=(page + 1, page + 1)).pages[0]
    assert read_through_the_camera(sheet, width_px, size_mm) == set(codes_mm(sheet)) != set()


@pytest.mark.parametrize(
    ("what", "game", "only"),
    rest_long(
        [
            ("stickers", "discovery", ("1-8", "KEND", "S2")),
            ("cards", "discovery", ("1-8", "KEND")),
            ("stickers", "carcassonne", ("T07", "F21")),
            ("cards", "carcassonne", ("T07", "F21")),
            ("cards", "darwinci", ("T07", "R3", "R0", "D1")),
        ],
        quick=2,
    ),
)
def test_the_mark_of_a_box_stands_on_every_piece_and_its_code_is_as_ever(
    what: str, game: str, only: tuple[str, ...], tmp_path: Path
) -> None:
    """Two boxes at one club are told apart by people; the camera reads both."""
    plain, out = (
        printed(order(what, game, only=only, mark=mark, size_mm=18.0 if what == "cards" else 20.0), tmp_path)
        for mark in ("", "Q9")
    )
    assert [codes_mm(page).keys() for page in out.pages] == [codes_mm(page).keys() for page in plain.pages]
    for number, page in enumerate(out.pages):
        for left, top, side in codes_mm(page).values():
            assert "Q9" in out.words(number, (left - 3, top - 4, side + 12, side + 14))
    with pytest.raises(InputError, match="one to three letters or digits"):
        order(what, game, mark="box B")


# -- the mat --------------------------------------------------------------------------------------


@pytest.mark.long
def test_the_mat_put_together_has_its_tags_where_the_eye_expects_them(tmp_path: Path) -> None:
    """Pages of the first row side by side: the tags 0, 4 and 1, 550 mm apart; no cut goes through one."""
    field = (1100.0, 650.0)
    size, columns, rows = mat.grid((field[0] + 2 * mat.RIM_MM, field[1] + 2 * mat.RIM_MM), (210.0, 297.0))
    assert (columns % 2, rows % 2) == (1, 1)
    out = printed(order("mat", "discovery", language="fr"), tmp_path, pages=(1, columns))
    part_mm = (field[0] + 2 * mat.RIM_MM) / columns
    seen = {}
    for number, page in enumerate(out.pages):
        for tag, corners in tags_mm(page).items():
            assert np.abs(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1) - 36).max() < 0.2
            seen[tag] = corners.mean(axis=0) - mat.MARGIN_MM + (number * part_mm, 0)
    assert set(seen) == {0, 1, 4}
    assert np.abs(seen[1] - seen[0] - (1100, 0)).max() < 0.3
    assert np.abs(seen[4] - seen[0] - (550, 0)).max() < 0.3
    assert "Arbre" in out.words(1, (0, 0, *size))


def test_the_mat_bears_the_zones_that_somebody_drew_for_his_table(tmp_path: Path) -> None:
    """On one page as large as the mat: the field that the file says, and its zones alone."""
    own = tmp_path / "zones.toml"
    zone = '[[table.zone]]\nname = "pool"\npolygon = [[10, 20], [290, 20], [290, 180]]\n'
    own.write_text(f"[table]\nsize_mm = [400, 300]\n{zone}")
    paper = tmp_path / "mat.pdf"
    words = ["stickers", "--what", "mat", "--paper", "whole", "--out", str(paper)]
    assert main([*words, "--zones", str(own)]) == 0
    out = printed(paper.read_bytes(), tmp_path)
    tags = {tag: corners.mean(axis=0) for tag, corners in tags_mm(out.pages[0]).items()}
    assert np.abs(tags[2] - tags[0] - (400, 300)).max() < 0.3
    said = out.words(0, (0, 0, 500, 400))
    assert "Pool" in said
    assert "Tree" not in said


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "there are no zones in this file"), ("[table]\nzone = 3\n", "line 2: table.zone"), ("[", "not TOML")],
)
def test_a_file_without_zones_is_said(text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "zones.toml").write_text(text)
    words = ["stickers", "--what", "mat", "--out", str(tmp_path / "mat.pdf"), "--zones", str(tmp_path / "zones.toml")]
    assert main(words) == 2
    assert said in capsys.readouterr().err
