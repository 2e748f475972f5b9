"""Lamp, buzzer and buttons on the pins of a Raspberry Pi.

The package imports only ``companion.public``, ``companion.reading`` and gpiozero. It shows updates and reports button
presses. gpiozero is loaded on first use of a name that needs it.

    >>> import hardware
    >>> from companion.public.updates import Signal, Update
    >>> wiring = hardware.parse_wiring({"lamp": {"red": 17, "green": 27, "blue": 22}, "buzzer": 18})
    >>> pins = hardware.pin_factory(pi=False)  # mock pins, which need no Raspberry Pi
    >>> panel = hardware.Panel(wiring, pins)
    >>> panel(Update(None, Signal.PLAYED))  # shown in a thread of its own; the call returns at once
    >>> panel.close()
    >>> pins.close()
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from hardware.buttons import Buttons as Buttons
    from hardware.panel import Panel as Panel
    from hardware.pins import pin_factory as pin_factory
    from hardware.wiring import Wiring as Wiring, parse_wiring as parse_wiring
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Buttons": "hardware.buttons",
            "Panel": "hardware.panel",
            "Wiring": "hardware.wiring",
            "parse_wiring": "hardware.wiring",
            "pin_factory": "hardware.pins",
        },
    )
