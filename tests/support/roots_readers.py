"""What the processes hold open that root starts as another user, to read what that user has handed over."""

from __future__ import annotations

import os
import pwd
import stat
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

PATIENCE_S = 20.0


def held_while_reading(pipe: Path, user: str, helper: Callable[[], object], content: bytes) -> set[str]:
    """Run a helper whose reader waits for what comes through a named pipe; the kinds of what that reader holds open.

    Args:
        pipe: Is made, and gets the content once the reader has been looked at.
        user: The reader's name; nobody else may have processes of that user that wait for this pipe.
    """
    number = pwd.getpwnam(user).pw_uid
    pipe.unlink(missing_ok=True)
    os.mkfifo(pipe)
    pipe.chmod(0o644)
    work = threading.Thread(target=helper)
    work.start()
    waited_until = time.monotonic() + PATIENCE_S
    held: set[str] = set()
    try:
        with pipe.open("wb") as writing:  # is opened when somebody reads
            while not held and time.monotonic() < waited_until:
                held = _kinds(number, pipe)
            writing.write(content)
    finally:
        work.join(PATIENCE_S)
    return held


def _kinds(number: int, pipe: Path) -> set[str]:
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if process.name.isdecimal() and process.stat().st_uid == number:
                opened = {fd.name: fd for fd in (process / "fd").iterdir()}
                if any(fd.readlink() == pipe for fd in opened.values()):
                    return {_kind(fd) for fd in opened.values() if fd.readlink() != pipe}
    return set()


def _kind(descriptor: Path) -> str:
    mode = descriptor.stat().st_mode
    if descriptor.readlink() == Path(os.devnull):
        return "nothing"
    return "pipe" if stat.S_ISFIFO(mode) else "socket" if stat.S_ISSOCK(mode) else f"file {descriptor.readlink()}"
