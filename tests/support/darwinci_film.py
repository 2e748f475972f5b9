"""A film of a round of Darwinci: hands lay stones and tiles on a drawn table, the real eye and referee follow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from support.darwinci_match import deck
from support.tile_table import Mount, RefereedTable

from companion.app.frames import camera_over
from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.people import PlotPlaces
from companion.games.darwinci.setup import DARWIN_TILE
from companion.games.registry import open_match, sticker_codes
from companion.public.table import COMMAND_ZONE, Token, Zone
from companion.simulation.stage import Measures, TableStage, ThingPose
from vision.synthetic.camera_model import CameraModel
from vision.synthetic.compositing import DrawnCard

PLOTS = (("T13@0,0/0", "T14@1,0/0"), ("T15@0,0/0", "T16@1,0/0"), ("T17@0,0/0", "T18@1,0/0"))
OFFERS = ("T40", "T41", "T42")
RESERVES = (("B1", "G1"), ("R1", "G2"), ("R2", "B2"))
"""Every seat has a stone of both others."""
THICK_MM = 1.2


class DigFilm(RefereedTable):
    """Three seats at the demonstration's table, in the middle of a match; « near » sit 1 (right) and 2, far sits 3.

    Args:
        position: As in a match file; what it leaves out is usual here.

    Attributes:
        updates: What everybody was told.
    """

    def __init__(self, **position: Any) -> None:
        usual = {"plots": PLOTS, "offers": OFFERS, "reserves": RESERVES, "darwin": [12, 12, 12], "round": 2}
        given = {key: _listed(value) for key, value in (usual | position).items()}
        opened = open_match({**DARWINCI.demonstration.match, "position": given}, deck())
        self.game: Any = opened.game
        camera = camera_over(opened.layout, self.game.table.shapes, CameraModel())
        assert opened.layout.size_mm is not None
        mount = Mount(camera, opened.layout.size_mm, 8.0)
        super().__init__(mount, opened.layout, self.game, sticker_codes(self.game))
        measures = {token: Measures.of(shape) for token, shape in self.game.table.shapes.items()}
        self.stage = TableStage(opened.layout, 3, PlotPlaces(self.game, opened.layout), 1, measures)
        things = self.game.table.expected(self.match.public).cards | {
            DARWIN_TILE: f"reserve-{self.match.public.holder}"
        }
        for thing, place in things.items():
            self.pieces[Token(thing)] = self._at(Token(thing), place)
        self.rest(1.5)
        assert self.held == set(self.pieces)
        assert self.story == []

    # -- what hands do ---------------------------------------------------------------------------

    def _at(self, token: Token, place: str) -> DrawnCard:
        return self._drawn(token, self.stage.put(token, Zone(place)))

    def _drawn(self, token: Token, pose: ThingPose) -> DrawnCard:
        return DrawnCard(token, pose.x_mm, pose.y_mm, pose.rotation_deg, THICK_MM)

    def stone(self, colour: str, seat: int) -> str:
        """A stone of this colour that lies in this seat's reserve."""
        return next(token for token in self.in_zone(f"reserve-{seat}") if token[0] == colour)

    def bids(self, colour: str, seat: int, to: int) -> str:
        """A hand carries a stone from a reserve to beside a tile; which stone it was."""
        stone = self.stone(colour, seat)
        self.lays(stone, f"offer-{to}")
        return stone

    def lays(self, thing: str, place: str, *, off_mm: tuple[float, float] = (0, 0), askew_deg: float = 0.0) -> None:
        """A hand lays a thing in a place, or so far beside it."""
        piece = self._at(Token(thing), place)
        x, y = piece.x_mm + off_mm[0], piece.y_mm + off_mm[1]
        self.puts(replace(piece, x_mm=x, y_mm=y, rotation_deg=piece.rotation_deg + askew_deg))

    def upon(self, thing: str, other: str, off_mm: tuple[float, float]) -> None:
        """A hand lays a thing upon another one, so far from its middle."""
        below = self.pieces[Token(other)]
        x, y = below.x_mm + off_mm[0], below.y_mm + off_mm[1]
        self.puts(replace(below, token=Token(thing), x_mm=x, y_mm=y, z_mm=2 * THICK_MM))

    def takes(self, thing: str, lasts_s: float) -> None:
        """A hand takes a thing away, and it stays away for so long."""
        self.lift(Token(thing), seconds=0.4)
        self.stage.free(Token(thing))
        self.rest(lasts_s)

    def ends(self) -> None:
        """Somebody shows the card for the end of a turn and takes it away."""
        self.lays("KEND", COMMAND_ZONE)
        self.takes("KEND", 1.0)

    def in_zone(self, zone: str) -> list[str]:
        """What was laid in a drawn zone."""
        return sorted(token for token in self.pieces if str(self.stage.place(token)).split(" ")[0] == zone)


def _listed(value: Any) -> Any:
    return [_listed(one) for one in value] if isinstance(value, tuple | list) else value
