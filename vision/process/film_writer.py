"""Records the observed frames as a folder of pictures; everything off the table is blacked out."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.public.layout import Layout
from companion.reading.frame_times import TIMES_FILE, TIMES_HEAD, read_times, times_line
from vision.camera.frame import Frame, Gray
from vision.geometry.homography import Geometry

RIM_MM = 60.0
"""Margin around the field and its zones: hands are recognised by it."""

RIM_STEPS = 24
"""Points on each side of the margin, because a lens bends it."""

WAITING = 4
"""Pictures that may wait for the disk; then the observer waits too, so that none is missing."""

PATIENCE_S = 5.0
"""If the disk takes no picture for this long, the recording ends and the match goes on."""

BUSY_SHARE = 0.5
"""The disk keeps up with PNG if a picture takes less than this fraction of the time until the next."""

JPEG_QUALITY = 95


def on_the_table(gray: Gray, geometry: Geometry | None, layout: Layout) -> Gray:
    """The picture with everything black that is farther than ``RIM_MM`` from field and zones; all black if the position
    of the table is unknown."""
    if geometry is None:
        return np.zeros_like(gray)
    width, height = geometry.size_mm
    xs = [0.0, width, *(x for zone in layout.zones for x, _ in zone.polygon_mm)]
    ys = [0.0, height, *(y for zone in layout.zones for _, y in zone.polygon_mm)]
    left, right, top, bottom = min(xs) - RIM_MM, max(xs) + RIM_MM, min(ys) - RIM_MM, max(ys) + RIM_MM
    along = np.linspace(0.0, 1.0, RIM_STEPS, endpoint=False)[:, None]
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    rim = np.concatenate([a + along * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
    mask = np.zeros_like(gray)
    cv2.fillPoly(mask, [np.asarray(np.round(geometry.to_px(rim)), np.int32)], 255)
    return np.asarray(cv2.bitwise_and(gray, mask), np.uint8)


def pack(gray: Gray, kind: str) -> bytes:
    """A picture as a file: ``png``, or ``jpg`` at quality 95."""
    how = [cv2.IMWRITE_PNG_COMPRESSION, 1] if kind == "png" else [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    return cv2.imencode(f".{kind}", gray, how)[1].tobytes()


def choose_kind(gray: Gray, folder: Path, rate_hz: float) -> tuple[str, int]:
    """``png`` if this disk keeps up with this rate, else ``jpg``; and the bytes of one picture.

    Raises:
        OSError: The disk cannot be written.
    """
    began_s = time.monotonic()
    packed = pack(gray, "png")
    trial = folder / ".trial"
    with trial.open("wb") as file:
        file.write(packed)
        file.flush()
        os.fsync(file.fileno())
    took_s = time.monotonic() - began_s
    trial.unlink()
    if took_s * rate_hz <= BUSY_SHARE:
        return "png", len(packed)
    return "jpg", len(pack(gray, "jpg"))


class FilmWriter:
    """A recording in progress; it continues in a folder that another process began.

    Attributes:
        why: One sentence, if the disk ended it.

    Args:
        folder: Must exist; gets the pictures and ``frames.csv``.
        kind: ``png`` or ``jpg``.
        seconds: Its length; ``None`` = until it is closed.
        ring_s: Keep only the last seconds; ``None`` = all.
    """

    def __init__(self, folder: Path, kind: str, *, seconds: float | None = None, ring_s: float | None = None) -> None:
        self.why: str | None = None
        self._folder, self._kind = folder, kind
        self._seconds, self._ring_s = seconds, ring_s
        self._table = folder / TIMES_FILE
        self._kept: deque[tuple[str, float]] = deque(read_times(folder))
        if not self._kept:
            self._table.write_text(TIMES_HEAD, "utf-8")
        self._first_s = self._kept[0][1] if self._kept else None
        self._last_s = self._kept[-1][1] if self._kept else float("-inf")
        self._waiting: queue.Queue[tuple[Gray, float] | None] = queue.Queue(WAITING)
        self._thread = threading.Thread(target=self._work, name="film", daemon=True)
        self._thread.start()

    @property
    def over(self) -> bool:
        """Whether the recording has ended."""
        if self.why is not None:
            return True
        lasted_s = 0.0 if self._first_s is None else self._last_s - self._first_s
        return self._seconds is not None and lasted_s >= self._seconds

    def take(self, frame: Frame, geometry: Geometry | None, layout: Layout) -> None:
        """Queue an observed frame. Frames before the table is first found are skipped."""
        if self.over or frame.taken_s <= self._last_s or (geometry is None and self._first_s is None):
            return
        if self._first_s is None:
            self._first_s = frame.taken_s
        self._last_s = frame.taken_s
        try:
            self._waiting.put((on_the_table(frame.gray, geometry, layout), frame.taken_s), timeout=PATIENCE_S)
        except queue.Full:
            self.why = self.why or f"the disk took no picture for {PATIENCE_S:.0f} s"

    def close(self) -> None:
        """Write the queued frames and stop."""
        with suppress(queue.Full):
            self._waiting.put(None, timeout=PATIENCE_S)
        self._thread.join(timeout=2 * PATIENCE_S)

    def _work(self) -> None:
        try:
            with self._table.open("a", encoding="utf-8") as times:
                while (waiting := self._waiting.get()) is not None:
                    gray, taken_s = waiting
                    name = f"{round(taken_s * 1e6):014d}.{self._kind}"
                    (self._folder / name).write_bytes(pack(gray, self._kind))
                    times.write(times_line(name, taken_s))
                    times.flush()
                    self._kept.append((name, taken_s))
                    self._forget(taken_s)
        except OSError as wrong:
            self.why = f"the disk takes no more ({wrong.strerror})"
        with suppress(OSError):
            if self._ring_s is not None:
                lines = (times_line(name, taken_s) for name, taken_s in self._kept)
                fresh = self._table.with_suffix(".new")
                fresh.write_text(TIMES_HEAD + "".join(lines), "utf-8")
                fresh.replace(self._table)

    def _forget(self, now_s: float) -> None:
        while self._ring_s is not None and now_s - self._kept[0][1] > self._ring_s:
            (self._folder / self._kept.popleft()[0]).unlink(missing_ok=True)
