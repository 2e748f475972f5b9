"""The places of Carcassonne: The Discovery on a simulated table: tiles side by side, counters on segments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random

from companion.games.carcassonne.game import Carcassonne
from companion.games.carcassonne.lying import FIELD
from companion.games.carcassonne.moves import ASIDE, CloseMatch, LayTile
from companion.games.carcassonne.places import read_cell, read_counter
from companion.games.carcassonne.random_play import random_player
from companion.games.carcassonne.rules.laying import disagreeing, open_places
from companion.games.carcassonne.state import Progress, ground, is_undrawn
from companion.games.carcassonne.tiles import LaidTile, Tile
from companion.games.drawn_tiles import GAP_MM, check_zones, in_cell, tile_of, zone_box
from companion.games.lattice import Pose
from companion.games.protocol import Move, MoveContext
from companion.games.random_people import RandomPeople
from companion.games.square_tiles import shifted
from companion.public.layout import Layout
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Token, Zone
from companion.public.text import JSON
from companion.simulation.people import People
from companion.simulation.stage import CARD, Kept, Measures, ThingPose, ZoneRows

THICK_MM = 2.0
"""Thickness of a tile, on which a counter stands."""


class MapPlaces:
    """The map grows from the centre of the field; a ``companion.simulation.stage.Places``.

    Attributes:
        reach: Columns and rows of tiles that fit on each side of the start tile.
    """

    def __init__(self, game: Carcassonne, layout: Layout) -> None:
        self._tiles = game.setup.deck.tiles
        self._names = game.table.cards
        self._tile_mm = game.setup.tile_mm
        left, top, right, bottom = zone_box(layout, FIELD)
        self._middle_mm = (left + right) / 2, (top + bottom) / 2
        across, down = right - left, bottom - top
        pitch_mm = self._tile_mm + GAP_MM
        self.reach = int((across / pitch_mm - 1) // 2), int((down / pitch_mm - 1) // 2)

        def measures(token: Token) -> Measures:
            return Measures.of(game.table.shapes[token]) if token in game.table.shapes else CARD

        self._zones = ZoneRows(layout, measures)

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        """A cell of the map, a segment's spot on its tile, or some free room in a zone."""
        if place.startswith("field "):
            return self._in_cell(place, kept)
        if place.startswith("on "):
            return self._on_tile(place, kept)
        return self._zones.pose(token, place, kept, beside)

    def _in_cell(self, zone: Zone, kept: Mapping[Token, Kept]) -> ThingPose:
        cell = read_cell(zone)
        assert cell is not None
        laid = ((pose, there) for taken, pose in kept.values() if (there := read_cell(taken)) is not None)
        return in_cell(cell, laid, self._middle_mm, tile_mm=self._tile_mm)

    def _on_tile(self, zone: Zone, kept: Mapping[Token, Kept]) -> ThingPose:
        (card, number), *_ = read_counter(zone)
        token = next(token for token, name in self._names.items() if name == card)
        tile = tile_of(kept[token][1], tile_mm=self._tile_mm)
        return _on(self._tiles[CardId(card)], number, tile, self._tile_mm)


def _on(tile: Tile, number: int, pose: Pose, tile_mm: float) -> ThingPose:
    east, south = ((part - 0.5) * tile_mm for part in tile.segments[number - 1].spot)
    there = shifted(pose, east, south)
    return ThingPose(there.x_mm, there.y_mm, pose.rotation_deg, THICK_MM)


def people(game: Carcassonne, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    check_zones(layout, (FIELD, ASIDE, COMMAND_ZONE))
    places = MapPlaces(game, layout)
    return RandomPeople(game, neat_player(game, places.reach), places)


def neat_player(
    game: Carcassonne, reach: tuple[int, int], *, slips: bool = True
) -> Callable[[Progress, Random, MoveContext], Iterator[Move]]:
    """A random player who keeps the map within these columns and rows of the start tile. The first proposal is a
    wrongly turned tile, which only an erring player places."""

    def within(move: LayTile) -> bool:
        return abs(move.x) <= reach[0] and abs(move.y) <= reach[1]

    def think(public: Progress, rng: Random, at: MoveContext) -> Iterator[Move]:
        dice = Random(f"slip {at.number}")  # a generator of its own, so that the other choices do not change
        if slips and public.tile is None and (slip := quarter_wrong(public, dice)) is not None:
            yield slip
        for move in random_player(game)(public, rng, at):
            if not isinstance(move, LayTile) or within(move):
                yield move
            elif public.tile is None and (there := inside(public, rng)) is not None:
                yield there
        if public.tile is None and public.laid and public.tiles and inside(public, rng) is None:
            yield CloseMatch(TABLE)  # the remaining places are beyond the table

    def inside(public: Progress, rng: Random) -> LayTile | None:
        """Any tile that fits on the table, because the drawn tile is unknown."""
        there = ground(game.setup, public)
        left = [card for card in game.setup.deck.tiles if is_undrawn(game.setup, public, card)]
        cells = [(x, y, turn) for x, y in sorted(open_places(there)) for turn in range(4)]
        rng.shuffle(left)
        rng.shuffle(cells)
        moves = (LayTile(public.turn, card, *cell) for card in left for cell in cells)
        laid = game.setup.deck.tiles
        return next(
            (
                move
                for move in moves
                if within(move) and not disagreeing(there, LaidTile(laid[move.card], (move.x, move.y), move.turn))
            ),
            None,
        )

    def quarter_wrong(public: Progress, rng: Random) -> LayTile | None:
        """A tile where it fits, but turned so that it does not; ``None`` when none comes to mind."""
        right = inside(public, rng) if public.laid and not public.over else None
        if right is None:
            return None
        there, tile = ground(game.setup, public), game.setup.deck.tiles[right.card]
        turns = [turn for turn in range(4) if disagreeing(there, LaidTile(tile, (right.x, right.y), turn))]
        return replace(right, turn=rng.choice(turns)) if turns else None

    return think
