"""Reads a match file."""

from __future__ import annotations

from collections.abc import Mapping

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.darwinci.deck import BoneDeck
from companion.games.darwinci.game import Darwinci, darwinci
from companion.games.darwinci.position import read_position
from companion.games.darwinci.setup import (
    COLOURS,
    LEAST_SEATS,
    MOST_SEATS,
    TILE_MM,
    TILES_SHOWN_MM,
    DarwinciSetup,
)
from companion.games.files import FaultPlace, shown
from companion.public.text import JSON

BASE, EXPERTS = PROFILES = ("base", "experts")
"""The rules, and « Darwinci pour les experts » (W32)."""
MATCH_KEYS = ("game", "profile", "deck", "host", "seat", "tile_mm", "table", "position")
SEAT_KEYS = ("name", "colour")


def open_match(match: JSON, deck: BoneDeck) -> Darwinci:
    """A match from a parsed match file and its deck.

    Raises:
        InputError: All faults of the file.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("darwinci.fault.match", "a match is a table of keys, such as game and seat"))
    faults: list[Fault] = []
    faults += files.unknown_keys(match, MATCH_KEYS)
    if match.get("game", "darwinci") != "darwinci":
        message = '{value} is another game; write "darwinci"'
        faults.append(fault("darwinci.fault.game", message, "game", value=shown(match["game"])))
    profile = match.get("profile", BASE)
    if profile not in PROFILES:
        message = "{value} is no profile; there are {known}"
        names = ", ".join(PROFILES)
        faults.append(fault("darwinci.fault.profile", message, "profile", value=shown(profile), known=names))
    faults += files.host(match)
    players, colours = _players(match, faults)
    tile_mm = _millimetres(match.get("tile_mm", TILE_MM), faults)
    if faults:
        raise InputError(*faults)
    setup = DarwinciSetup(deck, players, colours, profile == EXPERTS, tile_mm)
    position = read_position(setup, match["position"], faults) if "position" in match else None
    if faults:
        raise InputError(*faults)
    return darwinci(setup, position)


def _players(match: Mapping[str, JSON], faults: list[Fault]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names and colours by seat. A seat without a colour gets the first free one, in the order of the box."""
    seats = match.get("seat")
    if not isinstance(seats, list) or not LEAST_SEATS <= len(seats) <= MOST_SEATS:
        message = "the match needs {least} to {most} [[seat]], each with a name"
        faults.append(fault("darwinci.fault.seats", message, "seat", least=LEAST_SEATS, most=MOST_SEATS))
        return (), ()
    names: list[str] = []
    chosen: list[str | None] = []
    for place, seat in enumerate(seats):
        where: FaultPlace = ("seat", place)
        faults += files.seat(seat, SEAT_KEYS, *where)
        row = seat if isinstance(seat, Mapping) else {}
        colour = row.get("colour")
        if colour is not None and (not isinstance(colour, str) or colour not in COLOURS):
            message = "{value} is no colour of the stones; there are {known}"
            colour_names = ", ".join(COLOURS)
            faults.append(
                fault("darwinci.fault.colour", message, *where, "colour", value=shown(colour), known=colour_names)
            )
        elif colour is not None and colour in chosen:
            message = "seat {number} has these stones already"
            number = chosen.index(colour) + 1
            faults.append(fault("darwinci.fault.colour_twice", message, *where, "colour", number=number))
        names.append(str(row.get("name", "")))
        chosen.append(colour)
    free = [colour for colour in COLOURS if colour not in chosen]
    usual = list(COLOURS)[: len(chosen)]
    colours = []
    for colour, own in zip(chosen, usual, strict=True):
        taken = colour or (own if own in free else free[0])
        if taken in free:
            free.remove(taken)
        colours.append(taken)
    return tuple(names), tuple(colours)


def _millimetres(value: JSON, faults: list[Fault]) -> float:
    least, most = TILES_SHOWN_MM
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        message = "the side of a tile is {least} to {most} millimetres; larger plots do not fit the table"
        faults.append(fault("darwinci.fault.tile_mm", message, "tile_mm", least=least, most=most))
        return TILE_MM
    return float(value)
