"""A very small game for trying the referee: cards 1 to 6 are laid in order, one a turn, from the hand or the pool."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from companion.errors import ImpossibleMove
from companion.games.protocol import (
    Countable,
    Effect,
    Game,
    GameBoard,
    GameRules,
    GameTable,
    GameWords,
    HiddenHalf,
    LayingMove,
    Move,
    MoveContext,
    Objection,
    PlainMove,
    zones_of,
)
from companion.public.layout import Layout, ZoneShape
from companion.public.standing import AvailableMove, Standing
from companion.public.table import CardId, Change, Expected, Seat, Token, Zone
from companion.public.text import Text

CARDS = tuple(CardId(f"1-{n}") for n in range(1, 7))


@dataclass(frozen=True, slots=True)
class Place(LayingMove):
    do: ClassVar[str] = "place"
    by: Seat
    card: CardId
    source: str = field(metadata={"key": "from"})

    @property
    def origin_zone(self) -> Zone | None:
        return Zone(self.source) if self.source != "hand" else None


@dataclass(frozen=True, slots=True)
class EndTurn(PlainMove):
    do: ClassVar[str] = "end_turn"
    by: Seat


@dataclass(frozen=True, slots=True)
class Refill(LayingMove):
    do: ClassVar[str] = "refill"
    by: Seat
    card: CardId


@dataclass(frozen=True, slots=True)
class Deal(PlainMove):
    do: ClassVar[str] = "deal"
    by: Seat
    pool: tuple[CardId, ...]

    @property
    def is_deal(self) -> bool:
        return True


@dataclass(frozen=True, slots=True)
class State:
    tree: tuple[CardId, ...] = ()
    pool: tuple[CardId | None, ...] = ()
    dealt: bool = False
    turn: Seat = field(default=Seat(1))
    laid: int = 0
    points: tuple[int, ...] = (0, 0)


TOKENS = {Token(f"C{card[0]}{card[2]}"): card for card in CARDS}
MOVES: Mapping[str, type[Move]] = {kind.do: kind for kind in (Place, EndTurn, Refill, Deal)}
TREE = ZoneShape(Zone("tree"), ((0.0, 0.0), (50.0, 0.0), (50.0, 100.0), (0.0, 100.0)))


def stairs(*, infers_turns: bool = False, silent: bool = False) -> Game[State, State]:
    return Game(
        name="stairs",
        seats=2,
        rules=GameRules(
            moves=MOVES,
            start=State(),
            judge=judge,
            apply=apply,
            adopt=adopt,
            countable={"hands": Countable(by_seat=True), "stack": Countable(by_seat=False)},
            infers_turns=infers_turns,
            implied_moves=implied_moves,
        ),
        table=GameTable(
            cards=TOKENS,
            layout=Layout((100.0, 100.0), (TREE,)),
            lying=lambda _public, table: zones_of(TOKENS, table),
            expected=expected,
            deal=deal,
            interpretations=interpretations,
        ),
        words=GameWords(
            caption=lambda _public, move, _step: (Text(f"stairs.{move.do}"),),
            reason=lambda _public, _move, why: Text(f"stairs.objection.{why.rule}", {"cards": why.cards}),
            place_name=lambda place: Text(f"stairs.zone.{place}"),
        ),
        board=GameBoard(
            standing=standing,
            view=lambda state, _seat: {"tree": list(state.tree), "pool": list(state.pool)},
            offers=lambda public, _at: (AvailableMove(public.turn, "end_turn"),),
        ),
        hidden=HiddenHalf(silent=silent),
    )


def judge(public: State, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    if isinstance(move, Refill):
        return () if None in public.pool and move.card not in public.tree else (Objection("not-there"),)
    if isinstance(move, Deal):
        return () if not public.dealt else (Objection("not-offered"),)
    if move.by != public.turn:
        return (Objection("turn"),)
    if not isinstance(move, Place):
        return ()
    found = []
    before = CARDS[: CARDS.index(move.card)]
    missing = tuple(card for card in before if card not in public.tree)
    if missing:
        found.append(Objection("prerequisites", missing))
    if public.laid:
        found.append(Objection("link"))
    if (move.card in public.pool) != (move.source == "pool"):
        found.append(Objection("not-there"))
    return tuple(found)


def apply(state: State, move: Move, at: MoveContext) -> Effect[State]:
    match move:
        case Place(by, card, source):
            if card in state.tree or (source == "pool" and card not in state.pool):
                raise ImpossibleMove(f"{card} is not there")
            pool = tuple(None if kept == card and source == "pool" else kept for kept in state.pool)
            points = tuple(p + (seat == by) for seat, p in enumerate(state.points, 1))
            return Effect(
                replace(state, tree=(*state.tree, card), pool=pool, laid=state.laid + 1, points=points),
                points=1,
                milestone=card == CARDS[2],
            )
        case EndTurn():
            return Effect(replace(state, turn=Seat(3 - state.turn), laid=0))
        case Refill(_, card):
            if None not in state.pool:
                raise ImpossibleMove("the pool is full")
            i = state.pool.index(None)
            return Effect(replace(state, pool=(*state.pool[:i], card, *state.pool[i + 1 :])))
        case Deal(_, pool):
            return Effect(replace(state, pool=pool, dealt=True))
    raise ImpossibleMove("no such move")


def deal(public: State, lying: Mapping[CardId, Zone]) -> Move | None:
    pool = tuple(sorted(card for card, zone in lying.items() if zone == "pool"))
    return Deal(Seat(0), pool) if pool and not public.dealt else None


def adopt(state: State, lying: Mapping[CardId, Zone], at: MoveContext) -> State:
    def there(zone: str) -> tuple[CardId, ...]:
        return tuple(sorted(card for card, place in lying.items() if place == zone))

    return replace(state, tree=there("tree"), pool=there("pool"), dealt=True, laid=0)


def interpretations(public: State, change: Change) -> tuple[Move, ...]:
    if change.card == "KEND":
        return (EndTurn(public.turn),)
    if change.went_to == "tree" and change.card in CARDS:
        return (Place(public.turn, change.card, change.came_from or "hand"),)
    if change.went_to == "pool" and change.came_from is None and None in public.pool:
        return (Refill(Seat(0), change.card),)
    return ()


def implied_moves(public: State, move: Move, at: MoveContext) -> tuple[Move, ...]:
    if isinstance(move, Place) and judge(public, move, at) == (Objection("link"),):
        return EndTurn(public.turn), replace(move, by=Seat(3 - public.turn))
    return ()


def expected(public: State) -> Expected:
    cards = {card: Zone("tree") for card in public.tree}
    return Expected(cards | {card: Zone("pool") for card in public.pool if card is not None})


def standing(public: State) -> Standing:
    over = len(public.tree) == len(CARDS)
    return Standing(None if over else public.turn, public.points, over=over)
