"""Everything that the rules can say is said in both languages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from support.lands_match import AT, CAMP, Table, demo_deck

from companion.games import lands as rooms
from companion.games.lands import moves as act
from companion.games.lands.module import LANDS
from companion.games.protocol import Move
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text

pytestmark = pytest.mark.core

WORDS = Translations([Path(next(iter(rooms.__path__))) / "locale"])
NAMED = Names(seats=("Ana", "Ben", "Cléo", "Dora"))


def said(text: Text) -> tuple[str, str]:
    english, french = (WORDS.say(text, language, NAMED) for language in LANGUAGES)
    return english, french


def refused(table: Table, move: Move) -> list[tuple[str, str]]:
    found = table.game.rules.judge(table.state, move, table.at)
    return [said(table.game.words.reason(table.state, move, objection)) for objection in found]


def test_what_the_order_of_the_game_says_that_is_said():
    table = Table()
    assert refused(table, act.GatherToken(2, "wood")) == [
        ("It is Ana’s turn, not Ben’s.", "C’est à Ana de jouer, pas à Ben.")
    ]
    assert refused(table, table.travel(1, "M03-1")) == [
        (
            "Ana’s figure has no open way to that space.",
            "La figurine d’Ana n’a pas de passage ouvert vers cette case.",
        )
    ]
    assert refused(table, act.ScoutTile(1, "M02", (("M02-1", "M01-6"),))) == [
        ("Ana must stand beside M02 to explore it.", "Ana doit se trouver à côté de M02 pour l’explorer.")
    ]
    assert refused(table, act.RelightFire(1)) == [
        (
            "Ana stands on a space without a fire that went out.",
            "Ana est sur une case sans feu de camp éteint.",
        ),
        ("Ana does not have enough wood for that.", "Ana n’a pas assez de bois pour cela."),
    ]
    assert refused(table, act.RestFrom(1, "hunger")) == [
        ("Ana has no hunger damage to heal.", "Ana n’a aucun dégât de faim à soigner.")
    ]
    table.stands(2, "M01-4")
    assert refused(table, act.GiveToken(1, "food", 2)) == [
        ("Ana and Ben do not stand on the same space.", "Ana et Ben ne sont pas sur la même case.")
    ]
    table.has_left(1, 2)
    assert refused(table, table.travel(1, "M01-6")) == [
        ("Ana has 2 stamina left, and this takes 5.", "Ana a encore 2 d’endurance, et il en faut 5.")
    ]
    table.fights()
    assert refused(table, act.EndActs(1)) == [
        ("The fight first: Ana throws the dice.", "D’abord le combat : Ana lance les dés.")
    ]
    assert refused(table, act.SupportFight(2)) == [
        ("Ben stands more than 2 spaces away from the fight.", "Ben se trouve à plus de 2 cases du combat.")
    ]


def test_what_the_night_says():
    table = Table(1)
    table.falls_night()
    assert refused(table, act.TurnNight(0, "N05")) == [
        (
            "N05 is orange, and blue night cards come first.",
            "N05 est orange, et les cartes Nuit bleues viennent d’abord.",
        ),
        (
            "N05 is tribal, and one player is alone: draw again.",
            "N05 est tribale, et un joueur est seul : repiochez.",
        ),
    ]
    assert refused(table, act.BeginDay(0, 1)) == [
        ("The day waits: first turn up one night card.", "Le jour attend : révélez d’abord une carte Nuit.")
    ]
    assert refused(table, act.GatherToken(1, "wood")) == [
        ("It is night: Ana acts when the day begins.", "C’est la nuit : Ana agira quand le jour se lèvera.")
    ]


def test_whoever_is_out_is_named():
    table = Table()
    table.suffers(2, {"hunger": 4})
    assert refused(table, act.GiveToken(1, "food", 2)) == [
        ("Ben is dead and takes no part any more.", "Ben est mort et ne participe plus.")
    ]
    assert refused(table, act.TakeDamage(2, "skull")) == [
        ("Ben is dead and takes no part any more.", "Ben est mort et ne participe plus.")
    ]


def test_an_enemy_on_arrival_is_spoken_of_on_the_first_day_alone():
    """What has been said after each step of a whole day is known."""
    table = Table()
    step = table.travel(1, "M01-2")
    for day, told in ((1, True), (2, False)):
        state = replace(table.state, day=day)
        effect = table.game.rules.apply(state, step, AT)
        keys = [text.key for text in table.game.words.caption(state, step, effect)]
        assert ("lands.caption.arrives" in keys) is told


def test_a_token_that_is_too_much_is_laid_on_the_space_of_whoever_had_it():
    """« Les ressources sont placées sur la zone du personnage »: not into the supply."""
    table = Table()
    throw = act.ThrowToken(1, "food")
    words = [said(text) for text in table.game.words.caption(table.state, throw, table.does(throw))]
    assert words == [("Ana leaves food on the space.", "Ana laisse sur la case : nourriture.")]


def test_an_enemy_flees_by_the_compass():
    table = Table()
    table.fights(grey=1, red=7)
    before = table.state
    words = [
        said(text)[0] for text in table.game.words.caption(before, act.AcceptDice(1), table.does(act.AcceptDice(1)))
    ]
    assert words == [
        "Ana accepts the dice.", "E01 is missed.", "E01 flees to the west: compass 7. If that is blocked, it stays.",
    ]  # fmt: skip


def test_a_pack_that_is_too_full_is_asked_about():
    table = Table()
    table.owns(1, {"wood": 11})
    assert [(one.seat, one.do) for one in table.game.board.standing(table.state).owed] == [(1, "drop")]
    assert said(table.game.words.place_name(f"on {CAMP}")) == ("on its space", "sur sa case")


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_said_in_a_match_has_words(seed: int):
    rng = Random(seed)
    made = LANDS.open_match(LANDS.demonstration.random_match(rng, "base"), demo_deck())
    player, state, spoken = LANDS.demonstration.random_player(made), made.rules.start, set()
    while not state.over:
        for move in player(state, rng, AT):
            objections = made.rules.judge(state, move, AT)
            texts = [made.words.reason(state, move, one) for one in objections]
            assert not any("{" in words for text in texts for words in said(text))
            spoken |= {text.key for text in texts}
            if not objections:
                break
        step = made.rules.apply(state, move, AT)
        for text in made.words.caption(state, move, step):
            spoken.add(text.key)
            assert "{" not in said(text)[0] + said(text)[1], text
        for place in made.table.expected(step.state).cards.values():
            spoken.add(made.words.place_name(place).key)
        state = step.state
    assert spoken <= WORDS.keys("en")


def test_every_move_has_words_for_what_it_did_and_what_it_could_be():
    for do in act.MOVES:
        assert f"lands.caption.{'fire.lit' if do == 'fire' else do}" in WORDS.keys("en")
        assert {f"lands.reading.{do}", f"lands.act.{do}", f"lands.caption.{do}"} & WORDS.keys("en")


def test_what_somebody_has_not_is_said_as_people_say_it():
    table = Table(2, begun=False)
    assert refused(table, act.BeginDay(0, 1)) == [
        (
            "Everybody draws 2 project cards before the first day.",
            "Chacun pioche 2 cartes Projet avant le premier jour.",
        )
    ]
    table = Table()
    table.owns(1, {})
    assert refused(table, act.ThrowToken(1, "water")) == [
        ("Ana does not have enough clean water for that.", "Ana n’a pas assez d’eau pure pour cela.")
    ]
    table.suffers(1, {"thirst": 1})
    assert refused(table, act.RestFrom(1, "thirst", water="dirty")) == [
        ("Ana does not have enough dirty water for that.", "Ana n’a pas assez d’eau sale pour cela.")
    ]
    assert refused(Table(4, begun=False), act.BeginDay(0, 1)) == [
        ("Everybody draws 1 project card before the first day.", "Chacun pioche 1 carte Projet avant le premier jour.")
    ]
