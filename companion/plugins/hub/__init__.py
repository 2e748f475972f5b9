"""Many tables: what they publish, tournaments between their players, and the store for both.

All but ``command`` and ``pages`` import only ``companion.errors`` and ``companion.public``: a hub knows no game and no
table's log. Its additional libraries are the extra ``hub`` of the distribution.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.cli.arguments import port
from companion.errors import Fault
from companion.public.plugins import AddCommand, Plugin
from companion.public.text import JSON


def _hub(arguments: argparse.Namespace) -> int:
    from companion.plugins.hub.command import hub

    return hub(arguments)


def _add_commands(add: AddCommand) -> None:
    command = add("hub", _hub, "Show many tables in one place, and run tournaments between their players.")
    command.add_argument("--port", type=port, default=8090, help="the hub's port (%(default)s)")
    command.add_argument("--data", type=Path, metavar="DIR", help="where settings and tournaments are kept")


def _faults(section: JSON) -> Iterable[Fault]:
    database = section.get("database") if isinstance(section, Mapping) else None
    if not isinstance(database, str) or "://" not in database or len(section) != 1:
        yield Fault("names one database, such as postgresql+psycopg://user@host/name", ("database",))


PLUGIN = Plugin("hub", _add_commands, settings=_faults)
