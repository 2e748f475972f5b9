"""Cards nobody has entered, drawn in typefaces that the reading was not tuned for, photographed by hand and read."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Browser
from support.card_photos import drawn, invented_deck, photographed

from companion.errors import InputError
from companion.public.card_reading import LAYOUTS, CardReading
from companion.public.codes import sticker_text
from companion.public.print_sizes import CARD_MM
from companion.public.table import Token
from companion.service.card_proposals import proposed_needs, proposed_title
from companion.system import card_reader
from vision.codes.card_reading import PX_PER_MM, straight_cards

TYPEFACES = ("Liberation Serif", "Lato", "Roboto Slab")
"""None of these was looked at while the reading was tuned; that was done with DejaVu Sans and EB Garamond."""
CARDS_A_PHOTO = 6
CARDS = invented_deck()
TEXTS = {sticker_text(Token(f"C{card['id'][0]}{card['id'][2]}")): card["id"] for card in CARDS}
TITLES_RIGHT, NEEDS_RIGHT = 0.95, 0.90


def has(typeface: str) -> bool:
    if shutil.which("fc-list") is None:
        return False
    listed = subprocess.run(["fc-list", ":", "family"], capture_output=True, text=True, timeout=60, check=True).stdout
    return any(typeface in line for line in listed.splitlines())


needs_tesseract = pytest.mark.skipif(not card_reader.can_read(), reason="Tesseract is not installed")


def read(cards: list[dict[str, Any]], typeface: str, chromium: Browser) -> dict[str, CardReading]:
    if not has(typeface):
        pytest.skip(f"the typeface {typeface} is not installed")
    pictures = drawn(cards, typeface, chromium, CARDS)
    dice = random.Random(typeface)
    photos = (photographed(pictures[at : at + CARDS_A_PHOTO], dice) for at in range(0, len(cards), CARDS_A_PHOTO))
    return {TEXTS[one.text]: one for photo in photos for one in card_reader.read_cards(photo, TEXTS, LAYOUTS["box"])}


def shares(cards: list[dict[str, Any]], readings: dict[str, CardReading]) -> dict[str, float]:
    """How many of the cards were read and proposed exactly right; ``raw``: by Tesseract's words as they are."""
    names = {card["id"]: (card["name"],) for card in CARDS}
    right = {"titles": 0, "raw titles": 0, "needs": 0, "raw needs": 0}
    for card in cards:
        one = readings.get(card["id"])
        if one is None:
            continue
        right["titles"] += proposed_title(one.title) == card["name"]
        right["raw titles"] += " ".join(one.title) == card["name"]
        right["needs"] += proposed_needs(one.needs, names, card["id"]).cards == tuple(card["needs"])
        printed = [f"{need[0]} {names[need][0]}" for need in card["needs"]]
        right["raw needs"] += list(one.needs) == printed
    return {what: count / len(cards) for what, count in right.items()}


@needs_tesseract
@pytest.mark.browser
@pytest.mark.long
@pytest.mark.parametrize("typeface", TYPEFACES)
def test_54_photographed_cards_are_proposed_right(typeface: str, chromium: Browser, capsys: Any) -> None:
    rates = shares(CARDS, read(CARDS, typeface, chromium))
    with capsys.disabled():
        print(f"\n{typeface}: " + ", ".join(f"{what} {rate:.1%}" for what, rate in rates.items()))
    assert rates["titles"] >= TITLES_RIGHT
    assert rates["needs"] >= NEEDS_RIGHT


@needs_tesseract
@pytest.mark.browser
@pytest.mark.slow
def test_a_photograph_of_six_cards_is_read(chromium: Browser) -> None:
    cards = CARDS[18:24]
    rates = shares(cards, read(cards, "DejaVu Sans", chromium))
    assert (rates["titles"], rates["needs"]) == (1.0, 1.0)


def card_photo(code: str = "DXC18Y") -> Any:
    """A plain card on a dark table, seen a little from the side; its title is a bar of 40 mm at 26 mm from the left."""
    import segno

    scale = 10
    card = np.full((88 * scale, 63 * scale, 3), 245, np.uint8)
    symbol = segno.make(code, version=1, error="h", micro=False)
    modules = np.array([list(row) for row in symbol.matrix], np.uint8)
    side = round(20 * scale * 21 / 25)
    printed = cv2.resize((1 - modules) * 255, (side, side), interpolation=cv2.INTER_NEAREST)
    at = 4 * scale + (20 * scale - side) // 2
    card[at : at + side, at : at + side] = printed[..., None]
    card[10 * scale : 15 * scale, 26 * scale : 56 * scale] = 0
    table = np.full((1300, 1100, 3), 60, np.uint8)
    table[150 : 150 + 880, 200 : 200 + 630] = card
    corners = np.array([(0, 0), (1100, 0), (1100, 1300), (0, 1300)], np.float32)
    seen = np.array([(60, 40), (1050, 0), (1100, 1250), (0, 1300)], np.float32)
    return cv2.warpPerspective(table, cv2.getPerspectiveTransform(corners, seen), (1100, 1300))


def png(picture: Any) -> bytes:
    return bytes(cv2.imencode(".png", picture)[1])


def test_a_card_is_straightened_to_a_millimetre_and_its_sticker_is_no_text() -> None:
    (card,) = straight_cards(png(card_photo()), {"DXC18Y"}, LAYOUTS["box"])
    assert card.edged
    assert card.picture.shape[:2] == tuple(round(side * PX_PER_MM) for side in reversed(CARD_MM))
    dark = np.argwhere(card.picture[..., 0] < 90) / PX_PER_MM
    (top, left), (bottom, right) = dark[dark[:, 1] > 25].min(axis=0), dark.max(axis=0)
    assert (left, top, right, bottom) == pytest.approx((26, 10, 56, 15), abs=1.0)
    assert not (dark[:, 1] < 25).any() or dark[dark[:, 1] < 25].min() < 1.0, "the code is painted over"


def test_where_the_edge_cannot_be_seen_the_sticker_alone_tells_where_the_card_is() -> None:
    """A white card on a white table."""
    white = card_photo()
    white[white > 30] = 245
    (card,) = straight_cards(png(white), {"DXC18Y"}, LAYOUTS["box"])
    dark = np.argwhere(card.picture[..., 0] < 90) / PX_PER_MM
    bar = dark[(dark[:, 1] > 25) & (dark[:, 0] < 25)]
    assert tuple(bar.min(axis=0)) == pytest.approx((10, 26), abs=2.5)


def test_other_codes_give_no_card_and_what_is_no_picture_is_one_sentence() -> None:
    assert straight_cards(png(card_photo()), {"DXC12N"}, LAYOUTS["box"]) == ()
    for data in (b"", b"no picture", b"\xff\xd8\xff\xe0 half", b"\x89PNG\r\n\x1a\n"):
        with pytest.raises(InputError):
            straight_cards(data, {"DXC18Y"}, LAYOUTS["box"])


def test_without_tesseract_the_pieces_are_cut_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert not card_reader.can_read()
    (one,) = card_reader.read_cards(png(card_photo()), {"DXC18Y"}, LAYOUTS["box"])
    assert (one.title, one.needs) == ((), ())
    assert all(piece.startswith(b"\xff\xd8") for piece in (one.title_jpeg, one.needs_jpeg, one.symbol_jpeg))
