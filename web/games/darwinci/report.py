"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.public.i18n import Names
from web.pages.match_report import Report
from web.pages.tile_report import deal_of, tile_report


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out. The two tiles with which each plot begins are no moment.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    kept = tuple(lines)
    tiles, names = tile_report(kept, ("lay",), ("end_turn",))
    plots = deal_of(kept).get("plots", ())
    dealt = {
        card: {"x": x, "y": y, "turn": turn, "by": seat, "dealt": True}
        for seat, plot in enumerate(plots, 1)
        for card, x, y, turn in plot
    }
    return replace(tiles, places={**dealt, **tiles.places}), names
