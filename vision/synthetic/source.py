"""A simulated table as a source of frames: renders the poses of a film."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from companion.public.table_picture import TablePicture
from vision.camera.frame import Frame, make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.scene import Scene

if TYPE_CHECKING:  # loaded when somebody looks
    from vision.synthetic.colour import ColourScene

SHUTTER_S = 0.03
"""Exposure time of the simulated camera."""

_LATE_S = 0.1
"""A picture of a live film that is later than this is skipped."""

_STILL_S = 2.0
"""After this long without a picture one is rendered in any case, and the film continues from there. Otherwise a machine
that cannot even skip pictures fast enough would never show another one."""


Picture: TypeAlias = Any
"""One moment of a film, as ``companion.simulation`` makes it; used without importing it.  ``time_s``; ``things``: cards
with ``token``, ``pose`` (``x_mm``, ``y_mm``, ``rotation_deg``, ``z_mm``) and ``speed_mm_s``; ``arms``: hands with
``x_mm``, ``y_mm``, ``z_mm``, ``from_deg``, ``seat``, ``spread`` and ``speed_mm_s``."""


class SimulatedTable:
    """Frames of a film, rendered one by one.

    Args:
        film: Its pictures, in order of time.
        scene: Renders them.
        live: In real time: frames come when they are due, and late ones are skipped. Otherwise every frame comes, as
            fast as it is rendered, with the times of the film.
        in_colour: Makes the scene for people when somebody asks for its picture; ``None`` = there is none.
        clock, sleep: For real time; monotonic seconds.
    """

    name = "the simulated table"
    waits = True
    """No picture is not an error: a slow machine needs seconds for a full table. If it were reopened, it would have to
    render that table again and never finish."""

    def __init__(
        self,
        film: Iterable[Picture],
        scene: Scene,
        *,
        live: bool = False,
        in_colour: Callable[[], ColourScene] | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._film = film
        self._scene = scene
        self.live = live
        self._make_colour = in_colour
        self._colour: ColourScene | None = None
        self._newest: Picture | None = None
        self._clock = clock
        self._sleep = sleep
        self.darker = True
        self._darker_share: float | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to close."""

    def look_darker(self, share: float) -> None:
        """Give the next picture once more with this share of the light."""
        self._darker_share = share

    def colour_picture(self) -> TablePicture | None:
        """The newest picture in colour, for people; drawn only when it is asked for."""
        if self._newest is None or self._make_colour is None:
            return None
        if self._colour is None:
            self._colour = self._make_colour()
        return self._colour.picture(*posed(self._newest)).packed()

    def __iter__(self) -> Iterator[Frame]:
        began_s = drawn_s = self._clock()
        for picture in self._film:
            due_s = began_s + picture.time_s
            late_s = self._clock() - due_s
            if self.live and late_s >= _LATE_S and self._clock() - drawn_s >= _STILL_S:
                began_s, due_s = began_s + late_s, due_s + late_s
            if not self.live or self._clock() - due_s < _LATE_S:
                gray = draw(self._scene, picture)
                if self.live:
                    self._sleep(max(0.0, due_s - self._clock()))
                self._newest = picture
                yield make_frame(gray, due_s if self.live else picture.time_s)
                if self._darker_share is not None:
                    share, self._darker_share = self._darker_share, None
                    darker = self._scene.render(*posed(picture), exposed=share)
                    yield replace(make_frame(darker, due_s if self.live else picture.time_s), is_darker=True)
                drawn_s = self._clock()


def draw(scene: Scene, picture: Picture, light: RoomLight | None = None, magnified: float = 1.0) -> NDArray[np.uint8]:
    """One picture of a film, ``(height, width)`` grey."""
    return scene.render(*posed(picture), light, magnified)


def posed(picture: Picture) -> tuple[list[DrawnCard], list[HandPose]]:
    """The things and hands of a picture of a film."""
    pieces = [
        DrawnCard(
            thing.token,
            thing.pose.x_mm,
            thing.pose.y_mm,
            thing.pose.rotation_deg,
            thing.pose.z_mm,
            _moved(thing.speed_mm_s),
        )
        for thing in picture.things
    ]
    hands = [
        HandPose(arm.x_mm, arm.y_mm, arm.from_deg, arm.z_mm, _moved(arm.speed_mm_s), arm.seat, arm.spread)
        for arm in picture.arms
    ]
    return pieces, hands


def _moved(speed_mm_s: tuple[float, float]) -> tuple[float, float]:
    """The movement while the shutter is open, in mm."""
    return speed_mm_s[0] * SHUTTER_S, speed_mm_s[1] * SHUTTER_S
