"""Progress of commands that take longer than a moment, on standard error."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self, TextIO

from companion.cli.output import erase_progress, print_progress

AFTER_S = 3.0
"""A shorter command prints no progress."""
ON_A_TERMINAL_S, ELSEWHERE_S = 1.0, 30.0
"""How often progress is printed: a terminal's line is replaced, a log gets further lines."""


class ProgressLine:
    """Prints how far a command is, as long as it is open.

        >>> with ProgressLine("Refereeing", 900) as progress:
        ...     for number in range(900):
        ...         progress.at(number + 1)

    Args:
        what: The activity, as the start of a sentence.
        total: The number of steps; ``None`` = unknown.
        stream: Where to print; standard error by default.
        after_s: When to print first.
    """

    def __init__(
        self, what: str, total: int | None = None, *, stream: TextIO | None = None, after_s: float = AFTER_S
    ) -> None:
        self._what, self._total, self._after_s = what, total, after_s
        self._stream = sys.stderr if stream is None else stream
        self._on_a_terminal = self._stream.isatty()
        self._step: int | None = None
        self._began_s = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._work, name="progress", daemon=True)

    def at(self, step: int) -> None:
        """The command has reached this step, counted from 1."""
        self._step = step

    def line(self) -> str:
        """The text to print now."""
        words = [self._what]
        if self._step is not None:
            words.append(f"{self._step}" if self._total is None else f"{self._step} of {self._total}")
        return f"{' '.join(words)} ({time.monotonic() - self._began_s:.0f} s)"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _work(self) -> None:
        pause_s = self._after_s
        while not self._over.wait(pause_s):
            pause_s = ON_A_TERMINAL_S if self._on_a_terminal else ELSEWHERE_S
            print_progress(self._stream, self.line(), kept=not self._on_a_terminal)
        erase_progress()
