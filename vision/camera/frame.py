"""A picture of the table, and where pictures come from."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Gray = NDArray[np.uint8]
"""``(height, width)`` uint8, rows downwards."""

LORES_WIDTH_PX = 576
TILE_PX = 12
"""Change and motion are told by tiles of this many low-resolution pixels, about one sticker wide."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture, in full and small.

    Attributes:
        gray: ``(height, width)`` uint8, rows downwards.
        lores: The same picture, about 576 pixels wide, both sides multiples of 12.
        taken_s: Seconds on the monotonic clock, or of the film.
    """

    gray: Gray
    lores: Gray
    taken_s: float

    def __post_init__(self) -> None:
        for name, picture in (("gray", self.gray), ("lores", self.lores)):
            if picture.ndim != 2 or picture.dtype != np.uint8:
                raise ValueError(f"{name}: want (height, width) uint8, got {picture.shape} {picture.dtype}")


def make_frame(gray: Gray, taken_s: float) -> Frame:
    """A frame of a picture that came without a small one."""
    return Frame(gray, shrink(gray), taken_s)


def shrink(gray: Gray) -> Gray:
    """The low-resolution picture: every pixel the mean of those it stands for."""
    height, width = gray.shape
    rows = max(TILE_PX, round(LORES_WIDTH_PX * height / width / TILE_PX) * TILE_PX)
    return np.asarray(cv2.resize(gray, (LORES_WIDTH_PX, rows), interpolation=cv2.INTER_AREA), np.uint8)


class FrameSource(Protocol):
    """Where frames come from: open it with ``with``, take frames with ``for``."""

    @property
    def name(self) -> str:
        """What to call it in a sentence for people."""

    @property
    def live(self) -> bool:
        """Whether frames come by themselves, so that the newest counts; otherwise every frame counts."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __iter__(self) -> Iterator[Frame]: ...


def halved(picture: Gray) -> Gray:
    """A picture half as wide and half as high."""
    size = picture.shape[1] // 2, picture.shape[0] // 2
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def to_gray(picture: NDArray[np.uint8]) -> Gray:
    """A picture of OpenCV's, ``(height, width)`` or ``(height, width, 3)`` BGR, as grey."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def hush() -> None:
    """OpenCV and its film reader print their own troubles, addresses with passwords among them; ours are said in
    sentences."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV 4 has the switch at the top, OpenCV 5 among its tools.
    quiet = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    quiet(0)
