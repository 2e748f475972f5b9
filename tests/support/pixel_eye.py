"""Looks through pixels: what a film shows is drawn with its game's shapes and letters, and observed by the real eye."""

from __future__ import annotations

from companion.app.frames import camera_over
from companion.games.registry import OpenedMatch, sticker_codes
from companion.public.table import Observation
from companion.simulation.script import ScriptedPicture
from vision.camera.frame import make_frame
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.scene import Scene
from vision.synthetic.source import draw
from vision.tracking.observer import Observer


class PixelEye:
    """As ``ExactEye``, but every picture is drawn and read; without a camera, as the simulated table is drawn."""

    def __init__(self, opened: OpenedMatch, camera: CameraModel | None = None, seed: int = 1) -> None:
        codes, shapes = sticker_codes(opened.game), opened.game.table.shapes
        if camera is None:
            camera = camera_over(opened.layout, shapes, CameraModel()) if shapes else CameraModel()
        self._scene = Scene(opened.layout, camera, seed=seed, shapes=shapes, codes=codes)
        self._observer = Observer(opened.layout, codes, shapes=shapes)

    def look(self, picture: ScriptedPicture) -> Observation:
        """The next look."""
        return self._observer.observe(make_frame(draw(self._scene, picture), picture.time_s))
