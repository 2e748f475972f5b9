"""A real Mosquitto on this computer, with the settings that a test wants."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.ports import free_port

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


@contextmanager
def mosquitto(folder: Path, port: int | None = None, *settings: str) -> Iterator[int]:
    """A broker that keeps nothing on disk; yields its port.

    Args:
        settings: Lines of its configuration instead of letting everybody in.
    """
    if not Path(MOSQUITTO).exists():
        pytest.skip("Mosquitto is not installed: apt-get install mosquitto")
    port = port or free_port()
    lines = [f"listener {port} 127.0.0.1", "persistence false", *(settings or ["allow_anonymous true"])]
    (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
    command = [MOSQUITTO, "-c", str(folder / "mosquitto.conf")]
    broker = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield port
    finally:
        broker.terminate()
        broker.wait(10)
