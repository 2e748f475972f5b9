"""Converts a record into the report of a stored match."""

from __future__ import annotations

from collections.abc import Iterable

from companion.public.i18n import Names
from web.door import Report, tile_report

LAYING = ("start", "place")
ENDING = ("end_turn", "deploy", "score")
"""The moves that end a turn."""


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Read a record; an incomplete last line is left out.

    Raises:
        ValueError: The record has no readable first line.
    """
    return tile_report(lines, LAYING, ENDING)
