"""Reads the position of a match file: the start of a match that does not begin with its deal.

A position is the moment before an act: there is no fight, and seats only owe what follows from their things.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from companion.errors import Fault, fault
from companion.games import files
from companion.games.files import FaultPlace, listed, read_number, shown
from companion.games.lands.deck import DAMAGE, RESOURCES, SIDES
from companion.games.lands.effects.days import NIGHT
from companion.games.lands.effects.goods import OUT
from companion.games.lands.effects.travels import WATER, opened
from companion.games.lands.moves import Join
from companion.games.lands.rules.legality import MOST_POINTS
from companion.games.lands.setup import FATAL, START, LandsSetup
from companion.games.lands.state import Island, Ledger, on_map, opening, space_names
from companion.public.table import TABLE, CardId, Seat, Zone
from companion.public.text import JSON

BY_SEAT = ("stands", "packs", "tokens", "damage", "stamina")
OF_THE_TABLE = ("tiles", "joins", "day", "first", "turn", "done", "resolved", "left", "nights", "out")
BY_NAME = ("fires", "springs", "wounds")
KEYS = (*BY_SEAT, *OF_THE_TABLE, *BY_NAME)
MOST_DAYS = 99


def read_position(setup: LandsSetup, given: JSON, faults: list[Fault]) -> Island | None:
    """The state that a position describes; ``None`` if it has faults.

    Missing parts are as on the first day: a food and a water, full stamina, no damage, and the first player acts.
    """
    if not isinstance(given, Mapping):
        message = "a position is a table of keys, such as tiles and stands"
        faults.append(fault("lands.fault.position", message, "position"))
        return None
    before = len(faults)
    faults += files.unknown_keys(given, KEYS, "position")
    public = _map(setup, given, faults)
    public = _sheets(setup, given, public, faults)
    public = _cards(setup, given, public, faults)
    if len(faults) > before:
        return None
    public = _day(setup, given, public, faults)
    return None if len(faults) > before else public


def _map(setup: LandsSetup, given: Mapping[str, JSON], faults: list[Fault]) -> Island:
    """The face-up tiles, their connections, the figures, and the known fires and springs."""
    cards = listed(given.get("tiles", []), ("position", "tiles"), faults)
    tiles = tuple(_card(setup, card, ("position", "tiles", at), "M", set(), faults) for at, card in cards)
    if not tiles or len(set(tiles)) < len(tiles):
        message = "list the tiles that lie open, each once"
        faults.append(fault("lands.fault.no_map", message, "position", "tiles"))
    described = {tile: setup.deck.tiles.get(tile, ()) for tile in tiles}
    spaces = {space for tile, its in described.items() for space in space_names(tile, len(its))}
    joins: list[Join] = []
    for at, pair in listed(given.get("joins", []), ("position", "joins"), faults):
        ends = pair if isinstance(pair, list) and len(pair) == 2 else [pair, pair]
        one, other = (_space(end, spaces, ("position", "joins", at), faults) for end in ends)
        joins += [(one, other)] if one and other else []
    left = tuple(Seat(one) for one in _seats(setup, given, "left", faults))
    stands = []
    for at, space in enumerate(_each(setup, given, "stands", "", faults)):
        gone = space == "" and Seat(at + 1) in left
        stands.append("" if gone else _space(space, spaces, ("position", "stands", at), faults))
    fires = {}
    for space, lit in _table(given, "fires", faults):
        faults += files.switch(lit, "position", "fires", space)
        fires[_space(space, spaces, ("position", "fires", space), faults)] = lit is True
    springs = {}
    for space, kind in _table(given, "springs", faults):
        where = ("position", "springs", space)
        springs[_space(space, spaces, where, faults)] = _kind(kind, WATER, where, faults)
    return replace(
        opening(setup),
        tiles=tiles,
        ways=opened(described, {}, joins),
        stands=tuple(stands),
        left=left,
        fires=fires,
        springs=springs,
    )


def _sheets(setup: LandsSetup, given: Mapping[str, JSON], public: Island, faults: list[Fault]) -> Island:
    """The dial, the tokens and the damage of each seat."""
    stamina = tuple(
        read_number(value, ("position", "stamina", at), (0, MOST_POINTS), faults)
        for at, value in enumerate(_each(setup, given, "stamina", setup.stamina, faults))
    )
    resources = _ledgers(setup, given, ("tokens", list(START)), RESOURCES, faults)
    damage = _ledgers(setup, given, ("damage", []), DAMAGE, faults)
    for at, ledger in enumerate(damage):
        if sum(ledger.values()) > FATAL:
            message = "nobody has more than {most} damages: with them a figure is dead"
            faults.append(fault("lands.fault.damage", message, "position", "damage", at, most=FATAL))
    counted = frozenset(setup.seats) if {"tokens", "damage"} & given.keys() else frozenset[Seat]()
    # A position with tokens and damage is for players who continue to enter them.
    told = bool({"stamina", "tokens", "damage"} & given.keys())
    return replace(public, stamina=stamina, resources=resources, damage=damage, counted=counted, told=told)


def _ledgers(
    setup: LandsSetup, given: Mapping[str, JSON], key: tuple[str, JSON], kinds: Sequence[str], faults: list[Fault]
) -> tuple[Ledger, ...]:
    """By seat the number of each kind; ``key``: the key in the file, and the default for a seat."""
    name, usual = key
    ledgers = []
    for seat, written in enumerate(_each(setup, given, name, usual, faults)):
        there = [
            _kind(one, kinds, ("position", name, seat, at), faults)
            for at, one in listed(written, ("position", name, seat), faults)
        ]
        ledgers.append({kind: there.count(kind) for kind in kinds if kind in there})
    return tuple(ledgers)


def _cards(setup: LandsSetup, given: Mapping[str, JSON], public: Island, faults: list[Fault]) -> Island:
    """The cards in packs, those that are out, the night cards so far, and the wounded enemies."""
    taken: set[CardId] = set()
    packs = []
    for seat, written in enumerate(_each(setup, given, "packs", [], faults)):
        cards = listed(written, ("position", "packs", seat), faults)
        packs.append(
            tuple(_card(setup, card, ("position", "packs", seat, at), "OP", taken, faults) for at, card in cards)
        )
    laid: dict[CardId, Zone] = {}
    for at, card in listed(given.get("out", []), ("position", "out"), faults):
        laid[_card(setup, card, ("position", "out", at), "OP", taken, faults)] = OUT
    cards = listed(given.get("nights", []), ("position", "nights"), faults)
    nights = tuple(_card(setup, card, ("position", "nights", at), "N", taken, faults) for at, card in cards)
    laid |= dict.fromkeys(nights[-1:], NIGHT)
    wounds = {}
    for card, count in _table(given, "wounds", faults):
        where = ("position", "wounds", card)
        wounds[_card(setup, card, where, "E", taken, faults)] = read_number(count, where, (1, SIDES), faults)
    return replace(public, packs=tuple(packs), laid=laid, nights=nights, wounds=wounds)


def _day(setup: LandsSetup, given: Mapping[str, JSON], public: Island, faults: list[Fault]) -> Island:
    """The day and the seat to move; 0 = none, because it is night."""
    living = on_map(setup, public)
    if not living:
        message = "somebody must be on the map: with everybody dead or gone the match is over"
        faults.append(fault("lands.fault.nobody", message, "position"))
        return public
    day = read_number(given.get("day", 1), ("position", "day"), (1, MOST_DAYS), faults)
    done = frozenset(Seat(one) for one in _seats(setup, given, "done", faults))
    first = given.get("first", living[0])
    turn = given.get("turn", first)
    for key, value, none in (("first", first, False), ("turn", turn, True)):
        acts = type(value) is int and value in living and (key == "first" or value not in done)
        if not acts and not (none and value == TABLE and type(value) is int):
            message = "write a seat that is on the map and has not ended its turn"
            faults.append(fault("lands.fault.acts", message, "position", key))
    resolved = given.get("resolved", False)
    faults += files.switch(resolved, "position", "resolved")
    if faults:
        return public
    night = turn == TABLE
    done = frozenset(setup.seats) if night else done
    return replace(
        public, day=day, done=done, first=Seat(first), turn=Seat(turn), night=night, resolved=night and resolved
    )


def _card(
    setup: LandsSetup, card: JSON, where: FaultPlace, letters: str, taken: set[CardId], faults: list[Fault]
) -> CardId:
    """A thing of the match, which must be in one place only."""
    if not isinstance(card, str) or not card or card[0] not in letters or card not in setup.deck.tokens.values():
        message = "{value} is none of the things that belong here; they begin with {letters}"
        known = " or ".join(letters)
        faults.append(fault("lands.fault.no_card", message, *where, value=shown(card), letters=known))
        return CardId("")
    if card in taken:
        message = "{name} lies elsewhere already; each is there once"
        faults.append(fault("lands.fault.elsewhere", message, *where, name=card))
    taken.add(CardId(card))
    return CardId(card)


def _space(space: JSON, spaces: Container[str], where: FaultPlace, faults: list[Fault]) -> str:
    if isinstance(space, str) and space in spaces:
        return space
    message = '{value} is no space of a tile that lies open; write "{example}": tile, space'
    faults.append(fault("lands.fault.no_space", message, *where, value=shown(space), example="M07-2"))
    return ""


def _kind(kind: JSON, kinds: Sequence[str], where: FaultPlace, faults: list[Fault]) -> str:
    if isinstance(kind, str) and kind in kinds:
        return kind
    message = "{value} is none of these: {known}"
    faults.append(fault("lands.fault.kind", message, *where, value=shown(kind), known=", ".join(kinds)))
    return ""


def _each(setup: LandsSetup, given: Mapping[str, JSON], key: str, usual: JSON, faults: list[Fault]) -> Sequence[JSON]:
    """A value for each seat."""
    value = given.get(key, [usual] * len(setup.players))
    if isinstance(value, list) and len(value) == len(setup.players):
        return value
    message = "a list with one entry for each of the {wanted} seats is needed"
    faults.append(fault("lands.fault.each", message, "position", key, wanted=len(setup.players)))
    return []


def _seats(setup: LandsSetup, given: Mapping[str, JSON], key: str, faults: list[Fault]) -> Iterator[int]:
    for at, seat in listed(given.get(key, []), ("position", key), faults):
        yield read_number(seat, ("position", key, at), (1, len(setup.players)), faults)


def _table(given: Mapping[str, JSON], key: str, faults: list[Fault]) -> Iterator[tuple[str, JSON]]:
    value = given.get(key, {})
    if isinstance(value, Mapping) and len(value) <= files.MOST_LISTED:
        yield from value.items()
    else:
        faults.append(fault("lands.fault.table", "a table of names in curly brackets is needed here", "position", key))
