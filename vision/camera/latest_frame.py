"""One slot between a camera and its reader: the newest frame wins, the others are counted."""

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
"""No camera draws the same picture twice: one that does for so long has stopped."""


class LatestFrame:
    """Takes frames from a camera in a thread of its own.

    Args:
        frames: A live source, already open.
        frozen_after_s: The same picture again and again means that the camera has stopped, after so long.
        still: The digest of a picture that had come again and again before the camera was opened anew: as long as it
            is this one, the camera still stands.
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
        """The newest frame that nobody has taken, or ``None`` when none came in time.

        Raises:
            DeviceError: The camera has failed, or shows the same picture again and again.
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
                    self._slot = frame
                    self._news.notify()
        except DeviceError as trouble:
            error = trouble
        except Exception as trouble:  # noqa: BLE001 - whatever a camera's library throws, the reader must hear of it
            error = DeviceError(f"the camera has failed ({trouble}).")
        with self._news:
            self._error = error or CameraTrouble(Trouble.ENDED, "the camera gives no more pictures.")
            self._news.notify()


def digest(frame: Frame) -> bytes:
    """What tells a picture from every other one."""
    return hashlib.blake2b(frame.lores.tobytes(), digest_size=16).digest()
