"""Lamps that are not on the pins. A lamp is a function that opens it; its entry point in ``companion.lamps`` is named
as its key in ``[panel]``, and the function is given the value there.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from importlib.metadata import EntryPoint
from typing import Protocol

from companion.errors import CompanionError, InputError
from companion.public.entry_points import entry_points_of, load, package_of
from companion.public.text import JSON
from companion.public.updates import Update

log = logging.getLogger(__name__)

GROUP = "companion.lamps"


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
        lamps.append(lamp)
        stack.callback(_close, lamp)
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


def _close(lamp: Output) -> None:
    try:
        lamp.close()
    except Exception:
        log.exception("%r could not be switched off", lamp)


def _why(wrong: Exception, door: EntryPoint) -> str:
    if isinstance(wrong, CompanionError):
        return str(wrong).rstrip(".")
    return f"{type(wrong).__name__}: {wrong}; it comes with {package_of(door)}"
