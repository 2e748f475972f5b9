"""What the host's page has a table do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.app.services import system_actions
from companion.public.updates import Signal
from hardware.outputs import Outputs

NO_PLUGINS: Any = SimpleNamespace(health=dict, left_out={})
SERVICES: Any = SimpleNamespace(setup=SimpleNamespace(health=lambda: None))


class Lamp:
    def __init__(self) -> None:
        self.heard: list[Any] = []

    def __call__(self, update: Any) -> None:
        self.heard.append(update.signal)

    def set_quiet(self, *, night: bool, mute: bool) -> None:
        self.heard.append((night, mute))

    def close(self) -> None:
        """It is nobody's."""


def test_night_mute_and_try_them_reach_every_lamp(tmp_path: Path) -> None:
    lamps = (Lamp(), Lamp())
    system = system_actions(Outputs(lamps), tmp_path, SERVICES, NO_PLUGINS)
    assert system.set_quiet is not None
    assert system.lamp is not None
    system.set_quiet(True, False)
    system.lamp()
    assert [lamp.heard for lamp in lamps] == [[(True, False), Signal.PRIZE]] * 2


def test_a_table_whose_settings_say_night_is_told_so_on_its_page(tmp_path: Path) -> None:
    """Else whoever mutes it there would end the night."""
    outputs = Outputs(())
    outputs.set_quiet(night=True, mute=False)
    system = system_actions(outputs, tmp_path, SERVICES, NO_PLUGINS)
    assert (system.night, system.muted) == (True, False)
