from __future__ import annotations

import math
from colorsys import rgb_to_hsv
from contextlib import closing
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory
from support.fake_clock import FakeClock
from support.pin_traces import StoppedHighPin, same, trace

from companion.public.colours import SEAT_COLOURS
from companion.public.standing import Standing
from companion.public.table import Seat
from companion.public.text import Text
from companion.public.updates import Alert, Signal, Update
from hardware.panel import NIGHT, Panel
from hardware.patterns import PATTERNS, SEATS, STANDING, over
from hardware.wiring import Wiring

pytestmark = pytest.mark.core

RGB = Wiring(lamp=(17, 27, 22), buzzer=18)
FOREVER = math.inf


def standing(seats: int) -> Standing:
    return Standing(turn=Seat(1), points=(0,) * seats, counters={"hands": (5,) * seats, "stack": 30, "trumps": 0})


def perform(
    clock: FakeClock, panel: Panel, factory: Any, news: Update, seconds: float
) -> dict[str, list[tuple[float, float]]]:
    """The whole trace of red, green and blue from just before the news to so many seconds after it."""
    clock.advance(0.02)
    leds = {"red": factory.pin(17), "green": factory.pin(27), "blue": factory.pin(22)}
    for pin in leds.values():
        pin.clear_states()
    panel(news)
    clock.advance(seconds)
    return {
        name: [(state, lasted) for state, lasted in trace(pin)][1:] if len(pin.states) > 1 else []
        for name, pin in leds.items()
    }


OFF = (0.0, FOREVER)
BLINKS = [(1.0, 0.5), (0.0, 0.4)]
AMBER = [(1.0, 0.2), (0.0, 0.2), (1.0, 0.2), (0.0, 1.2), (1.0, 0.2), (0.0, 0.2), (1.0, FOREVER)]
LEDS = {
    "a lawful card is green for a moment": (Update(1, Signal.PLAYED), 0.7, {"green": [(1.0, 0.4), OFF]}),
    "a trump is green, white, green": (
        Update(3, Signal.PRIZE),
        1.1,
        {"green": [(1.0, 0.9), OFF], "red": [(1.0, 0.3), OFF], "blue": [(1.0, 0.3), OFF]},
    ),
    "a refused card blinks red three times and stays red": (
        Update(8, Signal.REFUSED, alert=Alert.REFUSED),
        3.2,
        {"red": [*BLINKS, *BLINKS, *BLINKS, (1.0, FOREVER)]},
    ),
    "a question is amber, two and two": (
        Update(5, Signal.ASKS, alert=Alert.ASKS),
        2.3,
        {"red": AMBER, "green": [(0.4 * state, lasts_s) for state, lasts_s in AMBER]},
    ),
    "a table out of sight is slow blue": (
        Update(None, Signal.LOST, alert=Alert.LOST),
        3.2,
        {"blue": [(1.0, 1.5), (0.0, 1.5), (1.0, FOREVER)]},
    ),
}


@pytest.mark.parametrize("what", LEDS)
def test_the_lamp_shows_its_whole_pattern_and_is_dark_when_all_is_settled(
    what: str, pins: Any, clock: FakeClock
) -> None:
    news, seconds, wanted = LEDS[what]
    with closing(Panel(RGB, pins)) as panel:
        seen = perform(clock, panel, pins, news, seconds)
        assert all(same(seen[led], wanted.get(led, [])) for led in seen), seen
        perform(clock, panel, pins, Update(9, Signal.SETTLED), 0.2)
        assert [pins.pin(number).state for number in RGB.lamp] == [0.0, 0.0, 0.0]


def test_a_refused_card_gives_two_short_low_notes_once(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(RGB, pins)) as panel:
        buzzer = pins.pin(18)
        buzzer.clear_states()
        buzzer.pitches.clear()
        panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(1.0)
        assert buzzer.pitches == [196, None, 196, None]
        assert same(trace(buzzer)[1:], [(0.5, 0.12), (0.0, 0.1), (0.5, 0.12), (0.0, FOREVER)])


