"""Converts a record into the report of a stored match."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from companion.public.i18n import Names
from web.door import Report, deal_of, tile_report

COLUMNS = 6


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Read a record; an incomplete last line is left out. Tiles are shown in the order in which they were turned up.

    Raises:
        ValueError: The record has no readable first line.
    """
    kept = tuple(lines)
    tiles_report, seats = tile_report(kept, ("scout",), ("end_turn",))
    objects = json.loads(kept[0]).get("deck", {}).get("object", ())
    named = {str(row["id"]): {"en": str(row["name"])} for row in objects if row.get("name")}
    names = Names(named, seats.seats)
    first = deal_of(kept).get("tiles", ())
    dealt: dict[str, Mapping[str, Any]] = {card: {"by": 0, "dealt": True} for card in first}
    turned_up = {**dealt, **tiles_report.places}
    places = {
        card: {**place, "x": at % COLUMNS, "y": at // COLUMNS, "turn": 0}
        for at, (card, place) in enumerate(turned_up.items())
    }
    return replace(tiles_report, places=places), names
