"""Tables drawn from photographs: life-size, held as a hand is held, and readable like any other."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.card_table import spread
from support.long_cases import rest_long
from support.photographs import CUTOUTS, FOLDER, WIDE_MM, cutout, hands, surface

from companion.public.layout import Layout
from companion.public.table import Token
from vision.codes.decoder import ZXING, read_codes
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.photographs import Surface
from vision.synthetic.scene import Scene

TABLE = Layout((1100.0, 650.0), ())
ABOVE = CameraModel(size_px=(1152, 648), tilt_deg=0.0, roll_deg=0.0, k1=0.0, paper_noise_dn=1.3)
EVEN = RoomLight(falloff=0.0, patches=0.0, vignetting=0.0, drift=0.0, flicker=0.0)
MOST_BYTES, MOST_BYTES_IN_ALL = 300_000, 2_000_000


@pytest.mark.parametrize("per_mm", [0.7, 6.0])
def test_the_grain_of_a_surface_is_life_size_whatever_the_photograph_s_scale(per_mm: float) -> None:
    """Stripes every 40 mm, once coarser and once finer than they are drawn, across a mirrored edge."""
    wide_mm = 400.0
    stripes = 0.4 + 0.1 * np.cos((np.arange(round(wide_mm * per_mm)) + 0.5) / per_mm * 2 * math.pi / 40)
    face = np.repeat(stripes[None, :].astype(np.float32), round(200 * per_mm), axis=0)
    picture = Scene(TABLE, ABOVE, seed=3, surface=Surface(face, per_mm)).render([], (), EVEN).astype(float)
    row = picture[150:250].mean(axis=0)
    spectrum = np.abs(np.fft.rfft((row - row.mean()) * np.hanning(len(row)), 1 << 16))
    period_px = (1 << 16) / float(spectrum.argmax())
    assert period_px / (ABOVE.focal_px / ABOVE.distance_mm) == pytest.approx(40, rel=0.03)


@pytest.fixture(scope="module")
def dark_table() -> Scene:
    return Scene(TABLE, ABOVE, seed=3, surface=surface("cloth"), hands=hands())


@pytest.mark.parametrize(
    ("from_deg", "person", "spread_out"), [(90.0, 0, 0.9), (90.0, 3, 0.2), (200.0, 1, 0.9), (330.0, 2, 0.2)]
)
def test_a_photographed_hand_reaches_to_its_point_and_its_arm_to_the_picture_s_edge(
    dark_table: Scene, from_deg: float, person: int, spread_out: float
) -> None:
    bare = dark_table.render([], (), EVEN).astype(int)
    hand = HandPose(550, 325, from_deg, z_mm=1.0, person=person, spread=spread_out)
    differs = np.abs(dark_table.render([], (hand,)).astype(int) - bare) > 10
    per_mm = ABOVE.focal_px / ABOVE.distance_mm
    y, x = np.mgrid[: differs.shape[0], : differs.shape[1]]
    angle = math.radians(from_deg)
    along = ((x - 575.5) * math.cos(angle) + (y - 323.5) * math.sin(angle)) / per_mm
    aside = (-(x - 575.5) * math.sin(angle) + (y - 323.5) * math.cos(angle)) / per_mm
    assert -25 < along[differs].min() < 15, "fingertips are where the hand is said to be"
    assert np.abs(aside[differs & (along < 120)]).max() < 100
    palm = (along > 70) & (along < 130) & (np.abs(aside) < 15)
    assert differs[palm].mean() > 0.9
    assert differs[[0, -1]].any() or differs[:, [0, -1]].any(), "the sleeve goes on beyond the picture"
    arm = np.histogram(along[differs], np.arange(0, 300, 5))[0]
    assert arm.min() > 30, "no gap between fingers, hand and sleeve"


@pytest.mark.parametrize("name", rest_long(sorted(WIDE_MM, key="gravel".__ne__)))
def test_stickers_on_a_photographed_surface_are_read_like_any_others(name: str) -> None:
    cards = [card for card in spread(4, 24) if 80 < card.x_mm < 1000]
    scene = Scene(TABLE, CameraModel(tilt_deg=10.0), seed=4, surface=surface(name))
    picture = np.asarray(scene.render(cards), np.uint8)
    open_to_view = {seen.token for seen in scene.truth(cards) if seen.visible == 1.0}
    read = {found.token for found in read_codes(picture, (ZXING[2],)).detections}
    assert len(open_to_view) > 15
    assert len(open_to_view - read) <= 1


def test_a_thing_without_a_sticker_lies_where_it_is_put() -> None:
    cup = Token("CUP")
    scene = Scene(TABLE, ABOVE, seed=3, surface=surface("wood"), cutouts={cup: cutout("cup")})
    bare = scene.render([], (), EVEN).astype(int)
    differs = np.abs(scene.render([DrawnCard(cup, 300, 200, 20)]).astype(int) - bare) > 25
    down, across = np.nonzero(differs)
    per_mm = ABOVE.focal_px / ABOVE.distance_mm
    assert float(np.ptp(across)) / per_mm == pytest.approx(140, abs=20), "a saucer is 140 mm wide"
    assert across.mean() == pytest.approx(575.5 + (300 - 550) * per_mm, abs=12)
    assert down.mean() == pytest.approx(323.5 + (200 - 325) * per_mm, abs=12)


def test_every_photograph_is_small_and_its_author_and_licence_are_named() -> None:
    files = sorted(FOLDER.glob("*.png"))
    assert {file.stem for file in files} == set(WIDE_MM) | set(CUTOUTS)
    named = {
        cells[0].strip("` "): cells[2:4]
        for line in (FOLDER / "SOURCES.md").read_text("utf-8").splitlines()
        if line.startswith("| `")
        for cells in [[cell.strip() for cell in line.strip("|").split("|")]]
    }
    assert set(named) == {file.name for file in files}
    assert all(
        author and ("CC0" in licence or "CC-BY" in licence or "GPL" in licence) for author, licence in named.values()
    )
    assert (FOLDER / "GPL-3.txt").is_file()
    sizes = [file.stat().st_size for file in files]
    assert max(sizes) <= MOST_BYTES
    assert sum(sizes) <= MOST_BYTES_IN_ALL
