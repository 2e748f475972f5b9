"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

from collections.abc import Iterable

from companion.public.i18n import Names
from web.pages.match_report import Report
from web.pages.tile_report import tile_report

LAYING = ("start", "place")
ENDING = ("end_turn", "deploy", "score")
"""What ends a turn."""


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    return tile_report(lines, LAYING, ENDING)
