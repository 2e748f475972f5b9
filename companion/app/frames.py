"""The camera's sources: a simulated match, which is drawn, recorded pictures, the pictures of a phone.

Connects the film (``companion.simulation``, without pixels) to the drawing (``vision``, without games).
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import partial
from multiprocessing import current_process
from multiprocessing.connection import Client
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from companion.games.registry import OpenedMatch, deck_module, open_match, sticker_codes
from companion.public.colours import SEAT_COLOURS
from companion.public.command_symbols import SYMBOLS, circle
from companion.public.layout import Layout
from companion.public.pictogram import Pictogram
from companion.public.print_sizes import CARD_MM, CODE_MODULES
from companion.public.printed_parts import PrintedArea, PrintedText
from companion.public.shapes import Shape
from companion.public.table import SEAT_TAGS, Point, Token
from companion.public.text import JSON
from companion.simulation.script import ScriptedPicture

if TYPE_CHECKING:  # OpenCV is loaded only when there are pictures to make
    from vision.camera.frame import Frame, FrameSource
    from vision.synthetic.camera_model import CameraModel, CameraView
    from vision.synthetic.colour import ColourScene, Face

log = logging.getLogger(__name__)

Symbols: TypeAlias = Mapping[str, tuple[tuple[Point, ...], ...]]
"""Outlines in the square of a pictogram, by the name of a family."""

RATE_HZ = 8.0
"""Pictures per second of a simulated table; drawing and reading them must leave a small machine some time."""
USUAL_TABLE_MM = (1100.0, 650.0)
"""The table under the default drawn camera."""
SMALLEST_DRAWN_PX = 1.65
"""The least pixels per module in a drawn picture, in the farthest corner of a zone: a little more than
``LEAST_MODULE_PX``, of which the table's own check warns."""
STICKER_INSIDE_MM = 25.0
"""No sticker's middle is nearer to the corner of a zone."""


def live_frames(
    address: str,
    header: Mapping[str, JSON],
    seed: int,
    speed: float,
    pictograms: Mapping[Token, Pictogram] = MappingProxyType({}),
    symbols: Symbols = MappingProxyType({}),
) -> FrameSource:
    """The frames of a live table (``companion.app.live_table``); ``speed`` 0 = as fast as possible.

    Args:
        pictograms: Drawings on the cards, by sticker.
        symbols: Those of the cards' families, for the picture in colour.
    """
    from vision.synthetic.scene import Scene
    from vision.synthetic.source import SimulatedTable

    opened = open_match(header["match"], header["deck"])
    codes, shapes = sticker_codes(opened.game), opened.game.table.shapes
    scene = Scene(opened.layout, seed=seed, pictograms=pictograms, shapes=shapes, codes=codes)
    if shapes:
        scene.look_from(camera_over(opened.layout, shapes, scene.camera))

    def in_colour() -> ColourScene:
        return colour_scene(opened, scene.camera, seed, pictograms, symbols)

    return SimulatedTable(live_pictures(address, paced=speed > 0), scene, live=speed > 0, in_colour=in_colour)


def colour_scene(
    opened: OpenedMatch,
    camera: CameraModel,
    seed: int,
    pictograms: Mapping[Token, Pictogram],
    symbols: Symbols,
    **more: Any,
) -> ColourScene:
    """The table of a match in colour, for people, under the camera of its grey pictures."""
    from vision.synthetic.colour import ColourScene

    shapes = opened.game.table.shapes
    faces = printed_faces(opened.header["deck"], shapes, pictograms, symbols)
    return ColourScene(
        opened.layout,
        camera,
        faces,
        seed=seed,
        shapes=shapes,
        codes=sticker_codes(opened.game),
        **more,
    )


