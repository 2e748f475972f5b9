"""All devices that show a table's updates: lamp and buzzer on the pins, and other lamps beside them."""

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
    """A lamp, a buzzer, or both. The code that opens it closes it."""

    def __call__(self, update: Update) -> None:
        """Show what happened, then the current state; must not block."""

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        """Night: lamp only, dimmed; mute: lamp only."""

    def close(self) -> None:
        """Switch everything off."""


LAMPS: dict[str, Callable[[JSON], Output]] = {}
"""Lamps that are not on the pins, by their key in ``[panel]``: a function that opens one from the value there. It may
raise InputError, with paths that begin with its key, and DeviceError."""


class Outputs:
    """All outputs as one. If one fails, the failure is logged and the others go on.

    Attributes:
        night, mute: The last setting.
        visible: Whether anything lights up; gpiozero's mock pins do not.
    """

    def __init__(self, outputs: Sequence[Output], *, visible: bool = True) -> None:
        self._outputs = tuple(outputs)
        self.visible = visible
        self.night = self.mute = False

    def __call__(self, update: Update) -> None:
        self._each(lambda output: output(update))

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        self.night, self.mute = night, mute
        self._each(lambda output: output.set_quiet(night=night, mute=mute))

    def _each(self, do: Callable[[Output], None]) -> None:
        for output in self._outputs:
            try:
                do(output)
            except Exception:
                log.exception("%r failed", output)


def panel_wiring(section: Mapping[str, JSON] | None) -> Wiring:
    """The pins of a ``[panel]`` table; the default wiring without one.

    >>> panel_wiring({"buzzer": 18}).buzzer, panel_wiring(None).lamp
    (18, (17, 27, 22))

    Raises:
        InputError: All faults at once; paths start below ``panel``.
    """
    if section is None:
        return DEFAULT_WIRING
    return parse_wiring({key: value for key, value in section.items() if key not in LAMPS})


def open_outputs(section: Mapping[str, JSON] | None, press: OnPress, stack: ExitStack) -> Outputs:
    """Open everything that a ``[panel]`` table names, and its buttons; without a table, the default wiring.

    Args:
        press: Called for each press of a button.
        stack: Closes all of them.

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
    every = Outputs(outputs, visible=len(outputs) > 1 or pins.pin_library() != "mock")
    every.set_quiet(night=wiring.night, mute=wiring.mute)
    return every
