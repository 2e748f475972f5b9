"""The common parts of deck and match files in all games, and their faults."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TypeAlias

from companion.errors import Fault, fault
from companion.games.lattice import Cell
from companion.public.table import CardId
from companion.public.text import JSON

FaultPlace: TypeAlias = tuple[str | int, ...]
"""The path of keys to the fault; list indexes count from 0."""

MOST_LISTED = 100
"""The longest list in a position: no game has more things of one kind."""


def unknown_keys(table: Mapping[str, JSON], keys: Iterable[str], *where: str | int) -> Iterator[Fault]:
    """A fault for each unknown key of a table."""
    listed = tuple(keys)
    for key in table:
        if key not in listed:
            sentence = "there is no such key here; the keys are {known}"
            yield fault("file.fault.key", sentence, *where, str(key), known=", ".join(listed))


def deck_head(head: JSON, keys: Iterable[str]) -> Iterator[Fault]:
    """The faults of the table ``deck`` of a deck file: it needs a name and an edition."""
    if not isinstance(head, Mapping):
        yield fault("file.fault.head", 'the table "deck" with a name and an edition is missing', "deck")
        return
    yield from unknown_keys(head, keys, "deck")
    for key in ("name", "edition"):
        if not is_words(head.get(key)):
            yield fault("file.fault.says", 'a deck says its {word} in words: {word} = "…"', "deck", key, word=key)


def each_once(rows: Iterable[tuple[int, Mapping[str, JSON]]], ids: Container[JSON]) -> Iterator[Fault]:
    """A fault for each tile that is listed twice; ``ids``: the valid ids."""
    seen: dict[JSON, int] = {}
    for index, row in rows:
        name = row.get("id")
        if isinstance(name, str) and name in ids and seen.setdefault(name, index) != index:
            sentence = "{name} is tile {place} already; each is there once"
            yield fault("file.fault.again", sentence, "tile", index, "id", name=name, place=seen[name] + 1)


def source(row: Mapping[str, JSON], *where: str | int) -> Iterator[Fault]:
    """A fault if the ``source`` of a row is not a text."""
    if not isinstance(row.get("source", ""), str):
        yield fault("file.fault.source", 'a source is said in words, such as "my box"', *where, "source")


def host(match: Mapping[str, JSON]) -> Iterator[Fault]:
    """A fault if ``host`` is neither ``seat`` nor ``outside``."""
    if match.get("host", "seat") not in ("seat", "outside"):
        yield fault("file.fault.host", 'write "seat", or "outside" for a host who does not play', "host")


def seat(row: JSON, keys: Iterable[str], *where: str | int) -> Iterator[Fault]:
    """The faults of a seat: a table with known keys and a name."""
    if not isinstance(row, Mapping):
        yield fault("file.fault.seat", 'a seat is a table with a name, such as name = "Ana"', *where)
        return
    yield from unknown_keys(row, keys, *where)
    if not is_words(row.get("name")):
        yield fault("file.fault.name", "the seat needs a name in quotes", *where, "name")


def switch(value: JSON, *where: str | int) -> Iterator[Fault]:
    """A fault unless the value is true or false."""
    if not isinstance(value, bool):
        yield fault("file.fault.switch", "write true or false", *where)


def is_whole(value: JSON, least: int, most: int) -> bool:
    """Whether it is an integer within these bounds."""
    return type(value) is int and least <= value <= most


def whole(value: JSON, least: int, most: int, *where: str | int) -> Iterator[Fault]:
    """A fault unless the value is an integer within these bounds."""
    if not is_whole(value, least, most):
        sentence = "write a whole number from {least} to {most}"
        yield fault("file.fault.number", sentence, *where, least=least, most=most)


def listed(value: JSON, where: FaultPlace, faults: list[Fault]) -> Iterator[tuple[int, JSON]]:
    """The items of a list with their indexes; none, and a fault, if it is not a list or far too long."""
    if isinstance(value, list) and len(value) <= MOST_LISTED:
        yield from enumerate(value)
    else:
        sentence = "write a list in square brackets, of {most} at most"
        faults.append(fault("file.fault.list", sentence, *where, most=MOST_LISTED))


def read_number(value: JSON, where: FaultPlace, bounds: tuple[int, int], faults: list[Fault]) -> int:
    """An integer within these bounds; the least, and a fault, if it is not."""
    wrong = list(whole(value, *bounds, *where))
    faults += wrong
    return bounds[0] if wrong or not isinstance(value, int) else value


def is_words(value: JSON) -> bool:
    """Whether it is a text that is not blank."""
    return isinstance(value, str) and bool(value.strip())


def shown(value: JSON) -> str:
    """A value as it was written; for a list or a table only its type."""
    return repr(value) if isinstance(value, str | int | float | bool | None) else type(value).__name__


def read_whole(word: str) -> int | None:
    """An integer of at most four digits; ``None`` for other texts."""
    digits = word.removeprefix("-")
    return int(word) if digits.isascii() and digits.isdecimal() and len(digits) <= 4 else None


def read_laid(written: JSON, farthest: int) -> tuple[CardId, Cell | None]:
    """A tile of a position: its id, column, row and clockwise quarter turns; the cell is ``None`` if it is invalid.

    >>> read_laid("T07@1,0/3", 99)
    ('T07', Cell(column=1, row=0, turn=3))

    Args:
        farthest: The largest column and row, in both directions.
    """
    if not isinstance(written, str) or written.count("@") != 1 or written.count("/") != 1:
        return CardId(""), None
    card, _, place = written.partition("@")
    cell, _, turned = place.partition("/")
    numbers = [read_whole(word) for word in (*cell.split(","), turned)]
    if len(numbers) != 3 or None in numbers:
        return CardId(card), None
    column, row, turn = (number or 0 for number in numbers)
    possible = abs(column) <= farthest and abs(row) <= farthest and 0 <= turn <= 3
    return CardId(card), Cell(column, row, turn) if possible else None
