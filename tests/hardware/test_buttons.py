from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest
from support.pin_traces import eventually

from companion.public.table import Seat
from hardware.buttons import Buttons
from hardware.wiring import ButtonPin, Wiring

pytestmark = pytest.mark.core

WIRING = Wiring(
    buttons=(ButtonPin("end", 5), ButtonPin("undo", 6), ButtonPin("pause", 13), ButtonPin("seat", 19, Seat(2)))
)
HOLD_S = 0.5
"""Long enough for a busy machine not to hold a button by itself."""


@pytest.fixture
def pressed(pins: Any) -> Iterator[list[tuple[str, Seat | None]]]:
    told: list[tuple[str, Seat | None]] = []
    with closing(Buttons(WIRING, pins, lambda name, seat: told.append((name, seat)), hold_s=HOLD_S)):
        yield told


def push(pins: Any, pin: int, seconds: float = 0.0) -> None:
    pins.pin(pin).drive_low()
    time.sleep(seconds)
    pins.pin(pin).drive_high()


def test_end_of_turn_pause_and_a_seat_act_when_pressed(pins: Any, pressed: list[tuple[str, Seat | None]]) -> None:
    for pin in (5, 13, 19):
        push(pins, pin)
    assert pressed == [("end", None), ("pause", None), ("seat", Seat(2))]


def test_holding_end_of_turn_ends_one_turn(pins: Any, pressed: list[tuple[str, Seat | None]]) -> None:
    push(pins, 5, 2 * HOLD_S)
    assert pressed == [("end", None)]


def test_an_elbow_on_undo_undoes_nothing(pins: Any, pressed: list[tuple[str, Seat | None]]) -> None:
    push(pins, 6)
    push(pins, 6, HOLD_S / 20)
    time.sleep(2 * HOLD_S)
    assert pressed == []


def test_undo_is_held_and_acts_once_when_let_go(pins: Any, pressed: list[tuple[str, Seat | None]]) -> None:
    pins.pin(6).drive_low()
    time.sleep(1.5 * HOLD_S)
    assert pressed == []
    pins.pin(6).drive_high()
    assert eventually(lambda: pressed == [("undo", None)])


def test_undo_held_on_and_on_lets_the_next_phone_be_host_and_undoes_nothing(
    pins: Any, pressed: list[tuple[str, Seat | None]]
) -> None:
    pins.pin(6).drive_low()
    assert eventually(lambda: pressed == [("host", None)], 30.0)
    pins.pin(6).drive_high()
    time.sleep(HOLD_S)
    assert pressed == [("host", None)]


def test_each_button_pulls_its_pin_up_so_that_a_wire_to_ground_is_enough(
    pins: Any, pressed: list[tuple[str, Seat | None]]
) -> None:
    assert [pins.pin(pin).pull for pin in (5, 6, 13, 19)] == ["up"] * 4
    assert pressed == []


def test_closed_buttons_say_nothing_more(pins: Any) -> None:
    told: list[str] = []
    buttons = Buttons(WIRING, pins, lambda name, seat: told.append(name))
    buttons.close()
    buttons.close()
    pins.pin(5).drive_low()
    assert told == []
