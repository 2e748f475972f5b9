"""A film of a match of Lands Unknown: hands move figures, tiles and cards, the real eye and referee follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from support.tile_table import Mount, RefereedTable

from companion.app.frames import camera_over
from companion.games.drawn_tiles import tile_of
from companion.games.lands import moves as act
from companion.games.lands.module import LANDS
from companion.games.lands.people import IslandPlaces
from companion.games.lands.setup import FOOT_MM
from companion.games.lattice import Pose
from companion.games.protocol import Move
from companion.games.registry import demo_deck, open_match, sticker_codes
from companion.games.square_tiles import shifted, sticker_pose
from companion.history.events import Origin
from companion.public.table import Point, Token, Zone
from companion.referee.commands import MakeMove
from companion.simulation.stage import Kept, ThingPose
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose

RATE_HZ = 8.0
SETTLED_S = 3.0
"""A figure rests for two seconds before it has travelled, and the eye reads it first."""
SLEEVE = HandPose(40.0, 60.0, 90.0)
TILE_Z_MM, STAND_Z_MM, CARD_Z_MM = 1.0, 2.0, 0.3


class IslandFilm(RefereedTable):
    """Two players' match on two tiles of the demo island; the first day has begun with seat 1.

    Attributes:
        updates: What everybody was told.
        places: Where each thing lies, as the game names places.
    """

    def __init__(self, seed: int = 1, blank: tuple[str, ...] = ()) -> None:
        """``blank``: the tiles of which the deck of the match says nothing."""
        island = demo_deck(LANDS)
        known = {**island, "tile": [row for row in island["tile"] if row["id"] not in blank]}
        opened = open_match(dict(LANDS.demonstration.match), known)
        self.game: Any = opened.game
        assert opened.layout.size_mm is not None
        mount = Mount(camera_over(opened.layout, self.game.table.shapes, CameraModel()), opened.layout.size_mm, RATE_HZ)
        super().__init__(mount, opened.layout, self.game, sticker_codes(self.game), seed)
        self._room = IslandPlaces(open_match(dict(LANDS.demonstration.match), island).game, opened.layout)
        self.places: dict[Token, Zone] = {}
        for thing, place in (("M01", "new"), ("M02", "new M02-4=M01-2"), ("F1", "on M01-1"), ("F2", "on M01-1")):
            self.pieces[Token(thing)] = self.at(thing, place)
            self.places[Token(thing)] = Zone(place)
        while not self.match.public.dealt:
            self.show()
            assert len(self.looks) < 8 * RATE_HZ, "the map was not read"
        for seat, project in ((1, "P01"), (1, "P02"), (2, "P03"), (2, "P04")):
            self.says(act.GainItem(seat, project))
        self.says(act.BeginDay(0, 1))
        assert self.match.public.day == 1
        self.rest(1.0)
        self.begun = len(self.match.record.lines)

    # -- what is told ----------------------------------------------------------------------------

    @property
    def story(self) -> list[str]:
        """What was written since the day began."""
        return super().story[self.begun :]

    # -- what people do --------------------------------------------------------------------------

    def says(self, *moves: Move) -> None:
        """Somebody says this on a phone."""
        for move in moves:
            self.match.handle(MakeMove(move, Origin.PHONE), self.looks[-1].taken_s)

    def at(self, thing: str, place: str) -> DrawnCard:
        """A thing where it lies when it is laid in a place."""
        kept = {token: self._kept(token) for token in self.pieces if token != thing}
        pose = self._room.pose(Token(thing), Zone(place), kept, None)
        return DrawnCard(Token(thing), pose.x_mm, pose.y_mm, pose.rotation_deg, _height(thing))

    def _kept(self, token: Token) -> Kept:
        piece = self.pieces[token]
        return self.places[token], ThingPose(piece.x_mm, piece.y_mm, piece.rotation_deg)

    def foot_at(self, stand: str, tile: str, point: Point) -> DrawnCard:
        """A stand whose figure has its foot on a point of a tile, and which reaches away to the north."""
        there = shifted(self.tile(tile), *point)
        sticker = shifted(replace(there, rotation_deg=0.0), -FOOT_MM[0], -FOOT_MM[1])
        return DrawnCard(Token(stand), sticker.x_mm, sticker.y_mm, 0.0, STAND_Z_MM)

    def tile(self, card: str) -> Pose:
        """Where a tile lies."""
        return tile_of(self._kept(Token(card))[1], tile_mm=self.game.setup.deck.tile_mm)

    def lays(self, thing: str, place: str) -> None:
        """A hand lays a thing in a place, from wherever it is."""
        self.puts(self.at(thing, place))
        self.places[Token(thing)] = Zone(place)

    def puts(self, *pieces: DrawnCard, **how: Any) -> None:
        """A figure must rest for two seconds before it has travelled."""
        stands = any(piece.token in self.game.setup.stands for piece in pieces)
        super().puts(*pieces, rests_s=SETTLED_S if stands else 1.5, **how)
        for piece in pieces:
            self.places.setdefault(piece.token, Zone("loose"))

    def hops(self, stand: str, *spaces: str) -> None:
        """A hand walks a figure from space to space, pausing on each, and goes when it is on the last one."""
        token = Token(stand)
        first = self.pieces[token]
        hand = HandPose(first.x_mm, first.y_mm + 12, 90.0, person=2)
        for there in self.reach(hand, 0.4, inwards=True):
            self.show(there)
        for space in spaces:
            del self.pieces[token]
            self.pieces[token] = there_now = self.at(stand, f"on {space}")
            for _ in range(4):
                self.show(HandPose(there_now.x_mm, there_now.y_mm + 12, 90.0, person=2))
        last = self.pieces[token]
        for there in self.reach(HandPose(last.x_mm, last.y_mm + 12, 90.0, person=2), 0.4, inwards=False):
            self.show(there)
        self.places[token] = Zone(f"on {spaces[-1]}")
        self.rest(SETTLED_S)

    def nudges(self, tile: str, turn_deg: float) -> None:
        """A sleeve turns a tile about its middle."""
        lies = self.tile(tile)
        turned = replace(lies, rotation_deg=lies.rotation_deg + turn_deg)
        sticker = sticker_pose(turned, tile_mm=self.game.setup.deck.tile_mm)
        piece = replace(
            self.pieces[Token(tile)], x_mm=sticker.x_mm, y_mm=sticker.y_mm, rotation_deg=sticker.rotation_deg
        )
        self.move(replace(SLEEVE, x_mm=piece.x_mm + 40, y_mm=piece.y_mm + 60), {piece.token: piece}, seconds=0.6)
        self.rest(SETTLED_S)


def _height(thing: str) -> float:
    return {"M": TILE_Z_MM, "F": STAND_Z_MM}.get(thing[0], CARD_Z_MM)
