"""What the lamp and the buzzer do for each signal. The rhythm carries as much as the colour."""

from __future__ import annotations

from dataclasses import dataclass

from companion.public.colours import SEAT_COLOURS
from companion.public.updates import Alert, Signal

Colour = tuple[float, float, float]
"""Red, green and blue, each from 0 to 1."""

DARK: Colour = (0.0, 0.0, 0.0)
WHITE: Colour = (1.0, 1.0, 1.0)
RED: Colour = (1.0, 0.0, 0.0)
GREEN: Colour = (0.0, 1.0, 0.0)
BLUE: Colour = (0.0, 0.0, 1.0)
AMBER: Colour = (1.0, 0.4, 0.0)


def lamp_colour(paper: str) -> Colour:
    """A colour of pages and paper (``#RRGGBB``) as light: as bright as the lamp can show it.

    >>> lamp_colour("#804000")
    (1.0, 0.5, 0.0)
    """
    parts = [int(paper[at : at + 2], 16) for at in (1, 3, 5)]
    red, green, blue = (round(part / max(parts), 2) for part in parts)
    return red, green, blue


SEATS: tuple[Colour, ...] = tuple(map(lamp_colour, SEAT_COLOURS))
"""The seats' colours on the lamp, seat 1 first: those of pages, tags and counters."""


@dataclass(frozen=True, slots=True)
class Light:
    """The lamp shows a colour."""

    colour: Colour
    lasts_s: float


@dataclass(frozen=True, slots=True)
class Note:
    """The buzzer plays a note; pitch ``None`` = a rest."""

    pitch_hz: int | None
    lasts_s: float


@dataclass(frozen=True, slots=True)
class Pattern:
    """What one signal shows and plays, once."""

    lights: tuple[Light, ...] = ()
    notes: tuple[Note, ...] = ()


def blinks(colour: Colour, times: int, on_s: float, off_s: float) -> tuple[Light, ...]:
    """A colour, ``times`` times, each followed by dark.

    >>> [light.lasts_s for light in blinks(RED, times=2, on_s=0.5, off_s=0.4)]
    [0.5, 0.4, 0.5, 0.4]
    """
    return (Light(colour, on_s), Light(DARK, off_s)) * times


PATTERNS: dict[Signal, Pattern] = {
    Signal.RECOGNISED: Pattern(blinks(WHITE, 1, 0.15, 0.1)),
    Signal.PLAYED: Pattern((Light(GREEN, 0.4),)),
    Signal.PRIZE: Pattern(
        (Light(GREEN, 0.3), Light(WHITE, 0.3), Light(GREEN, 0.3)),
        (Note(523, 0.08), Note(659, 0.08), Note(784, 0.08), Note(1047, 0.16)),
    ),
    Signal.SUSPECTED: Pattern(blinks(AMBER, 3, 0.9, 0.9)),
    Signal.REFUSED: Pattern(blinks(RED, 3, 0.5, 0.4), (Note(196, 0.12), Note(None, 0.1), Note(196, 0.12))),
    Signal.SETTLED: Pattern(),  # forgiven: nothing to show
    Signal.ASKS: Pattern(),  # shown by the standing alert
    Signal.MISPLACED: Pattern(blinks(AMBER, 1, 0.6, 0.2) + blinks(AMBER, 2, 0.15, 0.15)),
    Signal.PAUSED: Pattern(),
    Signal.RESUMED: Pattern(blinks(WHITE, 2, 0.1, 0.1)),
    Signal.LOST: Pattern(),
    Signal.FOUND: Pattern(),
    Signal.CORRECTED: Pattern(blinks(WHITE, 1, 0.4, 0.1)),
    Signal.STARTED: Pattern((Light(WHITE, 0.6),)),
    Signal.OVER: Pattern(
        (),  # one light for each seat: ``over()``
        (Note(523, 0.2), Note(659, 0.2), Note(784, 0.2), Note(1047, 0.4)),
    ),
    Signal.NOTICE: Pattern(),
    Signal.TROUBLE: Pattern(),
}

STANDING: dict[Alert, tuple[Light, ...]] = {
    Alert.NONE: (Light(DARK, 60.0),),
    Alert.PAUSED: (Light(WHITE, 0.1), Light(DARK, 2.4)),
    Alert.ASKS: (*blinks(AMBER, 1, 0.2, 0.2), Light(AMBER, 0.2), Light(DARK, 1.2)),
    Alert.REFUSED: (Light(RED, 60.0),),
    Alert.DISAGREES: (*blinks(AMBER, 1, 0.6, 0.2), *blinks(AMBER, 2, 0.15, 0.15), Light(DARK, 1.2)),
    Alert.LOST: (Light(BLUE, 1.5), Light(DARK, 1.5)),
    Alert.TROUBLE: (*blinks(RED, 2, 0.15, 0.15), Light(RED, 0.15), Light(DARK, 1.0)),
}
"""What the lamp repeats while nothing else happens."""


def over(seats: int) -> tuple[Light, ...]:
    """All seats' colours, twice in a row.

    >>> [light.colour == SEATS[0] for light in over(seats=2)]
    [True, False, True, False]
    """
    return tuple(Light(colour, 0.35) for colour in SEATS[:seats]) * 2
