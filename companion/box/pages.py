"""The actions that a box adds to those of any machine."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from companion.box.home_wifi import can_join
from companion.box.update import HostUpdate
from companion.box.update_file import can_update
from companion.box.wifi import HostWifi
from companion.public.machine import SystemActions


def offer_updates_and_wifi(system: SystemActions, data: Path, stack: ExitStack) -> None:
    """Add updates and Wi-Fi to the actions, if this box has the helpers; they end with ``stack``.

    Args:
        data: The data folder.
    """
    if can_update(data):
        system.update = HostUpdate(data)
    if can_join(data):
        wifi = HostWifi(data)
        stack.callback(wifi.close)
        wifi.look_around()
        system.wifi = wifi
