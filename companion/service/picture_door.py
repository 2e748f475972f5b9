"""A socket on this machine where the camera's process asks for pictures that this process has."""

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
"""How often the server checks whether it was closed, while it waits for a request."""


class PictureDoor:
    """Answers requests one after the other, until it is closed.

    Attributes:
        address: For ``multiprocessing.connection.Client`` in a process with the same authentication key.

    Args:
        answer: Returns the answer to a request. It must not raise, nor take longer than the client waits.
    """

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        self._answer = answer
        # A name without a file works even if the disk is full or read-only, or the temporary folder's path is long.
        self.address = f"\0companion-{os.getpid()}-{secrets.token_hex(8)}"
        self._listener = Listener(self.address, family="AF_UNIX", authkey=current_process().authkey)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="picture-door", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closed.set()
        with suppress(OSError), socket.socket(socket.AF_UNIX) as knock:  # wakes the thread that waits for a connection
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
