"""The rules: what may be done, what comes of it, and what a look at the table means."""

from __future__ import annotations

import math
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
from companion.public.layout import Layout, ZoneShape
from companion.public.shapes import GreyArea, Shape
from companion.public.standing import Standing
from companion.public.table import COMMAND_ZONE, TABLE, CardId, Change, Expected, Seat, TableState, Token, Zone
from companion.public.text import JSON

ARROW, STAR = CardId("arrow"), CardId("star")
COUNTERS = {CardId(f"{kind}{n}"): Seat(seat) for seat, kind in ((1, "O"), (2, "X")) for n in range(1, 5)}
THINGS = (ARROW, STAR, *COUNTERS)
TOKENS = {Token(card.upper()): card for card in THINGS}
FIELD, LOOSE = Zone("field"), Zone("loose")
TABLE_SHAPE = Layout(
    (720.0, 410.0),
    (
        ZoneShape(FIELD, ((140, 20), (700, 20), (700, 390), (140, 390))),
        ZoneShape(COMMAND_ZONE, ((20, 150), (130, 150), (130, 260), (20, 260))),
    ),
)
PITCH_MM, MIDDLE_MM = 45.0, (420.0, 205.0)
FITS = 0.3
"""So far from the middle of its cell, in cells, a new thing may lie."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))
AHEAD = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Where the arrow points, by quarter turns."""
TRIANGLE = GreyArea(0.1, ((6.0, -20.0), (20.0, 20.0), (-4.0, 20.0)))
SHAPES = {
    **{Token(card): Shape.disc(28, sticker_mm=18) for card in COUNTERS},
    Token("ARROW"): Shape.rectangle(42, 42, sticker_mm=18, sticker_at_mm=(-10, -10), face=(TRIANGLE,)),
    Token("STAR"): Shape.disc(34, sticker_mm=20),
}


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
class Turn(CardMove):
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
class State:
    """What lies in which cell, who is next, and the points."""

    laid: Mapping[CardId, Cell]
    turn: Seat = Seat(1)
    points: tuple[int, int] = (0, 0)
    lifted: bool = False

    @property
    def over(self) -> bool:
        return COUNTERS.keys() <= self.laid.keys()

    def own(self, seat: Seat, cells: set[tuple[int, int]]) -> int:
        """How many of a seat's counters lie in these cells."""
        return sum((c.column, c.row) in cells for card, c in self.laid.items() if COUNTERS.get(card) == seat)

    def pointed_at(self, turn: int) -> set[tuple[int, int]]:
        """The cells in a line from the arrow."""
        (x, y), middle = AHEAD[turn % 4], self.laid[ARROW]
        return {(middle.column + n * x, middle.row + n * y) for n in range(1, len(THINGS))}


def around(x: int, y: int) -> set[tuple[int, int]]:
    return {(x + dx, y + dy) for dx, dy in AROUND}


def place(card: CardId, cell: Cell) -> Zone:
    """Only of the arrow it matters how it is turned."""
    return Zone(f"cell {cell.column} {cell.row}" + (f" {cell.turn}" if card == ARROW else ""))


def read_place(zone: Zone | None) -> Cell | None:
    head, *numbers = (zone or "").split(" ")
    return Cell(*map(int, numbers)) if head == "cell" else None


