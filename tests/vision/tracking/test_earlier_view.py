"""What was seen from where the camera was stays good when the camera is knocked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from support import photographs
from support.card_table import CAMERA, spread

from companion.public.table import Token
from vision.camera.frame import make_frame
from vision.geometry.homography import locate
from vision.geometry.tile_grid import SmallBox, inside, tile_grid
from vision.synthetic.films import LAYOUT
from vision.synthetic.scene import Scene
from vision.tracking.earlier_view import EarlierView
from vision.tracking.track import Surroundings

PIECE = Token("C11")
KNOCKED = replace(CAMERA, tilt_deg=7.0, roll_deg=9.0, aim_mm=(-6.0, 8.0), exposure=CAMERA.exposure * 0.7)


def test_the_table_looks_from_where_the_camera_is_now_as_it_was_seen_before_and_in_todays_light() -> None:
    """On gravel, where hardly a pixel is like the next."""
    scene, frames = Scene(LAYOUT, CAMERA, seed=3, surface=photographs.surface("gravel")), []
    for number, camera in enumerate((CAMERA, KNOCKED)):
        scene.look_from(camera)
        frames.append(make_frame(scene.render(spread(3, 6)).copy(), float(number)))
    (before, grid), (now, grid_now) = ((locate(one.gray, LAYOUT.size_mm), tile_grid(one)) for one in frames)
    assert before is not None
    assert now is not None
    place = SmallBox(np.s_[100:140, 200:260])
    earlier = EarlierView(before, grid, frames[0].lores, {PIECE: Surroundings(frames[0].lores[place], 1.0, place)})
    brighter = earlier.brightened(frames[1].lores, inside(now, LAYOUT, grid_now), now, grid_now)
    there = SmallBox(np.s_[80:200, 150:400])
    expected = earlier.surroundings(PIECE, there, now, grid_now) * brighter
    seen = frames[1].lores[there].astype(np.float64)
    assert np.corrcoef(expected.ravel(), seen.ravel())[0, 1] > 0.9
    assert abs(expected.mean() / seen.mean() - 1) < 0.05
