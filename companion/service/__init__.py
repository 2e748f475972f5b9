"""The running table behind the public protocols: one thread that decides, and what phones may see, ask and do.

It imports ``companion.referee`` and ``companion.storage`` and knows neither HTTP nor pins: pages and panels use it
through ``companion.public``.

    >>> import pathlib, tempfile
    >>> import companion
    >>> from companion.service import MatchRunner
    >>> from companion.storage import EventLog
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = EventLog(pathlib.Path(folder) / "matches.sqlite")
    ...     runner = MatchRunner(
    ...         log,
    ...         lambda header: companion.open_match(header["match"], header["deck"]).game,
    ...         wall_clock=lambda: "2026-01-02T20:00:00",
    ...     )
    ...     runner.begin({"match": companion.demo_match(), "deck": companion.demo_deck()})
    ...     log.close()
    '2026-01-02-1'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.service.archive import Archive as Archive
    from companion.service.runner import MatchRunner as MatchRunner
    from companion.service.table_service import TableService as TableService
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Archive": "companion.service.archive",
            "MatchRunner": "companion.service.runner",
            "TableService": "companion.service.table_service",
        },
    )
