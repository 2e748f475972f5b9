"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.public.i18n import Names
from companion.public.text import JSON
from web.pages.match_report import DisputedMove, Moment, NotedEntry, PlacedCard, Report

Entry = Mapping[str, Any]
LAYING = ("start", "place")


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    remaining = iter(lines)
    first = json.loads(next(remaining, "null"))
    if not isinstance(first, dict) or "match" not in first:
        raise ValueError("the record does not begin with its match")
    match: Mapping[str, Any] = first["match"]
    entries = tuple(_entries(remaining))
    names = tuple(str(seat.get("name", number)) for number, seat in enumerate(match.get("seat", ()), 1))
    gone = {entry["strikes"] for entry in entries if "strikes" in entry}
    times = [entry["time_s"] for entry in entries if entry.get("time_s") is not None]
    turns = {"end_turn", "deploy", "score"}
    read_report = Report(
        names,
        str(match.get("profile", "base")),
        tuple((str(tile["id"]), None) for tile in first.get("deck", {}).get("tile", ())),
        tuple(_moments(entries)),
        tuple(one for one in _placed(entries) if one.number not in gone and one.seat),
        tuple(_faults(entries, gone)),
        round(max(times) / 60) if times else None,
        sum(1 for entry in entries if _counted(entry, gone) and entry["move"]["do"] in turns),
        len(gone),
        tuple(_noted(entries)),
        places=_places(entries, gone),
    )
    return read_report, Names({}, names)


def _entries(lines: Iterable[str]) -> Iterable[Entry]:
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
        except ValueError:
            return
        yield {"number": number, **entry}


def _counted(entry: Entry, gone: set[int]) -> bool:
    return entry.get("event", "played") in ("played", "dealt") and "move" in entry and entry["number"] not in gone


def _lays(entries: Sequence[Entry]) -> Iterable[Entry]:
    """The entries that laid a tile on the map, those that people let stand among them."""
    allowed = {entry["allows"] for entry in entries if "allows" in entry}
    for entry in entries:
        counts = entry.get("event", "played") in ("played", "dealt") or entry["number"] in allowed
        if counts and entry.get("move", {}).get("do") in LAYING:
            yield entry


def _places(entries: Sequence[Entry], gone: set[int]) -> dict[str, Mapping[str, JSON]]:
    """Where each tile was laid last."""
    return {
        entry["move"]["card"]: {key: entry["move"].get(key, 0) for key in ("x", "y", "turn")}
        for entry in _lays(entries)
        if entry["number"] not in gone
    }


def _placed(entries: Sequence[Entry]) -> Iterable[PlacedCard]:
    claimed = {entry["claims"]: entry["by"] for entry in entries if "claims" in entry}
    for entry in _lays(entries):
        number, move = entry["number"], entry["move"]
        yield PlacedCard(number, claimed.get(number, move["by"]), move["card"], entry.get("points", 0))


def _moments(entries: Sequence[Entry]) -> Iterable[Moment]:
    placed = {one.number: one for one in _placed(entries)}
    faults = {one.number: one for one in _faults(entries, set())}
    points: tuple[int, ...] = ()
    time_s: float | None = None
    for entry in entries:
        # A phone's entry may bear a later time than what the camera saw before it and told after it.
        if (now_s := entry.get("time_s")) is not None:
            time_s = now_s if time_s is None else max(time_s, now_s)
        move = entry.get("move", {})
        points = tuple(entry["standing"]["points"]) if entry.get("standing") else points
        went = placed.get(entry.get("strikes", 0))
        came = placed.get(entry.get("allows", 0)) or placed.get(entry["number"])
        yield Moment(
            entry["number"],
            points,
            None if entry.get("event") == "refused" else came,
            went.card if went else None,
            faults.get(entry["number"]),
            move.get("do", ""),
            move.get("by", 0),
            move.get("card"),
            time_s,
        )


def _faults(entries: Sequence[Entry], gone: set[int]) -> Iterable[DisputedMove]:
    allowed = {entry["allows"] for entry in entries if "allows" in entry and entry["number"] not in gone}
    for entry in entries:
        move = entry.get("move", {})
        if entry.get("objections"):
            yield DisputedMove(
                entry["number"],
                move.get("by", 0),
                move.get("card"),
                move.get("do", ""),
                tuple((one["rule"], tuple(one.get("cards", ()))) for one in entry["objections"]),
                stood=entry.get("event") == "played",
                allowed=entry["number"] in allowed,
                seen=entry.get("origin") == "camera",
            )


def _noted(entries: Sequence[Entry]) -> Iterable[NotedEntry]:
    for entry in entries:
        card = entry.get("move", {}).get("card") or entry.get("change", {}).get("card")
        yield NotedEntry(entry["number"], str(entry.get("event", "")), card)
