"""The camera's sources: a simulated match, which is drawn, recorded pictures, the pictures of a phone.

Connects the film (``companion.simulation``, without pixels) to the drawing (``vision``, without games).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import current_process
from multiprocessing.connection import Client
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self

from companion.games.registry import open_match, sticker_codes
from companion.public.layout import Layout
from companion.public.pictogram import Pictogram
from companion.public.print_sizes import CODE_MODULES
from companion.public.shapes import Shape
from companion.public.table import Token
from companion.public.text import JSON
from companion.simulation.script import ScriptedPicture

if TYPE_CHECKING:  # OpenCV is loaded only when there are pictures to make
    from vision.camera.frame import Frame, FrameSource
    from vision.synthetic.camera_model import CameraModel

RATE_HZ = 8.0
"""Pictures per second of a simulated table; drawing and reading them must leave a small machine some time."""
USUAL_TABLE_MM = (1100.0, 650.0)
"""The table under the default drawn camera."""
SMALLEST_DRAWN_PX = 1.7
"""The least pixels per module in a drawn picture, for pieces with small stickers."""


def live_frames(
    address: str,
    header: Mapping[str, JSON],
    seed: int,
    speed: float,
    pictograms: Mapping[Token, Pictogram] = MappingProxyType({}),
) -> FrameSource:
    """The frames of a live table (``companion.app.live_table``); ``speed`` 0 = as fast as possible.

    Args:
        pictograms: Drawings on the cards, by sticker.
    """
    from vision.synthetic.scene import Scene
    from vision.synthetic.source import SimulatedTable

    opened = open_match(header["match"], header["deck"])
    codes, shapes = sticker_codes(opened.game), opened.game.table.shapes
    scene = Scene(opened.layout, seed=seed, pictograms=pictograms, shapes=shapes, codes=codes)
    if shapes:
        scene.look_from(camera_over(opened.layout, shapes, scene.camera))
    return SimulatedTable(live_pictures(address, paced=speed > 0), scene, live=speed > 0)


def camera_over(layout: Layout, shapes: Mapping[Token, Shape], usual: CameraModel) -> CameraModel:
    """A drawn camera, as high above the table as needed, with enough pixels for the smallest code."""
    wide_mm, high_mm = layout.size_mm or USUAL_TABLE_MM
    distance_mm = usual.distance_mm * max(wide_mm / USUAL_TABLE_MM[0], high_mm / USUAL_TABLE_MM[1])
    seen_mm = 2 * distance_mm * math.tan(math.radians(usual.hfov_deg) / 2)
    module_mm = min(shape.code_mm for shape in shapes.values()) / CODE_MODULES
    units = math.ceil(SMALLEST_DRAWN_PX * seen_mm / module_mm / 64)  # whole numbers of 16:9
    width_px = max(usual.size_px[0], 64 * units)
    return replace(usual, distance_mm=distance_mm, size_px=(width_px, width_px * 9 // 16))


def live_pictures(address: str, *, paced: bool) -> Iterator[ScriptedPicture]:
    """The pictures of a live table, until it closes; in real time they start now."""
    with suppress(OSError, EOFError), Client(address, authkey=current_process().authkey) as door:
        began_s: float | None = None
        while True:
            door.send(None)
            picture: ScriptedPicture = door.recv()
            began_s = (picture.time_s if paced else 0.0) if began_s is None else began_s
            yield replace(picture, time_s=picture.time_s - began_s)


def phone_pictures(address: str) -> FrameSource:
    from vision.camera.phone import PhonePictures

    return PhonePictures(address)


class ResumedFrames:
    """A film that starts at the present second of its match whenever it is opened, also after a crash.

    Args:
        show: Makes the frame source that starts at a given second.
        played_s: The seconds of the match played so far.
    """

    def __init__(self, show: Callable[[float], FrameSource], played_s: Callable[[], float]) -> None:
        self._show = show
        self._played_s = played_s

    def __call__(self) -> FrameSource:
        return self._show(self._played_s())

    def __reduce__(self) -> tuple[Any, ...]:
        """When sent to the camera's process, it becomes the film from the present second."""
        return partial, (self._show, self._played_s())


class PacedFrames(AbstractContextManager["PacedFrames"]):
    """Recorded frames, played in real time.

    Args:
        source: A folder of pictures or a film.
        start_s: Where in the recording to start, if its match is refereed up to there.
        clock, sleep: Real time in monotonic seconds.

    Raises:
        InputError: The recording cannot be read.
    """

    live = False

    def __init__(
        self,
        source: str,
        start_s: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        from vision.camera.sources import open_source

        self.name = source
        self._start_s = start_s
        self._frames = open_source(source)
        self._clock = clock
        self._sleep = sleep

    def __enter__(self) -> Self:
        self._frames.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._frames.__exit__(kind, error, trace)

    def __iter__(self) -> Iterator[Frame]:
        began_s: float | None = None
        for frame in self._frames:
            if frame.taken_s < self._start_s:
                continue
            if began_s is None:
                began_s = self._clock() - frame.taken_s
            due_s = began_s + frame.taken_s
            self._sleep(max(0.0, due_s - self._clock()))
            yield replace(frame, taken_s=due_s)
