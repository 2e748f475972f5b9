"""A board of square cells, as a value: the names of its places, and which cell a thing lies in.

Other than in ``companion.games.lattice``, the cells do not depend on the things: the board lies under the camera.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from companion.games.files import read_whole
from companion.games.lattice import Cell, Pose, locate
from companion.games.square_tiles import MOST_OFF, shifted
from companion.public.layout import Layout, ZoneShape
from companion.public.shapes import Shape
from companion.public.table import (
    COMMAND_ZONE,
    LOOSE,
    CardId,
    Expected,
    Placement,
    Point,
    Seat,
    TableState,
    Token,
    Zone,
)
from companion.public.text import JSON

BOARD = Zone("board")
"""The zone of the board, and the place of a thing between its cells."""
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""One column and row to the north, east, south and west: where a thing points after 0 to 3 quarter turns clockwise."""
COMMANDS_MM = 110.0
"""The side of the zone for command cards, left of the board."""
MARGIN_MM = 20.0
"""Around both zones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SquareBoard:
    """A board of square cells; column 0 and row 0 are in the middle, so both numbers of cells are odd.

    >>> board = SquareBoard(columns=3, rows=3, pitch_mm=50, things={CardId("O1"): Shape.disc(28, sticker_mm=18)})
    >>> board.place(CardId("O1"), Cell(1, -1))
    'cell 1 -1'
    >>> board.cell(Zone("cell 1 -1"))
    Cell(column=1, row=-1, turn=0)
    >>> x_mm, y_mm = board.middle_mm
    >>> seen = TableState(frozenset({Placement(Token("O1"), BOARD, x_mm + 54, y_mm - 47, 15.0)}))
    >>> board.lying({}, seen)
    {'O1': 'cell 1 -1'}

    Attributes:
        columns, rows: The numbers of its cells.
        pitch_mm: From one cell to the next.
        things: The shape of each thing, by its name, which is also that of its sticker.
        turned: The things of which it matters how they are turned: their places have a third number.
        owners: The seats of the things that belong to one.
    """

    columns: int
    rows: int
    pitch_mm: float
    things: Mapping[CardId, Shape]
    turned: frozenset[CardId] = frozenset()
    owners: Mapping[CardId, Seat] = field(default_factory=dict)

    @property
    def cards(self) -> dict[Token, CardId]:
        return {Token(card): card for card in self.things}

    @property
    def shapes(self) -> dict[Token, Shape]:
        return {Token(card): shape for card, shape in self.things.items()}

    @property
    def middle_mm(self) -> Point:
        """The centre of cell 0, 0 on the table."""
        left_mm = 2 * MARGIN_MM + COMMANDS_MM
        return left_mm + self.columns * self.pitch_mm / 2, MARGIN_MM + self.rows * self.pitch_mm / 2

    @property
    def layout(self) -> Layout:
        """A table with this board, and the zone for command cards beside it."""
        (x, y), across, down = self.middle_mm, self.columns * self.pitch_mm / 2, self.rows * self.pitch_mm / 2
        left, half = MARGIN_MM, COMMANDS_MM / 2
        board = ZoneShape.box(BOARD, x - across, y - down, x + across, y + down)
        commands = ZoneShape.box(COMMAND_ZONE, left, y - half, left + COMMANDS_MM, y + half)
        return Layout((x + across + MARGIN_MM, y + down + MARGIN_MM), (board, commands))

    def place(self, card: CardId, cell: Cell) -> Zone:
        """The name of a cell as the place of a thing."""
        return Zone(f"cell {cell.column} {cell.row}" + (f" {cell.turn}" if card in self.turned else ""))

    def cell(self, place: Zone | None) -> Cell | None:
        """The cell of a place; ``None`` for other places."""
        head, *words = (place or "").split(" ")
        numbers = [number for word in words if (number := read_whole(word)) is not None]
        if head != "cell" or len(numbers) != len(words) or len(numbers) not in (2, 3):
            return None
        column, row, turn = (*numbers, 0)[:3]
        return Cell(column, row, turn) if 0 <= turn <= 3 else None

    def cells(self, lying: Mapping[CardId, Zone]) -> dict[CardId, Cell]:
        """The things that lie in a cell."""
        return {card: cell for card, place in lying.items() if (cell := self.cell(place)) is not None}

    def expected(self, laid: Mapping[CardId, Cell]) -> Expected:
        return Expected({card: self.place(card, cell) for card, cell in laid.items()})

    def lying(self, laid: Mapping[CardId, Cell], table: TableState) -> dict[CardId, Zone]:
        """The place of each thing on the board.

        A thing in a cell lies near its middle, others are ``LOOSE``; but one that was ``laid`` keeps its cell until it
        is in another.
        """
        here = [one for one in table.placements if one.zone == BOARD and CardId(one.token) in self.things]
        return {CardId(one.token): self._lies(one, laid.get(CardId(one.token))) for one in here}

    def _lies(self, thing: Placement, laid: Cell | None) -> Zone:
        card = CardId(thing.token)
        ((right_mm, down_mm),) = self.things[card].around_sticker([(0.0, 0.0)])
        middle = shifted(Pose(thing.x_mm, thing.y_mm, thing.rotation_deg), right_mm, down_mm)
        fit = locate(middle, [(Pose(*self.middle_mm, 0.0), Cell(0, 0))], pitch_mm=self.pitch_mm)
        if fit is None:
            return LOOSE
        stays = laid is not None and (laid.column, laid.row) == (fit.cell.column, fit.cell.row)
        return self.place(card, fit.cell) if stays or fit.distance_mm < MOST_OFF * self.pitch_mm else LOOSE

    def sticker_pose(self, card: CardId, cell: Cell) -> Pose:
        """The pose of a thing's sticker, if the thing lies straight in a cell."""
        x_mm, y_mm = self.middle_mm
        x_mm, y_mm = x_mm + cell.column * self.pitch_mm, y_mm + cell.row * self.pitch_mm
        ((right_mm, down_mm),) = self.things[card].around_sticker([(0.0, 0.0)])
        return shifted(Pose(x_mm, y_mm, 90.0 * cell.turn), -right_mm, -down_mm)

    def view(self, laid: Mapping[CardId, Cell]) -> JSON:
        """What the plain pages of a game draw: the column and row of each thing, its seat and its quarter turn."""
        return {"things": [self._drawn(card, cell) for card, cell in laid.items()]}

    def _drawn(self, card: CardId, cell: Cell) -> dict[str, JSON]:
        turn = {"turn": cell.turn} if card in self.turned else {}
        return {"id": card, "x": cell.column, "y": cell.row, "by": self.owners.get(card, 0), **turn}
