"""What is fitted to a table besides eye and phones: the panel with its buttons, and a broker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

from companion import __version__
from companion.host import Host
from companion.settings import Settings
from companion.table import Seat


def open_panel(settings: Settings, stack: ExitStack, pressed: Callable[[str, Seat | None], None]) -> Any:
    """The panel as it is wired; its buttons say what was ``pressed``. Closed with ``stack``.

    Raises:
        InputError: The wiring in the settings is wrong.
        DeviceError: The pins cannot be used.
    """
    from hardware.buttons import Buttons
    from hardware.panel import Panel
    from hardware.pins import pin_factory
    from hardware.wiring import USUAL, wiring

    wired = USUAL
    if settings.panel is not None and settings.document is not None:
        wired = settings.document.located(lambda content: wiring(content["panel"]))
    factory = pin_factory()
    stack.callback(factory.close)
    panel = Panel(wired, factory)
    stack.callback(panel.close)
    buttons = Buttons(wired, factory, pressed)
    stack.callback(buttons.close)
    return panel


def open_broker(settings: Settings, stack: ExitStack, host: Host) -> None:
    """Tell the broker of the settings, if there is one, what everybody may know. Closed with ``stack``."""
    if settings.mqtt is None:
        return
    from web.mqtt import Broker

    broker = Broker(**settings.mqtt, version=__version__)
    stack.callback(broker.close)
    host.listen(broker)
