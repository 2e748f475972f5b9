"""Reads the position of a match file: the start of a match that does not begin with its deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.errors import Fault, fault
from companion.games import files
from companion.games.darwinci.moves import offer, reserve
from companion.games.darwinci.setup import DarwinciSetup
from companion.games.darwinci.state import TURNS, Dig, Plot
from companion.games.files import FaultPlace, listed, read_number, shown
from companion.games.lattice import Cell
from companion.public.table import TABLE, CardId, Seat, Zone
from companion.public.text import JSON

KEYS = ("plots", "offers", "bids", "reserves", "darwin", "round", "bidding", "turn", "first", "holder")
FARTHEST, MOST_DARWIN, MOST_ROUNDS = 12, 999, 99


def read_position(setup: DarwinciSetup, given: JSON, faults: list[Fault]) -> Dig | None:
    """The state that a position describes; ``None`` if it has faults. Stones that it does not mention are at home."""
    before = len(faults)
    if not isinstance(given, Mapping):
        faults.append(fault("darwinci.fault.position", "a position is a table of keys, such as plots", "position"))
        return None
    faults += files.unknown_keys(given, KEYS, "position")
    plots = _plots(setup, given, faults)
    offers = _offers(setup, given, {card for plot in plots for card in plot}, faults)
    stones = _stones(setup, given, offers, faults)
    seats = len(setup.players)
    darwin = tuple(
        read_number(value, ("position", "darwin", at), (-MOST_DARWIN, MOST_DARWIN), faults)
        for at, value in enumerate(_each(setup, given, "darwin", 0, faults))
    )
    first = read_number(given.get("first", 1), ("position", "first"), (1, seats), faults)
    bidding = read_number(given.get("bidding", 0), ("position", "bidding"), (0, TURNS), faults)
    turn = read_number(given.get("turn", first), ("position", "turn"), (1, seats), faults)
    holder = read_number(given.get("holder", setup.left_of(Seat(first))), ("position", "holder"), (1, seats), faults)
    number = read_number(given.get("round", 1), ("position", "round"), (0, MOST_ROUNDS), faults)
    if bidding and len(offers) < seats:
        faults.append(
            fault(
                "darwinci.fault.unoffered",
                "name a tile for every seat; stones are bid only when all are for sale",
                "position",
                "offers",
            )
        )
    if len(faults) > before:
        return None
    return Dig(
        plots=plots,
        stones=stones,
        darwin=darwin,
        round=number,
        bidding=bidding,
        turn=Seat(turn) if bidding else TABLE,
        first=Seat(first),
        holder=Seat(holder),
        offers=offers,
    )


def _plots(setup: DarwinciSetup, given: Mapping[str, JSON], faults: list[Fault]) -> tuple[Plot, ...]:
    """By seat, tiles such as ``T05@1,0/3``."""
    plots: list[Plot] = []
    taken: set[CardId] = set()
    for seat, written in enumerate(_each(setup, given, "plots", [], faults)):
        plot: dict[CardId, Cell] = {}
        for at, word in listed(written, ("position", "plots", seat), faults):
            where = ("position", "plots", seat, at)
            card, cell = files.read_laid(word, FARTHEST)
            if card not in setup.deck.tiles or cell is None:
                message = '{value} is no tile in a plot; write "{example}": tile, right, near, quarters clockwise'
                faults.append(fault("darwinci.fault.laid", message, *where, value=shown(word), example="T05@1,0/3"))
            elif card in taken or any((one.column, one.row) == (cell.column, cell.row) for one in plot.values()):
                faults.append(
                    fault("darwinci.fault.there", "{name} lies elsewhere, or its place is taken", *where, name=card)
                )
            else:
                plot[card] = cell
                taken.add(card)
        plots.append(plot)
    return tuple(plots)


def _offers(
    setup: DarwinciSetup, given: Mapping[str, JSON], laid: set[CardId], faults: list[Fault]
) -> dict[Seat, CardId]:
    """By seat the tile that it offers, ``""`` for none."""
    offers: dict[Seat, CardId] = {}
    for place, card in enumerate(_each(setup, given, "offers", "", faults)):
        where = ("position", "offers", place)
        if card == "":
            continue
        if not isinstance(card, str) or card not in setup.deck.tiles:
            faults.append(fault("darwinci.fault.no_tile", "{value} is no tile of this deck", *where, value=shown(card)))
        elif card in laid or card in offers.values():
            faults.append(
                fault("darwinci.fault.there", "{name} lies elsewhere, or its place is taken", *where, name=card)
            )
        else:
            offers[Seat(place + 1)] = CardId(card)
    return offers


def _stones(
    setup: DarwinciSetup, given: Mapping[str, JSON], offers: Mapping[Seat, CardId], faults: list[Fault]
) -> dict[CardId, Zone]:
    """The place of each stone: beside a tile, in a named reserve, else at home."""
    stones = {card: reserve(owner) for card, owner in setup.owners.items()}
    seen: set[CardId] = set()
    for key, zone_of in (("bids", offer), ("reserves", reserve)):
        for place, written in enumerate(_each(setup, given, key, [], faults)):
            for at, card in listed(written, ("position", key, place), faults):
                where = ("position", key, place, at)
                if not isinstance(card, str) or card not in setup.owners:
                    message = "{value} is no stone of this match"
                    faults.append(fault("darwinci.fault.stone", message, *where, value=shown(card)))
                elif card in seen or (key == "bids" and place + 1 not in offers):
                    faults.append(_taken(card, where))
                else:
                    seen.add(CardId(card))
                    stones[CardId(card)] = zone_of(Seat(place + 1))
    return stones


def _taken(name: str, where: FaultPlace) -> Fault:
    return fault("darwinci.fault.there", "{name} lies elsewhere, or its place is taken", *where, name=name)


def _each(
    setup: DarwinciSetup, given: Mapping[str, JSON], key: str, usual: JSON, faults: list[Fault]
) -> Sequence[JSON]:
    """A value for each seat."""
    value = given.get(key, [usual] * len(setup.players))
    if isinstance(value, list) and len(value) == len(setup.players):
        return value
    message = "a list with one entry for each of the {wanted} seats is needed"
    faults.append(fault("darwinci.fault.each", message, "position", key, wanted=len(setup.players)))
    return [usual] * len(setup.players)
