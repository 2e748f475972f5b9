"""A phone as the camera: pictures that were sent to the companion, fetched from the process that took them in."""

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
"""A phone smooths its noise away over a still table, and may send the very same picture for a while."""

DAMAGED_IN_A_ROW = 30
"""A picture that was damaged on its way is left out; where so many are, none will come."""


class PhonePictures:
    """The pictures of whichever phone is the camera; none for as long as none is.

    Attributes:
        name: What ``--source`` calls it.
        waits: Nothing is wrong with it while no picture comes: the phone may be put on its shelf later.
        frozen_after_s: The same picture again and again means that it has stopped, after so long.

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
        """Ask at the door.

        Raises:
            CameraTrouble: It is closed.
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
