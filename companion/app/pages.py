"""A table's pages: what they can have this machine do, and the server that phones reach."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.games import registry
from companion.public.i18n import Translations
from companion.public.service import SystemActions
from companion.public.updates import Signal, Update
from companion.service.backups import open_backup
from companion.service.first_phone import FirstPhone
from companion.service.table_service import TableService
from companion.storage.settings import Settings
from companion.system.camera_check import examination
from companion.system.own_wifi import own_wifi
from companion.system.systemd import may_shut_down, shut_down

if TYPE_CHECKING:  # gpiozero is loaded where a panel is opened
    from hardware.outputs import Outputs


def system_actions(outputs: Outputs, data: Path, services: TableService) -> SystemActions:
    """What any machine with a table on it can do; switching off only where the system lets the companion do it.

    Args:
        outputs: Its lamps and buzzers.
        data: The data folder.
    """
    from companion.system.printing.orders import printed

    return SystemActions(
        sheets=printed,
        set_quiet=lambda night, mute: outputs.set_quiet(night=night, mute=mute),
        lamp=lambda: outputs(Update(None, Signal.PRIZE)),
        shut_down=shut_down if may_shut_down() else None,
        examine=examination(data, services.setup.health),
        backup=partial(open_backup, data),
        own_wifi=own_wifi,
    )


def open_pages(
    services: TableService,
    first_phone: FirstPhone,
    system: SystemActions,
    settings: Settings,
    address: str,
    port: int,
    stack: ExitStack,
) -> None:
    """Let phones in, until ``stack`` closes.

    Args:
        address: Where they are; empty = a network may yet come, and then as browsers reach it.

    Raises:
        DeviceError: The port cannot be used.
    """
    from web.app import create_app
    from web.language import LOCALE_FOLDERS
    from web.server import Server

    app = create_app(
        services,
        Translations((*registry.locale_folders(), *LOCALE_FOLDERS)),
        address=address or None,
        hosts=settings.hosts,
        frames=settings.frames,
        https=settings.https,
        system=system,
        claim_host=first_phone.claim,
        can_claim_host=first_phone.is_open,
    )
    stack.enter_context(Server(app, port, proxy=settings.proxy))
