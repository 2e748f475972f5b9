"""All devices that show a table's updates: lamp and buzzer on the pins, and other lamps beside them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from companion.public.text import JSON
from companion.public.updates import Update
from hardware import pins
from hardware.buttons import Buttons, OnPress
from hardware.lamps import Output, open_lamps, without_lamps
from hardware.panel import Panel
from hardware.wiring import DEFAULT_WIRING, Wiring, parse_wiring

log = logging.getLogger(__name__)


class Outputs:
    """All outputs as one. If one fails, the failure is logged and the others go on.

    Attributes:
        night, mute: The last setting.
        visible: Whether anything lights up; gpiozero's mock pins do not.
        left_out: Of each lamp that is named and does not work, its key and why.
    """

    def __init__(
        self, outputs: Sequence[Output], *, visible: bool = True, left_out: Sequence[tuple[str, str]] = ()
    ) -> None:
        self._outputs = tuple(outputs)
        self.visible = visible
        self.left_out = tuple(left_out)
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
    return parse_wiring(without_lamps(section))


def open_outputs(section: Mapping[str, JSON] | None, press: OnPress, stack: ExitStack) -> Outputs:
    """Open everything that a ``[panel]`` table names, and its buttons; without a table, the default wiring.

    Args:
        press: Called for each press of a button.
        stack: Closes all of them.

    Raises:
        InputError: The table is wrong.
        DeviceError: A pin cannot be used.
    """
    wiring = panel_wiring(section)
    factory = pins.pin_factory()
    stack.callback(factory.close)
    panel = Panel(wiring, factory)
    stack.callback(panel.close)
    lamps, left_out = open_lamps(section or {}, stack)
    stack.callback(Buttons(wiring, factory, press).close)
    every = Outputs((panel, *lamps), visible=bool(lamps) or pins.pin_library() != "mock", left_out=left_out)
    every.set_quiet(night=wiring.night, mute=wiring.mute)
    return every