def test_a_trump_has_one_rising_note(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(RGB, pins)) as panel:
        pins.pin(18).pitches.clear()
        panel(Update(3, Signal.PRIZE))
        clock.advance(1.1)
        pitches = [pitch for pitch in pins.pin(18).pitches if pitch is not None]
    assert pitches == sorted(set(pitches))
    assert len(pitches) > 1


def test_the_end_shows_every_seats_colour_and_four_notes(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(RGB, pins)) as panel:
        pins.pin(18).pitches.clear()
        panel(Update(99, Signal.OVER, standing=standing(4)))
        clock.advance(10.0)
        assert len([pitch for pitch in pins.pin(18).pitches if pitch]) == 4
    assert [light.colour for light in over(4)] == list(SEATS[:4]) * 2
    assert len(set(SEATS)) == 9


def test_the_lamp_and_the_screens_show_a_seat_in_the_same_colour() -> None:
    """Seat 4 was yellow on the lamp and purple everywhere else, and blue was seat 5, not 2."""
    hues = [(rgb_to_hsv(*paper(one))[:2], rgb_to_hsv(*light)) for one, light in zip(SEAT_COLOURS, SEATS, strict=True)]
    for (hue, depth), (shown_hue, shown_depth, bright) in hues:
        assert (shown_hue, shown_depth) == (pytest.approx(hue, abs=0.02), pytest.approx(depth, abs=0.02))
        assert bright == 1.0, "as bright as the lamp can show it"