def printed_faces(
    deck: JSON, shapes: Mapping[Token, Shape], pictograms: Mapping[Token, Pictogram], symbols: Symbols
) -> Callable[[Token], Face]:
    """The print of each thing on a drawn table, by its sticker."""
    from vision.synthetic.colour import Face

    things = {thing.label.token: thing for thing in deck_module(deck).faces(deck, "en")}

    def face(token: Token) -> Face:
        if (thing := things.get(token)) is not None:
            return Face(thing.size_mm, thing.parts, pictograms.get(token), symbols)
        if (shape := shapes.get(token)) is not None:
            wide, high = shape.size_mm
            land = [
                PrintedArea((tuple((x + wide / 2, y + high / 2) for x, y in area.points_mm),), _earth(area.grey))
                for area in shape.face
            ]
            return Face(shape.size_mm, land)
        return Face(parts=_command_parts(token))

    return face


def _earth(grey: float) -> str:
    """A brightness as a colour of the land, for a tile of which nothing is printed."""
    return f"#{round(255 * grey**0.8):02X}{round(250 * grey**0.7):02X}{round(215 * grey):02X}"


def _command_parts(token: Token) -> list[PrintedArea | PrintedText]:
    """A command card's symbol, or a seat tag's number in its colour; else the sticker's name."""
    wide = CARD_MM[0]
    if token in SYMBOLS:
        return [PrintedArea(SYMBOLS[token](wide / 2, 28.0), "#17130E")]
    if token in SEAT_TAGS:
        disc = PrintedArea((circle(wide / 2, 28.0, 17.0),), SEAT_COLOURS[SEAT_TAGS[token] - 1])
        number = PrintedText(str(SEAT_TAGS[token]), 0, 16.5, wide, (60.0,), bold=True, middle=True, colour="#FFFFFF")
        return [disc, number]
    return [PrintedText(str(token), 0, 16.0, wide, (40.0,), bold=True, middle=True)]


def camera_over(layout: Layout, shapes: Mapping[Token, Shape], usual: CameraModel) -> CameraModel:
    """A drawn camera, as high above the table as needed, with enough pixels for the smallest code in every zone."""
    from vision.synthetic.camera_model import CameraView

    wide_mm, high_mm = layout.size_mm or USUAL_TABLE_MM
    distance_mm = usual.distance_mm * max(wide_mm / USUAL_TABLE_MM[0], high_mm / USUAL_TABLE_MM[1])
    camera = replace(usual, distance_mm=distance_mm)
    view = CameraView(camera, (wide_mm / 2, high_mm / 2))
    table = ((0.0, 0.0), (wide_mm, 0.0), (wide_mm, high_mm), (0.0, high_mm))
    zones = [zone.polygon_mm for zone in layout.zones] or [table]
    px_per_mm = min(_least_px_per_mm(view, zone) for zone in zones)
    module_mm = min(shape.code_mm for shape in shapes.values()) / CODE_MODULES
    # Pixels per millimetre grow with the picture's width, in whole numbers of 16:9.
    units = math.ceil(SMALLEST_DRAWN_PX / (px_per_mm * module_mm) * usual.size_px[0] / 64)
    width_px = max(usual.size_px[0], 64 * units)
    return replace(camera, size_px=(width_px, width_px * 9 // 16))


def _least_px_per_mm(view: CameraView, zone_mm: Sequence[Point]) -> float:
    """Pixels per millimetre where a sticker may lie in a zone, at the worst place and in the worst direction."""
    import numpy as np

    corners = np.asarray(zone_mm)
    inwards = corners.mean(0) - corners
    reach = np.maximum(np.linalg.norm(inwards, axis=1, keepdims=True), STICKER_INSIDE_MM)
    places = corners + inwards / reach * STICKER_INSIDE_MM
    here, right, below = (view.to_px(places + step) for step in ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)))
    return float(np.linalg.svd(np.stack([right - here, below - here], axis=-1), compute_uv=False)[:, -1].min())


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
        from vision.camera.sources import remarks_on

        began_s: float | None = None
        for frame in self._frames:
            if frame.taken_s < self._start_s:
                continue
            if began_s is None:
                began_s = self._clock() - frame.taken_s
            due_s = began_s + frame.taken_s
            self._sleep(max(0.0, due_s - self._clock()))
            yield replace(frame, taken_s=due_s)
        for sentence in remarks_on(self._frames):
            log.warning("%s", sentence)
