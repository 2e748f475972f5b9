"""A simulated table as a source of frames: a film's poses, drawn as a camera would see them."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import InputError
from vision.camera.frame import Frame, make_frame
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose
from vision.synthetic.lighting import RoomLight
from vision.synthetic.scene import Scene

SHUTTER_S = 0.03
"""How long the drawn camera's shutter is open."""

_LATE_S = 0.1
"""A picture of a live film that is later than this is not drawn at all."""

_STILL_S = 2.0
"""But after so long without a picture one is drawn in any case, and the film waits from there: on a machine on which
even leaving pictures out takes longer than they last, nothing would be seen again."""


Picture: TypeAlias = Any
"""One moment of a film, as ``companion.simulation`` makes it; the eye takes it as it is and imports nothing of it.

``time_s``; ``shown``: cards with ``token``, ``pose`` (``x_mm``, ``y_mm``, ``rotation_deg``, ``z_mm``) and
``speed_mm_s``; ``arms``: hands with ``x_mm``, ``y_mm``, ``z_mm``, ``from_deg``, ``seat``, ``spread`` and the same;
``done``: the acts that have ended; ``says``: the moves that somebody says on a phone.
"""


class SimulatedTable:
    """Frames of a film, drawn one by one.

    Args:
        film: Its pictures, in the order of their time.
        scene: What draws them.
        light: The light of each moment; ``None`` = the scene's own evening.
        magnified: How the lens breathes: by how much everything is larger at each moment.
        live: In real time: a frame comes when it is due, and what could not be drawn in time is left out.
            Otherwise every frame comes, as fast as it is drawn, and times are those of the film.
        start_s: Where in the film to begin; what happens before it has happened.
        done: Is told every act that has ended, when its frame is out.
        says: Is told every move that somebody says on a phone.
        clock, sleep: Of real time; monotonic seconds.
    """

    name = "the simulated table"
    waits = True
    """Nothing is wrong with it while no picture comes: a slow machine draws a full table for seconds. Opened anew, it
    would have to draw that table again, and would never come to an end."""

    def __init__(
        self,
        film: Iterable[Picture],
        scene: Scene,
        *,
        light: Callable[[float], RoomLight] | None = None,
        magnified: Callable[[float], float] | None = None,
        live: bool = False,
        start_s: float = 0.0,
        done: Callable[[Any], None] = lambda act: None,  # noqa: ARG005
        says: Callable[[Any], None] = lambda move: None,  # noqa: ARG005
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._film = film
        self._scene = scene
        self._light = light
        self._magnified = magnified
        self.live = live
        self._start_s = start_s
        self._done = done
        self._says = says
        self._clock = clock
        self._sleep = sleep

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing to close."""

    def __iter__(self) -> Iterator[Frame]:
        began_s = drawn_s = self._clock()
        for picture in self._film:
            if picture.time_s < self._start_s:
                continue
            due_s = began_s + picture.time_s - self._start_s
            late_s = self._clock() - due_s
            if self.live and late_s >= _LATE_S and self._clock() - drawn_s >= _STILL_S:
                began_s, due_s = began_s + late_s, due_s + late_s
            if not self.live or self._clock() - due_s < _LATE_S:
                light = self._light(picture.time_s) if self._light else None
                gray = draw(self._scene, picture, light, self._magnified(picture.time_s) if self._magnified else 1.0)
                if self.live:
                    self._sleep(max(0.0, due_s - self._clock()))
                yield make_frame(gray, due_s if self.live else picture.time_s)
                drawn_s = self._clock()
            for move in picture.says:
                self._says(move)
            for act in picture.done:
                self._done(act)


def record(
    film: Iterable[Picture],
    scene: Scene,
    folder: Path,
    *,
    match: str,
    deck: str,
    truth: Callable[[Any], Any],
    light: Callable[[float], RoomLight] | None = None,
    suffix: str = ".png",
) -> int:
    """Write a film down as recorded frames, with the truth beside it.

    Args:
        folder: Made where it is not there; gets the pictures, ``frames.csv``, ``match.toml``, ``deck.toml`` and
            ``truth.jsonl``.
        match, deck: The texts of those two files.
        truth: One line of the truth for an act that has ended; ``None`` = no line.
        suffix: ``.png``, or ``.jpg`` for a tenth of the room.

    Returns:
        How many pictures there are.

    Raises:
        InputError: Something is in the way, the disk is full, or that is no kind of picture.
    """
    if suffix not in (".png", ".jpg"):
        raise InputError(f'Pictures of a film end in .png or .jpg, not in "{suffix}".')
    number = 0
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "match.toml").write_text(match, "utf-8")
        (folder / "deck.toml").write_text(deck, "utf-8")
        with (folder / "frames.csv").open("w", encoding="utf-8") as times, (folder / "truth.jsonl").open("w") as story:
            times.write("name,time_ms\n")
            for number, picture in enumerate(film, 1):
                name = f"{number - 1:06d}{suffix}"
                packed = cv2.imencode(suffix, draw(scene, picture, light(picture.time_s) if light else None))[1]
                (folder / name).write_bytes(packed.tobytes())
                times.write(f"{name},{round(picture.time_s * 1000)}\n")
                for line in filter(None, map(truth, picture.done)):
                    story.write(json.dumps(line) + "\n")
    except OSError as trouble:
        raise InputError(f"The film cannot be written to {folder}: {trouble.strerror}.") from trouble
    return number


def draw(scene: Scene, picture: Picture, light: RoomLight | None = None, magnified: float = 1.0) -> NDArray[np.uint8]:
    """One picture of a film, ``(height, width)`` grey."""
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
    return scene.render(pieces, hands, light, magnified)


def _moved(speed_mm_s: tuple[float, float]) -> tuple[float, float]:
    """How far something moves while the shutter is open."""
    return speed_mm_s[0] * SHUTTER_S, speed_mm_s[1] * SHUTTER_S
