"""Reads a match file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.errors import Fault, InputError, fault
from companion.games import files
from companion.games.carcassonne.deck import MOST_TILES, TileDeck
from companion.games.carcassonne.game import Carcassonne, carcassonne
from companion.games.carcassonne.setup import (
    COUNTERS,
    LEAST_SEATS,
    MOST_SEATS,
    TILE_MM,
    TILES_SHOWN_MM,
    MatchSetup,
)
from companion.games.carcassonne.state import Progress
from companion.games.carcassonne.territory import Piece
from companion.games.files import FaultPlace, shown
from companion.games.lattice import Cell
from companion.public.table import CardId, Seat
from companion.public.text import JSON

PROFILE = "base"
"""There is one set of rules; ``equal_turns`` is a variant of a match."""
MATCH_KEYS = (
    *("game", "profile", "deck", "host", "seat", "first"),
    *("equal_turns", "tile_mm", "position", "table"),
)
SEAT_KEYS = ("name", "late")
POSITION_KEYS = ("laid", "followers", "aside", "points", "turn")
FARTHEST = MOST_TILES
"""A map does not extend farther from its start tile than the number of tiles."""
MOST_POINTS = 9999


def open_match(match: JSON, deck: TileDeck) -> Carcassonne:
    """A match from a parsed match file and its deck.

    Raises:
        InputError: All faults of the file.
    """
    if not isinstance(match, Mapping):
        raise InputError(fault("carcassonne.fault.match", "a match is a table of keys, such as game and seat"))
    faults: list[Fault] = []
    faults += files.unknown_keys(match, MATCH_KEYS)
    if match.get("game", "carcassonne") != "carcassonne":
        message = '{value} is another game; write "carcassonne"'
        faults.append(fault("carcassonne.fault.game", message, "game", value=repr(match["game"])))
    if match.get("profile", PROFILE) != PROFILE:
        message = '{value} is no profile; write "{known}", or nothing'
        faults.append(
            fault("carcassonne.fault.profile", message, "profile", value=repr(match["profile"]), known=PROFILE)
        )
    faults += files.host(match)
    players, late = _players(match, faults)
    faults += files.switch(match.get("equal_turns", False), "equal_turns")
    made = MatchSetup(
        deck,
        players,
        Seat(_number(match.get("first", 1), ("first",), 1, len(players) or MOST_SEATS, faults)),
        match.get("equal_turns", False) is True,
        _millimetres(match.get("tile_mm", TILE_MM), faults),
        late,
    )
    position = _position(made, match["position"], faults) if "position" in match and players else None
    if faults:
        raise InputError(*faults)
    return carcassonne(made, position)


def _players(match: Mapping[str, JSON], faults: list[Fault]) -> tuple[tuple[str, ...], frozenset[Seat]]:
    """The names of the seats, and the seats reserved for later; empty if they cannot be read."""
    seats = match.get("seat")
    if not isinstance(seats, list) or not LEAST_SEATS <= len(seats) <= MOST_SEATS:
        message = "the match needs {least} to {most} [[seat]], each with a name"
        faults.append(fault("carcassonne.fault.seats", message, "seat", least=LEAST_SEATS, most=MOST_SEATS))
        return (), frozenset()
    names, late = [], set()
    for place, seat in enumerate(seats):
        where: FaultPlace = ("seat", place)
        faults += files.seat(seat, SEAT_KEYS, *where)
        row = seat if isinstance(seat, Mapping) else {}
        faults += files.switch(row.get("late", False), *where, "late")
        names.append(str(row.get("name", "")))
        if row.get("late", False) is True:
            late.add(Seat(place + 1))
    if len(late) == len(seats):
        message = "at least one seat must be somebody's who is here"
        faults.append(fault("carcassonne.fault.all_late", message, "seat"))
    return tuple(names), frozenset(late)


def _number(value: JSON, where: FaultPlace, least: int, most: int, faults: list[Fault]) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        message = "{value} does not do; write a whole number from {least} to {most}"
        faults.append(fault("carcassonne.fault.number", message, *where, value=shown(value), least=least, most=most))
        return least
    return value


def _millimetres(value: JSON, faults: list[Fault]) -> float:
    least, most = TILES_SHOWN_MM
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        message = "the side of a tile is {least} to {most} millimetres"
        faults.append(fault("carcassonne.fault.tile_mm", message, "tile_mm", least=least, most=most))
        return TILE_MM
    return float(value)


def _position(setup: MatchSetup, given: JSON, faults: list[Fault]) -> Progress | None:
    """The start of a seat's turn in the middle of a match; adds faults to the list."""
    if not isinstance(given, Mapping):
        faults.append(fault("carcassonne.fault.position", "position is a table, such as [position]", "position"))
        return None
    before, count = len(faults), len(setup.players)
    faults += files.unknown_keys(given, POSITION_KEYS, "position")
    laid = _laid(setup, given, faults)
    followers = _followers(setup, given, laid, faults)
    aside = _aside(setup, given, laid, faults)
    points = tuple(
        _number(value, ("position", "points", at), 0, MOST_POINTS, faults)
        for at, value in _list({"points": [0] * count, **given}, "points", faults)
    )
    if len(points) != count and isinstance(given.get("points", []), list):
        message = "one number for each of the {wanted} seats is needed, there are {found}"
        faults.append(fault("carcassonne.fault.each", message, "position", "points", wanted=count, found=len(points)))
    turn = _number(given.get("turn", setup.first), ("position", "turn"), 1, count, faults)
    if turn in setup.late:
        faults.append(
            fault(
                "carcassonne.fault.turn_late", "nobody sits there yet; choose a seat with a player", "position", "turn"
            )
        )
    if len(faults) > before:
        return None
    out = Counter(setup.owners[card] for card in followers)
    return Progress(
        laid=laid,
        followers=followers,
        points=points,
        supply=tuple(COUNTERS - out[seat] for seat in setup.seats),
        tiles=len(setup.deck.tiles) - len(laid) - len(aside),
        turn=Seat(turn),
        begun=len(laid) > 1,
        removed=aside[: setup.to_remove],
        discarded=aside[setup.to_remove :],
        away=setup.late,
    )


