"""A slot between a camera and its reader: it keeps the newest frame and counts the dropped ones."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Iterable

import numpy as np

from companion.errors import DeviceError
from vision.camera.frame import Frame
from vision.camera.trouble import CameraTrouble, Trouble

FROZEN_AFTER_S = 3.0
"""A camera never gives two identical pictures: one that does for this long has stopped."""


class LatestFrame:
    """Takes frames from a camera in its own thread.

    Args:
        frames: A live source, already open.
        frozen_after_s: Identical pictures for this long mean that the camera has stopped.
        still: The digest of the repeated picture before the camera was reopened: while it stays the same, the camera
            is still frozen.
    """

    def __init__(self, frames: Iterable[Frame], frozen_after_s: float = FROZEN_AFTER_S, still: bytes = b"") -> None:
        self._frozen_after_s = frozen_after_s
        self._still = still
        self.dropped = 0
        self._slot: Frame | None = None
        self._error: DeviceError | None = None
        self._closed = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._fill, args=(frames,), name="camera", daemon=True)
        self._thread.start()

    def take(self, timeout_s: float) -> Frame | None:
        """The newest frame that was not taken yet, or ``None`` when none came in time.

        Raises:
            DeviceError: The camera has failed, or repeats the same picture.
        """
        until_s = time.monotonic() + timeout_s
        with self._news:
            while self._slot is None and self._error is None:
                if not self._news.wait(max(0.0, until_s - time.monotonic())):
                    return None
            if self._slot is None and self._error is not None:
                raise self._error
            newest, self._slot = self._slot, None
            return newest

    def close(self) -> None:
        """Take no more frames; a camera that hangs is left to its thread."""
        self._closed = True
        self._thread.join(timeout=1.0)

    def _fill(self, frames: Iterable[Frame]) -> None:
        last: Frame | None = None
        fresh_s = 0.0
        error: DeviceError | None = None
        try:
            for frame in frames:
                if self._closed:
                    return
                is_same = last is not None and np.array_equal(frame.lores, last.lores)
                if not is_same:
                    fresh_s = frame.taken_s
                elif frame.taken_s - fresh_s > self._frozen_after_s:
                    sentence = "the camera shows the same picture again and again."
                    error = CameraTrouble(Trouble.FROZEN, sentence, digest(frame))
                    break
                last = frame
                if self._still and (is_same or digest(frame) == self._still):
                    continue
                self._still = b""
                with self._news:
                    self.dropped += self._slot is not None
                    if self._slot is None or not self._slot.is_darker:  # it was asked for, and there is one
                        self._slot = frame
                    self._news.notify()
        except DeviceError as trouble:
            error = trouble
        except Exception as trouble:  # noqa: BLE001 - a camera's library may raise anything, and the reader must get it
            error = DeviceError(f"the camera has failed ({trouble}).")
        with self._news:
            self._error = error or CameraTrouble(Trouble.ENDED, "the camera gives no more pictures.")
            self._news.notify()


def digest(frame: Frame) -> bytes:
    """A hash that identifies the picture."""
    return hashlib.blake2b(frame.lores.tobytes(), digest_size=16).digest()
