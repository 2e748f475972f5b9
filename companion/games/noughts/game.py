"""The rules: what may be done, what comes of it, and what a change of the table means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from companion.errors import ImpossibleMove
from companion.games.lattice import Cell
from companion.games.protocol import (
    CardMove,
    Effect,
    Game,
    GameBoard,
    GameRules,
    GameTable,
    LayingMove,
    Move,
    MoveContext,
    Objection,
    plain_words,
)
from companion.games.square_board import STEPS, SquareBoard
from companion.public.shapes import GreyArea, Shape
from companion.public.standing import Standing
from companion.public.table import TABLE, CardId, Change, Seat, Zone

ARROW, STAR = CardId("ARROW"), CardId("STAR")
COUNTERS = {CardId(f"{kind}{n}"): Seat(seat) for seat, kind in ((1, "O"), (2, "X")) for n in range(1, 5)}
FIRST = Seat(1)
TRIANGLE = GreyArea(0.1, ((6.0, -20.0), (20.0, 20.0), (-4.0, 20.0)))
BOARD = SquareBoard(
    columns=11,
    rows=9,
    pitch_mm=45.0,
    things={
        ARROW: Shape.rectangle(42, 42, sticker_mm=18, sticker_at_mm=(-10, -10), face=(TRIANGLE,)),
        STAR: Shape.disc(34, sticker_mm=20),
        **{card: Shape.disc(28, sticker_mm=18) for card in COUNTERS},
    },
    turned=frozenset({ARROW}),
    owners=COUNTERS,
)


@dataclass(frozen=True, slots=True)
class Lay(LayingMove):
    """A counter is laid in a cell; before that the table lays the arrow, then the star."""

    do: ClassVar[str] = "lay"
    by: Seat
    card: CardId
    x: int
    y: int

    @property
    def is_deal(self) -> bool:
        return self.card == ARROW


@dataclass(frozen=True, slots=True)
class TurnArrow(CardMove):
    """The arrow is turned where it lies."""

    do: ClassVar[str] = "turn"
    by: Seat
    card: CardId
    to: int


@dataclass(frozen=True, slots=True)
class Lift(CardMove):
    """The star is taken away."""

    do: ClassVar[str] = "lift"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class Grid:
    """What lies in which cell, who is next, and the points."""

    laid: Mapping[CardId, Cell]
    turn: Seat = FIRST
    points: tuple[int, ...] = (0, 0)
    lifted: bool = False

    @property
    def over(self) -> bool:
        return COUNTERS.keys() <= self.laid.keys()

    @property
    def taken(self) -> set[tuple[int, int]]:
        return {(cell.column, cell.row) for cell in self.laid.values()}

    def own(self, seat: Seat, cells: set[tuple[int, int]]) -> int:
        """How many of a seat's counters lie in these cells."""
        return sum((c.column, c.row) in cells for card, c in self.laid.items() if COUNTERS.get(card) == seat)

    def pointed_at(self, turn: int) -> set[tuple[int, int]]:
        """The cells in a line from the arrow."""
        (x, y), middle = STEPS[turn % 4], self.laid[ARROW]
        return {(middle.column + n * x, middle.row + n * y) for n in range(1, BOARD.columns)}


def around(x: int, y: int) -> set[tuple[int, int]]:
    return {(x + dx, y + dy) for dx, dy in STEPS}


def judge(public: Grid, move: Move, _at: MoveContext) -> tuple[Objection, ...]:
    wrong = {
        "turn": move.by not in (TABLE, public.turn) or public.over,
        "begun": move.is_deal == bool(public.laid),
        "star": move.by != TABLE and STAR not in public.laid and not public.lifted,
    }
    match move:
        case Lay(by, card, x, y):
            wrong["own"] = COUNTERS.get(card, TABLE) != by
            wrong["taken"] = card in public.laid or (x, y) in public.taken or (card == STAR and public.lifted)
            wrong["apart"] = bool(public.laid) and not public.taken & around(x, y)
        case TurnArrow(_, _, to):
            wrong["quarter"] = ARROW in public.laid and to != (public.laid[ARROW].turn + 1) % 4
        case Lift(by, _):
            star = public.laid.get(STAR)
            wrong["touch"] = star is None or public.own(by, around(star.column, star.row)) < 2
        case _:
            raise TypeError(move)
    return tuple(Objection(rule) for rule, found in wrong.items() if found)


def apply(state: Grid, move: Move, _at: MoveContext) -> Effect[Grid]:
    if move.by not in (0, 1, 2):
        raise ImpossibleMove("there is no such seat")
    laid, points, lifted = dict(state.laid), 0, state.lifted
    match move:
        case Lay(by, card, x, y) if card not in laid:
            laid[card], points = Cell(x, y), state.own(by, around(x, y))
        case TurnArrow(by, card, to) if card in laid:
            laid[card], points = replace(laid[card], turn=to), state.own(by, state.pointed_at(to))
        case Lift(_, card) if card in laid:
            points, lifted = 3, laid.pop(card) is not None
        case _:
            raise ImpossibleMove("that does not lie there")
    scored = tuple(had + points * (move.by == seat) for seat, had in enumerate(state.points, 1))
    turn = state.turn if move.by == TABLE else Seat(3 - move.by)
    return Effect(Grid(laid, turn, scored, lifted), points)


def adopt(state: Grid, lying: Mapping[CardId, Zone], _at: MoveContext) -> Grid:
    there = BOARD.cells(lying)
    return replace(state, laid=there, lifted=state.lifted and STAR not in there)


def deal(public: Grid, lying: Mapping[CardId, Zone]) -> Move | None:
    return Lay(TABLE, ARROW, 0, 0) if not public.laid and ARROW in lying else None


def interpretations(public: Grid, change: Change) -> tuple[Move, ...]:
    card, came, cell = change.card, BOARD.cell(change.came_from), BOARD.cell(change.went_to)
    if card == STAR and came is not None and change.went_to is None:
        return (Lift(public.turn, STAR),)
    if card == ARROW and came is not None and cell is not None and replace(came, turn=cell.turn) == cell:
        return (TurnArrow(public.turn, ARROW, cell.turn),)
    if cell is not None and change.came_from is None:
        return (Lay(COUNTERS.get(card, TABLE), card, cell.column, cell.row),)
    return ()


def standing(public: Grid) -> Standing:
    best = tuple(Seat(s) for s in (1, 2) if public.points[s - 1] == max(public.points))
    turn, winners = (None, best) if public.over else (public.turn, ())
    return Standing(turn, public.points, over=public.over, winners=winners)


GAME = Game(
    name="noughts",
    seats=2,
    rules=GameRules(
        moves={kind.do: kind for kind in (Lay, TurnArrow, Lift)}, start=Grid({}), judge=judge, apply=apply, adopt=adopt
    ),
    table=GameTable(
        cards=BOARD.cards,
        shapes=BOARD.shapes,
        layout=BOARD.layout,
        lying=lambda public, table: BOARD.lying(public.laid, table),
        expected=lambda public: BOARD.expected(public.laid),
        deal=deal,
        interpretations=interpretations,
    ),
    words=plain_words("noughts"),
    board=GameBoard(standing=standing, view=lambda state, _seat: BOARD.view(state.laid)),
)
