"""Reads a match file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.files import shown
from companion.games.lands.deck import LandsDeck, check_side
from companion.games.lands.game import Lands, lands
from companion.games.lands.position import read_position
from companion.games.lands.setup import LEAST_SEATS, MOST_SEATS, LandsSetup
from companion.public.text import JSON

PROFILE = "base"
MATCH_KEYS = ("game", "profile", "deck", "host", "seat", "tile_mm", "table", "position")


def open_match(match: JSON, deck: LandsDeck) -> Lands:
    """A match from a parsed match file and its deck.

    Raises:
        InputError: All faults of the file.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("lands.fault.match", "a match is a table of keys, such as game and seat"))
    faults: list[Fault] = [*files.unknown_keys(match, MATCH_KEYS)]
    if match.get("game", "lands") != "lands":
        message = '{value} is another game; write "lands"'
        faults.append(fault("lands.fault.game", message, "game", value=shown(match["game"])))
    if match.get("profile", PROFILE) != PROFILE:
        message = '{value} is no profile; there is only "base"'
        faults.append(fault("lands.fault.profile", message, "profile", value=shown(match["profile"])))
    faults += files.host(match)
    if "tile_mm" in match:
        side = match["tile_mm"]
        faults += check_side(side, "tile_mm")
        deck = deck if faults else replace(deck, tile_mm=float(side))
    seats = match.get("seat")
    if not isinstance(seats, list) or not LEAST_SEATS <= len(seats) <= MOST_SEATS:
        message = "the match needs {least} to {most} [[seat]], each with a name"
        faults.append(fault("lands.fault.seats", message, "seat", least=LEAST_SEATS, most=MOST_SEATS))
        seats = []
    for place, row in enumerate(seats):
        faults += files.seat(row, ("name",), "seat", place)
    if faults:
        raise InputError(*faults)
    setup = LandsSetup(deck, tuple(row["name"] for row in seats))
    position = read_position(setup, match["position"], faults) if "position" in match else None
    if faults:
        raise InputError(*faults)
    return lands(setup, position)
