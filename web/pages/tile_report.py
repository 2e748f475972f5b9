"""Converts the record of a tile-laying game into the report of a stored match."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from companion.public.i18n import Names
from companion.public.text import JSON
from web.pages.match_report import PlacedCard, Report
from web.pages.record_reading import Entry, allowed, claimed, disputed, moments, noted, read_record


def tile_report(lines: Iterable[str], laying: Collection[str], ending: Collection[str]) -> tuple[Report, Names]:
    """Read a record; an incomplete last line is left out.

    Args:
        laying: The moves that lay a tile.
        ending: The moves that end a turn.

    Raises:
        ValueError: The record has no readable first line.
    """
    read = read_record(lines)
    entries, struck = read.entries, read.struck
    laid = list(_laid(entries, laying))
    report = Report(
        read.names,
        str(read.match.get("profile", "base")),
        tuple((str(tile["id"]), None) for tile in read.deck.get("tile", ())),
        tuple(moments(entries, _placed(entries, laid))),
        tuple(one for one in _placed(entries, laid) if one.number not in struck and one.seat),
        tuple(disputed(entries, struck)),
        read.minutes,
        sum(_counts(entry) and entry["number"] not in struck and entry["move"]["do"] in ending for entry in entries),
        len(struck),
        tuple(noted(entries)),
        places=_places(laid, struck),
    )
    return report, Names({}, read.names)


def _counts(entry: Entry) -> bool:
    return entry.get("event", "played") in ("played", "dealt") and "move" in entry


def _laid(entries: Sequence[Entry], laying: Collection[str]) -> Iterable[Entry]:
    """The entries that laid a tile, including illegal moves that people let stand."""
    stands = allowed(entries)
    for entry in entries:
        counts = _counts(entry) or entry["number"] in stands
        if counts and entry.get("move", {}).get("do") in laying:
            yield entry


def _places(laid: Sequence[Entry], struck: frozenset[int]) -> dict[str, Mapping[str, JSON]]:
    """The last position of each tile, and its seat."""
    return {
        entry["move"]["card"]: {key: entry["move"].get(key, 0) for key in ("x", "y", "turn", "by")}
        for entry in laid
        if entry["number"] not in struck
    }


def _placed(entries: Sequence[Entry], laid: Sequence[Entry]) -> Iterable[PlacedCard]:
    whose = claimed(entries)
    for entry in laid:
        number, move = entry["number"], entry["move"]
        yield PlacedCard(number, whose.get(number, move["by"]), move["card"], entry.get("points", 0))


def deal_of(lines: Sequence[str]) -> Mapping[str, Any]:
    """The move that dealt the first tiles; empty if the record has none or ends before it."""
    for line in lines[1:]:
        try:
            move = json.loads(line).get("move")
        except (ValueError, AttributeError):
            continue
        if isinstance(move, Mapping) and move.get("do") == "deal":
            return move
    return {}
