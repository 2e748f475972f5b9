"""``companion hub``: many tables on one wall page, and tournaments between their players."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace

from companion.cli.output import DONE, data_folder, flush_output, print_error, print_line
from companion.errors import DeviceError, InputError
from companion.games import registry
from companion.plugins.broker import broker_faults
from companion.plugins.hub.locale import LOCALE_FOLDER as OWN_WORDS
from companion.public.i18n import Translations
from companion.public.text import JSON
from companion.storage.folder_lock import FolderLock
from companion.storage.hub_file import HUB_LOCK, HubKeeper, settle_hub
from companion.storage.settings import read_settings
from companion.system.console import LOOK_S, NO_NETWORK, lan_address

BROKER = ("host", "port", "user", "password", "tls", "ca", "prefix")
"""Keys of ``[mqtt]`` for reaching the broker; the others are about publishing."""


def hub(arguments: argparse.Namespace) -> int:
    """Listen to the broker and serve pages until it is stopped.

    Raises:
        InputError: The settings name no broker, or the extra is missing.
        DeviceError: The port or the certificate cannot be used.
    """
    try:
        from companion.plugins.hub.store import TournamentStore, sqlite_address
    except ImportError as error:
        install = ".venv/bin/pip install 'companion-referee[hub]'"
        raise InputError(f"companion hub needs {error.name}: in the companion's folder, {install}") from error
    from companion.plugins.hub.live_tables import TOPICS, Room
    from companion.plugins.hub.pages.app import create_hub, serve
    from companion.plugins.hub.pages.listener import TableListener
    from companion.plugins.hub.pages.table_client import RecordCollector
    from web.language import LOCALE_FOLDER

    os.umask(0o077)  # the tournaments' file holds the organiser's code
    folder = data_folder(arguments.data)
    settings = read_settings(folder)
    broker, database = settings.sections.get("mqtt"), settings.sections.get("hub", {}).get("database")
    if broker is None or settings.document is None:
        raise InputError(
            f"{folder / 'settings.toml'} names no broker: tables and hub meet at one; write [mqtt] and its host"
        )
    settings.document.located(_check_broker)  # nobody has, where no table publishes
    with ExitStack() as stack:
        if database is None:
            stack.enter_context(FolderLock(folder, HUB_LOCK))
            if (told := settle_hub(folder, settings.backup)) is not None:
                print_error(told)
        store = TournamentStore(database or sqlite_address(folder))
        stack.callback(store.close)
        if database is None:
            stack.callback(HubKeeper(folder, settings.backup).close)
        tables = Room()
        reached = {key: value for key, value in broker.items() if key in BROKER}
        listener = TableListener(tables.receive, TOPICS, **reached)
        stack.callback(listener.close)
        words = Translations((*registry.locale_folders(), LOCALE_FOLDER, OWN_WORDS))
        collector = RecordCollector(store)
        stack.callback(collector.close)
        app = create_hub(
            tables,
            store,
            words,
            listening=lambda: listener.online,
            collector=collector,
            hosts=frozenset(settings.hosts),
            address=settings.address,
        )

        def tell(host: str) -> None:
            address = settings.address or f"http://{host}:{arguments.port}"
            print_line(f"Hub: {address}  (the wall: {address}/wall)\nOrganiser: {address}/organiser/{store.code}")
            print_line(f"Referee: {address}/referee/{store.referee_code}")
            flush_output()

        stack.callback(tell_address(tell))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(DONE))
        try:
            serve(app, arguments.port)
        except OSError as error:
            raise DeviceError(
                f"Port {arguments.port} cannot be used ({error.strerror}): choose another with --port"
            ) from error
    return DONE


def _check_broker(content: JSON) -> None:
    if faults := broker_faults(content["mqtt"]):
        raise InputError(*(replace(wrong, where=("mqtt", *wrong.where)) for wrong in faults))


def tell_address(
    tell: Callable[[str], None], *, address: Callable[[], str] = lan_address, look_s: float = LOOK_S
) -> Callable[[], None]:
    """Tell this computer's address, once more when a network comes after the start; returns how to stop."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(look_s):
            if (now := address()) != NO_NETWORK:
                tell(now)
                return

    first = address()
    tell(first)
    if first == NO_NETWORK:
        threading.Thread(target=look, name="address", daemon=True).start()
    return over.set
