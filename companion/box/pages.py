"""What the pages of a box can have it do besides what any machine does."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from companion.box.home_wifi import can_join
from companion.box.update import HostUpdate
from companion.box.update_file import can_update
from companion.box.wifi import HostWifi
from companion.public.service import SystemActions


def offer_updates_and_wifi(system: SystemActions, data: Path, stack: ExitStack) -> None:
    """Add them to what can be asked for, where this box has the helper for them; they end with ``stack``.

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
