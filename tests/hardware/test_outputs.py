"""A lamp of another kind beside the one on the pins: whatever is told to one is told to both."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import ExitStack
from importlib.metadata import EntryPoint
from typing import Any

import pytest

import hardware.off
import hardware.pins
from companion.errors import DeviceError, InputError, fault
from companion.public.updates import Signal, Update
from hardware import lamps as plugged
from hardware.lamps import MOST_WAITING, Output, faults_of_lamps
from hardware.outputs import Outputs, open_outputs

PANEL = {"lamp": {"red": 17, "green": 27, "blue": 22}, "buzzer": 18}
PLAYED = Update(1, Signal.PLAYED)


class NetworkLamp:
    """A lamp in the network, by its address."""

    def __init__(self, address: Any) -> None:
        if address == "nowhere":
            raise DeviceError("there is no lamp at nowhere: is it switched on?")
        if not isinstance(address, str):
            raise InputError(fault("panel.fault", "want an address", "network"))
        self.heard: list[Any] = []

    def __call__(self, update: Update) -> None:
        self.heard.append(update)

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        self.heard.append((night, mute))

    def close(self) -> None:
        self.heard.append("closed")


def broken_lamp(_: Any) -> Output:
    raise KeyError("lamp")


@pytest.fixture
def lamps(monkeypatch: pytest.MonkeyPatch, pins: Any) -> Iterator[list[NetworkLamp]]:
    """Those that are opened; ``[panel]`` may name one as ``network``."""
    opened: list[NetworkLamp] = []

    def open_lamp(address: Any) -> NetworkLamp:
        opened.append(NetworkLamp(address))
        return opened[-1]

    brought = {"network": open_lamp, "broken": broken_lamp}
    monkeypatch.setattr(plugged, "entry_points_of", lambda group: {key: EntryPoint(key, key, group) for key in brought})
    monkeypatch.setattr(plugged, "load", lambda door: brought[door.name])
    monkeypatch.setattr(hardware.pins, "pin_factory", lambda: pins)
    return opened


def opened(section: dict[str, Any] | None, stack: ExitStack) -> Outputs:
    return open_outputs(section, lambda *_: None, stack)


def test_it_shows_what_the_panel_shows_is_quiet_with_it_and_goes_off_with_it(
    lamps: list[NetworkLamp], pins: Any
) -> None:
    with ExitStack() as stack:
        outputs = opened({**PANEL, "network": "10.0.0.7", "night": True}, stack)
        outputs(PLAYED)
        outputs.set_quiet(night=False, mute=True)
    (heard,) = [lamp.heard for lamp in lamps]
    assert heard[-1] == "closed"
    assert heard.count(PLAYED) == 1
    assert [one for one in heard if isinstance(one, tuple)][-1] == (False, True), "a lamp that lags has the newest"
    assert pins.pin(27).states, "the lamp on the pins was told too"


def test_a_panel_that_names_none_has_none(lamps: list[NetworkLamp]) -> None:
    with ExitStack() as stack:
        opened(PANEL, stack)
        opened_before = list(lamps)
    with ExitStack() as stack:
        opened(None, stack)
    assert opened_before == lamps == []


def test_one_that_fails_leaves_the_other_lit(lamps: list[NetworkLamp], pins: Any, caplog: Any) -> None:
    class Dead(NetworkLamp):
        def __call__(self, update: Update) -> None:
            raise OSError("no route to host")

        def __repr__(self) -> str:
            return "Dead"

    told: list[Update] = []

    class Hearing(NetworkLamp):
        def __call__(self, update: Update) -> None:
            told.append(update)

    Outputs((Dead(""), Hearing("")))(PLAYED)
    assert told == [PLAYED]
    assert "Dead failed" in caplog.text


def test_what_the_settings_say_wrongly_is_a_sentence_and_leaves_nothing_open(
    lamps: list[NetworkLamp], pins: Any
) -> None:
    with pytest.raises(InputError), ExitStack() as stack:
        opened({**PANEL, "network": 7}, stack)
    with ExitStack() as stack:
        opened(PANEL, stack)  # every pin was let go


def test_one_that_is_not_there_or_does_not_work_costs_itself(lamps: list[NetworkLamp], pins: Any, caplog: Any) -> None:
    section = {**PANEL, "network": "nowhere", "broken": 1}
    with ExitStack() as stack:
        outputs = opened(section, stack)
        outputs(PLAYED)
    assert pins.pin(27).states, "the lamp on the pins is lit"
    wanted = (
        ("network", "there is no lamp at nowhere: is it switched on?"),
        ("broken", "KeyError: 'lamp'; it comes with companion-referee"),
    )
    assert outputs.left_out == faults_of_lamps(section) == wanted
    assert "the lamp network is left out: there is no lamp at nowhere" in caplog.text


def test_one_that_cannot_be_switched_off_keeps_no_other_lit(lamps: list[NetworkLamp], pins: Any, caplog: Any) -> None:
    class Stuck(NetworkLamp):
        def close(self) -> None:
            raise OSError("no route to host")

    with ExitStack() as stack:
        opened({**PANEL, "network": "10.0.0.7"}, stack)
        lamps[0].__class__ = Stuck
    assert "the lamp network does not work" in caplog.text
    with ExitStack() as stack:
        opened(PANEL, stack)  # every pin was let go


def test_one_that_waits_for_its_network_keeps_no_update_waiting(lamps: list[NetworkLamp], pins: Any) -> None:
    answers = threading.Event()

    class Waiting(NetworkLamp):
        def __call__(self, update: Update) -> None:
            answers.wait(60)
            super().__call__(update)

    with ExitStack() as stack:
        outputs = opened({**PANEL, "network": "10.0.0.7"}, stack)
        lamps[0].__class__ = Waiting
        for _ in range(3 * MOST_WAITING):
            outputs(PLAYED)  # returns at once, or the test ends at its time limit
        assert PLAYED not in lamps[0].heard
        answers.set()
    assert lamps[0].heard.count(PLAYED) in range(1, MOST_WAITING + 2)
    assert lamps[0].heard[-1] == "closed"


def test_the_pins_are_driven_off_whatever_else_is_named(lamps: list[NetworkLamp], tmp_path: Any) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text('[panel]\nnetwork = "10.0.0.7"\nlamp = { red = 5, green = 6 }\n', encoding="utf-8")
    assert hardware.off.wired(settings).lamp == (5, 6)
    assert hardware.off.main([str(settings)]) == 0
