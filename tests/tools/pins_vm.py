"""Runs inside the virtual machine of ``pins-vm.sh``: the panel on lgpio, the chip's own registers as witness.

Order and rhythm of a trace are compared, and no exact times: the machine is emulated, on a host that may be busy.
"""

from __future__ import annotations

import ctypes
import itertools
import mmap
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from companion.errors import DeviceError
from companion.public.table import Seat
from companion.public.updates import Alert, Signal, Update
from hardware.buttons import Buttons
from hardware.panel import NIGHT, Panel
from hardware.pins import pin_factory
from hardware.self_test import run
from hardware.wiring import ButtonPin, Wiring

RED, GREEN, BLUE, BUZZER = 4, 5, 6, 7
FINGER = 3
"""The line of the machine's power key: low, and high for a tenth of a second when somebody presses it."""
PANEL = Wiring(lamp=(RED, GREEN, BLUE), buzzer=BUZZER)
SETTINGS = "[panel]\nlamp = { red = 4, green = 5, blue = 6 }\nbuzzer = 7\n"
PATIENCE_S = 60.0
HERE = Path(__file__).parent
PL061 = 0x0903_0000
"""Where ``-M virt`` has the chip; a page of registers, each 32 bits."""
DATA, DIRECTION = 0x3FC, 0x400


class Chip:
    """What the lines really are, from the chip's registers and not from what anybody says of them."""

    def __init__(self) -> None:
        memory = os.open("/dev/mem", os.O_RDWR | os.O_SYNC)
        self._page = mmap.mmap(memory, 4096, offset=PL061)
        os.close(memory)
        self._data = ctypes.c_uint32.from_buffer(self._page, DATA)
        self._direction = ctypes.c_uint32.from_buffer(self._page, DIRECTION)

    def high(self, line: int) -> bool:
        return bool(self._data.value >> line & 1)

    def driven(self, line: int) -> bool:
        return bool(self._direction.value >> line & 1)

    def watch(self, seconds: float) -> list[tuple[float, int]]:
        """Each change of all lines as bits, from the first look on: ``[(seconds, bits), …, (seconds, the last)]``."""
        began_s = time.monotonic()
        seen = [(0.0, self._data.value)]
        while (at_s := time.monotonic() - began_s) < seconds:
            if (bits := self._data.value) != seen[-1][1]:
                seen.append((at_s, bits))
        return [*seen, (seconds, seen[-1][1])]


def lamp(bits: int) -> str:
    return "".join(name for name, line in (("r", RED), ("g", GREEN), ("b", BLUE)) if bits >> line & 1) or "-"


def rises(seen: list[tuple[float, int]], line: int) -> list[float]:
    return [at_s for (_, a), (at_s, b) in itertools.pairwise(seen) if b >> line & 1 > a >> line & 1]


def until(true: Callable[[], bool], what: str) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not true():
        assert time.monotonic() < end_s, f"waited {PATIENCE_S:.0f} s for {what}"
        time.sleep(0.01)


def finger(chip: Chip) -> None:
    """Asks the host for a finger on the power key, and waits until the chip has seen it come and go."""
    say("PRESS")
    until(lambda: chip.high(FINGER), "the line to rise")
    until(lambda: not chip.high(FINGER), "the line to fall")


def test_a_pi_gets_lgpio_on_its_kernels_chip(chip: Chip, pins: Any) -> None:
    assert type(pins).__name__ == "LGPIOFactory", pins
    assert Path(f"/sys/bus/gpio/devices/gpiochip{pins.chip}").exists()
    assert Path.cwd() == HERE, "lgpio took the program elsewhere"


def test_a_refused_card_blinks_red_three_times_and_stays_red_and_two_low_notes_sound(chip: Chip, pins: Any) -> None:
    with closing(Panel(PANEL, pins)) as panel:
        panel(Update(None, Signal.REFUSED, alert=Alert.REFUSED))
        seen = chip.watch(5.0)
        changes = [(seen[0][0], lamp(seen[0][1]))]
        for at_s, bits in seen:
            if lamp(bits) != changes[-1][1]:
                changes.append((at_s, lamp(bits)))
        say("lamp", ", ".join(f"{shown} at {at_s:.2f} s" for at_s, shown in changes))
        shown = [shown for _, shown in changes]
        assert shown[shown[0] == "-" :] == ["r", "-", "r", "-", "r", "-", "r"], shown
        heard = rises(seen, BUZZER)
        rests = [round(b - a, 2) for a, b in itertools.pairwise(heard) if b - a > 0.08]
        say(
            "buzzer",
            f"{len(heard)} rises, of 47 in two notes of 0.12 s at 196 Hz; rests {[round(s, 2) for s in rests]}",
        )
        assert len(rests) == 1, "two notes with a rest between"
        assert 10 <= len(heard) <= 50


def test_a_silent_buzzer_gets_no_current(chip: Chip, pins: Any) -> None:
    """A passive buzzer is a coil: a line that stays high after a note warms it and the Pi's pin."""
    with closing(Panel(PANEL, pins)) as panel:
        for _ in range(10):
            panel(Update(None, Signal.REFUSED, alert=Alert.REFUSED))
            time.sleep(1.0)
            assert not any(bits >> BUZZER & 1 for _, bits in chip.watch(0.2)), "high, and no note sounds"


