"""Reads what the report of a stored match needs from its record, for all games.

A game says which entries placed something (``PlacedCard``); the rest follows from any record.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from web.pages.match_report import DisputedMove, Moment, NotedEntry, PlacedCard

Entry: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A parsed record.

    Attributes:
        match: The match file.
        deck: The deck file.
        entries: All readable entries; an incomplete last line is left out.
        names: The players', seat 1 first.
        struck: The numbers of the entries that were undone.
        minutes: The length of the match, if known.
    """

    match: Mapping[str, Any]
    deck: Mapping[str, Any]
    entries: tuple[Entry, ...]
    names: tuple[str, ...]
    struck: frozenset[int]
    minutes: int | None


def read_record(lines: Iterable[str]) -> ReadRecord:
    """Parse the lines of a record.

    >>> read_record(['{"match": {"seat": [{"name": "Ana"}]}}', '{"event": "played", "time_s": 90}']).names
    ('Ana',)

    Raises:
        ValueError: The record has no readable first line.
    """
    remaining = iter(lines)
    first = json.loads(next(remaining, "null"))
    if not isinstance(first, dict) or "match" not in first:
        raise ValueError("the record does not begin with its match")
    entries = tuple(_entries(remaining))
    times = [entry["time_s"] for entry in entries if entry.get("time_s") is not None]
    return ReadRecord(
        first["match"],
        first.get("deck", {}),
        entries,
        tuple(str(seat.get("name", number)) for number, seat in enumerate(first["match"].get("seat", ()), 1)),
        frozenset(entry["strikes"] for entry in entries if "strikes" in entry),
        round(max(times) / 60) if times else None,
    )


def _entries(lines: Iterable[str]) -> Iterator[Entry]:
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
        except ValueError:
            return
        yield {"number": number, **entry}


def allowed(entries: Sequence[Entry], struck: frozenset[int] = frozenset()) -> frozenset[int]:
    """The refused moves that people let stand."""
    return frozenset(entry["allows"] for entry in entries if "allows" in entry and entry["number"] not in struck)


def claimed(entries: Sequence[Entry], struck: frozenset[int] = frozenset()) -> Mapping[int, int]:
    """Corrected owners of moves: the number of the move, and the seat that claimed it."""
    return {one["claims"]: one["by"] for one in entries if "claims" in one and one["number"] not in struck}


def moments(entries: Sequence[Entry], placed: Iterable[PlacedCard]) -> Iterator[Moment]:
    """The table after each entry; ``placed``: all that was placed, including what was undone later."""
    laid = {one.number: one for one in placed}
    faults = {one.number: one for one in disputed(entries)}
    points: tuple[int, ...] = ()
    time_s: float | None = None
    for entry in entries:
        # A phone's entry may have a later time than what the camera saw before it and reported after it.
        if (now_s := entry.get("time_s")) is not None:
            time_s = now_s if time_s is None else max(time_s, now_s)
        move = entry.get("move", {})
        points = tuple(entry["standing"]["points"]) if entry.get("standing") else points
        went = laid.get(entry.get("strikes", 0))
        came = laid.get(entry.get("allows", 0)) or laid.get(entry["number"])
        yield Moment(
            entry["number"],
            points,
            None if entry.get("event") == "refused" else came,
            went.card if went else None,
            faults.get(entry["number"]),
            move.get("do", ""),
            move.get("by", 0),
            card_of(move),
            time_s,
        )


def disputed(entries: Sequence[Entry], struck: frozenset[int] = frozenset()) -> Iterator[DisputedMove]:
    """Every move with objections."""
    stands = allowed(entries, struck)
    for entry in entries:
        move = entry.get("move", {})
        if entry.get("objections"):
            yield DisputedMove(
                entry["number"],
                move.get("by", 0),
                card_of(move),
                move.get("do", ""),
                tuple((one["rule"], tuple(one.get("cards", ()))) for one in entry["objections"]),
                stood=entry.get("event") == "played",
                allowed=entry["number"] in stands,
                seen=entry.get("origin") == "camera",
            )


def noted(entries: Sequence[Entry]) -> Iterator[NotedEntry]:
    """The entries whose pictures may be of interest; a Stop belongs to the card of the move that it stops."""
    cards: dict[int, str | None] = {}
    for entry in entries:
        number, move = entry["number"], entry.get("move", {})
        card = card_of(move) or entry.get("change", {}).get("card") or cards.get(move.get("number", 0))
        cards[number] = card
        yield NotedEntry(number, "stop" if move.get("do") == "stop" else str(entry.get("event", "")), card)


def card_of(move: Mapping[str, Any]) -> str | None:
    """The card of a move; for a joker the card that it replaces."""
    return move.get("card") or move.get("as")
