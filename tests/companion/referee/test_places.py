"""Games whose places are not drawn zones, and in which taking a thing away is a move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from support.scripted_table import ScriptedTable
from support.toy_game import TOKENS, Place, State, stairs

from companion.games.protocol import CardMove, Effect, Game, Move, MoveContext, Objection
from companion.public.table import CardId, Change, Expected, Observation, Placement, Seat, TableState, Token, Zone
from companion.public.text import Text

STEP_MM = 50.0


@dataclass(frozen=True, slots=True)
class Lift(CardMove):
    """Take a step away for two points."""

    do: ClassVar[str] = "lift"
    by: Seat
    card: CardId


STAIRS = stairs()


def flight() -> Game[State, State]:
    """Stairs whose steps stand side by side, anywhere in the zone; from the third on the first may be lifted."""
    rules = replace(STAIRS.rules, moves={**STAIRS.rules.moves, "lift": Lift}, judge=judge, apply=apply)
    table = replace(STAIRS.table, lying=lying, expected=expected, interpretations=interpretations)
    return replace(STAIRS, rules=rules, table=table, words=replace(STAIRS.words, place_name=place_name))


def lying(public: State, table: TableState) -> Mapping[CardId, Zone]:
    there = {p.token: p for p in table.placements if p.zone == "tree" and p.token in TOKENS}
    known = [there[Token(f"C1{card[2]}")] for card in public.tree if f"C1{card[2]}" in there]
    anchor = known[0] if known else next(iter(there.values()), None)
    return {} if anchor is None else {TOKENS[t]: step(p, anchor) for t, p in there.items()}


def step(placement: Placement, anchor: Placement) -> Zone:
    steps = int(anchor.token[2]) - 1 + round((placement.x_mm - anchor.x_mm) / STEP_MM)
    return Zone(f"step {steps}")


def place_name(place: Zone) -> Text:
    return Text("flight.step", {"n": int(place.removeprefix("step "))})


def expected(public: State) -> Expected:
    return Expected({card: Zone(f"step {int(card[2]) - 1}") for card in public.tree})


def interpretations(public: State, change: Change) -> tuple[Move, ...]:
    if change.went_to is None:
        return (Lift(public.turn, change.card),)
    if change.went_to == f"step {int(change.card[2]) - 1}":
        return (Place(public.turn, change.card, "hand"),)
    return ()


def judge(public: State, move: Move, at: MoveContext) -> tuple[Objection, ...]:
    if isinstance(move, Lift):
        return () if len(public.tree) >= 3 and move.card == "1-1" else (Objection("own"),)
    return STAIRS.rules.judge(replace(public, laid=0), move, at) if isinstance(move, Place) else ()


def apply(state: State, move: Move, at: MoveContext) -> Effect[State]:
    if isinstance(move, Lift):
        left = tuple(card for card in state.tree if card != move.card)
        points = tuple(p + 2 * (seat == move.by) for seat, p in enumerate(state.points, 1))
        return Effect(replace(state, tree=left, points=points, turn=Seat(3 - state.turn)), points=2)
    return STAIRS.rules.apply(state, move, at)


class Laid(ScriptedTable):
    """A table told in millimetres."""

    def put(self, seconds: float = 1.0, **x_mm: float | None) -> None:
        for token, x in x_mm.items():
            self.lying.pop(token, None)
            if x is not None:
                self.lying[token] = x  # type: ignore[assignment]
        for _ in range(round(seconds * 4)):
            self.number, self.time_s = self.number + 1, self.time_s + 0.25
            there: Any = self.lying.items()
            laid = frozenset(Placement(Token(token), Zone("tree"), x, 40.0) for token, x in there)
            self.match.handle(Observation(self.number, self.time_s, TableState(laid)), self.time_s)


def three_steps() -> Laid:
    table = Laid(flight())
    table.put(C11=100.0)
    table.put(C12=151.0)
    table.put(C13=199.0)
    assert table.story == ["played place 1 1-1", "played place 1 1-2", "played place 1 1-3"]
    return table


def test_a_whole_map_that_is_shoved_is_no_move() -> None:
    table = three_steps()
    table.put(seconds=8, C11=160.0, C12=211.0, C13=259.0)
    assert len(table.story) == 3


def test_a_thing_in_a_place_that_no_move_explains_is_to_be_put_back_where_the_game_says() -> None:
    table = three_steps()
    table.put(seconds=8, C12=430.0)
    assert table.story[3:] == ["unexplained 1-2"]
    (text,) = table.news[-1].texts
    assert (text.key, text.params["zone"]) == ("referee.put_into", Text("flight.step", {"n": 1}))


def test_what_was_laid_last_and_is_lifted_is_taken_back_and_not_a_move() -> None:
    table = three_steps()
    table.put(seconds=4, C13=None)
    assert table.story[3:] == ["struck 3"]


def test_lifting_another_is_a_move_two_seconds_after_its_place_was_seen_empty() -> None:
    table = three_steps()
    table.put(seconds=1.5, C11=None)
    assert len(table.story) == 3
    table.put(seconds=1.5)
    assert table.story[3:] == ["played lift 1 1-1"]
    assert table.match.standing.points == (5, 0)


def test_laid_back_within_ten_seconds_it_is_as_if_nothing_had_happened() -> None:
    table = three_steps()
    table.put(seconds=5, C11=None)
    table.put(seconds=5, C11=100.0)
    assert table.story[3:] == ["played lift 1 1-1", "struck 4"]
    assert table.match.standing.points == (3, 0)


def test_laid_back_later_it_is_a_card_laid() -> None:
    table = three_steps()
    table.put(seconds=13, C11=None)
    table.put(seconds=2, C11=100.0)
    assert table.story[3:] == ["played lift 1 1-1", "played place 2 1-1"]


def test_what_may_not_be_lifted_is_refused_and_settled_when_it_lies_there_again() -> None:
    table = three_steps()
    table.put(seconds=4, C12=None)
    assert table.story[3:] == ["refused lift 1 1-2 own"]
    table.put(seconds=2, C12=150.0)
    assert table.story[3:] == ["refused lift 1 1-2 own", "settled 4"]
