"""Whether the eye's process stays small: a short film, round and round."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Self

import numpy as np

from companion.public.codes import StickerCodes
from vision.camera.frame import Frame, Gray, make_frame
from vision.process.worker import alone_here
from vision.synthetic.films import CAMERA_MODES, DECK, LAYOUT, Scenario
from vision.synthetic.scene import Scene
from vision.synthetic.textures import CardPrint
from vision.tracking.observer import Observer

SHOTS = 8
"""Pictures of the short film; they stay in memory beside the eye."""


def resident_mb() -> float:
    """The memory that this process has in use, in megabytes."""
    for line in Path("/proc/self/status").read_text("ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return float("nan")


def memory(mode: str, looks: int) -> tuple[float, float]:
    """Megabytes in use after a tenth of so many looks, and after all of them, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_look, args=(mode, looks, theirs), daemon=True)
    child.start()
    theirs.close()
    try:
        early_mb, late_mb = ours.recv()
    finally:
        child.join()
    return early_mb, late_mb


class Busy:
    """A frame source that never ends: the short film at a camera's pace, as work for an eye beside other work."""

    name = "a film that goes round"
    live = True

    def __init__(self, mode: str = "2304x1296") -> None:
        self._mode = mode
        self._shots: list[Gray] = []

    def __enter__(self) -> Self:
        self._shots = list(_film(self._mode))
        return self

    def __exit__(self, *trouble: object) -> None:
        self._shots = []

    def __iter__(self) -> Iterator[Frame]:
        for shot in cycle(self._shots):
            yield make_frame(shot, time.monotonic())
            time.sleep(1 / CAMERA_MODES[self._mode][2])


def _look(mode: str, looks: int, door: Connection) -> None:
    alone_here()
    shots = list(_film(mode))
    observer = Observer(LAYOUT, StickerCodes.of(DECK))
    early_mb = 0.0
    for number in range(looks):
        observer.observe(make_frame(shots[number % len(shots)], number / CAMERA_MODES[mode][2]))
        if number == looks // 10:
            early_mb = resident_mb()
    door.send((early_mb, resident_mb()))


def _film(mode: str) -> Iterator[Gray]:
    """A hand that comes, covers cards and goes; the drawing's own memory is given back before the first look."""
    camera, sticker_mm, rate_hz = CAMERA_MODES[mode]
    scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm))
    for number, ((pieces, hands), _) in enumerate(Scenario(1, 44, rate_hz).play(1)):
        if number % 3 == 0 and number < 3 * SHOTS:
            yield np.asarray(scene.render(pieces, hands), np.uint8)