def paper(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


@pytest.mark.parametrize("seats", [1, 9])
def test_in_silent_games_every_card_looks_the_same(pins: Any, clock: FakeClock, seats: int) -> None:
    """The same short white for every card, whatever it is."""
    told = (
        Update(1, Signal.RECOGNISED),
        Update(2, Signal.RECOGNISED, texts=(Text("played", {"card": "1-8"}),), standing=standing(seats)),
        Update(3, Signal.RECOGNISED, entry={"event": "played", "objections": ["prerequisites"]}, view={"pile": 3}),
    )
    with closing(Panel(RGB, pins)) as panel:
        pins.pin(18).pitches.clear()
        traces = [perform(clock, panel, pins, news, 0.4) for news in told]
        assert pins.pin(18).pitches == []
    for seen in traces:
        assert all(same(seen[led], [(1.0, 0.15), (0.0, FOREVER)]) for led in ("red", "green", "blue"))


def test_news_never_keeps_the_caller_waiting(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(RGB, pins)) as panel:
        for number in range(200):  # the clock stands still: whoever waited for the lamp would wait for ever
            panel(Update(number, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(0.1)
        assert pins.pin(17).state == 1.0


def test_what_is_suspected_and_then_withdrawn_leaves_no_amber_behind(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(RGB, pins)) as panel:
        panel(Update(None, Signal.SUSPECTED))
        clock.advance(0.05)
        assert pins.pin(17).state == 1.0
        panel(Update(None, Signal.SETTLED))
        clock.advance(10.0)
        assert pins.pin(17).state == 0.0


def test_closing_drives_everything_off_even_in_the_middle(pins: Any, clock: FakeClock) -> None:
    panel = Panel(RGB, pins)
    panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
    clock.advance(0.05)
    assert (pins.pin(17).state, pins.pin(18).state) == (1.0, 0.5)
    panel.close()
    panel.close()
    assert [pins.pin(number).state for number in (17, 27, 22, 18)] == [0.0, 0.0, 0.0, 0.0]


def test_a_buzzer_that_is_silent_gets_no_current_and_nothing_is_let_go_while_it_is_high(clock: FakeClock) -> None:
    pins = MockFactory(pin_class=StoppedHighPin)
    with closing(pins):
        with closing(Panel(RGB, pins)) as panel:
            panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
            clock.advance(4.0)
            assert pins.pin(18).pitches[-4:] == [196, None, 196, None]
            assert pins.pin(18).state == 0.0
            assert pins.pin(17).state == 1.0
            panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
            clock.advance(0.05)
            assert pins.pin(18).state == 0.5
        assert [pins.pin(number).state for number in (17, 27, 22, 18)] == [0.0, 0.0, 0.0, 0.0]
        with closing(Panel(Wiring(lamp=(17, 27, 22), lit_high=False), pins)):
            pass
        assert [pins.pin(number).state for number in (17, 27, 22)] == [1.0, 1.0, 1.0]


def test_a_lamp_to_33_volts_is_dark_when_its_pins_are_high(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(Wiring(lamp=(17, 27, 22), lit_high=False), pins)) as panel:
        assert [pins.pin(number).state for number in (17, 27, 22)] == [1.0, 1.0, 1.0]
        panel(Update(1, Signal.LOST, alert=Alert.LOST))
        clock.advance(0.05)
        assert [pins.pin(number).state for number in (17, 27, 22)] == [1.0, 1.0, 0.0]


def test_two_plain_leds_say_blue_by_its_slow_rhythm(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(Wiring(lamp=(17, 27)), pins)) as panel:
        panel(Update(None, Signal.LOST, alert=Alert.LOST))
        clock.advance(0.05)
        assert pins.pin(17).state == pins.pin(27).state == 1.0


@pytest.mark.parametrize(("how", "bright"), [("night", NIGHT), ("mute", 1.0)])
def test_at_night_the_lamp_is_dim_and_a_quiet_table_makes_no_sound_until_it_may(
    how: str, bright: float, pins: Any, clock: FakeClock
) -> None:
    with closing(Panel(Wiring(lamp=(17, 27, 22), buzzer=18, **{how: True}), pins)) as panel:
        pins.pin(18).pitches.clear()
        panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(0.35)
        assert pins.pin(17).state == bright
        assert [p for p in pins.pin(18).pitches if p is not None] == []
        panel.set_quiet(night=False, mute=False)
        panel(Update(9, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(0.05)
        assert pins.pin(17).state == 1.0
        assert 196 in pins.pin(18).pitches


def test_an_active_buzzer_beeps_in_the_same_rhythm(pins: Any, clock: FakeClock) -> None:
    with closing(Panel(Wiring(buzzer=18, passive=False), pins)) as panel:
        pins.pin(18).clear_states()
        panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(0.7)
        assert same(trace(pins.pin(18))[1:], [(1.0, 0.12), (0.0, 0.1), (1.0, 0.12), (0.0, FOREVER)])


@pytest.mark.parametrize("passive", [True, False], ids=["passive", "active"])
def test_a_buzzer_that_sounds_while_its_pin_is_low_is_still_at_the_start_between_notes_and_at_the_end(
    passive: bool, clock: FakeClock
) -> None:
    """The common ones with three pins: at 0 V they would sound all evening, but for the notes."""
    pins = MockFactory(pin_class=StoppedHighPin)
    with closing(pins):
        panel = Panel(Wiring(buzzer=18, passive=passive, silent_high=True), pins)
        buzzer = pins.pin(18)
        assert buzzer.state == 1.0
        buzzer.clear_states()
        panel(Update(8, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(4.0)
        if passive:
            assert buzzer.pitches[-4:] == [196, None, 196, None]
        else:
            assert same(trace(buzzer)[1:], [(0.0, 0.12), (1.0, 0.1), (0.0, 0.12), (1.0, FOREVER)])
        assert buzzer.state == 1.0
        panel(Update(9, Signal.REFUSED, alert=Alert.REFUSED))
        clock.advance(0.05)
        panel.close()
        assert buzzer.state == 1.0


def test_every_signal_and_every_alert_has_its_pattern_and_no_note_lasts_for_ever() -> None:
    assert set(PATTERNS) == set(Signal)
    assert set(STANDING) == set(Alert)
    for pattern in PATTERNS.values():
        assert sum(note.lasts_s for note in pattern.notes) <= 2.0
        assert sum(light.lasts_s for light in pattern.lights) <= 10.0


def test_alerts_differ_in_rhythm_and_not_only_in_colour() -> None:
    rhythms = [
        tuple((any(light.colour), light.lasts_s) for light in lights)
        for alert, lights in STANDING.items()
        if alert is not Alert.NONE
    ]
    assert len(set(rhythms)) == len(rhythms)