def judge(public: State, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    taken = {(cell.column, cell.row) for cell in public.laid.values()}
    wrong = {
        "turn": move.by not in (TABLE, public.turn) or public.over,
        "begun": move.is_deal == bool(public.laid),
        "star": move.by != TABLE and STAR not in public.laid and not public.lifted,
    }
    match move:
        case Lay(by, card, x, y):
            wrong["own"] = COUNTERS.get(card, TABLE) != by
            wrong["taken"] = card in public.laid or (x, y) in taken or (card == STAR and public.lifted)
            wrong["apart"] = bool(taken) and not taken & around(x, y)
        case Turn(_, _, to):
            wrong["quarter"] = ARROW in public.laid and to != (public.laid[ARROW].turn + 1) % 4
        case Lift(by, _):
            star = public.laid.get(STAR)
            wrong["touch"] = star is None or public.own(by, around(star.column, star.row)) < 2
    return tuple(Objection(rule) for rule, found in wrong.items() if found)


def apply(state: State, move: Move, at: MoveContext) -> Effect[State]:
    if move.by not in (0, 1, 2):
        raise ImpossibleMove("there is no such seat")
    laid, points, lifted = dict(state.laid), 0, state.lifted
    match move:
        case Lay(by, card, x, y) if card not in laid:
            laid[card], points = Cell(x, y), state.own(by, around(x, y))
        case Turn(by, card, to) if card in laid:
            laid[card], points = replace(laid[card], turn=to), state.own(by, state.pointed_at(to))
        case Lift(_, card) if card in laid:
            points, lifted = 3, laid.pop(card) is not None
        case _:
            raise ImpossibleMove("that does not lie there")
    scored = tuple(had + points * (move.by == seat) for seat, had in enumerate(state.points, 1))
    turn = state.turn if move.by == TABLE else Seat(3 - move.by)
    return Effect(State(laid, turn, scored, lifted), points)  # type: ignore[arg-type]  # two seats


def adopt(state: State, lying: Mapping[CardId, Zone], at: MoveContext) -> State:
    there = {card: cell for card, zone in lying.items() if (cell := read_place(zone)) is not None}
    return replace(state, laid=there, lifted=state.lifted and STAR not in there)


def lying(public: State, table: TableState) -> Mapping[CardId, Zone]:
    """A thing near the middle of a cell is in it; between cells it is loose, but where it belongs it may lie anyhow."""
    places = {}
    for p in table.placements:
        card = TOKENS.get(p.token)
        if card is None or p.zone != FIELD:
            continue
        ((x, y),) = SHAPES[p.token].around_sticker([(0.0, 0.0)])  # from the sticker to the middle
        cos, sin = math.cos(math.radians(p.rotation_deg)), math.sin(math.radians(p.rotation_deg))
        across = (p.x_mm + x * cos - y * sin - MIDDLE_MM[0]) / PITCH_MM
        down = (p.y_mm + x * sin + y * cos - MIDDLE_MM[1]) / PITCH_MM
        cell = Cell(round(across), round(down), round(p.rotation_deg / 90) % 4)
        stays = card in public.laid and replace(public.laid[card], turn=cell.turn) == cell
        near = math.dist((across, down), (cell.column, cell.row)) < FITS
        places[card] = place(card, cell) if stays or near else LOOSE
    return places


def expected(public: State) -> Expected:
    return Expected({card: place(card, cell) for card, cell in public.laid.items()})


def deal(public: State, lying: Mapping[CardId, Zone]) -> Move | None:
    return Lay(TABLE, ARROW, 0, 0) if not public.laid and ARROW in lying else None


def interpretations(public: State, change: Change) -> tuple[Move, ...]:
    card, cell = change.card, read_place(change.went_to)
    if card == STAR and change.came_from is not None and change.went_to is None:
        return (Lift(public.turn, STAR),)
    if card == ARROW and cell is not None and ARROW in public.laid:
        here = (cell.column, cell.row) == (public.laid[ARROW].column, public.laid[ARROW].row)
        return (Turn(public.turn, ARROW, cell.turn),) if here else ()
    if cell is None or change.came_from is not None or card not in TOKENS.values():
        return ()
    return (Lay(COUNTERS.get(card, TABLE), card, cell.column, cell.row),)


def standing(public: State) -> Standing:
    left = tuple(sum(owner == s and c not in public.laid for c, owner in COUNTERS.items()) for s in (1, 2))
    best = tuple(Seat(s) for s in (1, 2) if public.points[s - 1] == max(public.points))
    turn, winners = (None, best) if public.over else (public.turn, ())
    return Standing(turn, public.points, {"left": left}, over=public.over, winners=winners)


def view(state: State, seat: Seat | None) -> JSON:
    return {"seat": seat, "turn": state.turn, "cells": {c: place(c, cell) for c, cell in state.laid.items()}}


GAME = Game(
    name="noughts",
    seats=2,
    rules=GameRules(
        moves={kind.do: kind for kind in (Lay, Turn, Lift)}, start=State({}), judge=judge, apply=apply, adopt=adopt
    ),
    table=GameTable(
        cards=TOKENS,
        shapes=SHAPES,
        layout=TABLE_SHAPE,
        lying=lying,
        expected=expected,
        deal=deal,
        interpretations=interpretations,
    ),
    words=plain_words("noughts"),
    board=GameBoard(standing=standing, view=view),
)
