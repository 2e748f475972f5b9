"""A code too blurred to decode is named by its looks, if one sticker is far more like it than all others."""

from __future__ import annotations

import random

import cv2
import numpy as np
import pytest
from support.flat_table import ACCEPTED, LAYOUT, Camera, Laid, code, draw, zones

from companion.public import codes
from companion.public.table import Token
from vision.camera.frame import make_frame
from vision.codes.decoder import ZXING, ZXING_SHARPENED, Detection, read_codes
from vision.codes.templates import template_matcher
from vision.geometry.homography import locate
from vision.geometry.quads import corners
from vision.tracking.tracker import Tracker

POOL = (Laid("C14", 860, 120), Laid("C17", 960, 120, 4), Laid("C18", 1050, 118, -3))
RUNGS = (ZXING[2], ZXING[3], ZXING_SHARPENED[3])


def photographed(text: str, blur_px: float, turn_deg: float, seed: int, module_px: float = 2.05) -> np.ndarray:
    """A sticker on a grey card, blurred and noisy."""
    side = round(45 * module_px)
    fine = np.kron(code(text), np.ones((8, 8), np.uint8)).astype(np.float32)
    turn = cv2.getRotationMatrix2D((99.5, 99.5), turn_deg, module_px / 8)
    turn[:, 2] += (side - 1) / 2 - 99.5
    face = cv2.warpAffine(cv2.GaussianBlur(fine, (0, 0), 3.2), turn, (side, side), borderValue=140)
    noise = np.random.default_rng(seed).normal(0, 4, face.shape)
    return np.clip(cv2.GaussianBlur(face, (0, 0), blur_px) + noise, 0, 255).astype(np.uint8)


def test_the_book_names_blurred_stickers_that_cannot_be_decoded_and_never_another_one():
    decoded, named = 0, 0
    for number, token in enumerate(sorted(ACCEPTED.texts)):
        picture = photographed(codes.sticker_text(token), 1.05, 37.0 * number, number)
        seen = read_codes(picture, RUNGS, accepted=ACCEPTED).detections
        assert {detection.token for detection in seen} <= {token}
        decoded += any(not detection.guessed for detection in seen)
        named += bool(seen)
    assert decoded < 0.8 * len(ACCEPTED.texts)  # else this shows nothing
    assert named > decoded + 0.15 * len(ACCEPTED.texts)


def test_codes_of_other_texts_are_named_nothing_however_blurred():
    """Other decks, wrong check characters, any text; with the corners known exactly, as no reader knows them."""
    dice = random.Random(1)
    book = template_matcher(ACCEPTED)
    assert book is not None
    for n in range(150):
        base = codes.sticker_text(dice.choice(sorted(ACCEPTED.texts)))
        wrong = base[:-1] + dice.choice([c for c in codes.ALPHABET if c != base[-1]])
        other = codes.sticker_text(Token("C" + dice.choice("0789ABC") + dice.choice(codes.ALPHABET)))
        text = (wrong, other, "".join(dice.choices(codes.ALPHABET, k=8)))[n % 3]
        sharp = np.kron(code(text), np.ones((8, 8), np.uint8))
        place = tuple((15.5 + x * 168, 15.5 + y * 168) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1)))
        for blur in (0.0, 2.3, 4.6):
            picture = cv2.GaussianBlur(sharp, (0, 0), blur) if blur else sharp
            assert book.identify(picture, place) is None, text  # type: ignore[arg-type]
    own = np.kron(code(codes.sticker_text(Token("C12"))), np.ones((8, 8), np.uint8))
    found = book.identify(cv2.GaussianBlur(own, (0, 0), 4.6), place)  # type: ignore[arg-type]
    assert found is not None
    assert found[0] == "C12"


def test_one_guess_lays_nothing_and_a_guess_never_doubles_a_card_that_is_seen():
    geometry = locate(draw(POOL), LAYOUT.size_mm)
    assert geometry is not None
    tracker, patch = Tracker(LAYOUT), np.zeros((32, 32), np.float32)

    def guess(x_mm: float, *, guessed: bool = True) -> Detection:
        square = np.add([(0.0, 0.0), (25.0, 0.0), (25.0, 25.0), (0.0, 25.0)], (x_mm, 300.0))
        return Detection(Token("C12"), corners(geometry.to_px(square)), guessed)

    tracker.update(guess(400), patch, geometry, 1, 1.0)
    for number in range(2, 6):
        tracker.corroborate(tracker.tentative[Token("C12")], number, 1.0)
        assert not tracker.confirm(number, lambda _: True)
    tracker.update(guess(400.3), patch, geometry, 6, 1.2)
    (laid,) = tracker.confirm(6, lambda _: True)
    assert laid.center_mm == pytest.approx((412.8, 312.5), abs=0.5)
    for number in range(7, 12):
        tracker.update(guess(600), patch, geometry, number, 1.4)
    assert not tracker.tentative
    tracker.update(guess(600, guessed=False), patch, geometry, 12, 1.5)
    assert tracker.tentative


@pytest.mark.parametrize("blurred_px", [0.85])
def test_a_card_out_of_focus_is_held_after_two_guesses_and_not_after_one(blurred_px: float):
    camera = Camera()
    camera.show(*POOL, times=10)
    cards = [Laid(f"C2{n}", 200 + 110 * (n % 5), 130 + 200 * (n // 5), 7 * n) for n in range(1, 9)]
    held = []
    for number in range(10):
        picture = cv2.GaussianBlur(draw((*POOL, *cards), seed=number, noise=3.0), (0, 0), blurred_px)
        look = camera.observer.observe(make_frame(picture, (10 + number) / 6))
        held.append({token for token in zones(look) if token[1] == "2"})
        assert held[-1] <= {card.token for card in cards}
    assert not held[0]
    assert held[-1] == {card.token for card in cards}
