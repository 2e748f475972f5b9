"""The seventeen positions that the game was ordered with, each with its outcome as it was written down."""

from __future__ import annotations

from typing import Any

import pytest
from support.lands_match import Table, game

from companion.errors import InputError
from companion.games.lands import moves as act
from companion.history.codec import decode_move

pytestmark = pytest.mark.core


def test_1_u3_u6_stamina_projects_and_support_by_the_number_of_players():
    """1, 2, 3, 4 players | stamina 12, 10, 8, 8; projects 3, 2, 1, 1; support 0, 3, 3, 3"""
    setups = [game(count).setup for count in (1, 2, 3, 4)]
    assert [setup.stamina for setup in setups] == [12, 10, 8, 8]
    assert [setup.projects for setup in setups] == [3, 2, 1, 1]
    assert [setup.supports for setup in setups] == [0, 3, 3, 3]
    assert [game(count).rules.start.stamina[0] for count in (1, 2, 3, 4)] == [12, 10, 8, 8]


def test_2_u7_u12_travel_gather_and_scout():
    """stamina 8: travel 1, travel 3, gather, scout | 3 left"""
    table = Table()
    table.opens("M02", ("M02-1", "M01-6"))
    table.stands(1, "M01-6")
    assert table.left() == 8
    table.does(table.travel(1, "M02-1"))
    table.does(table.travel(1, "M02-2"))
    table.does(act.GatherToken(1, "wood"))
    table.does(act.ScoutTile(1, "M03", (("M03-1", "M02-2"),)))
    assert table.left() == 3


def test_3_u12_the_first_gather_after_a_travel_is_free():
    """stamina 8: gather; travel 1, gather, gather | 5 left"""
    table = Table()
    table.does(act.GatherToken(1, "wood"))
    table.does(table.travel(1, "M01-2"))
    table.does(act.GatherToken(1, "wood"))
    table.does(act.GatherToken(1, "wood"))
    assert table.left() == 5


def test_4_u6_u12_a_hard_space_beyond_what_is_left():
    """2 left, terrain 3 | stamina"""
    table = Table()
    table.opens("M02", ("M02-1", "M01-6"))
    table.stands(1, "M02-1")
    table.has_left(1, 2)
    assert table.judge(table.travel(1, "M02-2")) == ["stamina"]
    table.has_left(1, 3)
    assert table.judge(table.travel(1, "M02-2")) == []


def test_5_u14_a_tile_two_spaces_off():
    """scout a tile two spaces off | adjacent"""
    table = Table()
    table.stands(1, "M01-4")
    scout = act.ScoutTile(1, "M02", (("M02-1", "M01-6"),))
    assert table.judge(scout) == ["adjacent"]
    table.stands(1, "M01-6")
    assert table.judge(scout) == []


def test_6_u20_hunger_with_only_water_and_a_friend_a_space_away():
    """rest hunger with only water; rest a friend a space away | have; space"""
    table = Table()
    table.owns(1, {"water": 1})
    table.suffers(1, {"hunger": 1})
    assert table.judge(act.RestFrom(1, "hunger")) == ["have"]
    table.owns(1, {"food": 1})
    table.suffers(2, {"hunger": 1})
    table.stands(2, "M01-2")
    assert table.judge(act.RestFrom(1, "hunger", 2)) == ["space"]
    table.stands(2, "M01-1")
    table.does(act.RestFrom(1, "hunger", 2))
    assert (table.state.damage[1], table.tokens(), table.left()) == ({}, {}, 7)


@pytest.mark.parametrize(
    ("drink", "disease"),
    [(("die", 3), 1), (("die", 4), 0), (("medicine", None), 0)],
)
def test_7_u10_dirty_water(drink: tuple[str, Any], disease: int):
    """dirty water: die 3; die 4; medicine | 1 disease; none; none"""
    table = Table()
    table.owns(1, {"dirty-water": 1, "medicine": 1})
    table.suffers(1, {"thirst": 1})
    table.does(act.RestFrom(1, "thirst", water="dirty"))
    assert table.judge(act.Investigate(1)) == ["must-drink"]
    table.does(act.DrinkDirty(1, *drink))
    assert table.state.damage[0].get("disease", 0) == disease
    assert table.tokens() == ({} if drink[0] == "medicine" else {"medicine": 1})


def test_8_u11_eleven_items_and_a_quest_object():
    """10 items and 1 more; dropping a quest object | drop owed; quest"""
    table = Table()
    table.owns(1, {"wood": 9}, "O07")
    table.does(act.GatherToken(1, "stone"))
    assert [(one.seat, one.do) for one in table.game.board.standing(table.state).owed] == [(1, "drop")]
    assert table.judge(act.GatherToken(1, "stone")) == ["must-drop"]
    assert table.judge(act.DropCard(1, "O07")) == ["quest"]
    table.does(act.ThrowToken(1, "wood"))
    assert table.judge(act.GatherToken(1, "stone")) == []


