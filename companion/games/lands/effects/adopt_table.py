"""Makes the table the position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.errors import InputError, fault
from companion.games.lands.effects.goods import OUT, carried, dropped
from companion.games.lands.effects.travels import join, opened
from companion.games.lands.places import joins_of, seat_of, spaces_of
from companion.games.lands.setup import LandsSetup
from companion.games.lands.state import Island, tile_spaces
from companion.public.table import CardId, Zone, with_seat


def adopt(setup: LandsSetup, public: Island, lying: Mapping[CardId, Zone]) -> Island:
    """The position according to the table.

    Dials, tokens and turn stay the same. A card in no pack keeps its place, because a player may be reading it.

    Raises:
        InputError: A figure is between two spaces, or the match has not begun.
    """
    if not public.dealt:
        message = "the match begins when every figure stands on the map"
        raise InputError(fault("lands.fault.not_dealt", message))
    for card, zone in sorted(lying.items()):
        joined = joins_of(zone)
        if joined is not None and card not in public.tiles:
            ways = opened({card: tile_spaces(setup, public, card)}, public.ways, joined)
            public = replace(public, tiles=(*public.tiles, card), ways=ways)
        elif joined is not None and card in public.unjoined:
            public = join(public, card, joined)
    for card, seat in setup.stands.items():
        spaces = spaces_of(lying.get(card, Zone("")))
        if len(spaces) > 1:
            message = "the figure of seat {number} stands between {one} and {other}: push it to one of them"
            raise InputError(fault("lands.fault.between", message, number=seat, one=spaces[0], other=spaces[1]))
        if spaces:
            public = replace(public, stands=with_seat(public.stands, seat, spaces[0]))
    for card, zone in sorted(lying.items()):
        if card[0] in "OP" and zone == OUT:
            public = dropped(public, card)
        elif card[0] in "OP" and (owner := seat_of(zone)) in setup.seats and owner is not None:
            public = public if card in public.packs[owner - 1] else carried(public, owner, card)
    return public
