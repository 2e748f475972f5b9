"""The places of Darwinci on a simulated table, and the players' handling of the Darwin tile."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random

from companion.games.darwinci.game import Darwinci
from companion.games.darwinci.moves import DealPlots, EndBids, LayBone, reserve
from companion.games.darwinci.places import plot, read_cell
from companion.games.darwinci.random_play import random_player
from companion.games.darwinci.setup import DARWIN_TILE
from companion.games.darwinci.state import Dig
from companion.games.drawn_tiles import GAP_MM, check_zones, in_cell, zone_box
from companion.games.protocol import Move, MoveContext
from companion.games.random_people import RandomPeople
from companion.public.layout import Layout
from companion.public.table import COMMAND_ZONE, Change, Expected, Seat, Token, Zone
from companion.public.text import JSON
from companion.simulation.deeds import Carry, Deed
from companion.simulation.people import DecisionMoment, People
from companion.simulation.stage import CARD, Kept, Measures, ThingPose, ZoneRows

FIRST, LAST = -1, 2
"""The first and last column, and row, of a simulated plot: it has room for four, and the first tile is in the
second."""
AIR_MM = 0.0
"""Gap between two chips side by side: their white margins may touch."""
AGAIN = 8
"""Things of an unread deal that are placed once more at a time."""
STEP_MM = 2.0
"""Step of the search for free room."""


class PlotPlaces:
    """Tiles side by side in plots; tiles and chips in any free room of offers and reserves.

    A ``companion.simulation.stage.Places``.
    """

    def __init__(self, game: Darwinci, layout: Layout) -> None:
        self._tile_mm = game.setup.tile_mm
        self._layout = layout
        self._measures = {token: Measures.of(shape) for token, shape in game.table.shapes.items()}
        self._rows = ZoneRows(layout, self._measure)

    def _measure(self, token: Token) -> Measures:
        return self._measures.get(token, CARD)

    def pose(self, token: Token, place: Zone, kept: Mapping[Token, Kept], beside: Token | None) -> ThingPose:
        """A cell of a plot, some free room in an offer or a reserve, or the place for commands."""
        if read_cell(place) is not None:
            return self._in_cell(place, kept)
        if place == COMMAND_ZONE:
            return self._rows.pose(token, place, kept, beside)
        return self._in_zone(token, place, kept)

    def _in_cell(self, zone: Zone, kept: Mapping[Token, Kept]) -> ThingPose:
        place = read_cell(zone)
        assert place is not None
        seat, cell = place
        read = ((pose, read_cell(taken)) for taken, pose in kept.values())
        laid = ((pose, there[1]) for pose, there in read if there is not None and there[0] == seat)
        left, top, right, bottom = zone_box(self._layout, plot(seat))
        pitch_mm, middle = self._tile_mm + GAP_MM, (FIRST + LAST) / 2
        aside, down = (cell.column - middle) * pitch_mm, (cell.row - middle) * pitch_mm
        return in_cell(cell, laid, ((left + right) / 2 + aside, (top + bottom) / 2 + down), tile_mm=self._tile_mm)

    def _in_zone(self, token: Token, zone: Zone, kept: Mapping[Token, Kept]) -> ThingPose:
        """The first free room, row by row; the last corner if there is none."""
        measures = self._measure(token)
        (wide, high), (aside, down) = measures.size_mm, measures.sticker_mm
        left, top, right, bottom = zone_box(self._layout, zone)
        there = [
            (self._measure(other).middle(pose), self._measure(other).size_mm)
            for other, (taken, pose) in kept.items()
            if taken == zone
        ]
        x, y = left + wide / 2, top + high / 2
        while y <= bottom - high / 2:
            x = left + wide / 2
            while x <= right - wide / 2:
                if not any(
                    abs(x - at[0]) < (wide + size[0]) / 2 + AIR_MM and abs(y - at[1]) < (high + size[1]) / 2 + AIR_MM
                    for at, size in there
                ):
                    return ThingPose(x - wide / 2 + aside, y - high / 2 + down)
                x += STEP_MM
            y += STEP_MM
        return ThingPose(right - wide + aside, bottom - high + down)


class DiggingPeople(RandomPeople):
    """Random players who also pass on the Darwin tile; the rules track it without the camera."""

    _laid: Mapping[Token, Zone | None] = {}  # never modified
    """The places of the things of the deal, until it is read."""

    def act(self, now: DecisionMoment) -> Deed | None:
        """While a deal is not read, some of its things are placed once more; there is no new deal."""
        state = self.view.state
        assert isinstance(state, Dig)
        if not state.dealt and self._laid:
            again = now.dice.sample(sorted(self._laid), min(AGAIN, len(self._laid)))
            return Deed(steps=tuple(Carry(Seat(1), token, self._laid[token]) for token in again))
        deed = super().act(now)
        if not state.dealt and deed is not None:
            self._laid = {step.token: step.place for step in deed.steps if isinstance(step, Carry)}
        return deed

    def wanted(self) -> Mapping[str, str]:
        """Before the match the things of its deal; then the Darwin tile at its holder."""
        state = self.view.state
        assert isinstance(state, Dig)
        if not state.dealt:
            return {str(token): place for token, place in self._laid.items() if place is not None}
        return {**self.view.lying, DARWIN_TILE: reserve(state.holder)}

    def unnamed(self, lying: Mapping[Token, Zone]) -> frozenset[str]:
        """Until the deal is complete, its things are no moves."""
        state = self.view.state
        assert isinstance(state, Dig)
        return (
            frozenset()
            if state.dealt
            else frozenset(thing for thing, token in self.view.tokens.items() if token in lying)
        )

    def _carries(self, move: Move, differences: tuple[Change, ...], after: Expected) -> Iterator[Carry]:
        yield from super()._carries(move, differences, after)
        if isinstance(move, DealPlots):
            yield Carry(move.darwin, Token(DARWIN_TILE), reserve(move.darwin))

    def _deed(self, public: Dig, move: Move, at: MoveContext) -> Deed | None:
        """The end of a turn is shown or announced: what is carried after it is not a move."""
        return self._in_words(public, move, at) if isinstance(move, EndBids) else super()._deed(public, move, at)


def people(game: Darwinci, _header: Mapping[str, JSON], layout: Layout, _seed: int) -> People:
    """The players of a simulated table.

    Raises:
        InputError: The table lacks a zone.
    """
    check_zones(layout, [zone.name for zone in game.table.layout.zones])
    return DiggingPeople(game, neat_player(game), PlotPlaces(game, layout))


def neat_player(game: Darwinci) -> Callable[[Dig, Random, MoveContext], Iterator[Move]]:
    """A random player who keeps every plot within its place on the table."""

    def think(public: Dig, rng: Random, at: MoveContext) -> Iterator[Move]:
        for move in random_player(game)(public, rng, at):
            if not isinstance(move, LayBone) or all(FIRST <= place <= LAST for place in (move.x, move.y)):
                yield move

    return think
