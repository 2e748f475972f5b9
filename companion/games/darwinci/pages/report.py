"""Converts a record into the report of a stored match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.public.i18n import Names
from web.door import Report, deal_of, tile_report


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Read a record; an incomplete last line is left out. The two first tiles of each plot are not moments."""
    kept = tuple(lines)
    tiles, names = tile_report(kept, ("lay",), ("end_turn",))
    plots = deal_of(kept).get("plots", ())
    dealt = {
        card: {"x": x, "y": y, "turn": turn, "by": seat, "dealt": True}
        for seat, plot in enumerate(plots, 1)
        for card, x, y, turn in plot
    }
    return replace(tiles, places={**dealt, **tiles.places}), names
