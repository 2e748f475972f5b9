"""Cards that were taken back off the table: whose they were, and where they had come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from companion.corrections import last_undoable
from companion.game import Game
from companion.record import Record
from companion.table import TABLE, CardId, Change, Zone


@dataclass(frozen=True, slots=True)
class TakenBack:
    """A card that was taken back off the table: the entry that struck it, and where it lay."""

    strike: int
    laid: Change
    until_s: float


def is_taken_back(record: Record[Any], change: Change) -> bool:
    """The last act of the turn in play laid this card, and it is no longer there."""
    number = last_undoable(record)
    act = None if number is None else record.acts.get(number)
    if act is None or change.came_from is None or getattr(act.move, "card", None) != change.card:
        return False
    return change.went_to in (None, getattr(act.move, "source", None))


def of_this_turn(record: Record[Any]) -> set[CardId]:
    """The cards that people laid since somebody last did something without a card, such as ending a turn."""
    cards: set[CardId] = set()
    for _, act in sorted(record.acts.items(), reverse=True):
        if act.move.by != TABLE:
            if not hasattr(act.move, "card"):
                break
            cards.add(act.move.card)
    return cards


def source_of(game: Game[Any, Any], record: Record[Any], number: int) -> Zone | None:
    """Where the card of an entry had come from, as far as that is a place on the table."""
    source = getattr(record.acts[number].move, "source", None) if number in record.acts else None
    return Zone(source) if source in {zone.name for zone in game.layout().zones} else None
