"""Reads a match's record into the values that the page of a stored match shows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.public.i18n import Names
from web.pages.match_report import DisputedMove, Moment, NotedEntry, PlacedCard, Report

Entry = Mapping[str, Any]


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
    cards = {str(card["id"]): card.get("name", {}) for card in first.get("deck", {}).get("card", ())}
    struck = {entry["strikes"] for entry in entries if "strikes" in entry}
    times = [entry["time_s"] for entry in entries if entry.get("time_s") is not None]
    read_report = Report(
        names,
        str(match.get("profile", "")),
        tuple((str(card["id"]), card.get("family")) for card in first.get("deck", {}).get("card", ())),
        tuple(_moments(entries)),
        tuple(_placed(entries, struck)),
        tuple(_faults(entries, struck)),
        round(max(times) / 60) if times else None,
        sum(1 for e in entries if _do(e) in ("end_turn", "pass") and e["number"] not in struck),
        len(struck),
        tuple(_noted(entries)),
    )
    return read_report, Names(cards, names)


def _entries(lines: Iterable[str]) -> Iterable[Entry]:
    for number, line in enumerate(lines, 1):
        try:
            entry = json.loads(line)
        except ValueError:
            return
        yield {"number": number, **entry}


def _do(entry: Entry) -> str | None:
    return entry["move"]["do"] if entry.get("event") == "played" and "move" in entry else None


def _placed(entries: Sequence[Entry], struck: set[int]) -> Iterable[PlacedCard]:
    claimed = {e["claims"]: e["by"] for e in entries if "claims" in e and e["number"] not in struck}
    allowed = {e["allows"] for e in entries if "allows" in e and e["number"] not in struck}
    for entry in entries:
        number, move = entry["number"], entry.get("move", {})
        counts = entry.get("event") == "played" or number in allowed
        card = move.get("as") if move.get("do") == "joker" else move.get("card")
        if number in struck or not counts or not card or move.get("do") not in ("place", "joker"):
            continue
        yield PlacedCard(number, claimed.get(number, move["by"]), card, entry.get("points", 0), move.get("joker"))


def _moments(entries: Sequence[Entry]) -> Iterable[Moment]:
    placed = {one.number: one for one in _placed(entries, set())}
    faults = {one.number: one for one in _faults(entries, set())}
    points: tuple[int, ...] = ()
    time_s: float | None = None
    for entry in entries:
        # A phone's entry may bear a later time than what the camera saw before it and told after it.
        if (now_s := entry.get("time_s")) is not None:
            time_s = now_s if time_s is None else max(time_s, now_s)
        move = entry.get("move", {})
        points = tuple(entry["standing"]["points"]) if entry.get("standing") else points
        gone = placed.get(entry.get("strikes", 0))
        came = placed.get(entry.get("allows", 0)) or (placed.get(entry["number"]) if "move" in entry else None)
        if entry.get("event") == "refused":
            came = None
        yield Moment(
            entry["number"],
            points,
            came,
            gone.card if gone else None,
            faults.get(entry["number"]),
            move.get("do", ""),
            move.get("by", 0),
            move.get("card") or move.get("as"),
            time_s,
        )


def _faults(entries: Sequence[Entry], struck: set[int]) -> Iterable[DisputedMove]:
    allowed = {e["allows"] for e in entries if "allows" in e and e["number"] not in struck}
    for entry in entries:
        move = entry.get("move", {})
        if not entry.get("objections"):
            continue
        yield DisputedMove(
            entry["number"],
            move.get("by", 0),
            move.get("card") or move.get("as"),
            move.get("do", ""),
            tuple((one["rule"], tuple(one.get("cards", ()))) for one in entry["objections"]),
            stood=entry.get("event") == "played",
            allowed=entry["number"] in allowed,
            seen=entry.get("origin") == "camera",
        )


def _noted(entries: Sequence[Entry]) -> Iterable[NotedEntry]:
    cards: dict[int, str | None] = {}
    for entry in entries:
        number, move = entry["number"], entry.get("move", {})
        card = move.get("card") or move.get("as") or entry.get("change", {}).get("card")
        card = card or cards.get(move.get("number", 0))
        cards[number] = card
        yield NotedEntry(number, "stop" if move.get("do") == "stop" else str(entry.get("event", "")), card)
