from __future__ import annotations

from typing import Any

from hardware.self_test import run
from hardware.wiring import DEFAULT_WIRING


def test_trying_out_shows_every_colour_sounds_and_leaves_all_off(pins: Any) -> None:
    assert run(DEFAULT_WIRING, pins, seconds=0.4) == ()
    for number in (17, 27, 22, 18):
        states = [one.state for one in pins.pin(number).states]
        assert max(states) > 0
        assert pins.pin(number).state == 0


def test_a_button_whose_wire_touches_ground_is_named(pins: Any) -> None:
    pins.pin(6).pull = "up"
    grounded = pins.pin(6)
    grounded._set_pull = lambda value: grounded.drive_low()  # noqa: SLF001  # a wire that touches ground is not one of gpiozero’s mock pins
    assert run(DEFAULT_WIRING, pins, seconds=0.05) == ("the button undo (pin 6) is pressed all the time",)
