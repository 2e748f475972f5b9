"""What a busy machine adds to a measured time: how long threads stood in line for a processor."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any


class ProcessorQueue:
    """How long a thread of a program or of its children has stood in line since this was made: that which did longest.

    Take it off a time that is measured, and a machine with much other work measures nearly what a quiet one does, where
    it is next to nothing. Of several threads that stood in line one after the other it takes off too little, and never
    what the program waited for by itself.

    Args:
        pid: The program.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before = self._now()
        self._seen: dict[str, float] = {}

    def look(self) -> float:
        """Seconds in line so far. Look often: a thread that has ended can be asked no more."""
        self._seen |= self._now()
        return max((waited_s - self._before.get(thread, 0.0) for thread, waited_s in self._seen.items()), default=0.0)

    def _now(self) -> dict[str, float]:
        waited = {}
        for thread in threads_of(self._pid):
            with suppress(OSError, IndexError):  # it has ended, or this kernel does not count
                waited[thread.name] = int((thread / "schedstat").read_text("ascii").split()[1]) / 1e9
        return waited


def threads_of(pid: int) -> Iterator[Path]:
    """The threads of a program and of all that it has started, as folders of ``/proc``."""
    for thread in Path(f"/proc/{pid}/task").glob("*"):
        yield thread
        with suppress(OSError):
            for child in (thread / "children").read_text("ascii").split():
                yield from threads_of(int(child))


def seconds_until_end(program: subprocess.Popen[Any], end: Callable[[], object], patience_s: float) -> float:
    """Seconds from ``end()`` until a program has ended, without those in which it stood in line for a processor."""
    queue, in_line_s = ProcessorQueue(program.pid), 0.0
    end()
    began_s = time.monotonic()
    while program.poll() is None:
        in_line_s = queue.look()
        assert time.monotonic() < began_s + patience_s
        time.sleep(0.02)
    return time.monotonic() - began_s - in_line_s
