"""A drawn table in colour: what people see lies where the eye sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest
import zxingcpp

from companion.app.frames import camera_over, colour_scene
from companion.app.sources import card_pictograms, family_symbols
from companion.games import registry
from companion.public import codes
from companion.public.colours import SEAT_COLOURS
from companion.public.table import Token
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.colour import ColourScene, shade
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.scene import Scene
from vision.synthetic.source import SimulatedTable

STYLE = Path(__file__).parents[3] / "web" / "static" / "style.css"


def tables(name: str, width_px: int, seed: int = 1) -> tuple[Scene, ColourScene, tuple[Token, ...]]:
    """The table of a game as the eye and as people see it, and its pieces."""
    module = registry.GAMES[name]
    opened = registry.open_match(registry.demo_match(module), registry.demo_deck(module))
    shapes, deck = opened.game.table.shapes, opened.header["deck"]
    camera = camera_over(opened.layout, shapes, CameraModel()) if shapes else CameraModel()
    grey = Scene(opened.layout, camera, shapes=shapes, codes=registry.sticker_codes(opened.game))
    drawings = card_pictograms(deck), family_symbols(deck)
    coloured = colour_scene(opened, camera, seed, *drawings, width_px=width_px)
    return grey, coloured, tuple(opened.game.table.cards)


def spread(tokens: tuple[Token, ...]) -> list[DrawnCard]:
    """As many as there is room for, not quite straight."""
    dice = np.random.default_rng(5)
    places = [(120.0 + 110 * column, 130.0 + 100 * row) for row in range(5) for column in range(9)]
    chosen = [tokens[int(at)] for at in np.linspace(0, len(tokens) - 1, min(len(tokens), len(places)))]
    return [
        DrawnCard(token, x, y, float(dice.uniform(-6, 6)) + 90 * int(dice.integers(4)))
        for token, (x, y) in zip(dict.fromkeys(chosen), places, strict=False)
    ]


@pytest.mark.parametrize(("name", "width_px"), [("discovery", 2304), ("carcassonne", 3200)])
def test_the_stickers_in_colour_are_read_at_the_corners_where_the_eye_has_them(name: str, width_px: int):
    grey, coloured, tokens = tables(name, width_px)
    pieces = spread(tokens)
    picture = coloured.picture(pieces)
    left, top, *_ = coloured.crop
    scale = coloured.camera.size_px[0] / grey.camera.size_px[0]
    expected = {
        seen.token: (seen.corners_px + 0.5) * scale - (left, top) for seen in grey.truth(pieces) if seen.visible == 1.0
    }
    found = {}
    large = cv2.resize(cv2.cvtColor(picture.bgr, cv2.COLOR_BGR2GRAY), None, fx=2, fy=2, interpolation=cv2.INTER_LINEAR)
    for code in zxingcpp.read_barcodes(large, formats=zxingcpp.BarcodeFormat.QRCode):
        token, at = next(one for one in expected if code.text in _texts(coloured, one)), code.position
        corners = [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
        found[token] = (np.array(corners) + 0.5) / 2
    assert len(found) > 0.9 * len(expected) > 20
    for token, corners in found.items():
        assert np.abs(corners - expected[token]).max() < 4, token
        height, width = picture.bgr.shape[:2]
        around = np.array(picture.places[str(token)], np.float32) * np.array([width, height], np.float32)
        assert cv2.pointPolygonTest(around, expected[token].mean(axis=0).tolist(), measureDist=False) > 0, token


def _texts(scene: ColourScene, token: Token) -> tuple[str | None, ...]:
    """What the sticker says, with its game's letters or the common ones."""
    return scene._codes.texts.get(token), codes.sticker_text(token)  # noqa: SLF001  # the texts on the stickers it draws


def test_the_same_seed_gives_the_same_picture_step_by_step_or_at_once_and_another_seed_another_wood():
    hands = [HandPose(500.0, 300.0, 90.0, person=2), HandPose(700.0, 200.0, 200.0, blur_mm=(9.0, 2.0), person=1)]
    _, stepwise, tokens = tables("discovery", 640)
    pieces = spread(tokens)
    for shown in range(0, len(pieces), 7):
        stepwise.picture(pieces[:shown], hands[:1])
    at_once = tables("discovery", 640)[1].picture(pieces, hands)
    assert np.array_equal(stepwise.picture(pieces, hands).bgr, at_once.bgr)
    assert not np.array_equal(tables("discovery", 640, seed=2)[1].picture(pieces, hands).bgr, at_once.bgr)


@pytest.mark.parametrize("name", sorted(registry.GAMES))
def test_no_piece_of_a_game_is_blank_and_no_two_cards_look_alike(name: str):
    _, coloured, tokens = tables(name, 640)
    faces = {token: coloured._face_of(token) for token in tokens}  # noqa: SLF001  # what is printed
    assert [token for token, face in faces.items() if not face.parts] == []
    cards = [repr(faces[token]) for token in tokens if re.match(r"[CT]\d\d", token)]
    assert len(set(cards)) == len(cards)


def test_a_card_shows_its_era_on_its_band():
    coloured = tables("discovery", 1280)[1]
    piece = DrawnCard(Token("C51"), 550.0, 325.0)
    picture = coloured.picture([piece])
    (x, y), *_ = picture.places["C51"]
    height, width = picture.bgr.shape[:2]
    band = picture.bgr[round(y * height) + 3 : round(y * height) + 6, round(x * width) + 4 : round(x * width) + 60]
    blue, green, red = band.reshape(-1, 3).mean(axis=0)
    assert blue > green > red, "the fifth era is blue"


def test_the_seats_have_the_colours_of_the_pages():
    light = STYLE.read_text("utf-8").split("@media", 1)[0]
    named = dict(re.findall(r"--seat-(\d): (#[0-9a-f]{6})", light))
    assert tuple(named[str(seat)].upper() for seat in range(1, 10)) == SEAT_COLOURS
    assert shade("#0000FF") == (1.0, 0.0, 0.0)


def test_nothing_is_drawn_in_colour_until_somebody_looks():
    made: list[ColourScene] = []

    def in_colour() -> ColourScene:
        made.append(tables("discovery", 640)[1])
        return made[-1]

    def moments() -> Iterator[Any]:
        for number in range(3):
            yield SimpleNamespace(time_s=number / 10, things=(), arms=(), says=(), done=())

    grey: Any = SimpleNamespace(render=lambda *_: np.zeros((60, 96), np.uint8))
    table = SimulatedTable(moments(), grey, in_colour=in_colour)
    assert table.colour_picture() is None, "nothing has been seen yet"
    for _ in table:
        pass
    assert made == []
    first, second = table.colour_picture(), table.colour_picture()
    assert first is not None
    assert first == second
    assert len(made) == 1
