"""``companion run`` and ``record``: referee a table until it is stopped."""

from __future__ import annotations

import argparse
import os
import signal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.running import run_table
from companion.app.table import RunningTable, TableOptions
from companion.app.table_recorder import RecordingRequest, prepare_folder
from companion.cli.output import DONE, INTERRUPTED, NO, data_folder, print_line
from companion.games import registry
from companion.public.machine import SystemActions
from companion.system.systemd import is_box

if TYPE_CHECKING:
    from companion.box.restore import HostRestore


def run(arguments: argparse.Namespace) -> int:
    os.umask(0o077)  # the files hold codes; other users must not read them
    return _run(arguments)


def record(arguments: argparse.Namespace) -> int:
    """Referee a table, and record it from the first picture on; 1 = the disk ended the recording."""
    os.umask(0o077)
    folder: Path = arguments.folder
    prepare_folder(folder)
    ring_s = None if arguments.ring is None else 60 * arguments.ring
    broken_off: list[str] = []
    request = RecordingRequest(
        folder, arguments.format or "", arguments.seconds, ring_s, print_line, on_broken_off=broken_off.append
    )
    status = _run(arguments, request)
    return NO if broken_off else status


def _run(arguments: argparse.Namespace, recording: RecordingRequest | None = None) -> int:
    options = TableOptions(
        data=data_folder(arguments.data),
        source=arguments.source,
        match=arguments.match,
        game=None if arguments.game is None else registry.game_module(arguments.game),
        port=arguments.port,
        seed=arguments.seed,
        speed=arguments.speed,
        recording=recording,
    )
    return INTERRUPTED if run_table(options, offer_box) == signal.SIGINT else DONE


def offer_box(system: SystemActions, table: RunningTable) -> None:
    """Add the actions of ``companion.box`` to a table's pages.

    A box loads it at once, another machine only when a host restores a backup. A recording started at a prompt covers
    one table from its first picture on, so restoring is not offered during it.
    """

    @cache
    def restore() -> HostRestore:
        from companion.box.restore import HostRestore

        return HostRestore(table.runner, table.options.data, table.start_anew)

    if table.options.recording is None:
        system.restore = restore
    if is_box(table.options.data):
        from companion.box.pages import offer_updates_and_wifi

        offer_updates_and_wifi(system, table.options.data, table.stack)
