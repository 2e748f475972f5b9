"""The place of each thing, from the positions of the stickers.

The map is defined by its tiles, so all of it may be shifted. Cards are in zones; a card that is irrelevant for the game
has no place, so that players are not asked to move it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.lands.effects.days import NIGHT
from companion.games.lands.effects.fighting import FIGHT
from companion.games.lands.effects.goods import OUT
from companion.games.lands.places import MAP, foot, joins, new_tile, on, seat_of, spaces_under
from companion.games.lands.setup import FIRST_PLAYER, LandsSetup
from companion.games.lands.state import Island, known_deck, tile_of
from companion.games.lattice import Pose
from companion.games.square_tiles import tile_pose
from companion.public.table import COMMAND_ZONE, LOOSE, CardId, Placement, TableState, Zone


def lying(setup: LandsSetup, public: Island, table: TableState) -> dict[CardId, Zone]:
    """The place of each thing that the game knows.

    Before the map is there nothing else counts: things in packs may be left over from another match.
    """
    deck = known_deck(setup, public)
    seen = {setup.cards[one.token]: one for one in table.placements if one.token in setup.cards and one.zone}
    tiles = {card: _tile(setup, one) for card, one in seen.items() if card[0] == "M" and one.zone == MAP}
    old = {card: pose for card, pose in tiles.items() if card in public.tiles}
    if public.dealt:
        known = ((card, _card_place(setup, public, card, one)) for card, one in seen.items())
        places = {card: zone for card, zone in known if zone is not None}
        fresh = [card for card in tiles if card not in old or card in public.unjoined]
        new = {card: new_tile(joins(deck, card, tiles[card], old)) for card in fresh}
        laid_open = tile_places(public)
        return places | {card: laid_open[card] for card in old} | new | _stands(setup, public, seen, old)
    before: dict[CardId, Pose] = {}
    laid: dict[CardId, Zone] = {}
    for card, pose in sorted(tiles.items()):
        laid[card] = new_tile(joins(deck, card, pose, before))
        before[card] = pose
    stands = _stands(setup, public, seen, tiles)
    complete = len(stands) == len(setup.players) and LOOSE not in stands.values()
    return laid | stands if complete else {}


def tile_places(public: Island) -> dict[CardId, Zone]:
    """The place of each face-up tile: its connections when it was turned up, wherever the map is now.

    A tile that was described since is at its connections to known tiles, until they are seen.
    """
    older: set[CardId] = set()
    places: dict[CardId, Zone] = {}
    for card in public.tiles:
        others = {*public.tiles} - {card} if card in public.unjoined else older
        own = ((space, beside) for space in spaces_of_tile(public, card) for beside in public.ways[space])
        places[card] = new_tile(sorted((space, beside) for space, beside in own if tile_of(beside) in others))
        older.add(card)
    return places


def spaces_of_tile(public: Island, card: CardId) -> list[str]:
    """The spaces of a face-up tile."""
    return [space for space in public.ways if tile_of(space) == card]


def _tile(setup: LandsSetup, one: Placement) -> Pose:
    return tile_pose(Pose(one.x_mm, one.y_mm, one.rotation_deg), tile_mm=setup.deck.tile_mm)


def _stands(
    setup: LandsSetup, public: Island, seen: Mapping[CardId, Placement], tiles: Mapping[CardId, Pose]
) -> dict[CardId, Zone]:
    """A figure keeps its space until another one is clearly nearer; on an invisible tile it stays, too.

    During a match the spaces between which it stands are in the order of their names: measured anew, it stands in the
    same place. Before it the nearest comes first.
    """
    places = {}
    deck = known_deck(setup, public)
    for card, seat in setup.stands.items():
        if card not in seen or seat in public.left:
            continue
        one, usual = seen[card], public.stands[seat - 1]
        place = foot(Pose(one.x_mm, one.y_mm, one.rotation_deg))
        own = {tile: pose for tile, pose in tiles.items() if tile == usual}  # its spaces may have just been described
        spaces = spaces_under(deck, place, own) or spaces_under(deck, place, tiles)
        unseen = bool(usual) and tile_of(usual) not in tiles
        if usual and (usual in spaces or unseen):
            places[card] = on([usual])
        else:
            places[card] = on(sorted(spaces) if public.dealt else spaces) if spaces else LOOSE
    return places


def _card_place(setup: LandsSetup, public: Island, card: CardId, one: Placement) -> Zone | None:
    """The zone of a card, if it is relevant for the game."""
    zone = one.zone
    assert zone is not None
    if zone == COMMAND_ZONE or card in setup.stands:
        return None
    in_pack = seat_of(zone) in setup.seats
    match card[0]:
        case "E":
            return zone if zone == FIGHT else None
        case "N":
            return zone if zone == NIGHT and (card not in public.nights or public.laid.get(card) == NIGHT) else None
        case "O" | "P":
            return zone if in_pack or zone == OUT else None
        case _:
            return zone if card == FIRST_PLAYER and in_pack else None
