"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.public.i18n import Names
from web.pages.match_report import Report
from web.pages.tile_report import tile_report


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out. The two tiles with which each plot begins are no moment.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    kept = tuple(lines)
    tiles, names = tile_report(kept, ("lay",), ("end_turn",))
    plots = next((move["plots"] for move in map(_move, kept[1:]) if move.get("do") == "deal"), ())
    dealt = {
        card: {"x": x, "y": y, "turn": turn, "by": seat, "dealt": True}
        for seat, plot in enumerate(plots, 1)
        for card, x, y, turn in plot
    }
    return replace(tiles, places={**dealt, **tiles.places}), names


def _move(line: str) -> Mapping[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        return {}
    return entry.get("move", {}) if isinstance(entry, dict) else {}
