"""Tables that are not there: recordings shown in their own time, and films that go on where their match is."""

from __future__ import annotations

import math
import pickle
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.app.frames import (
    PacedFrames,
    ResumedFrames,
    camera_over,
)
from companion.errors import InputError
from companion.games.registry import GAMES, demo_deck, demo_match, open_match
from companion.public.layout import Layout
from companion.public.print_sizes import CODE_MODULES, TAG_MM
from companion.public.shapes import Shape
from companion.public.table import Token
from vision.camera.frame import make_frame
from vision.geometry.homography import fit
from vision.geometry.tags import TAG_AREA
from vision.synthetic.camera_model import CameraModel, CameraView
from vision.tracking.view_quality import measure_view


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Five pictures, half a second apart."""
    rows = ["name,time_ms"]
    for number in range(5):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((90, 160), 40 * number, np.uint8))
        rows.append(f"{number}.png,{500 * number}")
    (tmp_path / "frames.csv").write_text("\n".join(rows))
    return tmp_path


class Clock:
    now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


def test_a_recording_is_shown_in_its_own_time(folder: Path) -> None:
    clock = Clock()
    with PacedFrames(str(folder), clock=clock, sleep=clock.sleep) as source:
        seen = [(frame.taken_s, clock.now_s) for frame in source]
    assert seen == [(1000 + half / 2, 1000 + half / 2) for half in range(5)]


def test_a_recording_whose_match_goes_on_is_not_shown_from_its_beginning(folder: Path) -> None:
    clock = Clock()
    source = PacedFrames(str(folder), 1.2, clock=clock, sleep=clock.sleep)
    frames = list(source)
    assert [int(frame.gray.mean()) for frame in frames] == [120, 160]
    assert [frame.taken_s for frame in frames] == [1000.0, 1000.5]


def test_a_recording_that_is_not_there_is_said_when_it_is_opened() -> None:
    with pytest.raises(InputError, match="nowhere: there is no such folder or film"):
        PacedFrames("nowhere")


def shown_from(start_s: float) -> float:
    return start_s


def test_whenever_an_eye_is_opened_on_a_film_it_goes_on_where_the_match_is() -> None:
    played_s = [0.0]
    source = ResumedFrames(shown_from, lambda: played_s[0])
    assert pickle.loads(pickle.dumps(source))() == 0.0
    played_s[0] = 83.4
    assert pickle.loads(pickle.dumps(source))() == 83.4, "as it is when the eye's process is started"
    assert source() == 83.4


@pytest.mark.parametrize("wide_mm", [600.0, 900.0, 1100.0, 1600.0])
def test_a_drawn_camera_has_pixels_for_the_smallest_code_on_its_table(wide_mm: float) -> None:
    """As high as the table is wide, never fewer pixels than usual, and sides of 16 to 9."""
    shapes = {Token("T01"): Shape.rectangle(45, 45, sticker_mm=18), Token("F11"): Shape.disc(18, sticker_mm=15)}
    camera = camera_over(Layout((wide_mm, wide_mm * 0.59), ()), shapes, CameraModel())
    seen_mm = 2 * camera.distance_mm * math.tan(math.radians(camera.hfov_deg / 2))
    assert seen_mm / wide_mm == pytest.approx(1344.26 / 1100, rel=0.01)
    assert camera.size_px[0] / seen_mm * 0.6 >= 1.7
    assert camera.size_px[0] >= 2304
    assert camera.size_px[0] * 9 == camera.size_px[1] * 16


@pytest.mark.parametrize("game", [name for name in GAMES if name != "discovery"])
def test_the_drawn_table_of_a_game_passes_its_own_check(game: str) -> None:
    """The check-up of a simulated Carcassonne said that its stickers are too small: only the middle was reckoned."""
    module = GAMES[game]
    opened = open_match(demo_match(module), demo_deck(module))
    shapes, size_mm = opened.game.table.shapes, opened.layout.size_mm
    assert size_mm is not None
    camera = camera_over(opened.layout, shapes, CameraModel())
    view = CameraView(camera, (size_mm[0] / 2, size_mm[1] / 2))
    tag = TAG_MM / 2 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    tags = {number: view.to_px(tag + np.array(share) * size_mm) for number, share in TAG_AREA.items()}
    geometry = fit(tags, size_mm, camera.size_px)
    assert geometry is not None
    module_mm = min(shape.code_mm for shape in shapes.values()) / CODE_MODULES
    plain = make_frame(np.full(camera.size_px[::-1], 128, np.uint8), 0.0)
    found = measure_view(plain, geometry, opened.layout, {}, module_mm, {}).findings
    sizes = [one for one in found if one.name == "module_px"]
    assert sizes
    assert [(one.about, one.value) for one in sizes if not one.good] == []
    assert min(one.value for one in sizes) < 1.8, "and no more pixels than that: each has to be drawn and read"
