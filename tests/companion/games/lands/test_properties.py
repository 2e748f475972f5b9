"""What holds in every match: ledgers never below nothing, what is offered is lawful, every act can be undone."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from support.lands_match import AT, demo_deck

from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.deck import DAMAGE, RESOURCES
from companion.games.lands.module import LANDS
from companion.games.lands.setup import START
from companion.games.lands.state import hurt, is_dead, items
from companion.games.protocol import Effect, Move, MoveContext
from companion.history.codec import decode_move
from companion.history.events import Entry, Played, Struck
from companion.history.record import append, begin
from companion.referee.questions import move_parameters

pytestmark = pytest.mark.core


def match(seed: int) -> Iterator[tuple[Any, Any, Move, Effect[Any]]]:
    """A whole random match: game, state before, the move, what it brought about."""
    rng = Random(seed)
    made = LANDS.open_match(LANDS.demonstration.random_match(rng, "base"), demo_deck())
    player, state = LANDS.demonstration.random_player(made), made.rules.start
    while not state.over:
        move = next(move for move in player(state, rng, AT) if not made.rules.judge(state, move, AT))
        step = made.rules.apply(state, move, AT)
        yield made, state, move, step
        state = step.state


def tokens(made: Any, public: Any, move: Move) -> Counter[tuple[int, str]]:
    """What a lawful move brings and takes, told from the move alone and what its project costs."""
    by = move.by
    match move:
        case act.GatherToken() if move.kind in RESOURCES:
            return Counter({(by, move.kind): 1})
        case act.GainItem() if move.card is None:
            return Counter({(by, move.kind): 1})
        case act.ThrowToken() | act.ChangeDie():
            return Counter({(by, move.kind): -1})
        case act.GiveToken():
            return Counter({(by, move.kind): -1, (move.to, move.kind): 1})
        case act.LootDead() if move.card is None:
            return Counter({(move.source, move.kind): -1, (by, move.kind): 1})
        case act.CookMeat():
            return Counter({(by, "meat"): -move.count, (by, "food"): move.count})
        case act.RelightFire():
            return Counter({(by, "wood"): -1})
        case act.DrinkDirty():
            taken = ([] if public.drinks[by - 1] else ["dirty-water"]) + ["medicine"] * (move.how == "medicine")
            return Counter({(by, kind): -1 for kind in taken})
        case act.RestFrom():
            clean = {"hunger": "food", "thirst": "water", "disease": "medicine"}[move.kind]
            return Counter({(by, "dirty-water" if (clean, move.water) == ("water", "dirty") else clean): -1})
        case act.CountThings() if move.kind in RESOURCES:
            return Counter({(by, move.kind): move.n - public.resources[by - 1].get(move.kind, 0)})
        case act.CraftObject():
            (project,) = [row for row in demo_deck()["project"] if row["object"] == move.card]
            paid = Counter(project["cost"])
            paid = paid if public.told else paid & Counter(public.resources[by - 1])  # no more than was counted
            return Counter({(by, kind): -count for kind, count in paid.items()})
        case _:
            return Counter()


@pytest.mark.parametrize("seed", range(6))
def test_items_are_the_entries_folded_and_no_ledger_is_ever_negative(seed: int):
    held: Counter[tuple[int, str]] = Counter()
    for made, before, move, step in match(seed):
        if isinstance(move, act.SetOut):
            held = Counter({(seat, kind): 1 for seat in made.setup.seats for kind in START})
        for key, change in tokens(made, before, move).items():
            held[key] += change
        state = step.state
        for seat in made.setup.seats:
            ledger = state.resources[seat - 1]
            assert ledger == {kind: count for (who, kind), count in held.items() if who == seat and count}, move
            assert min(ledger.values(), default=1) > 0
            assert state.stamina[seat - 1] >= 0
            assert items(state, seat) == sum(ledger.values()) + sum(card[0] == "O" for card in state.packs[seat - 1])


@pytest.mark.parametrize("seed", range(6))
def test_death_comes_exactly_at_four(seed: int):
    for made, before, _, step in match(seed):
        for seat in made.setup.seats:
            assert 0 <= hurt(step.state, seat) <= 4
            assert is_dead(step.state, seat) == (hurt(step.state, seat) == 4)
            assert not (is_dead(before, seat) and not is_dead(step.state, seat))
            assert step.state.turn != seat or not is_dead(step.state, seat)


@pytest.mark.slow
def test_all_that_is_offered_can_be_said():
    offered = set()
    for number, (made, state, _, _) in enumerate(one for seed in range(1, 6) for one in match(seed)):
        if number % 4:
            continue
        for one in made.board.offers(state, AT):
            offered.add(one.do)
            for place in (0, -1):
                document = {"do": one.do, "by": one.by, **{key: some[place] for key, some in one.choices.items()}}
                move = decode_move(made, document)
                assert made.rules.judge(state, move, AT) == (), move
                made.rules.apply(state, move, AT)
    assert offered == {"lead", "travel", "end_turn", "leave", "agree_end"}  # nothing that lies before people


@pytest.mark.slow
def test_acts_that_are_taken_back_leave_everything_as_it_was():
    story = list(match(8))[:80]
    made = story[0][0]
    record = begin(made)
    states = [record.state]
    for number, (_, _, move, _) in enumerate(story, 1):
        record = append(made, record, Entry(number, Played(move), time_s=None))
        states.append(record.state)
    for number in range(len(story), 0, -1):
        record = append(made, record, Entry(record.next_number, Struck(number, None)))
        assert record.state == states[number - 1], story[number - 1]


def anything(made: Any, public: Any, rng: Random) -> Move:
    """What a phone could send: any move with any seat, thing and number that the record can hold."""
    seats, cards = [0, *made.setup.seats, 9], sorted(made.table.cards.values())
    spaces = [*public.ways, "M01-1", "", "M99-9", "x"]
    kinds = [*RESOURCES, *DAMAGE, "enemy", "paw", "nothing", "", "gold"]
    kind = rng.choice(list(made.rules.moves.values()))
    numbers, dice = (-1, 0, 1, 3, 99, 10**9), (None, 1, 3, 12)
    stands = tuple(rng.choice(spaces) for _ in range(rng.choice((0, made.seats))))
    joins = tuple((rng.choice(spaces), rng.choice(spaces)) for _ in range(rng.choice((0, 0, 1, 2))))
    values: dict[str, Any] = {
        "by": rng.choice(seats), "card": rng.choice([*cards, "F1", "F2"]), "space": rng.choice(spaces),
        "joins": joins, "stands": stands, "tiles": tuple(rng.sample([c for c in cards if c[0] == "M"], 2)),
        "kind": rng.choice(kinds), "seat": rng.choice(seats), "on": rng.choice(seats), "source": rng.choice(seats),
        "count": rng.choice(numbers), "lit": rng.random() < 0.5, "water": rng.choice(("clean", "dirty", "hot")),
        "how": rng.choice(("die", "medicine", "luck")), "die": rng.choice(dice), "grey": rng.choice(dice),
        "red": rng.choice(dice), "defence": rng.choice(numbers), "attack": rng.choice(dice), "life": rng.choice(dice),
        "lethal": rng.random() < 0.5, "colour": rng.choice((None, "blue", "pink")), "tribal": rng.random() < 0.5,
        "makes": rng.choice((None, "O01", "M01", "x")), "name": rng.choice((None, "Axe")), "quest": None,
        "n": rng.choice(numbers),
    }  # fmt: skip
    few, points = (-1, 0, 1, 2, 3, 21), (-51, -50, 0, 17, 50, 10**9)
    several = range(rng.choice((0, 0, 1, 2, 3)))
    values |= {
        "spaces": tuple((rng.choice(points), rng.choice(points)) for _ in several),
        "costs": tuple(rng.choice(few) for _ in several), "landmarks": (rng.choice(few),) * rng.choice((0, 1)),
        "ways": ((rng.choice(few), rng.choice(few)),) * rng.choice((0, 1)), "fires": (rng.choice(few),),
        "exits": ((rng.choice(few), rng.choice(points), rng.choice(points)),) * rng.choice((0, 1)),
    }  # fmt: skip
    values["to"] = rng.choice(spaces) if kind in (act.Travel, act.PlaceFigure) else rng.choice(seats)
    values["cost"] = rng.choice((None, "wood", "gold wood")) if kind is act.TellFacts else rng.choice(numbers[:4])
    if kind is act.RollDice:
        values |= {"grey": rng.randint(1, 12), "red": rng.randint(1, 12)}
    if kind in (act.GainItem, act.LootDead, act.UseCard) and rng.random() < 0.5:
        values["card"] = None
    return kind(**{one.name: values[one.name] for one in fields(kind)})


@pytest.mark.parametrize("seed", [0, 1, 3, 4, 5, 6])
def test_whatever_people_let_stand_the_match_goes_on(seed: int):
    rng = Random(seed)
    made = LANDS.open_match(LANDS.demonstration.random_match(rng, "base"), demo_deck())
    player, state, stood = LANDS.demonstration.random_player(made), made.rules.start, 0
    for number in range(200):
        if state.over:
            break
        proposed = list(player(state, rng, AT))
        lawful = [move for move in proposed if not made.rules.judge(state, move, AT)]
        move = anything(made, state, rng) if rng.random() < 0.6 or not lawful else rng.choice(lawful)
        objections = made.rules.judge(state, move, AT)
        for one in objections:
            assert made.words.reason(state, move, one).key.startswith("lands.objection.")
        try:
            step = made.rules.apply(state, move, MoveContext(number + 1, float(number)))
        except ImpossibleMove:
            assert objections, f"{move} is lawful, so it can be done"
            continue
        if isinstance(move, act.AgreeScenarioEnds | act.LeaveMap) or (step.state.over and rng.random() < 0.9):
            continue
        assert all(count > 0 for ledger in step.state.resources for count in ledger.values()), move
        assert all(points >= 0 for points in step.state.stamina), move
        assert all(hurt(step.state, seat) <= 4 for seat in made.setup.seats), move
        for said in (made.words.caption(state, move, step), made.rules.implied_moves(state, move, AT)):
            assert isinstance(said, tuple)
        if number % 10 == 0:
            assert isinstance(made.board.offers(step.state, AT), tuple)
        assert json.dumps(made.board.view(step.state, None))
        assert move_parameters(move, 1)
        stood += bool(objections)
        state = step.state
    assert stood > 3
