"""The lamp and the buzzer on the pins."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from gpiozero.output_devices import PWMLED, Buzzer, TonalBuzzer
from gpiozero.tones import Tone

from companion.public.updates import Signal, Update
from hardware.patterns import PATTERNS, STANDING, Colour, Light, Note, over
from hardware.pins import unusable
from hardware.sequencer import Sequencer
from hardware.wiring import Wiring

NIGHT = 0.12
"""Brightness of the lamp at night; 1 = by day."""


class Panel:
    """The lamp and the buzzer of one table, on threads of their own: call it with an update, it never blocks.

    Close it in the end: that switches every pin off.

        >>> from hardware.pins import pin_factory
        >>> pins = pin_factory(pi=False)
        >>> panel = Panel(Wiring(lamp=(17, 27, 22), buzzer=18), pins)
        >>> panel.set_quiet(night=True, mute=False)
        >>> panel
        Panel(lamp=(17, 27, 22), buzzer=18, night=True, mute=False)
        >>> panel(Update(None, Signal.PLAYED))
        >>> panel.close()
        >>> pins.close()

    Args:
        wiring: Its pins; what is not wired is left out.
        factory: gpiozero's pins, see ``hardware.pins``.

    Raises:
        DeviceError: A pin cannot be used.
    """

    def __init__(self, wiring: Wiring, factory: Any) -> None:
        self._devices = ExitStack()
        self._wiring = wiring
        self._night = wiring.night
        self._mute = wiring.mute
        self._leds: tuple[PWMLED, ...] = ()
        self._buzzer: TonalBuzzer | Buzzer | None = None
        try:
            self._leds = tuple(
                self._devices.enter_context(PWMLED(pin, active_high=wiring.lit_high, pin_factory=factory))
                for pin in wiring.lamp
            )
            if wiring.buzzer is not None and wiring.passive:
                self._buzzer = self._devices.enter_context(TonalBuzzer(wiring.buzzer, octaves=2, pin_factory=factory))
                self._silence()
            elif wiring.buzzer is not None:
                high = not wiring.silent_high
                self._buzzer = self._devices.enter_context(Buzzer(wiring.buzzer, active_high=high, pin_factory=factory))
        except Exception as error:
            self._devices.close()
            raise unusable(error) from error
        self._devices.callback(self._silence)
        for led in self._leds:
            self._devices.callback(_hold_level, led.pin, high=not wiring.lit_high)
        self._lamp: Sequencer[Light] = Sequencer("lamp", self._light)
        self._devices.callback(self._lamp.close)
        self._sound: Sequencer[Note] = Sequencer("buzzer", self._note)
        self._devices.callback(self._sound.close)

    def __repr__(self) -> str:
        lamp, buzzer = self._wiring.lamp, self._wiring.buzzer
        return f"Panel({lamp=}, {buzzer=}, night={self._night}, mute={self._mute})"

    def __call__(self, update: Update) -> None:
        """Show what happened, then the current state."""
        pattern = PATTERNS[update.signal]
        lights = pattern.lights
        if update.signal is Signal.OVER and update.standing is not None:
            lights = over(len(update.standing.points))
        self._lamp.play(lights, STANDING[update.alert])
        if pattern.notes and not self._night and not self._mute:
            self._sound.play(pattern.notes)

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        """Night: lamp only, dimmed; mute: lamp only. Takes effect with the next light and the next note."""
        self._night, self._mute = night, mute

    def close(self) -> None:
        """Switch everything off and release the pins; may be called twice."""
        self._devices.close()

    def _light(self, light: Light | None) -> None:
        colour: Colour = light.colour if light is not None else (0.0, 0.0, 0.0)
        strength = NIGHT if self._night else 1.0
        if len(self._leds) == 2 and colour[2] and not any(colour[:2]):
            colour = (1.0, 1.0, 0.0)  # two LEDs have no blue: they show it by the slow rhythm
        for led, value in zip(self._leds, colour[: len(self._leds)], strict=True):
            led.value = round(value * strength, 3)

    def _note(self, note: Note | None) -> None:
        pitch_hz = note.pitch_hz if note is not None else None
        if isinstance(self._buzzer, TonalBuzzer):
            if pitch_hz is None:
                self._silence()
            else:
                self._buzzer.play(Tone.from_frequency(pitch_hz))
        elif isinstance(self._buzzer, Buzzer):
            self._buzzer.value = pitch_hz is not None

    def _silence(self) -> None:
        """No note, and no current: a passive buzzer is a coil, and at the other level it would be heated."""
        if isinstance(self._buzzer, TonalBuzzer):
            _hold_level(self._buzzer.pwm_device.pin, high=self._wiring.silent_high)


def _hold_level(pin: Any, *, high: bool) -> None:
    """Keep a pin at one level: when lgpio stops a wave, it leaves the pin high or low by chance."""
    pin.frequency = None
    pin.state = high
