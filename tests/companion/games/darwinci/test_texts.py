"""Everything that the rules can say is said in both languages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from support.darwinci_match import ROTTEN, WORTH_3, Table, deck

from companion.games import darwinci as rooms
from companion.games.darwinci import moves as act
from companion.games.darwinci.module import DARWINCI
from companion.games.protocol import Move, MoveContext
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text

pytestmark = pytest.mark.core

FOLDER = Path(next(iter(rooms.__path__)))
WORDS = Translations([FOLDER / "locale"])
NAMED = Names(seats=("Ana", "Ben", "Cléo", "Dora"))


def said(text: Text) -> tuple[str, str]:
    english, french = (WORDS.say(text, language, NAMED) for language in LANGUAGES)
    return english, french


def refused(table: Table, move: Move) -> list[tuple[str, str]]:
    found = table.game.rules.judge(table.state, move, table.at)
    return [said(table.game.words.reason(table.state, move, objection)) for objection in found]


def told(table: Table, move: Move) -> list[str]:
    before = table.state
    return [said(text)[0] for text in table.game.words.caption(before, move, table.does(move))]


def test_what_the_table_of_objections_says():
    table = Table()
    assert refused(table, table.bid("R", seat=1)) == [
        (
            "Nobody bids yet: first each seat turns up one tile.",
            "Pas encore d’enchères : chacun révèle d’abord un fragment.",
        )
    ]
    table.does(act.BuyTiles(1))
    assert refused(table, act.BuyTiles(1)) == [
        (
            "Ana may buy once a round, before any tile is for sale.",
            "Ana peut acheter une fois par tour, avant toute mise en vente.",
        )
    ]
    table.has(2, 2)
    assert refused(table, act.BuyTiles(2)) == [
        ("Ben has 2 Darwin, and two tiles cost 3.", "Ben a 2 Darwin, et deux fragments en coûtent 3.")
    ]
    table.does(act.OfferTile(1, "T40"))
    assert refused(table, act.OfferTile(1, "T41")) == [
        ("Ana has a tile for sale already.", "Ana a déjà un fragment en vente.")
    ]
    for seat in (2, 3, 4):
        table.does(act.OfferTile(seat, f"T{39 + seat}"))
    assert refused(table, table.bid("B", seat=2)) == [
        (
            "Ben waits: first Ana lays 2 stones of other colours.",
            "Ben attend : Ana pose d’abord 2 pierres adverses.",
        )
    ]
    assert refused(table, act.BidStone(1, table.stone(2, "B"), 1)) == [
        (
            f"{table.stone(2, 'B')} is not in Ana’s reserve: bid with a stone from there.",
            f"{table.stone(2, 'B')} n’est pas dans la réserve d’Ana\u00a0: misez une pierre qui s’y trouve.",
        )
    ]
    assert refused(table, act.EndBids(1)) == [
        (
            "Ana must first lay 2 more stones of other colours.",
            "Ana doit d’abord poser encore 2 pierres adverses.",
        )
    ]
    table.bids("R")
    assert refused(table, table.bid("R")) == [
        (
            "In the first turn Ana lays only one stone of Ana’s own colour: take the other back.",
            "Au premier tour, Ana ne pose qu’une pierre de sa couleur\u00a0: reprenez l’autre.",
        )
    ]
    table.at_bids(3, 1)
    table.bids("R", "R")
    third = table.bid("R")
    assert refused(table, third) == [
        (
            f"Ana lays at most 2 stones this turn: take {third.card} back.",
            f"Ana pose au plus 2 pierres à ce tour : reprenez {third.card}.",
        )
    ]
    late = table.bid("B", seat=2)
    assert refused(table, late) == [("It is Ana’s turn, not Ben’s.", "C’est à Ana de jouer, pas à Ben.")]


def test_what_is_said_of_plots():
    table = Table()
    table.awards(on_1="1 green")
    assert refused(table, table.lay(1, "T40", 0, 1)) == [
        ("Cléo won T40: it goes into that plot.", "Cléo a remporté T40 : c’est pour sa parcelle.")
    ]
    assert refused(table, table.lay(1, "T41", 0, 1)) == [
        ("Nobody bid for T41: it leaves the game.", "Personne n’a misé sur T41 : il quitte le jeu.")
    ]
    assert refused(table, table.lay(3, "T40", 3, 3)) == [
        (
            "T40 must touch a tile in Cléo’s plot along one side.",
            "T40 doit toucher par un côté un fragment dans la parcelle de Cléo.",
        ),
        (
            "With T40 there, Cléo’s plot is larger than 3 by 4 tiles.",
            "Avec T40 ici, la parcelle de Cléo dépasse 3 × 4 fragments.",
        ),
    ]
    assert refused(table, act.OfferTile(1, "T42")) == [
        (
            "T42 was seen before: Ana offers a tile from the hand.",
            "T42 a déjà été vu : Ana met en vente un fragment en main.",
        )
    ]
    assert refused(table, act.DropBone(1, "T20")) == [
        ("Nobody won T20 in this round: Ana takes it back.", "Personne n’a remporté T20 à ce tour : Ana le reprend.")
    ]
    assert refused(table, act.BuyTiles(1)) == [
        ("A tile that was won is laid first: T40.", "Un fragment remporté se pose d’abord : T40.")
    ]
    assert refused(table, act.LayBone(1, "T13", 5, 5, 0)) == [
        ("T13 was laid before: it stays where it was.", "T13 était déjà posé : il reste à sa place.")
    ]
    table = Table(profile="experts")
    table.at_bids(2, 1, reserve_1="1 big blue, 1 green")
    assert refused(table, table.bid("G")) == [
        (
            "Ana lays the big stone of another colour first.",
            "Ana pose d’abord la grosse pierre adverse.",
        )
    ]


def test_the_awards_say_where_every_stone_goes():
    """The box says where chips go ("2 reds to Ben"; any red will do)"""
    table = Table()
    table.offers()
    table.moves_stones({"offer-2": "3 red, 1 green"})
    table.state = table.state.__class__(**{**_fields(table), "bidding": 3, "turn": 4})
    assert told(table, act.EndBids(4)) == [
        "Ana wins 1 tile.", "Dora lays nothing.", "Ben’s tile goes to Ana for 3 stones.",
        "Nobody bid for Ana’s tile: it leaves the game.", "Nobody bid for Cléo’s tile: it leaves the game.",
        "Nobody bid for Dora’s tile: it leaves the game.", "Ben gets the round die.",
        "1 red stone from Ben’s tile to Ana.", "2 red stones from Ben’s tile to Ben.",
        "1 green stone from Ben’s tile to Cléo.",
    ]  # fmt: skip


def _fields(table: Table) -> dict[str, object]:
    return {name: getattr(table.state, name) for name in table.state.__slots__}


def test_a_rotten_bone_and_a_debt_are_said():
    table = Table()
    table.has(3, 3)
    table.wins(3, ROTTEN[-5])
    assert told(table, table.lay(3, ROTTEN[-5], 0, 1))[:3] == [
        "Cléo lays a tile.", "Cléo pays 5 Darwin for a rotten bone.", "Cléo owes the bank 2 Darwin.",
    ]  # fmt: skip


def test_the_end_asks_for_jewels_and_at_a_tie_for_creatures():
    table = Table()
    table.plot(1, [(x, y) for y in range(3) for x in range(4)])
    table.has(4, 1)
    view = table.game.board.view(table.state, None)
    assert (view["ending"], view["tied"]) == (True, [1, 2, 3])
    table.does(act.SizeCreature(2, 2))
    assert table.game.board.view(table.state, None)["tied"] == [1, 3]
    assert told(table, act.AgreeAllCounted(0)) == ["Ben wins the match!", "Everybody has counted."]


@pytest.mark.parametrize("seed", [1, 3])
def test_whatever_is_said_in_a_match_has_words(seed: int):
    rng = Random(seed)
    made = DARWINCI.open_match(DARWINCI.demonstration.random_match(rng, "experts" if seed == 3 else "base"), deck())
    player, state, spoken = DARWINCI.demonstration.random_player(made), made.rules.start, set()
    while not state.over:
        for move in player(state, rng, MoveContext(1)):
            objections = made.rules.judge(state, move, MoveContext(1))
            spoken |= {made.words.reason(state, move, one).key for one in objections}
            if not objections:
                break
        step = made.rules.apply(state, move, MoveContext(1))
        for text in made.words.caption(state, move, step):
            spoken.add(text.key)
            assert "{" not in said(text)[0] + said(text)[1]
        for place in made.table.expected(step.state).cards.values():
            spoken.add(made.words.place_name(place).key)
        state = step.state
    assert spoken <= WORDS.keys("en")
    assert len(spoken) > 25
    assert WORTH_3 in made.setup.deck.tiles
