"""Network cameras: the streams of phone webcam apps and security cameras, read by OpenCV's FFmpeg."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from types import TracebackType
from typing import Self

import cv2
import numpy as np

from companion.errors import InputError
from companion.public.sources import host_and_port, is_network, shown_source
from vision.camera.frame import Frame, hush, make_frame, to_gray
from vision.camera.packed import unpack
from vision.camera.trouble import CameraTrouble, Trouble

KNOCK_S = 3.0
"""A camera in the home network accepts a connection within this time, or not at all."""

OPEN_S, READ_S = 8.0, 5.0
"""Time limits of FFmpeg for opening a stream, and for waiting for data. Both are shorter than the supervisor's, so that
the error names the cause and not just a hang."""

COMPRESSED_FROZEN_S = 30.0
"""H.264 cameras may signal "no change" for ten seconds over a still table, which gives identical pictures."""

DAMAGED_IN_A_ROW = 30
"""Pictures that were damaged on the way are skipped; after this many the stream is unusable."""


class NetworkCamera:
    """A camera at an address: ``http://…`` (MJPEG) or ``rtsp://…``.

        >>> NetworkCamera("rtsp://guest:secret@192.168.1.30/live").name  # pragma: allowlist secret
        'rtsp://192.168.1.30'

    Attributes:
        name: The address without user, password and path.
        frozen_after_s: Identical pictures for this long mean that the camera has stopped.

    Raises:
        InputError: The address is malformed.
    """

    live = True

    def __init__(self, address: str, *, open_s: float = OPEN_S, read_s: float = READ_S) -> None:
        self.name = shown_source(address)
        place = host_and_port(address) if is_network(address) else None
        if place is None:
            raise InputError(
                f"{self.name}: this address cannot be read; write it as http://HOST:PORT/PATH or "
                "rtsp://USER:PASSWORD@HOST/PATH, "  # pragma: allowlist secret
                "with @ as %40, / as %2F and : as %3A in user and password."
            )
        self._address, self._place = address, place
        self._open_s, self._read_s = open_s, read_s
        self._film: cv2.VideoCapture | None = None
        self._packed = False
        self._in_use = threading.Lock()
        self.frozen_after_s = COMPRESSED_FROZEN_S if address.lower().startswith("rtsp") else None

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def open(self) -> None:
        """Connect, and wait until the format of the stream is known.

        Raises:
            CameraTrouble: Nothing answers there, or it is not a video.
        """
        try:
            socket.create_connection(self._place, KNOCK_S).close()
        except OSError:
            raise CameraTrouble(
                Trouble.UNREACHABLE, f"{self.name} does not answer: is it on, and in this network?"
            ) from None
        hush()
        limits = (
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, round(1000 * self._open_s)),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, round(1000 * self._read_s)),
        )
        try:
            film = cv2.VideoCapture(self._address, cv2.CAP_FFMPEG, limits)
            is_open = film.isOpened()
        except cv2.error:
            is_open = False
        if not is_open:
            raise CameraTrouble(
                Trouble.NO_VIDEO,
                f"{self.name} answers, but sends no video: check path, user and password of its address.",
            )
        # JPEG pictures are taken undecoded, because their size may change and FFmpeg would not report that.
        is_jpeg = int(film.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG")
        self._packed = is_jpeg and film.set(cv2.CAP_PROP_FORMAT, -1)
        self._film = film

    def close(self) -> None:
        """Close the camera; if it is being read, wait until the read ends."""
        if self._in_use.acquire(timeout=self._read_s + 1.0):
            try:
                if self._film is not None:
                    self._film.release()
                self._film = None
            finally:
                self._in_use.release()

    def __iter__(self) -> Iterator[Frame]:
        if self._film is None:
            self.open()
        damaged = 0
        while True:
            began_s = time.monotonic()
            with self._in_use:
                if self._film is None:
                    return
                try:
                    there, read = self._film.read()
                except cv2.error:
                    there, read = False, None
            taken_s = time.monotonic()
            if not there or read is None:
                raise self._ended(taken_s - began_s)
            picture = np.asarray(read, np.uint8)
            gray = unpack(picture.tobytes()) if self._packed else to_gray(picture)
            if gray is not None:
                damaged = 0
                yield make_frame(gray, taken_s)
            elif (damaged := damaged + 1) >= DAMAGED_IN_A_ROW:
                raise CameraTrouble(Trouble.NO_VIDEO, f"{self.name} sends pictures that are damaged or far too large.")

    def _ended(self, waited_s: float) -> CameraTrouble:
        if waited_s >= 0.9 * self._read_s:
            return CameraTrouble(
                Trouble.STALLED, f"{self.name} sent nothing for {waited_s:.0f} s: is it asleep, or its network weak?"
            )
        return CameraTrouble(Trouble.ENDED, f"{self.name} gives no more pictures: was it switched off?")
