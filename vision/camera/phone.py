"""A phone as the camera: its pictures are fetched from the process that received them."""

from __future__ import annotations

from collections.abc import Iterator
from multiprocessing import AuthenticationError, current_process
from multiprocessing.connection import Client, Connection
from types import TracebackType
from typing import Self

from vision.camera.frame import Frame, hush, make_frame
from vision.camera.packed import unpack
from vision.camera.trouble import CameraTrouble, Trouble

STILL_AFTER_S = 30.0
"""A phone removes noise, and may send identical pictures of a still table for a while."""

DAMAGED_IN_A_ROW = 30
"""Pictures that were damaged on the way are skipped; after this many the source is unusable."""


class PhonePictures:
    """The pictures of the phone that is the camera at the moment, if any.

    Attributes:
        name: As for ``--source``.
        waits: No picture is not an error: the phone may be set up later.
        frozen_after_s: Identical pictures for this long mean that the phone has stopped.

    Args:
        address: Where to fetch them (``companion.service.phone_camera``).
    """

    live = True
    waits = True
    name = "phone"
    frozen_after_s = STILL_AFTER_S

    def __init__(self, address: str) -> None:
        self._address = address
        self._door: Connection | None = None

    def __enter__(self) -> Self:
        """Connect.

        Raises:
            CameraTrouble: The companion accepts no connection.
        """
        hush()
        try:
            self._door = Client(self._address, authkey=current_process().authkey)
        except (OSError, EOFError, AuthenticationError):
            raise CameraTrouble(Trouble.ENDED, "phone: the companion takes no pictures any more.") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._door is not None:
            self._door.close()

    def __iter__(self) -> Iterator[Frame]:
        assert self._door is not None
        number, damaged = 0, 0
        while not self._door.closed:
            try:
                self._door.send(number)
                fetched = self._door.recv()
            except (OSError, EOFError):
                raise CameraTrouble(Trouble.ENDED, "phone: the companion takes no pictures any more.") from None
            if fetched is None:
                continue
            number, taken_s, jpeg = fetched
            gray = unpack(jpeg)
            if gray is not None:
                damaged = 0
                yield make_frame(gray, taken_s)
            elif (damaged := damaged + 1) >= DAMAGED_IN_A_ROW:
                raise CameraTrouble(Trouble.NO_VIDEO, "phone: its pictures are damaged.")