def test_at_night_the_lamp_is_dim(chip: Chip, pins: Any) -> None:
    with closing(Panel(PANEL, pins)) as panel:
        panel.set_quiet(night=True, mute=False)
        panel(Update(None, Signal.LOST, alert=Alert.REFUSED))
        time.sleep(0.5)
        seen = chip.watch(3.0)
        high_s = sum(b - a for (a, bits), (b, _) in itertools.pairwise(seen) if bits >> RED & 1)
        share = high_s / seen[-1][0]
        say("night", f"red is high {100 * share:.0f} % of the time, wanted {100 * NIGHT:.0f} %")
        assert 0 < share < 0.5, "an emulated chip is slow; by day it would be 1"
        assert not rises(seen, BUZZER)


def test_what_is_closed_is_off_and_driven_by_nobody(chip: Chip, pins: Any) -> None:
    with closing(Panel(PANEL, pins)) as panel:
        panel(Update(None, Signal.LOST, alert=Alert.REFUSED))
        until(lambda: chip.high(RED), "red")
        assert all(chip.driven(line) for line in (RED, GREEN, BLUE, BUZZER))
    assert not any(chip.high(line) or chip.driven(line) for line in (RED, GREEN, BLUE, BUZZER))


def test_a_button_says_once_what_was_pressed(chip: Chip, pins: Any) -> None:
    heard: list[tuple[str, Seat | None]] = []
    with closing(Buttons(Wiring(buttons=(ButtonPin("end", FINGER),)), pins, lambda *said: heard.append(said))):
        for _ in range(2):
            finger(chip)
        until(lambda: len(heard) >= 2, "the button")
        time.sleep(0.5)
        assert heard == [("end", None)] * 2


def test_undo_acts_when_it_is_let_go_after_being_held(chip: Chip, pins: Any) -> None:
    """The line is low, so the button counts as held, until a finger lets go of it for a tenth of a second."""
    heard: list[tuple[str, Seat | None]] = []
    with closing(undo(pins, heard, hold_s=8.0)):
        finger(chip)
        finger(chip)
        time.sleep(0.5)
        assert heard == [], "held too short"
    with closing(undo(pins, heard, hold_s=5.0)):
        finger(chip)
        time.sleep(6.0)
        assert heard == [], "not yet let go"
        finger(chip)
        until(lambda: bool(heard), "undo")
        time.sleep(0.5)
        assert heard == [("undo", None)]


def undo(pins: Any, heard: list[tuple[str, Seat | None]], *, hold_s: float) -> Buttons:
    wiring = Wiring(buttons=(ButtonPin("undo", FINGER),))
    return Buttons(wiring, pins, lambda *said: heard.append(said), hold_s=hold_s)


def test_a_button_that_is_pressed_all_the_time_is_named(chip: Chip, pins: Any) -> None:
    told = run(Wiring(lamp=(RED, GREEN, BLUE), buttons=(ButtonPin("end", FINGER),)), pins, seconds=0.5)
    assert told == (f"the button end (pin {FINGER}) is pressed all the time",)


LIT = f"""
import time
from companion.public.updates import Alert, Signal, Update
from hardware.panel import Panel
from hardware.pins import pin_factory
from hardware.wiring import Wiring
panel = Panel(Wiring(lamp=({RED}, {GREEN}, {BLUE}), buzzer={BUZZER}), pin_factory())
panel(Update(None, Signal.LOST, alert=Alert.REFUSED))
time.sleep(600)
"""


@contextmanager
def lit(chip: Chip) -> Iterator[subprocess.Popen[bytes]]:
    """Another program that holds the panel and shows red."""
    program = subprocess.Popen([sys.executable, "-c", LIT], cwd=HERE)
    try:
        until(lambda: chip.high(RED), "another program to light red")
        yield program
    finally:
        program.kill()
        program.wait(PATIENCE_S)


def test_pins_that_another_program_holds_are_one_clear_sentence(chip: Chip, pins: Any) -> None:
    with lit(chip):
        try:
            Panel(PANEL, pins).close()
        except DeviceError as error:
            said = str(error)
        else:
            raise AssertionError("two programs drive one lamp")
        say("busy", said)
        assert "another program using them" in said


def test_after_a_kill_the_pins_stay_as_they_were_until_the_service_drives_them_off(chip: Chip, pins: Any) -> None:
    with lit(chip) as program:
        program.send_signal(signal.SIGKILL)
        program.wait(PATIENCE_S)
        say("killed", f"red is still {'high' if chip.high(RED) else 'low'}")
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder, "settings.toml")
        settings.write_text(SETTINGS)
        subprocess.run([sys.executable, "-m", "hardware.off", str(settings)], cwd=HERE, check=True, timeout=PATIENCE_S)
    assert not any(chip.high(line) or chip.driven(line) for line in (RED, GREEN, BLUE, BUZZER))


def say(*words: str) -> None:
    sys.stdout.write(": ".join(words) + "\n")
    sys.stdout.flush()


def main() -> int:
    """Each test in a program of its own, as one would meet lgpio; with a name, that test in this one."""
    tests = [name for name in globals() if name.startswith("test_")]
    if sys.argv[1:]:
        with closing(pin_factory()) as pins:
            globals()[sys.argv[1]](Chip(), pins)
        return 0
    failed = False
    for name in tests:
        began_s = time.monotonic()
        status = subprocess.run([sys.executable, __file__, name], cwd=HERE, check=False).returncode
        failed |= status != 0
        say(name, f"{'FAILED' if status else 'passed'} ({time.monotonic() - began_s:.1f} s)")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