def test_9_u15_u16_meat_wood_and_a_fire_that_is_out():
    """3 meat, 1 wood, fire out: cook; relight; cook 3 | fire; lit; 3 food"""
    table = Table()
    table.owns(1, {"meat": 3, "wood": 1})
    table.does(act.SetFire(1, "M01-1", False))
    assert table.judge(act.CookMeat(1, 3)) == ["fire"]
    table.does(act.RelightFire(1))
    assert table.state.fires["M01-1"]
    table.does(act.CookMeat(1, 3))
    assert table.tokens() == {"food": 3}


def test_10_u31_u32_u33_an_enemy_flees_hit_and_dies_in_the_next_fight():
    """enemy defence 7, attack 9, life 2: grey 7, red 8; next fight grey 12, red 9 |
    1 damage to it, flees by 8; dead, and 1 skull"""
    table = Table()
    table.fights("E01", grey=7, red=8)
    step = table.does(act.AcceptDice(1))
    assert table.state.wounds == {"E01": 1}
    assert step.extras["settled"]["fled"] == 8
    assert (table.state.damage[0], table.state.fight) == ({}, None)
    table.fights("E01", grey=12, red=9)
    step = table.does(act.AcceptDice(1))
    assert step.extras["settled"]["dead"]
    assert table.state.damage[0] == {"skull": 1}
    assert table.state.fight is None


def test_11_u29_u31_u32_what_each_change_would_do():
    """same, unhurt: grey 6, red 9; then poison; then find | misses, would hurt; hits; unhurt"""
    table = Table()
    table.owns(1, {"poison": 1, "find": 1})
    table.fights("E01", grey=6, red=9)

    def now() -> tuple[bool, bool]:
        shown = table.game.board.view(table.state, 1)["fight"]["now"]
        return shown["hit"], shown["hurt"]

    assert now() == (False, True)
    table.does(act.ChangeDie(1, "poison"))
    assert now() == (True, True)
    table.does(act.ChangeDie(1, "find"))
    assert now() == (True, False)
    assert table.tokens() == {}


def test_12_u30_one_object_twice_in_a_fight():
    """one object twice in a fight | once"""
    table = Table()
    table.owns(1, {}, "O01")
    table.fights("E01")
    table.does(act.UseCard(1, "O01", 1))
    assert table.judge(act.UseCard(1, "O01", 1)) == ["once"]
    table.does(act.FleeFight(1))
    table.fights("E02")
    assert table.judge(act.UseCard(1, "O01", 1)) == []


def test_13_u34_a_lethal_enemy_turns_to_the_left():
    """lethal, Ana fights: Ben at her left here; alone | Ben next; Ana again"""
    table = Table()
    for seat in (3, 4):
        table.stands(seat, "M01-2")
    table.fights("E03", grey=1, red=1)
    table.does(act.AcceptDice(1))
    assert table.state.fight is not None
    assert table.state.fight.fighter == 2
    table = Table()
    for seat in (2, 3, 4):
        table.stands(seat, "M01-2")
    table.fights("E03", grey=1, red=1)
    table.does(act.AcceptDice(1))
    assert table.state.fight is not None
    assert (table.state.fight.fighter, table.state.fight.rolled) == (1, False)


def test_14_u36_support_from_two_spaces():
    """support at 2; at 3; a second card | yes; far; once"""
    table = Table()
    table.stands(2, "M01-3")
    table.stands(3, "M01-4")
    table.fights("E01")
    table.does(act.SupportFight(2))
    assert table.judge(act.SupportFight(3)) == ["far"]
    assert table.judge(act.SupportFight(2)) == ["once"]


def test_15_u38_u39_u40_the_fourth_damage():
    """2 hunger, 1 thirst, 1 skull, first player | dead; token left; two looted cost 2"""
    table = Table()
    table.owns(1, {"wood": 1}, "O01")
    table.suffers(1, {"hunger": 2, "thirst": 1})
    assert "dies" in table.told(act.TakeDamage(1, "skull"))
    assert table.judge(act.TakeDamage(1, "skull")) == ["dead"]
    assert (table.state.first, table.state.turn) == (2, 2)
    table.does(act.LootDead(2, 1, kind="wood"))
    table.does(act.LootDead(2, 1, card="O01"))
    assert table.left(2) == 6
    assert (table.tokens(1), table.tokens(2)) == ({}, {"food": 1, "water": 1, "wood": 1})
    assert "O01" in table.state.packs[1]


def test_16_u2_u25_an_orange_card_too_early_and_a_tribal_one_alone():
    """orange while blue remain; tribal, one on the map | night; tribal"""
    table = Table(1)
    table.falls_night()
    assert table.judge(act.TurnNight(0, "N04")) == ["night"]
    assert table.judge(act.TurnNight(0, "N02")) == ["tribal"]
    table.does(act.TurnNight(0, "N01"))


def test_17_a_die_has_twelve_faces():
    """roll 13 0 | one sentence, nothing written"""
    with pytest.raises(InputError) as caught:
        decode_move(game(), {"do": "roll", "by": 1, "grey": 13, "red": 0})
    (wrong,) = caught.value.faults
    assert wrong.what == "a die shows 1 to 12, not 13: say again what it shows"
