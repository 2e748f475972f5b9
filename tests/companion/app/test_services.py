"""What the host's page has a table do."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from companion.app.services import system_actions
from companion.public.updates import Signal
from hardware.outputs import Outputs


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
    services: Any = SimpleNamespace(setup=SimpleNamespace(health=lambda: None))
    system = system_actions(Outputs(lamps), tmp_path, services)
    assert system.set_quiet is not None
    assert system.lamp is not None
    system.set_quiet(True, False)
    system.lamp()
    assert [lamp.heard for lamp in lamps] == [[(True, False), Signal.PRIZE]] * 2
