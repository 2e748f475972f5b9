"""What a match's record tells afterwards: who led when, who placed what, what was refused."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.public.i18n import Names

Entry = Mapping[str, Any]
SILENT = ("en-memory", "fr-bluff")


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card in the tree by its seat; ``points`` with everything that it brought."""

    number: int
    seat: int
    card: str
    points: int
    joker: str | None = None


@dataclass(frozen=True, slots=True)
class DisputedMove:
    """A move with objections; ``stood``: it was played and stayed, as in silent games; ``seen``: by the camera."""

    number: int
    seat: int
    card: str | None
    do: str
    objections: tuple[tuple[str, tuple[str, ...]], ...]
    stood: bool
    allowed: bool = False
    seen: bool = False


@dataclass(frozen=True, slots=True)
class NotedEntry:
    """An entry of which people may want to see pictures: what it was (``stop``, ``question``, ...) and which card."""

    number: int
    what: str
    card: str | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The table after an entry: what came into the tree, what an undo took away, and everybody's points."""

    number: int
    points: tuple[int, ...]
    came: PlacedCard | None = None
    went: str | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A match as people talk about it afterwards.

    Attributes:
        names: The players', seat 1 first.
        profile: As in the match file.
        cards: Card ids with their families, in the deck's order.
        moments: After each entry, in order.
        placed: In the order of the table; what was undone is left out.
        faults: Unlawful moves, in order.
        minutes: Minutes of play, ``None`` where times are unknown.
        turns: Turns that were ended.
        undone: How many entries were struck.
        noted: All entries in order, as captions of their pictures.
    """

    names: tuple[str, ...]
    profile: str
    cards: tuple[tuple[str, str | None], ...]
    moments: tuple[Moment, ...]
    placed: tuple[PlacedCard, ...]
    faults: tuple[DisputedMove, ...]
    minutes: int | None
    turns: int
    undone: int
    noted: tuple[NotedEntry, ...] = ()

    @property
    def silent(self) -> bool:
        """Nobody was told what was unlawful, so that the faults are a reveal."""
        return self.profile in SILENT

    def best(self) -> PlacedCard | None:
        """The card that brought the most at once; the first of equals."""
        return (
            max(self.placed, key=lambda one: one.points, default=None) if any(p.points for p in self.placed) else None
        )

    def of(self, seat: int) -> tuple[PlacedCard, ...]:
        """What a seat placed."""
        return tuple(one for one in self.placed if one.seat == seat)


def report(lines: Iterable[str]) -> tuple[Report, Names]:
    """Reads a record; a torn last line is left out.

    Raises:
        ValueError: The record has no first line that could be read.
    """
    read = iter(lines)
    first = json.loads(next(read, "null"))
    if not isinstance(first, dict) or "match" not in first:
        raise ValueError("the record does not begin with its match")
    match: Mapping[str, Any] = first["match"]
    entries = tuple(_entries(read))
    names = tuple(str(seat.get("name", number)) for number, seat in enumerate(match.get("seat", ()), 1))
    cards = {str(card["id"]): card.get("name", {}) for card in first.get("deck", {}).get("card", ())}
    struck = {entry["strikes"] for entry in entries if "strikes" in entry}
    times = [entry["time_s"] for entry in entries if entry.get("time_s") is not None]
    told = Report(
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
    return told, Names(cards, names)


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
    points: tuple[int, ...] = ()
    for entry in entries:
        points = tuple(entry["standing"]["points"]) if entry.get("standing") else points
        gone = placed.get(entry.get("strikes", 0))
        came = placed.get(entry.get("allows", 0)) or (placed.get(entry["number"]) if "move" in entry else None)
        if entry.get("event") == "refused":
            came = None
        yield Moment(entry["number"], points, came, gone.card if gone else None)


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
