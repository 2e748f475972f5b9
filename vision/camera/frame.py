"""Frames, and the interface of frame sources."""

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
"""Changes and motion are detected in tiles of this many low-resolution pixels, about as wide as a sticker."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture in two resolutions.

        >>> frame = make_frame(np.zeros((1080, 1920), np.uint8), taken_s=0.0)
        >>> frame.gray.shape, frame.lores.shape
        ((1080, 1920), (324, 576))

    Attributes:
        gray: ``(height, width)`` uint8, rows downwards.
        lores: The same picture, about 576 pixels wide, both sides multiples of 12.
        taken_s: Seconds on the monotonic clock, or since the start of the video.
        is_darker: Taken with less light because that was asked for: only for reading what is burnt out otherwise.
    """

    gray: Gray
    lores: Gray
    taken_s: float
    is_darker: bool = False

    def __post_init__(self) -> None:
        for name, picture in (("gray", self.gray), ("lores", self.lores)):
            if picture.ndim != 2 or picture.dtype != np.uint8:
                raise ValueError(f"{name}: want (height, width) uint8, got {picture.shape} {picture.dtype}")


def make_frame(gray: Gray, taken_s: float) -> Frame:
    """A frame from a picture at full resolution."""
    return Frame(gray, shrink(gray), taken_s)


def shrink(gray: Gray) -> Gray:
    """The low-resolution picture; each pixel is the mean of the area that it covers."""
    height, width = gray.shape
    rows = max(TILE_PX, round(LORES_WIDTH_PX * height / width / TILE_PX) * TILE_PX)
    return np.asarray(cv2.resize(gray, (LORES_WIDTH_PX, rows), interpolation=cv2.INTER_AREA), np.uint8)


class FrameSource(Protocol):
    """A source of frames: open it with ``with``, iterate with ``for``."""

    @property
    def name(self) -> str:
        """Its name in sentences for people."""

    @property
    def live(self) -> bool:
        """Whether it is a camera, of which only the newest frame matters; otherwise every frame matters."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def __iter__(self) -> Iterator[Frame]: ...


class OpenedAndClosed:
    """What most sources have in common: ``with`` opens and closes them."""

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Get ready to give frames."""

    def close(self) -> None:
        """Close files and devices; may be called twice."""


def halved(picture: Gray) -> Gray:
    """The picture at half the width and height."""
    size = picture.shape[1] // 2, picture.shape[0] // 2
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def to_gray(picture: NDArray[np.uint8]) -> Gray:
    """An OpenCV picture, ``(height, width)`` or ``(height, width, 3)`` BGR, as grey."""
    return picture if picture.ndim == 2 else np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def hush() -> None:
    """Silence OpenCV and FFmpeg: they print errors, including addresses with passwords. Ours are complete sentences."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # OpenCV 4 has this at top level, OpenCV 5 in utils.
    quiet = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
    quiet(0)
