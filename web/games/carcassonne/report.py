"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from companion.public.i18n import Names
from companion.public.text import JSON
from web.pages.match_report import PlacedCard, Report
from web.pages.record_reading import Entry, allowed, claimed, disputed, moments, noted, read_record

LAYING = ("start", "place")
ENDING = ("end_turn", "deploy", "score")
"""What ends a turn."""


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    read = read_record(lines)
    entries, struck = read.entries, read.struck
    found = Report(
        read.names,
        str(read.match.get("profile", "base")),
        tuple((str(tile["id"]), None) for tile in read.deck.get("tile", ())),
        tuple(moments(entries, _placed(entries))),
        tuple(one for one in _placed(entries) if one.number not in struck and one.seat),
        tuple(disputed(entries, struck)),
        read.minutes,
        sum(
            1
            for entry in entries
            if _counted(entry) and entry["number"] not in struck and entry["move"]["do"] in ENDING
        ),
        len(struck),
        tuple(noted(entries)),
        places=_places(entries, struck),
    )
    return found, Names({}, read.names)


def _counted(entry: Entry) -> bool:
    return entry.get("event", "played") in ("played", "dealt") and "move" in entry


def _lays(entries: Sequence[Entry]) -> Iterable[Entry]:
    """The entries that laid a tile on the map, those that people let stand among them."""
    stands = allowed(entries)
    for entry in entries:
        counts = _counted(entry) or entry["number"] in stands
        if counts and entry.get("move", {}).get("do") in LAYING:
            yield entry


def _places(entries: Sequence[Entry], struck: frozenset[int]) -> dict[str, Mapping[str, JSON]]:
    """Where each tile was laid last."""
    return {
        entry["move"]["card"]: {key: entry["move"].get(key, 0) for key in ("x", "y", "turn")}
        for entry in _lays(entries)
        if entry["number"] not in struck
    }


def _placed(entries: Sequence[Entry]) -> Iterable[PlacedCard]:
    whose = claimed(entries)
    for entry in _lays(entries):
        number, move = entry["number"], entry["move"]
        yield PlacedCard(number, whose.get(number, move["by"]), move["card"], entry.get("points", 0))
