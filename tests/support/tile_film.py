"""A film of a match of Carcassonne: hands lay tiles and counters on a drawn table, the real eye and referee follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from support.carcassonne_match import deck
from support.tile_table import CALM, COUNTER_Z_MM, TILE_Z_MM, Mount, RefereedTable

from companion.games.carcassonne.module import CARCASSONNE
from companion.games.carcassonne.places import read_cell
from companion.games.lattice import Cell, Known, Pose, place
from companion.games.registry import sticker_codes
from companion.games.square_tiles import shifted, sticker_pose, tile_pose
from companion.public.layout import Layout, ZoneShape
from companion.public.shapes import GreyArea, Shape
from companion.public.table import COMMAND_ZONE, Token, Zone
from companion.public.updates import Signal
from vision.synthetic.compositing import DrawnCard
from vision.synthetic.hands import HandPose

NAMES = ("Ana", "Ben", "Cléo", "Dora", "Emil")
GAP_MM = 0.4
PITCH_MM = 45.0 + GAP_MM
ASKEW_DEG = 2.0
"""The start tile is never quite straight."""
MEEPLE, BACK = Token("MEEPLE"), Token("BACK")
"""A figure that stands on a counter, and the side of a counter that bears no code."""
GREY = (GreyArea(0.4, Shape.disc(18, sticker_mm=15).outline_mm),)


def table_of(mount: Mount) -> Layout:
    """A strip for tiles out of the match and for commands on the left, the rest is field."""
    width, height = mount.size_mm

    def box(name: str, left: float, top: float, right: float, bottom: float) -> ZoneShape:
        return ZoneShape(Zone(name), ((left, top), (right, top), (right, bottom), (left, bottom)))

    field = box("field", 110, 10, width - 10, height - 10)
    return Layout(
        mount.size_mm,
        (field, box("aside", 20, 20, 100, height - 110), box(COMMAND_ZONE, 20, height - 100, 100, height - 20)),
    )


class TileFilm(RefereedTable):
    """A match whose tiles have these patterns (``T01`` is the start tile), and a table of 720 by 410 mm or more.

    Args:
        position: All tiles lie there from the beginning, twelve in a row.

    Attributes:
        updates: What everybody was told.
        where: The tiles of the map and their cells, as they lie.
    """

    def __init__(
        self, patterns: Sequence[str], *, seats: int = 2, mount: Mount = CALM, seed: int = 1, position: bool = False
    ) -> None:
        match: dict[str, Any] = {"seat": [{"name": name} for name in NAMES[:seats]]}
        cells = [(number % 12 - 5, number // 12 - 3) for number in range(len(patterns))]
        names = [f"T{number:02}" for number in range(2, len(patterns) + 1)]
        names.insert(cells.index((0, 0)) if (0, 0) in cells else 0, "T01")
        if position:
            match["position"] = {"laid": [f"{name}@{x},{y}/0" for name, (x, y) in zip(names, cells, strict=True)]}
        self.game: Any = CARCASSONNE.open_match(match, deck(list(patterns)))
        others = {MEEPLE: Shape.disc(16, sticker_mm=1, face=GREY), BACK: Shape.disc(18, sticker_mm=1, face=GREY)}
        super().__init__(mount, table_of(mount), self.game, sticker_codes(self.game), seed, foreign=others)
        self.where: dict[str, Cell] = {}
        if position:
            for name, (x, y) in zip(names, cells, strict=True):
                pose = shifted(self.pose("0,0/0"), x * PITCH_MM - 22, y * PITCH_MM)
                self.pieces[Token(name)] = _drawn(name, pose)
            self.where = {name: Cell(x, y) for name, (x, y) in zip(names, cells, strict=True)}

    # -- what is told ----------------------------------------------------------------------------

    @property
    def hints(self) -> list[str]:
        """The keys of all texts that came without an entry."""
        return [text.key for update in self.updates if update.signal is Signal.MISPLACED for text in update.texts]

    # -- what hands do ---------------------------------------------------------------------------

    def lies(self, tile: str, where: str) -> None:
        """A tile lies in a cell, and nobody saw it come."""
        self.pieces[Token(tile)] = _drawn(tile, self.pose(where))
        self.where[tile] = _cell(where)

    def begins(self) -> None:
        """The start tile is laid in the middle of the field."""
        self.lays("T01", "0,0/0")

    def pose(self, where: str) -> Pose:
        """Where a tile's middle is when it lies in a cell beside those that lie there."""
        cell = _cell(where)
        beside = place(cell, self._known(), pitch_mm=PITCH_MM)
        width, height = self.mount.size_mm
        return beside or Pose((110 + width) / 2, height / 2, ASKEW_DEG + 90 * cell.turn)

    def at(self, column: int, row: int) -> str:
        """The tile in a cell."""
        return next(name for name, cell in self.where.items() if (cell.column, cell.row) == (column, row))

    def lays(self, tile: str, where: str, *, off_mm: tuple[float, float] = (0, 0), askew_deg: float = 0.0) -> None:
        """A hand lays a tile in a cell, or so far away from it, in the map's own directions."""
        self.where.pop(tile, None)
        cell, pose = _cell(where), self.pose(where)
        level = replace(pose, rotation_deg=pose.rotation_deg - 90 * cell.turn)
        off = shifted(level, *off_mm)
        self.where[tile] = cell
        self.puts(_drawn(tile, replace(off, rotation_deg=pose.rotation_deg + askew_deg)))

    def aside(self, tile: str) -> None:
        """A hand lays a tile aside."""
        self.puts(DrawnCard(Token(tile), 60.0, 100.0, 5.0, TILE_Z_MM))

    def deploys(self, counter: str, tile: str, segment: int, turned_deg: float = 0.0) -> None:
        """A hand lays a counter on a segment's spot."""
        self.puts(self.on(counter, tile, segment, turned_deg))

    def on(self, counter: str, tile: str, segment: int, turned_deg: float = 0.0) -> DrawnCard:
        """A counter on a segment's spot."""
        east, south = self.game.setup.deck.tiles[tile].segments[segment - 1].spot
        there = shifted(self._tile(tile), (east - 0.5) * 45, (south - 0.5) * 45)
        return DrawnCard(Token(counter), there.x_mm, there.y_mm, there.rotation_deg + turned_deg, COUNTER_Z_MM)

    def takes(self, *tokens: str, lasts_s: float = 0.0) -> None:
        """A hand takes things away, one after the other."""
        for token in tokens:
            self.lift(Token(token), seconds=0.4)
            self.where.pop(token, None)
        if lasts_s:
            self.rest(lasts_s)

    def turns(self, tile: str, by_deg: float) -> None:
        """A hand turns a tile where it lies."""
        pose = self._tile(tile)
        self._moves(tile, replace(pose, rotation_deg=pose.rotation_deg + by_deg))
        quarters = round(by_deg / 90)
        self.where[tile] = replace(self.where[tile], turn=(self.where[tile].turn + quarters) % 4)

    def pushes(self, tile: str, where: str) -> None:
        """A hand pushes a tile into a cell."""
        del self.where[tile]
        self._moves(tile, self.pose(where))
        self.where[tile] = _cell(where)

    def _moves(self, tile: str, pose: Pose) -> None:
        self.move(HandPose(pose.x_mm + 22, pose.y_mm, 0.0), {Token(tile): _drawn(tile, pose)})
        self.rest(1.5)

    def _tile(self, tile: str) -> Pose:
        piece = self.pieces[Token(tile)]
        return tile_pose(Pose(piece.x_mm, piece.y_mm, piece.rotation_deg), tile_mm=45.0)

    def _known(self) -> list[Known]:
        return [(self._tile(tile), cell) for tile, cell in self.where.items()]


def _drawn(tile: str, pose: Pose) -> DrawnCard:
    sticker = sticker_pose(pose, tile_mm=45.0)
    return DrawnCard(Token(tile), sticker.x_mm, sticker.y_mm, sticker.rotation_deg, TILE_Z_MM)


def _cell(where: str) -> Cell:
    found = read_cell(Zone("field " + where.replace(",", " ").replace("/", " ")))
    assert found is not None
    return found
