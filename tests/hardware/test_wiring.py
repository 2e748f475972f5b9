from __future__ import annotations

import tomllib

import pytest
from hypothesis import given, strategies as st

from companion.errors import InputError
from companion.public.table import Seat
from hardware.wiring import DEFAULT_WIRING, HIGHEST_PIN, RESERVED, ButtonPin, Wiring, parse_wiring

pytestmark = pytest.mark.core

FREE = sorted(set(range(HIGHEST_PIN + 1)) - set(RESERVED))


def faults(section: str) -> list[str]:
    with pytest.raises(InputError) as raised:
        parse_wiring(tomllib.loads(section), seats=4)
    return str(raised.value).splitlines()


def test_the_guides_own_table_is_read() -> None:
    table = """
    lamp = { red = 17, green = 27, blue = 22 }
    common = "anode"
    buzzer = 18
    buzzer_kind = "active"
    buzzer_level = "low"
    night = true
    [buttons]
    end = 5
    undo = 6
    seat-3 = 19
    """
    assert parse_wiring(tomllib.loads(table)) == Wiring(
        lamp=(17, 27, 22),
        lit_high=False,
        buzzer=18,
        passive=False,
        silent_high=True,
        buttons=(ButtonPin("end", 5), ButtonPin("undo", 6), ButtonPin("seat", 19, Seat(3))),
        night=True,
    )


def test_the_usual_wiring_would_pass_its_own_checks() -> None:
    buttons = {push.name: push.pin for push in DEFAULT_WIRING.buttons}
    lamp = dict(zip(("red", "green", "blue"), DEFAULT_WIRING.lamp, strict=True))
    assert parse_wiring({"lamp": lamp, "buzzer": DEFAULT_WIRING.buzzer, "buttons": buttons}) == DEFAULT_WIRING


def test_everything_wrong_is_named_at_once() -> None:
    said = faults(
        """
        lamp = { red = 17, green = 17, pink = 40 }
        buzzer = 14
        buzzer_kind = "loud"
        buzzer_level = 1
        lights = 3
        mute = "yes"
        [buttons]
        undo = "six"
        seat-5 = 19
        end = true
        """
    )
    assert said == [
        "lights: there is no such key; there are lamp, common, buzzer, buzzer_kind, buzzer_level, night, mute, buttons",
        "lamp.pink: a lamp has red, green, blue",
        "lamp.green: pin 17 is already taken by lamp.red",
        "lamp.pink: want a BCM pin number from 0 to 27, not 40",
        "buttons.undo: want a BCM pin number from 0 to 27, not 'six'",
        "buttons.end: want a BCM pin number from 0 to 27, not True",
        "buzzer: the Pi keeps pin 14 for the serial console; take another",
        'buzzer_kind: want "passive" or "active", not \'loud\'',
        'buzzer_level: want "high" or "low", not 1',
        "mute: want true or false, not 'yes'",
        "buttons.seat-5: want end, undo, pause, or seat-1 to seat-4",
    ]


def test_a_lamp_that_is_no_table_is_said_in_one_sentence() -> None:
    assert faults("lamp = 17\nbuttons = [5]") == [
        "lamp: want a table of names and pins, such as { red = 17 }",
        "buttons: want a table of names and pins, such as { red = 17 }",
    ]


def test_green_alone_is_no_lamp() -> None:
    assert faults("lamp = { green = 27 }") == ["lamp: want red and green at least"]


@given(st.lists(st.integers(-2, 40), min_size=5, max_size=5))
def test_pins_are_taken_exactly_when_all_are_free_and_different(pins: list[int]) -> None:
    red, green, buzzer, end, undo = pins
    section = {"lamp": {"red": red, "green": green}, "buzzer": buzzer, "buttons": {"end": end, "undo": undo}}
    if len(set(pins)) == 5 and set(pins) <= set(FREE):
        assert parse_wiring(section).lamp == (red, green)
    else:
        with pytest.raises(InputError):
            parse_wiring(section)
