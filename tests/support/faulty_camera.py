"""A live camera over a drawn table, told by a file what lies there and what is wrong with it just now."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import numpy as np
from support.flat_table import Laid, draw

from companion.errors import DeviceError
from vision.camera.frame import Frame, make_frame, shrink

RATE_HZ = 5.0
STILL_HZ = 10.0


class FaultyCamera:
    """Opened like any camera, in the eye's own process.

    ``well``; ``pulled``: its plug is out; ``broken``: its library throws what it likes; ``hangs``: no picture comes and
    none ever will; ``same``: the driver hands out one picture again and again; ``ends``: the pictures stop.
    """

    live = True
    name = "the drawn camera"

    def __init__(self, told: Path) -> None:
        self._told = told

    def _now(self) -> tuple[str, tuple[Laid, ...]]:
        said = json.loads(self._told.read_text())
        return said["state"], tuple(Laid(token, x_mm, y_mm) for token, x_mm, y_mm in said["cards"])

    def __enter__(self) -> Self:
        if self._now()[0] == "pulled":
            raise DeviceError("the drawn camera: no such camera; is it plugged in?")
        return self

    def __exit__(self, *trouble: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        for number in itertools.count():
            state, cards = self._now()
            if state == "pulled":
                raise DeviceError("the drawn camera gives no more pictures; check its plug.")
            if state == "broken":
                raise ValueError("select() timeout, errno 110")
            if state == "hangs":
                time.sleep(600)
            if state == "ends":
                return
            yield make_frame(draw(cards, seed=0 if state == "same" else number), time.monotonic())
            time.sleep(1 / RATE_HZ)


class StillCamera:
    """Pictures that were drawn before, handed out as a camera does: from memory that is its own, ten a second.

    The file that it is told by names two of the same scene, which differ by their noise.
    """

    live = True
    name = "the still camera"

    def __init__(self, told: Path) -> None:
        self._told = told

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        return None

    def __iter__(self) -> Iterator[Frame]:
        pictures = [np.load(path, mmap_mode="r") for path in json.loads(self._told.read_text())]
        small = [shrink(np.asarray(picture)) for picture in pictures]
        for number in itertools.count():
            yield Frame(np.asarray(pictures[number % 2]), small[number % 2], time.monotonic())
            time.sleep(1 / STILL_HZ)
