"""A door on this machine at which the eye's process asks for pictures that this process has."""

from __future__ import annotations

import os
import secrets
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import AuthenticationError, current_process
from multiprocessing.connection import Connection, Listener
from typing import Any

ASKED_S = 0.5
"""How often whoever waits to be asked looks whether the door was closed meanwhile."""


class PictureDoor:
    """Answers whoever asks, one after the other, until it is closed.

    Attributes:
        address: Where to ask, for ``multiprocessing.connection.Client`` and a process of the same authentication key.

    Args:
        answer: Given what was asked; its answer is sent back. It must not raise, nor take longer than the eye waits.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        # A name without a file: a full or read-only disk, or a long path to the temporary folder, is in nobody's way.
        self.address = f"\0companion-{os.getpid()}-{secrets.token_hex(8)}"
        self._listener = Listener(self.address, family="AF_UNIX", authkey=current_process().authkey)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="picture-door", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Answer no more."""
        self._closed.set()
        with suppress(OSError), socket.socket(socket.AF_UNIX) as knock:  # wakes whoever waits for the next to ask
            knock.settimeout(1.0)
            knock.connect(self.address)
        self._thread.join(timeout=2.0)
        self._listener.close()

    def _serve(self) -> None:
        while not self._closed.is_set():
            with suppress(OSError, EOFError, AuthenticationError), self._listener.accept() as door:
                self._talk(door)

    def _talk(self, door: Connection) -> None:
        while not self._closed.is_set():
            if door.poll(ASKED_S):
                door.send(self._answer(door.recv()))
