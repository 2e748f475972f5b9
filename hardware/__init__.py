"""Lamp, buzzer and buttons on the pins of a Raspberry Pi.

It imports ``companion.public`` and gpiozero; it takes updates and says which button was pressed. gpiozero is loaded
when a name below is first used that needs it.

    >>> import hardware
    >>> from companion.public.updates import Signal, Update
    >>> wiring = hardware.parse_wiring({"lamp": {"red": 17, "green": 27, "blue": 22}, "buzzer": 18})
    >>> pins = hardware.pin_factory(pi=False)  # mock pins, which need no Raspberry Pi
    >>> panel = hardware.Panel(wiring, pins)
    >>> panel(Update(None, Signal.PLAYED))  # shown in a thread of its own; the call returns at once
    >>> panel.close()
    >>> pins.close()
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardware.buttons import Buttons
    from hardware.panel import Panel
    from hardware.pins import pin_factory
    from hardware.wiring import Wiring, parse_wiring

__all__ = ["Buttons", "Panel", "Wiring", "parse_wiring", "pin_factory"]

_MODULES = {
    "Buttons": "hardware.buttons",
    "Panel": "hardware.panel",
    "Wiring": "hardware.wiring",
    "parse_wiring": "hardware.wiring",
    "pin_factory": "hardware.pins",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