def _laid(setup: MatchSetup, given: Mapping[str, JSON], faults: list[Fault]) -> dict[CardId, Cell]:
    """Tiles on the map, such as ``T07@1,0/3``."""
    laid: dict[CardId, Cell] = {}
    for at, written in _list(given, "laid", faults):
        where = ("position", "laid", at)
        card, cell = files.read_laid(written, FARTHEST)
        if card not in setup.deck.tiles or cell is None:
            message = (
                '{value} is no tile of this deck on a map; write "{example}": tile, east, south, quarters clockwise'
            )
            faults.append(fault("carcassonne.fault.laid", message, *where, value=shown(written), example="T07@1,0/3"))
        elif card in laid:
            faults.append(fault("carcassonne.fault.laid_twice", "{name} lies there already", *where, name=card))
        elif any((one.column, one.row) == (cell.column, cell.row) for one in laid.values()):
            message = "a tile lies at {x},{y} already"
            faults.append(fault("carcassonne.fault.occupied", message, *where, x=cell.column, y=cell.row))
        else:
            laid[card] = cell
    start = setup.deck.start
    if laid and laid.get(start) != Cell(0, 0):
        message = 'the start tile is missing; write "{name}@0,0/0"'
        faults.append(fault("carcassonne.fault.start_missing", message, "position", "laid", name=start))
    return laid


def _followers(
    setup: MatchSetup, given: Mapping[str, JSON], laid: Mapping[CardId, Cell], faults: list[Fault]
) -> dict[CardId, Piece]:
    """Counters on the map, such as ``F12 T07 2``."""
    followers: dict[CardId, Piece] = {}
    for at, written in _list(given, "followers", faults):
        where = ("position", "followers", at)
        words = written.split(" ") if isinstance(written, str) else []
        number = files.read_whole(words[2]) if len(words) == 3 else None
        if number is None or words[0] not in setup.owners:
            message = '{value} is no counter on a tile; write "{example}": counter, tile, segment'
            example = "F12 T07 2"
            faults.append(fault("carcassonne.fault.follower", message, *where, value=shown(written), example=example))
            continue
        card, tile = CardId(words[0]), CardId(words[1])
        if tile not in laid or not setup.deck.tiles[tile].has(number):
            message = "there is no segment {number} of {name} on the map"
            faults.append(fault("carcassonne.fault.no_segment", message, *where, number=number, name=words[1]))
        elif card in followers:
            faults.append(fault("carcassonne.fault.out_twice", "{name} stands somewhere already", *where, name=card))
        else:
            followers[card] = (tile, number)
    return followers


def _aside(
    setup: MatchSetup, given: Mapping[str, JSON], laid: Mapping[CardId, Cell], faults: list[Fault]
) -> tuple[CardId, ...]:
    """Tiles that are out of the match, those removed for equal turns first."""
    tiles: list[CardId] = []
    for at, written in _list(given, "aside", faults):
        where = ("position", "aside", at)
        card = CardId(written) if isinstance(written, str) else CardId("")
        if card not in setup.deck.tiles:
            message = "{value} is no tile of this deck"
            faults.append(fault("carcassonne.fault.no_tile", message, *where, value=shown(written)))
        elif card in laid or card in tiles:
            faults.append(fault("carcassonne.fault.laid_twice", "{name} lies there already", *where, name=card))
        else:
            tiles.append(card)
    return tuple(tiles)


def _list(given: Mapping[str, JSON], key: str, faults: list[Fault]) -> list[tuple[int, JSON]]:
    value = given.get(key, [])
    if isinstance(value, list) and len(value) <= MOST_TILES:
        return list(enumerate(value))
    message = "a list in square brackets is needed here"
    faults.append(fault("carcassonne.fault.list", message, "position", key))
    return []
