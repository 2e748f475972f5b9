"""How small and how worn stickers may be: counted on drawn pictures."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest
from support.card_table import CAMERA, CardTable, held, spread
from support.long_cases import rest_long

from companion.public.codes import StickerCodes, sticker_text
from companion.public.print_sizes import CODE_MODULES, STICKER_MODULES
from companion.public.table import Token
from vision.camera.frame import Gray
from vision.codes.candidates import SearchCriteria, candidate_regions, relief, texture
from vision.codes.decoder import attempts_for, fallback_attempt, read_codes
from vision.geometry.quads import bounds, corners
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.films import DECK, LAYOUT
from vision.synthetic.scene import Scene
from vision.synthetic.textures import INK, PAPER, CardPrint, Picture, code
from vision.tracking.search import MIN_FAINT_SHARE, MIN_WINDOW_SHARE

JITTER_PX = 3.0
"""How far off the place is where a sticker is looked for."""
MARGIN_SIDES = 0.45
"""The region is 1.9 sides of the code wide."""
NOISE_DN = 4.0
PAPER_DN = 205.0


def decode_with_attempts(gray: Gray, module_px: float, token: Token | None) -> bool:
    """Whether any decoding attempt reads this sticker in a region.

    Raises:
        AssertionError: An attempt reads another sticker.
    """
    accepted = StickerCodes.of(DECK)
    for attempt in (*attempts_for(module_px), fallback_attempt(module_px)):
        seen = {detection.token for detection in read_codes(gray, (attempt,), accepted=accepted).detections}
        if token in seen:
            return True
        if seen:
            raise AssertionError(f"{token} was read as {sorted(seen)}")
    return False


def recall(module_px: float, scenes: int, camera: CameraModel) -> Iterator[bool]:
    """For 54 stickers in each of so many pictures, whether its region is read.

    Args:
        module_px: The mean width of a module in the middle of the picture.
    """
    per_mm = camera.focal_px / camera.distance_mm
    side_mm = module_px * STICKER_MODULES / per_mm
    dice = np.random.default_rng(12)
    for seed in range(scenes):
        scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=side_mm), seed=seed)
        pieces = spread(seed)
        gray = np.asarray(scene.render(pieces), np.uint8)
        for seen in scene.truth(pieces):
            quad = seen.corners_px + dice.uniform(-JITTER_PX, JITTER_PX, 2)
            yield decode_with_attempts(gray[bounds(corners(quad), MARGIN_SIDES, gray.shape)], module_px, seen.token)


def sought(module_px: float, seed: int, shares: Sequence[float]) -> Iterator[tuple[bool, ...]]:
    """For 54 stickers in a picture, whether each lies in a place where an unknown sticker would be sought.

    Args:
        shares: Of the relief that four of five stickers have; each gives its own answer.
    """
    camera = CameraModel(tilt_deg=10.0)
    side_mm = module_px * STICKER_MODULES * camera.distance_mm / camera.focal_px
    scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=side_mm), seed=seed)
    pieces = spread(seed)
    gray = np.asarray(scene.render(pieces), np.uint8)
    places = [corners(seen.corners_px) for seen in scene.truth(pieces)]
    usual = sorted(texture(gray, place, module_px) / gray[bounds(place, 0.0, gray.shape)].mean() for place in places)
    least = float(usual[len(usual) // 5])
    ground = relief(gray, module_px, (), np.zeros((1, 1), np.bool_))
    matches = [candidate_regions(ground, SearchCriteria(module_px, share * least)) for share in shares]
    for place in places:
        rows, columns = bounds(place, 0.0, gray.shape)
        yield tuple(
            any(
                x <= columns.start and y <= rows.start and columns.stop <= x + wide and rows.stop <= y + tall
                for x, y, wide, tall in one
            )
            for one in matches
        )


def worn(share: float, module_px: float, count: int) -> Iterator[bool]:
    """For so many single stickers with this share of the symbol smudged, whether each is read.

    Smudges are round, of one to two modules' radius, dark or light, and spare the three finder patterns.
    """
    dice = np.random.default_rng(13)
    fine = 8
    faces = {token: code(sticker_text(token), STICKER_MODULES * fine) for token in DECK}
    for number in range(count):
        token = DECK[number % len(DECK)]
        face = faces[token].copy()
        _smudge(face, fine, share, dice)
        yield decode_with_attempts(_photograph(face, fine, module_px, dice), module_px, token)


def _smudge(face: Picture, fine: int, share: float, dice: np.random.Generator) -> None:
    dirt = np.zeros(face.shape, np.uint8)
    inner = slice(2 * fine, -2 * fine)
    spared = np.zeros(face.shape, np.bool_)
    finder = (2 + 8) * fine
    spared[:finder, :finder] = spared[:finder, -finder:] = spared[-finder:, :finder] = True
    while dirt[inner, inner].mean() < share:
        x, y = (int(v) for v in dice.uniform(2 * fine, (STICKER_MODULES - 2) * fine, 2))
        spot = np.zeros_like(dirt)
        cv2.circle(spot, (x, y), round(float(dice.uniform(1, 2)) * fine), 1, -1)
        if not (spared & (spot > 0)).any():
            dirt |= spot
            face[spot > 0] = INK + (PAPER - INK) * float(dice.choice((0.1, 0.4, 0.8)))


def _photograph(face: Picture, fine: int, module_px: float, dice: np.random.Generator) -> Gray:
    """A region of 1.9 sides of the code about one sticker, on a grey card, blurred and noisy: ``(n, n)`` uint8."""
    side = round(1.9 * CODE_MODULES * module_px)
    scale = module_px / fine
    angle = float(dice.uniform(0, 2 * math.pi))
    cos, sin = scale * math.cos(angle), scale * math.sin(angle)
    middle = (len(face) - 1) / 2
    at = (side - 1) / 2 + dice.uniform(-JITTER_PX, JITTER_PX, 2)
    warp = np.array(
        [
            [cos, -sin, at[0] - cos * middle + sin * middle],
            [sin, cos, at[1] - sin * middle - cos * middle],
        ]
    )
    soft = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.45 / scale))  # a pixel gathers the light of its whole square
    drawn = cv2.warpAffine(soft, warp, (side, side), flags=cv2.INTER_LINEAR, borderValue=0.55)
    bright = np.asarray(cv2.GaussianBlur(drawn, (0, 0), 0.7), np.float32) / PAPER * PAPER_DN
    return np.asarray(np.clip(bright + dice.normal(0, NOISE_DN, bright.shape), 0, 255), np.uint8)


def test_stickers_of_one_point_eight_pixels_a_module_are_read():
    hits = list(recall(1.8, 2, CAMERA))
    assert len(hits) == 108
    assert sum(hits) >= 106


@pytest.mark.parametrize(("module_px", "count", "share"), [(3.2, 300, 0.88), (1.6, 150, 0.7)])
def test_stickers_with_six_hundredths_smudged_are_read(module_px: float, count: int, share: float):
    """Small ones, for they are sharpened before they are enlarged."""
    assert sum(worn(0.06, module_px, count)) / count >= share


@pytest.mark.parametrize(("blurred_px", "most"), rest_long([(CAMERA.psf_px, 5), (1.1, 15)]))
def test_fifty_four_cards_are_held_after_some_looks(blurred_px: float, most: int):
    """Out of focus the start goes on until no rung finds anything new, for two seconds at most."""
    table = CardTable(spread(4), seed=4, camera=replace(CAMERA, psf_px=blurred_px), looked_before=0)
    looks = [held(table.look()) for _ in range(most)]
    assert len(looks[-1]) == 54


@pytest.mark.parametrize("module_px", rest_long([1.93, 1.7, 2.05, 2.73]))
def test_no_sticker_is_overlooked_where_stickers_are_sought(module_px: float):
    """Small ones at the far edge show the least; of 54 in each of two pictures."""
    both = [found for seed in range(2) for found in sought(module_px, seed, (MIN_FAINT_SHARE, MIN_WINDOW_SHARE))]
    assert len(both) == 108
    assert all(faint for faint, _ in both)
    assert sum(plain for _, plain in both) >= 107
