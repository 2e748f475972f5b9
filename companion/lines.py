"""One line of a record: an entry and what came of it when it was written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.entries import encode_entry
from companion.events import Entry, Refused
from companion.game import JSON, Objection, Standing, Text


@dataclass(frozen=True, slots=True)
class Line:
    """An entry and what came of it when it was written.

    Attributes:
        objections: All there are to its move; in silent profiles private until the match is over.
        points: What the entry brought to the seat that made it.
        notes: Further keys (``failed``, ``held``).
        why: A line for each part of the points.
        prize: A trump was won before everybody's eyes.
        standing: The public scoreboard after every consequence of the entry.
    """

    entry: Entry
    standing: Standing
    objections: tuple[Objection, ...] = ()
    points: int = 0
    notes: Mapping[str, JSON] = field(default_factory=dict)
    why: tuple[Text, ...] = ()
    prize: bool = False


def encode_standing(standing: Standing) -> dict[str, JSON]:
    """The standing as the record writes it."""
    document: dict[str, JSON] = {
        "turn": standing.turn,
        "points": list(standing.points),
        "hands": list(standing.hands),
        "stack": standing.stack,
        "trumps": standing.trumps,
        "owed": [{"seat": owed.seat, "do": owed.do} for owed in standing.owed],
        "over": standing.over,
        "winners": list(standing.winners),
    }
    return {**document, "provisional": True} if standing.provisional else document


def encode_line(line: Line, *, private: bool = True) -> dict[str, JSON]:
    """An entry as the record writes it; the public form says no objections where they are a secret."""
    entry = line.entry
    document = encode_entry(entry)
    if line.objections and (private or isinstance(entry.event, Refused)):
        document["objections"] = [
            {"rule": objection.rule, "cards": list(objection.cards)} if objection.cards else {"rule": objection.rule}
            for objection in line.objections
        ]
    if line.points:
        document["points"] = line.points
    return {**document, **line.notes, "standing": encode_standing(line.standing)}
