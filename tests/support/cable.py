"""A network cable between a table and a broker, which a test can pull."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator


class Cable:
    """Passes on what comes to its port; close it.

    Attributes:
        port: Where to connect instead.
    """

    def __init__(self, to_port: int) -> None:
        self._to_port = to_port
        self._lock = threading.Lock()
        self._open: set[socket.socket] = set()
        self._pulled = self._loose = self._closed = False
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """From now on nothing passes, and whoever connects is hung up on."""
        with self._lock:
            self._pulled = True
            ends, self._open = self._open, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def loosen(self) -> None:
        """From now on everything is lost on the way, and neither end knows."""
        with self._lock:
            self._loose = True

    def plug_in(self) -> None:
        """Again."""
        with self._lock:
            self._pulled = self._loose = False

    def close(self) -> None:
        """For good."""
        self.pull()
        self._closed = True
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                near, _ = self._listening.accept()
            except OSError:
                return
            with self._lock:
                pulled = self._pulled
            if pulled:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self._to_port))
            except OSError:
                near.close()
                continue
            with self._lock:
                if pulled := self._pulled:
                    near.close()
                    far.close()
                else:
                    self._open |= {near, far}
            if pulled:
                continue
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._pass_on, args=(one, other), daemon=True).start()

    def _pass_on(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while got := one.recv(65536):
                if not self._loose:
                    other.sendall(got)
        with self._lock:
            self._open -= {one, other}
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextlib.contextmanager
def cable(to_port: int) -> Iterator[Cable]:
    """A cable to a port of this computer."""
    one = Cable(to_port)
    yield one
    one.close()
