"""Ports for the programs that tests start."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, EACH = 10_000, 2_000
"""Below the ports that the system hands out by itself, and so many for each of the processes that run tests."""

_WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 10
_numbers = itertools.count(os.getpid())  # two runs at the same time begin at different ones


def free_port() -> int:
    """A port of this machine that nobody listens on, and that no other test is given.

    The system would hand the same one to the next who asks before the program that it is for has opened it.
    """
    while True:
        port = FIRST + EACH * _WORKER + next(_numbers) % EACH
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
