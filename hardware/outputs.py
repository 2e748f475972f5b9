"""Everything that shows a table's updates: lamp and buzzer on the pins, and lamps of other kinds beside them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Protocol

from companion.public.text import JSON
from companion.public.updates import Update
from hardware import pins
from hardware.buttons import Buttons, OnPress
from hardware.panel import Panel
from hardware.wiring import DEFAULT_WIRING, Wiring, parse_wiring

log = logging.getLogger(__name__)


class Output(Protocol):
    """A lamp, a buzzer, or both; whoever opens it closes it."""

    def __call__(self, update: Update) -> None:
        """Show what happened, then what stands; must not keep the caller waiting."""

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        """Night: lamp only, dimmed; mute: lamp only."""

    def close(self) -> None:
        """Everything off."""


LAMPS: dict[str, Callable[[JSON], Output]] = {}
"""Lamps that hang on no pin, by their key in ``[panel]``: what opens one, given what stands there. It may raise
InputError, with paths that begin with its key, and DeviceError."""


class Outputs:
    """All of them as one. One that fails is logged, and the others go on.

    Attributes:
        night, mute: As was set last.
    """

    def __init__(self, outputs: Sequence[Output]) -> None:
        self._outputs = tuple(outputs)
        self.night = self.mute = False

    def __call__(self, update: Update) -> None:
        """Show what happened, then what stands."""
        self._each(lambda output: output(update))

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        """Night: lamp only, dimmed; mute: lamp only."""
        self.night, self.mute = night, mute
        self._each(lambda output: output.set_quiet(night=night, mute=mute))

    def _each(self, do: Callable[[Output], None]) -> None:
        for output in self._outputs:
            try:
                do(output)
            except Exception:
                log.exception("%r failed", output)


def panel_wiring(section: Mapping[str, JSON] | None) -> Wiring:
    """The pins of a ``[panel]`` table; without one the usual ones.

    Raises:
        InputError: Everything that is wrong with them, at once; paths start below ``panel``.
    """
    if section is None:
        return DEFAULT_WIRING
    return parse_wiring({key: value for key, value in section.items() if key not in LAMPS})


def open_outputs(section: Mapping[str, JSON] | None, press: OnPress, stack: ExitStack) -> Outputs:
    """Everything that a ``[panel]`` table names, and its buttons, closed with ``stack``; without one as usually wired.

    Raises:
        InputError: The table is wrong.
        DeviceError: A pin or a lamp cannot be used.
    """
    wiring = panel_wiring(section)
    factory = pins.pin_factory()
    stack.callback(factory.close)
    outputs: list[Output] = [Panel(wiring, factory)]
    stack.callback(outputs[0].close)
    for key, open_lamp in LAMPS.items():
        if section is not None and key in section:
            outputs.append(open_lamp(section[key]))
            stack.callback(outputs[-1].close)
    stack.callback(Buttons(wiring, factory, press).close)
    every = Outputs(outputs)
    every.set_quiet(night=wiring.night, mute=wiring.mute)
    return every
