"""Who sits where: the match file says it first, and the log what changed since."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from companion.errors import InputError, fault
from companion.history.events import Entry, Seated, undone_numbers
from companion.public.table import Seat
from companion.public.text import JSON

NAME_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """Who sits in a seat.

    Attributes:
        invited: The seat that his code was made for; it goes with him when he changes places.
    """

    name: str
    invited: Seat


def seating(names: Sequence[str], entries: Iterable[Entry]) -> tuple[SeatedPerson, ...]:
    """Who sits in each seat, seat 1 first; ``names`` are those of the match file."""
    people = [SeatedPerson(name, Seat(number)) for number, name in enumerate(names, 1)]
    for change in _seatings(entries):
        seat, other = change.seat - 1, change.swaps
        if change.name is not None:
            people[seat] = replace(people[seat], name=change.name)
        if other is not None:
            people[seat], people[other - 1] = people[other - 1], people[seat]
    return tuple(people)


def arrivals(entries: Iterable[Entry]) -> dict[Seat, bool]:
    """For each seat that somebody came to or left, whether somebody sits there now."""
    return {change.seat: change.here for change in _seatings(entries) if change.here is not None}


def _seatings(entries: Iterable[Entry]) -> list[Seated]:
    """All that was said about seats and not struck."""
    log = list(entries)
    struck = undone_numbers(log)
    return [entry.event for entry in log if isinstance(entry.event, Seated) and entry.number not in struck]


def names_in_play(match: JSON) -> tuple[str, ...]:
    """The names of a match file's seats."""
    return tuple(str(seat.get("name", number)) for number, seat in enumerate(match.get("seat", ()), 1))


def clean_name(text: JSON) -> str:
    """A name as people gave it, without what surrounds it.

    Raises:
        InputError: It is none.
    """
    name = " ".join(text.split()) if isinstance(text, str) else ""
    if not name or len(name) > NAME_CHARACTERS or not name.isprintable():
        raise InputError(fault("seat.fault.name", "a name has 1 to {most} characters", "name", most=NAME_CHARACTERS))
    return name
