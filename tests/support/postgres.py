"""A real PostgreSQL on loopback, as its own user, that a test may kill and start again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from support.ports import free_port
from support.waiting import wait

POSTGRES = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"))), None)


class PostgresServer:
    """A database server of a test's own; close it.

    Its folder is none of pytest's: those are closed to other users whenever another pytest begins.

    Attributes:
        address: As ``[hub]`` of the settings names it.
    """

    def __init__(self) -> None:
        if POSTGRES is None:
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
        self._own = tempfile.TemporaryDirectory(prefix="postgres-")
        self._folder, self._port = Path(self._own.name), free_port()
        self._as_user: dict[str, int] = {}
        if os.geteuid() == 0:  # PostgreSQL refuses to be root
            who = pwd.getpwnam("postgres")
            self._as_user = {"user": who.pw_uid, "group": who.pw_gid}
            shutil.chown(self._folder, who.pw_uid, who.pw_gid)
        self.address = f"postgresql+psycopg://hub@127.0.0.1:{self._port}/postgres"
        run: dict[str, Any] = {"check": True, "capture_output": True, "cwd": str(self._folder), **self._as_user}
        subprocess.run([POSTGRES / "initdb", "-D", self._data, "-U", "hub", "-A", "trust", "--no-sync"], **run)
        self.start()

    @property
    def _data(self) -> str:
        return str(self._folder / "data")

    def start(self) -> None:
        """Until it answers."""
        assert POSTGRES is not None
        own: dict[str, Any] = {"cwd": str(self._folder), "start_new_session": True, **self._as_user}
        self._server = subprocess.Popen(
            [POSTGRES / "postgres", "-D", self._data, "-p", str(self._port), "-h", "127.0.0.1", "-k", self._folder],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **own,
        )  # fmt: skip
        ready = [POSTGRES / "pg_isready", "-h", "127.0.0.1", "-p", str(self._port), "-t", "3"]
        # A server that does not listen yet is no answer at once; after a kill it reads its log first.
        wait(lambda: subprocess.run(ready, check=False, capture_output=True).returncode == 0, 60)

    def kill(self) -> None:
        """All its processes at once, as when the power goes."""
        os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait(30)

    def close(self) -> None:
        """End it in good order."""
        self._server.terminate()
        self._server.wait(30)
        self._own.cleanup()
