"""Converts a record into the report of a stored match."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.public.i18n import Names
from web.door import Entry, PlacedCard, Report, allowed, card_of, claimed, disputed, moments, noted, read_record


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Read a record; an incomplete last line is left out.

    Raises:
        ValueError: The record has no readable first line.
    """
    read = read_record(lines)
    entries, struck = read.entries, read.struck
    cards = read.deck.get("card", ())
    names = {str(card["id"]): card.get("name", {}) for card in cards}
    read_report = Report(
        read.names,
        str(read.match.get("profile", "")),
        tuple((str(card["id"]), card.get("family")) for card in cards),
        tuple(moments(entries, _placed(entries))),
        tuple(_placed(entries, struck)),
        tuple(disputed(entries, struck)),
        read.minutes,
        sum(1 for e in entries if _do(e) in ("end_turn", "pass") and e["number"] not in struck),
        len(struck),
        tuple(noted(entries)),
    )
    return read_report, Names(names, read.names)


def _do(entry: Entry) -> str | None:
    return entry["move"]["do"] if entry.get("event") == "played" and "move" in entry else None


def _placed(entries: Sequence[Entry], struck: frozenset[int] = frozenset()) -> Iterable[PlacedCard]:
    stands, whose = allowed(entries, struck), claimed(entries, struck)
    for entry in entries:
        number, move = entry["number"], entry.get("move", {})
        counts = entry.get("event") == "played" or number in stands
        if number in struck or not counts or move.get("do") not in ("place", "joker"):
            continue
        card = move.get("as") if move["do"] == "joker" else card_of(move)
        if card:
            yield PlacedCard(number, whose.get(number, move["by"]), card, entry.get("points", 0), move.get("joker"))
