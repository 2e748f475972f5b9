"""Who sits where: the match file gives the start, and the log the changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.errors import Fault, InputError, fault
from companion.history.events import Entry, Seated, undone_numbers
from companion.public.names import can_be_shown, name_key, tidy_name
from companion.public.table import Seat
from companion.public.text import JSON

NAME_CHARACTERS = 40
NAME_TAKEN = "somebody at the table is called {name} already; choose another name"


@dataclass(frozen=True, slots=True)
class SeatedPerson:
    """The person in a seat.

    Attributes:
        invited: The seat that the person's code was made for; it goes along when people change places.
    """

    name: str
    invited: Seat


def seating(names: Sequence[str], entries: Iterable[Entry]) -> tuple[SeatedPerson, ...]:
    """The people in all seats, seat 1 first.

        >>> swapped = Entry(1, Seated(Seat(1), swaps=Seat(2)))
        >>> [person.name for person in seating(["Ana", "Ben"], [swapped])]
        ['Ben', 'Ana']

    Args:
        names: From the match file.
    """
    people = [SeatedPerson(name, Seat(number)) for number, name in enumerate(names, 1)]
    for change in _seatings(entries):
        seat, other = change.seat - 1, change.swaps
        if change.name is not None:
            people[seat] = replace(people[seat], name=change.name)
        if other is not None:
            people[seat], people[other - 1] = people[other - 1], people[seat]
    return tuple(people)


def arrivals(entries: Iterable[Entry]) -> dict[Seat, bool]:
    """For each seat with an arrival or a departure, whether a person sits there now."""
    return {change.seat: change.here for change in _seatings(entries) if change.here is not None}


def _seatings(entries: Iterable[Entry]) -> list[Seated]:
    """All changes of seats that were not struck."""
    log = list(entries)
    struck = undone_numbers(log)
    return [entry.event for entry in log if isinstance(entry.event, Seated) and entry.number not in struck]


def names_in_play(match: JSON) -> tuple[str, ...]:
    """The names in a match file, seat 1 first."""
    return tuple(str(seat.get("name", number)) for number, seat in enumerate(match.get("seat", ()), 1))


def clean_name(text: JSON) -> str:
    """Check a name as typed, and trim it; what a messenger put in unseen is left out.

    Raises:
        InputError: It is empty or too long, or has invisible characters, such as one that reverses the writing
            direction.
    """
    name = tidy_name(text) if isinstance(text, str) else ""
    if not can_be_shown(name, NAME_CHARACTERS):
        sentence = "a name has 1 to {most} characters, and each can be seen"
        raise InputError(fault("seat.fault.name", sentence, "name", most=NAME_CHARACTERS))
    return name


def clean_names(match: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """The match file with cleaned names; other faults are left to its reader.

    Raises:
        InputError: A name is not valid, or is used twice.
    """
    seats = match.get("seat")
    if not isinstance(seats, list):
        return match
    cleaned: list[JSON] = []
    keys: set[str] = set()
    faults: list[Fault] = []
    for index, seat in enumerate(seats):
        if not isinstance(seat, Mapping) or not isinstance(seat.get("name"), str) or not seat["name"].strip():
            cleaned.append(seat)
            continue
        where = ("seat", index, "name")
        try:
            name = clean_name(seat["name"])
        except InputError as error:
            faults += (replace(wrong, where=where) for wrong in error.faults)
            continue
        if name_key(name) in keys:
            faults.append(fault("seat.fault.taken", NAME_TAKEN, *where, name=name))
        keys.add(name_key(name))
        cleaned.append({**seat, "name": name})
    if faults:
        raise InputError(*faults)
    return {**match, "seat": cleaned}
