"""The panel's buttons.

End of turn, pause and the seats' buttons act when pressed. Undo must not be triggered by an elbow, so it acts on
release after being held for one second. Held for four seconds it means ``host`` instead: the next phone may become
host.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from gpiozero.input_devices import Button

from companion.public.table import Seat
from hardware.pins import unusable
from hardware.wiring import ButtonPin, Wiring

OnPress = Callable[[str, Seat | None], None]
"""Called with ``end``, ``undo``, ``pause``, ``seat`` (and its number) or ``host``; must not block."""

HOLD_S = 1.0
HOLDS_FOR_HOST = 4
BOUNCE_S = 0.03


class Buttons:
    """All buttons of a panel.

        >>> from hardware.pins import pin_factory
        >>> from hardware.wiring import parse_wiring
        >>> pins = pin_factory(pi=False)  # mock pins, which need no Raspberry Pi
        >>> wiring = parse_wiring({"buttons": {"end": 5, "seat-1": 19}})
        >>> buttons = Buttons(wiring, pins, lambda name, seat: print(name, seat))
        >>> pins.pin(19).drive_low()  # the button connects its pin to ground
        seat 1
        >>> buttons.close()
        >>> pins.close()

    Args:
        wiring: Their pins; each button connects its pin to ground.
        factory: gpiozero's pins, see ``hardware.pins``.
        press: Called for each press, from one of gpiozero's threads.
        hold_s: How long undo must be held.

    Raises:
        DeviceError: A pin cannot be used.
    """

    def __init__(self, wiring: Wiring, factory: Any, press: OnPress, *, hold_s: float = HOLD_S) -> None:
        self._devices = ExitStack()
        try:
            for push in wiring.buttons:
                button = self._devices.enter_context(
                    Button(
                        push.pin,
                        pull_up=True,
                        bounce_time=BOUNCE_S,
                        hold_time=hold_s,
                        hold_repeat=True,
                        pin_factory=factory,
                    )
                )
                if push.name == "undo":
                    _confirm(button, press)
                else:
                    button.when_pressed = _announce(push, press)
        except Exception as error:
            self._devices.close()
            raise unusable(error) from error

    def close(self) -> None:
        """Release the pins; may be called twice."""
        self._devices.close()


def _announce(push: ButtonPin, press: OnPress) -> Callable[[], None]:
    def report() -> None:
        press(push.name, push.seat)

    return report


def _confirm(button: Button, press: OnPress) -> None:
    holds = 0

    def begin() -> None:
        nonlocal holds
        holds = 0

    def hold() -> None:
        nonlocal holds
        holds += 1
        if holds == HOLDS_FOR_HOST:
            press("host", None)

    def let_go() -> None:
        if 0 < holds < HOLDS_FOR_HOST:
            press("undo", None)

    button.when_pressed = begin
    button.when_held = hold
    button.when_released = let_go
