"""Which games there are, and how a match file becomes one of them at the table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from companion.documents import Document, RecordFile, read_toml
from companion.errors import Fault, InputError, fault
from companion.game import JSON, Game
from companion.games.discovery import deck as discovery_deck
from companion.games.discovery import match as discovery_match
from companion.table import COMMAND_CARDS, SEAT_TAGS, Layout, Token, Zone, ZoneShape

GAMES = {"discovery": discovery_match.open_match}
"""A game's name to what opens a match of it, from the match file and the deck file as JSON."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A match ready to be played.

    Attributes:
        header: ``{"match": …, "deck": …}`` as the record's first line keeps it.
        game: The game.
        layout: Where things lie.
    """

    header: Mapping[str, JSON]
    game: Game[Any, Any]
    layout: Layout


def demo_deck() -> JSON:
    """The built-in deck, as JSON."""
    text = resources.files("companion.games.discovery").joinpath("deck.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def words() -> tuple[Path, ...]:
    """The folders of all catalogs: the core's and each game's."""
    here = Path(str(resources.files("companion")))
    return (here / "locale", *(here / "games" / name / "words" for name in GAMES))


def read_deck(path: Path) -> JSON:
    """A deck file as JSON, checked.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    document = read_toml(path)
    document.located(discovery_deck.read)
    return document.content


def read_match(path: Path) -> Opened:
    """A match file and its deck, opened.

    Raises:
        InputError: With every fault, naming file, line and key.
    """
    document = read_toml(path)
    deck: JSON = demo_deck()
    named = document.content.get("deck")
    if named is not None:
        if not isinstance(named, str):
            raise InputError(document.locate(Fault(f"{named!r} should be a file's name", ("deck",))))
        if not (path.parent / named).is_file():
            raise InputError(document.locate(Fault(f"there is no file {path.parent / named}", ("deck",))))
        deck = read_deck(path.parent / named)
    return open_match(document.content, deck, document)


def open_match(match: JSON, deck: JSON, document: Document | None = None) -> Opened:
    """A match from a match file and a deck file as JSON.

    Raises:
        InputError: With every fault.
    """

    def opened(match: JSON) -> Opened:
        if not isinstance(match, Mapping):
            raise InputError(fault("match.fault.form", "a match is a table of keys, such as profile and seat"))
        name = match.get("game", "discovery")
        if name not in GAMES:
            said = "there is no game {value}; there are {known}"
            raise InputError(fault("match.fault.game", said, "game", value=repr(name), known=", ".join(GAMES)))
        game = GAMES[str(name)](match, discovery_deck.read(deck))
        table = match.get("table")
        layout = game.layout() if table is None else read_layout(table)
        return Opened({"match": dict(match), "deck": deck}, game, layout)

    return opened(match) if document is None else document.located(opened)


def open_record(file: RecordFile) -> Opened:
    """The match of a record's header; without a deck it was played with the demo deck.

    Raises:
        InputError: With every fault, naming the file and its first line.
    """
    try:
        return open_match(file.header["match"], file.header.get("deck") or demo_deck())
    except InputError as wrong:
        raise InputError(*(f"{file.path}, line 1: {line}" for line in str(wrong).splitlines())) from wrong


def accepted(game: Game[Any, Any]) -> frozenset[Token]:
    """Every sticker that counts at a table where this is played."""
    return frozenset(game.cards) | COMMAND_CARDS | SEAT_TAGS.keys()


def read_layout(table: JSON) -> Layout:
    """The playing field from a match file's ``[table]``.

    Raises:
        InputError: With every fault.
    """
    if not isinstance(table, Mapping):
        raise InputError(fault("zones.fault.form", "should be a table with size_mm and zone", "table"))
    faults: list[Fault] = []
    size = table.get("size_mm")
    if size is not None and not _is_point(size):
        faults.append(fault("zones.fault.size", "should be two lengths in millimetres", "table", "size_mm"))
    zones: list[ZoneShape] = []
    listed = table.get("zone", [])
    if not isinstance(listed, list) or not listed:
        faults.append(
            fault("zones.fault.list", "should be a list of zones, each with name and polygon", "table", "zone")
        )
        listed = []
    for i, zone in enumerate(listed):
        name = zone.get("name") if isinstance(zone, Mapping) else None
        polygon = zone.get("polygon") if isinstance(zone, Mapping) else None
        if not isinstance(name, str) or not name:
            faults.append(fault("zones.fault.name", "needs a name", "table", "zone", i, "name"))
        elif any(name == other.name for other in zones):
            faults.append(
                fault("zones.fault.twice", "there are two zones {zone}", "table", "zone", i, "name", zone=repr(name))
            )
        elif not isinstance(polygon, list) or len(polygon) < 3 or not all(_is_point(corner) for corner in polygon):
            said = "needs at least three corners [x, y] in millimetres"
            faults.append(fault("zones.fault.corners", said, "table", "zone", i, "polygon"))
        else:
            zones.append(ZoneShape(Zone(name), tuple((float(x), float(y)) for x, y in polygon)))
    if faults:
        raise InputError(*faults)
    return Layout(None if size is None else (float(size[0]), float(size[1])), tuple(zones))


def _is_point(value: JSON) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(x) in (int, float) for x in value)
