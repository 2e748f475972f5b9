"""The wiring of the panel: the table ``[panel]`` of the settings as a value.

Pins have Broadcom numbers (BCM), as in gpiozero and on most printed pin cards::

    [panel]
    lamp = { red = 17, green = 27, blue = 22 }   # without blue: two plain LEDs
    common = "cathode"                           # or "anode": the lamp's long leg goes to 3.3 V
    buzzer = 18
    buzzer_kind = "passive"                      # or "active": beeps by itself when switched on
    buzzer_level = "high"                        # or "low": sounds while its pin is low, as many with three pins do
    night = false                                # lamp only, dimmed
    mute = false                                 # lamp only
    [panel.buttons]                              # each from its pin to ground; no resistor needed
    end = 5
    undo = 6
    pause = 13
    seat-1 = 19
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.errors import Fault, InputError
from companion.public.table import Seat
from companion.public.text import JSON

RESERVED = {
    0: "for the memory of add-on boards",
    1: "for the memory of add-on boards",
    2: "for I2C, with a fixed resistor",
    3: "for I2C, with a fixed resistor",
    14: "for the serial console",
    15: "for the serial console",
}
HIGHEST_PIN = 27
COLOURS = ("red", "green", "blue")
BUTTONS = ("end", "undo", "pause")
KEYS = ("lamp", "common", "buzzer", "buzzer_kind", "buzzer_level", "night", "mute", "buttons")


@dataclass(frozen=True, slots=True)
class ButtonPin:
    """One button: its name (``end``, ``undo``, ``pause``, ``seat``), its pin, and the seat it belongs to."""

    name: str
    pin: int
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Wiring:
    """The panel's pins.

    Attributes:
        lamp: Red, green and blue, or red and green; empty = no lamp.
        lit_high: A lamp pin lights at 3.3 V (common cathode).
        buzzer: Its pin, or ``None``.
        passive: The buzzer needs a tone; an active one makes its own.
        silent_high: The buzzer is still while its pin is at 3.3 V, and draws current while it is low.
        night: Lamp only, dimmed.
        mute: Lamp only.
    """

    lamp: tuple[int, ...] = ()
    lit_high: bool = True
    buzzer: int | None = None
    passive: bool = True
    silent_high: bool = False
    buttons: tuple[ButtonPin, ...] = ()
    night: bool = False
    mute: bool = False


DEFAULT_WIRING = Wiring(
    lamp=(17, 27, 22), buzzer=18, buttons=(ButtonPin("end", 5), ButtonPin("undo", 6), ButtonPin("pause", 13))
)
"""The wiring of the building guide, used where the settings have no ``[panel]``."""


def parse_wiring(section: Mapping[str, JSON], *, seats: int = 9) -> Wiring:
    """The wiring that a ``[panel]`` table describes; what it leaves out is not wired.

        >>> parse_wiring({"lamp": {"red": 17, "green": 27}}).lamp
        (17, 27)

    Raises:
        InputError: All faults at once; paths start below ``panel``.
    """
    faults = [*_keys(section), *_lamp(section), *_pins(section), *_words(section), *_buttons(section, seats)]
    if faults:
        raise InputError(*faults)
    lamp = section.get("lamp", {})
    return Wiring(
        lamp=tuple(lamp[colour] for colour in COLOURS if colour in lamp),
        lit_high=section.get("common", "cathode") == "cathode",
        buzzer=section.get("buzzer"),
        passive=section.get("buzzer_kind", "passive") == "passive",
        silent_high=section.get("buzzer_level", "high") == "low",
        buttons=tuple(_push(name, pin) for name, pin in section.get("buttons", {}).items()),
        night=section.get("night", False),
        mute=section.get("mute", False),
    )


def _push(name: str, pin: int) -> ButtonPin:
    kind, _, seat = name.partition("-")
    return ButtonPin(kind, pin, Seat(int(seat)) if seat else None)


def _keys(section: Mapping[str, JSON]) -> Iterator[Fault]:
    for key in section:
        if key not in KEYS:
            yield Fault(f"there is no such key; there are {', '.join(KEYS)}", (key,))
    for key in ("lamp", "buttons"):
        if not isinstance(section.get(key, {}), Mapping):
            yield Fault("want a table of names and pins, such as { red = 17 }", (key,))


def _lamp(section: Mapping[str, JSON]) -> Iterator[Fault]:
    lamp = section.get("lamp", {})
    if not isinstance(lamp, Mapping):
        return
    for colour in lamp:
        if colour not in COLOURS:
            yield Fault(f"a lamp has {', '.join(COLOURS)}", ("lamp", colour))
    if lamp and not {"red", "green"} <= set(lamp):
        yield Fault("want red and green at least", ("lamp",))


def _words(section: Mapping[str, JSON]) -> Iterator[Fault]:
    choices = {"common": ("cathode", "anode"), "buzzer_kind": ("passive", "active"), "buzzer_level": ("high", "low")}
    for key, words in choices.items():
        if section.get(key, words[0]) not in words:
            yield Fault(f'want "{words[0]}" or "{words[1]}", not {section[key]!r}', (key,))
    for key in ("night", "mute"):
        if not isinstance(section.get(key, False), bool):
            yield Fault(f"want true or false, not {section[key]!r}", (key,))


def _buttons(section: Mapping[str, JSON], seats: int) -> Iterator[Fault]:
    buttons = section.get("buttons", {})
    if not isinstance(buttons, Mapping):
        return
    for name in buttons:
        seat = re.fullmatch(r"seat-([1-9])", name)
        if name not in BUTTONS and not (seat and int(seat[1]) <= seats):
            yield Fault(f"want {', '.join(BUTTONS)}, or seat-1 to seat-{seats}", ("buttons", name))


def _pins(section: Mapping[str, JSON]) -> Iterator[Fault]:
    """Each pin must be free on the Pi and used once."""
    taken: dict[int, str] = {}
    for where, pin in _wires(section):
        name = ".".join(where)
        if not isinstance(pin, int) or isinstance(pin, bool) or not 0 <= pin <= HIGHEST_PIN:
            yield Fault(f"want a BCM pin number from 0 to {HIGHEST_PIN}, not {pin!r}", where)
        elif pin in RESERVED:
            yield Fault(f"the Pi keeps pin {pin} {RESERVED[pin]}; take another", where)
        elif pin in taken:
            yield Fault(f"pin {pin} is already taken by {taken[pin]}", where)
        else:
            taken[pin] = name


def _wires(section: Mapping[str, JSON]) -> Iterator[tuple[tuple[str, ...], JSON]]:
    for table in ("lamp", "buttons"):
        if isinstance(section.get(table), Mapping):
            for name, pin in section[table].items():
                yield (table, name), pin
    if "buzzer" in section:
        yield ("buzzer",), section["buzzer"]
