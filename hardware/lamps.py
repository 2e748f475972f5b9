"""Lamps that are not on the pins. A lamp is a function that opens it; its entry point in ``companion.lamps`` is named
as its key in ``[panel]``, and the function is given the value there.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from importlib.metadata import EntryPoint
from typing import Protocol

from companion.errors import CompanionError, InputError
from companion.public.entry_points import entry_points_of, load, package_of
from companion.public.text import JSON
from companion.public.updates import Update

log = logging.getLogger(__name__)

GROUP = "companion.lamps"

MOST_WAITING = 20
"""So many updates wait for a lamp that takes its time; of more the oldest is not shown."""
CLOSES_S = 5.0
"""How long the end of a table waits for such a lamp."""


class Output(Protocol):
    """A lamp, a buzzer, or both. The code that opens it closes it."""

    def __call__(self, update: Update) -> None:
        """Show what happened, then the current state; must not block."""

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        """Night: lamp only, dimmed; mute: lamp only."""

    def close(self) -> None:
        """Switch everything off."""


def open_lamps(section: Mapping[str, JSON], stack: ExitStack) -> tuple[tuple[Output, ...], tuple[tuple[str, str], ...]]:
    """Open the lamps that a ``[panel]`` table names.

    A lamp that is not there, or whose package does not work, is left out.

    Args:
        stack: Closes them.

    Returns:
        The lamps; and of each that is left out its key and why, in half a sentence.

    Raises:
        InputError: What the table says of a lamp is wrong.
    """
    lamps: list[Output] = []
    left_out: list[tuple[str, str]] = []
    for key, door in entry_points_of(GROUP).items():
        if key not in section:
            continue
        try:
            lamp: Output = load(door)(section[key])
        except InputError:
            raise
        except Exception as wrong:  # noqa: BLE001  # whatever a stranger's code raises, the table goes on without it
            left_out.append((key, _why(wrong, door)))
            log.error("the lamp %s is left out: %s", *left_out[-1])
            continue
        lamps.append(_Apart(key, lamp))
        stack.callback(lamps[-1].close)
    return tuple(lamps), tuple(left_out)


def faults_of_lamps(section: Mapping[str, JSON] | None) -> tuple[tuple[str, str], ...]:
    """Try the lamps that a ``[panel]`` table names; returns of each that does not work its key and why.

    Raises:
        InputError: What the table says of a lamp is wrong.
    """
    with ExitStack() as stack:
        return open_lamps(section or {}, stack)[1]


def without_lamps(section: Mapping[str, JSON]) -> dict[str, JSON]:
    """What a ``[panel]`` table says of the pins alone."""
    return {key: value for key, value in section.items() if key not in entry_points_of(GROUP)}


class _Apart:
    """A lamp in a thread of its own: one that waits for its network, or raises, keeps nobody else waiting."""

    def __init__(self, key: str, lamp: Output) -> None:
        self._key, self._lamp = key, lamp
        self._updates: deque[Update] = deque(maxlen=MOST_WAITING)  # of what is too much the oldest goes
        self._quiet: tuple[bool, bool] | None = None  # night, mute: always the newest
        self._news = threading.Condition()
        self._is_open = True
        self._thread = threading.Thread(target=self._run, name=f"lamp {key}", daemon=True)
        self._thread.start()

    def __call__(self, update: Update) -> None:
        with self._news:
            self._updates.append(update)
            self._news.notify()

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        with self._news:
            self._quiet = night, mute
            self._news.notify()

    def close(self) -> None:
        with self._news:
            self._is_open = False
            self._news.notify()
        self._thread.join(CLOSES_S)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._updates or self._quiet or not self._is_open)
                quiet, self._quiet = self._quiet, None
                update = self._updates.popleft() if self._updates else None
            if quiet is not None:
                self._try(partial(self._lamp.set_quiet, night=quiet[0], mute=quiet[1]))
            if update is not None:
                self._try(partial(self._lamp, update))
            elif quiet is None:
                break
        self._try(self._lamp.close)

    def _try(self, do: Callable[[], None]) -> None:
        try:
            do()
        except Exception:
            log.exception("the lamp %s does not work", self._key)


def _why(wrong: Exception, door: EntryPoint) -> str:
    if isinstance(wrong, CompanionError):
        return str(wrong).rstrip(".")
    return f"{type(wrong).__name__}: {wrong}; it comes with {package_of(door)}"
