"""The rules by their ids, each as the rule book says it."""

from __future__ import annotations

from dataclasses import fields

import pytest
from support.lands_match import AT, CAMP, Table, game

from companion.errors import ImpossibleMove, InputError
from companion.games.lands import moves as act
from companion.games.lands.setup import LandsSetup

pytestmark = pytest.mark.core


def test_u1_the_highest_die_becomes_first_player_before_anybody_acts():
    table = Table(begun=False)
    assert table.judge(act.GatherToken(1, "wood")) == ["must-lead"]
    assert table.judge(table.travel(1, "M01-2")) == ["must-lead"]
    assert table.judge(act.TurnNight(0, "N01")) == ["must-lead"]
    assert [(one.seat, one.do) for one in table.game.board.standing(table.state).owed] == [(0, "lead")]


def test_u1_whoever_gets_the_token_begins():
    table = Table(3, first=2)
    assert (table.state.first, table.state.turn, table.state.day) == (2, 2, 1)


def test_u2_the_blue_night_cards_lie_on_the_orange_ones():
    table = Table(2)
    table.falls_night()
    (objection,) = table.game.rules.judge(table.state, act.TurnNight(0, "N04"), AT)
    assert (objection.rule, objection.cards) == ("night", ("N01", "N02", "N03"))
    table.sets(nights=("N01", "N02", "N03"))
    table.does(act.TurnNight(0, "N04"))
    assert table.judge(act.TurnNight(0, "N04")) == ["not-there"]


def test_u2_a_card_of_which_nobody_has_said_the_colour_is_not_guessed():
    table = Table(2)
    table.falls_night()
    table.does(act.TurnNight(0, "N09"))
    told = act.TellFacts(0, "N09", colour="orange")
    table.does(told)
    table = Table(2)
    table.falls_night()
    table.does(told)
    assert table.judge(act.TurnNight(0, "N09")) == ["night"]


def test_u3_projects_are_drawn_before_the_first_day():
    table = Table(3, begun=False)
    assert table.judge(act.BeginDay(0, 1)) == ["projects"]
    table.does(act.GainItem(1, "P01"))
    assert table.judge(act.GainItem(1, "P02")) == ["projects"]
    assert table.judge(act.GainItem(2, "P01")) == ["not-there"]
    table.does(act.GainItem(2, "P02"))
    table.does(act.GainItem(3, "P03"))
    table.does(act.BeginDay(0, 3))
    table.does(act.GainItem(3, "P04"))


def test_u5_a_food_and_a_clean_water_for_each():
    assert Table(2).state.resources == ({"food": 1, "water": 1},) * 2


def test_u6_every_day_brings_the_stamina_anew():
    table = Table(2)
    table.does(act.GatherToken(1, "wood"))
    assert table.state.stamina == (9, 10)
    table.falls_night()
    table.does(act.TurnNight(0, "N01"))
    table.does(act.BeginDay(0, 2))
    assert (table.state.stamina, table.state.day, table.state.turn) == ((10, 10), 2, 2)


@pytest.mark.parametrize("do", ["gather", "scout", "cook", "relight", "craft", "investigate", "rest", "use", "loot"])
def test_u7_every_action_takes_a_point(do: str):
    table = Table()
    table.owns(1, {"meat": 1, "wood": 1, "stone": 1, "food": 1})
    table.owns(2, {"wood": 1})
    table.suffers(1, {"hunger": 1})
    table.suffers(2, {"skull": 4})
    if do == "relight":
        table.sets(fires={CAMP: False})
    if do == "investigate":
        table.stands(1, "M01-3")
    move = {
        "gather": act.GatherToken(1, "wood"),
        "scout": act.ScoutTile(1, "M02", (("M02-1", CAMP),)),
        "cook": act.CookMeat(1, 1),
        "relight": act.RelightFire(1),
        "craft": act.CraftObject(1, "O01"),
        "investigate": act.Investigate(1),
        "rest": act.RestFrom(1, "hunger"),
        "use": act.UseCard(1, None, 1),
        "loot": act.LootDead(1, 2, kind="wood"),
    }[do]
    table.has_left(1, 0)
    assert table.judge(move) == ["stamina"]
    table.has_left(1, 1)
    table.does(move)
    assert table.left() == 0


def test_u8_a_gathered_resource_is_in_the_ledger_and_a_number_is_not():
    table = Table()
    table.does(act.GatherToken(1, "poison"))
    table.does(act.GatherToken(1, "number"))
    table.does(act.GatherToken(1, "nothing"))
    assert table.tokens() == {"food": 1, "water": 1, "poison": 1}
    assert table.judge(act.GatherToken(1, "gold")) == ["not-offered"]


def test_u9_a_spring_keeps_its_face():
    table = Table()
    table.does(act.GatherToken(1, "dirty-water"))
    assert table.state.springs == {CAMP: "dirty-water"}
    assert table.judge(act.GatherToken(1, "water")) == ["not-offered"]
    assert table.judge(act.GatherToken(1, "dirty-water")) == []


def test_u9_what_somebody_laid_down_on_a_spring_may_be_the_other_water():
    """U11: « Les ressources sont placées sur la zone du personnage »."""
    table = Table()
    table.does(act.GatherToken(1, "dirty-water"))
    table.does(act.ThrowToken(1, "water"))
    table.does(act.GatherToken(1, "water"))
    assert table.state.springs == {CAMP: "dirty-water"}


def test_u10_a_friend_who_is_given_dirty_water_drinks_it_himself():
    table = Table()
    table.owns(1, {"dirty-water": 1})
    table.suffers(2, {"thirst": 2})
    table.does(act.RestFrom(1, "thirst", 2, "dirty"))
    assert table.state.drinks == (0, 1, 0, 0)
    assert table.judge(act.DrinkDirty(2, "medicine")) == ["have"]
    table.does(act.DrinkDirty(2, "die", 2))
    assert table.state.damage[1] == {"thirst": 1, "disease": 1}


def test_u10_a_card_that_has_somebody_drink_takes_a_dirty_water():
    table = Table()
    assert table.judge(act.DrinkDirty(2, "die", 5)) == ["have"]
    table.owns(2, {"dirty-water": 1, "medicine": 1})
    assert table.judge(act.DrinkDirty(2, "die")) == ["not-offered"]
    table.does(act.DrinkDirty(2, "medicine"))
    assert table.tokens(2) == {}


def test_u11_resources_and_objects_count_projects_do_not():
    table = Table(1)
    table.owns(1, {"wood": 8}, "O01", "O02")
    assert table.game.board.standing(table.state).by_seat("items") == (10,)
    table.does(act.GainItem(1, kind="stone"))
    assert table.judge(act.GainItem(1, kind="stone")) == ["must-drop"]
    assert table.judge(act.EndActs(1)) == ["must-drop"]
    table.does(act.DropCard(1, "O01"))
    assert table.state.laid["O01"] == "out"
    table.does(act.EndActs(1))


def test_u11_quest_objects_stay_and_do_not_stop_the_match():
    document = {f"O{number}": act.TellFacts(0, f"O{number}", quest=True) for number in range(20, 31)}
    table = Table(1)
    for told in document.values():
        table.does(told)
    table.owns(1, {}, *document)
    assert table.judge(act.DropCard(1, "O20")) == ["quest"]
    assert table.judge(act.Investigate(1)) == ["landmark"]
    table.does(act.GatherToken(1, "wood"))
    assert table.judge(act.GatherToken(1, "wood")) == ["must-drop"]
    table.does(act.ThrowToken(1, "wood"))


def test_u12_the_cheapest_way_over_hard_spaces_and_none_to_what_is_not_open():
    table = Table()
    table.opens("M02", ("M02-1", "M01-2"))
    assert table.judge(table.travel(1, "M03-1")) == ["path"]
    table.does(table.travel(1, "M02-3"))
    assert table.left() == 2  # one, one, three for the hard space, one
    assert table.state.stands[0] == "M02-3"


def test_u12_an_island_of_its_own_has_no_way_but_a_card_may_send_somebody_there():
    table = Table()
    table.opens("M03")
    assert table.judge(table.travel(1, "M03-1")) == ["path"]
    table.does(table.travel(1, "M03-1", 2))
    assert table.left() == 6
    table.does(table.travel(2, "M03-1", 0))  # at any time, whoever is at turn
    assert (table.left(2), table.state.free) == (8, True)


def test_u12_a_gather_after_a_card_moved_him_is_not_free():
    table = Table()
    table.does(table.travel(1, "M01-2", 0))
    table.does(act.GatherToken(1, "wood"))
    assert table.left() == 7


def test_u12_who_stays_where_he_stands_goes_no_way_and_gathers_nothing_free():
    table = Table()
    here = table.state.stands[0]
    assert table.judge(table.travel(1, here)) == ["path"]
    assert table.judge(table.travel(1, here, 1)) == ["path"]
    assert table.judge(table.travel(1, here, 0)) == []  # a card that sends him where he is


def test_u12_only_ones_own_stand():
    table = Table()
    assert table.judge(act.Travel(1, "F2", "M01-2")) == ["not-there"]


@pytest.mark.parametrize("kind", ["enemy", "paw"])
def test_u13_u23_who_gathers_an_enemy_or_a_paw_must_fight(kind: str):
    table = Table()
    table.does(act.GatherToken(1, kind))
    assert [(one.seat, one.do) for one in table.game.board.standing(table.state).owed] == [(1, "fight")]
    assert table.judge(act.EndActs(1)) == ["must-fight"]
    assert table.judge(table.travel(1, "M01-2")) == ["must-fight"]
    table.does(act.BeginFight(1, "E02"))
    assert table.state.hunted == 0


def test_u14_a_tile_is_explored_from_beside_it_once():
    table = Table()
    assert table.judge(act.ScoutTile(1, "M02", (("M02-1", "M01-2"),))) == ["adjacent"]
    assert table.judge(act.ScoutTile(1, "M02", (("M02-9", CAMP),))) == ["not-there"]
    table.does(act.ScoutTile(1, "M02", (("M02-1", CAMP),)))
    assert "M02-1" in table.state.ways[CAMP]
    assert table.judge(act.ScoutTile(1, "M02", (("M02-1", CAMP),))) == ["not-there"]


def test_u14_a_tile_that_nobody_entered_is_never_judged():
    table = Table()
    assert table.told(act.ScoutTile(1, "M20", ())) == ["scout", "unknown_tile"]
    assert table.judge(table.travel(1, "M20-1")) == ["path"]


def test_u15_meat_is_cooked_at_a_fire():
    table = Table()
    table.owns(1, {"meat": 2})
    assert table.judge(act.CookMeat(1, 3)) == ["have"]
    table.stands(1, "M01-2")
    assert table.judge(act.CookMeat(1, 2)) == ["fire"]
    table.does(act.SetFire(1, "M01-2", True))
    table.does(act.CookMeat(1, 2))
    assert table.tokens() == {"food": 2}


def test_u16_a_wood_relights_a_fire_that_is_out():
    table = Table()
    table.owns(1, {"wood": 1})
    assert table.judge(act.RelightFire(1)) == ["fire"]  # it burns
    table.sets(fires={CAMP: False})
    table.owns(1, {"stone": 1})
    assert table.judge(act.RelightFire(1)) == ["have"]
    table.owns(1, {"wood": 1})
    table.does(act.RelightFire(1))
    assert (table.tokens(), table.state.fires[CAMP]) == ({}, True)


def test_u17_what_a_project_takes_is_paid_and_one_from_the_hand_is_replaced():
    table = Table()
    assert table.state.packs[0] == ("P01",)
    table.owns(1, {"wood": 1})
    assert table.judge(act.CraftObject(1, "O01")) == ["have"]
    assert table.judge(act.CraftObject(1, "O10")) == ["not-offered"]  # nobody knows a project for it
    table.owns(1, {"wood": 1, "stone": 1, "find": 1})
    assert table.told(act.CraftObject(1, "O01")) == ["craft", "pays", "new_project"]
    assert (table.tokens(), table.state.packs[0]) == ({"find": 1}, ("O01",))
    assert table.told(act.CraftObject(1, "O06")) == ["craft", "pays"]


def test_u18_things_change_hands_on_the_same_space_alone():
    table = Table()
    table.owns(1, {"wood": 1}, "O01")
    table.stands(2, "M01-2")
    assert table.judge(act.GiveToken(1, "wood", 2)) == ["space"]
    assert table.judge(act.TradeCard(1, "O01", 2)) == ["space"]
    table.does(act.GiveToken(1, "wood", 3))
    table.does(act.TradeCard(1, "O01", 3))
    assert (table.left(), table.tokens(3)["wood"]) == (8, 1)
    assert table.state.packs[2] == ("P03", "O01")
    assert table.judge(act.GiveToken(1, "wood", 3)) == ["have"]
    table.does(act.TradeCard(3, "O01", 1))  # the other way round, to the seat at turn
    assert table.judge(act.GiveToken(3, "wood", 4)) == ["turn"]


def test_u19_only_a_landmark_is_investigated():
    table = Table()
    assert table.judge(act.Investigate(1)) == ["landmark"]
    table.stands(1, "M01-3")
    table.does(act.Investigate(1))


@pytest.mark.parametrize(("damage", "kind"), [("hunger", "food"), ("thirst", "water"), ("disease", "medicine")])
def test_u20_each_damage_has_its_resource(damage: str, kind: str):
    table = Table()
    table.suffers(1, {damage: 1})
    table.owns(1, {"wood": 1})
    assert table.judge(act.RestFrom(1, damage)) == ["have"]
    table.owns(1, {kind: 1})
    table.does(act.RestFrom(1, damage))
    assert (table.tokens(), table.state.damage[0]) == ({}, {})
    table.owns(1, {kind: 1})
    assert table.judge(act.RestFrom(1, damage)) == ["have"]  # nothing to heal
    assert table.judge(act.RestFrom(1, "skull")) == ["not-offered"]


def test_u21_a_card_takes_what_it_says():
    table = Table()
    table.owns(1, {}, "O01")
    table.does(act.UseCard(1, "O01", 3))
    table.does(act.UseCard(1, None, 2))
    assert table.left() == 3
    assert table.judge(act.UseCard(1, "O01", 4)) == ["stamina"]
    assert table.judge(act.UseCard(1, "O02", 1)) == ["not-there"]


def test_u22_nobody_has_two_objects_of_one_name():
    table = Table()
    table.owns(1, {}, "O08")
    table.owns(2, {}, "O09")
    assert table.judge(act.TradeCard(1, "O08", 2)) == ["same-name"]
    assert table.judge(act.GainItem(1, "O09")) == ["not-there"]
    table.owns(2, {})
    (objection,) = table.game.rules.judge(table.state, act.GainItem(1, "O09"), AT)
    assert (objection.rule, objection.cards) == ("same-name", ("O08",))
    table.does(act.GainItem(1, "O10"))


def test_u24_the_day_begins_when_a_night_card_was_resolved():
    table = Table(2)
    table.falls_night()
    assert table.judge(act.BeginDay(0, 1)) == ["must-night"]
    table.does(act.TurnNight(0, "N01"))
    table.does(act.BeginDay(0, 1))
    assert table.judge(act.TurnNight(0, "N02")) == ["turn"]


def test_u25_one_player_on_the_map_ignores_a_tribal_card_and_draws_again():
    table = Table(2)
    table.falls_night()
    assert table.judge(act.TurnNight(0, "N02")) == []
    table.suffers(2, {"hunger": 4})
    assert table.judge(act.TurnNight(0, "N02")) == ["tribal"]
    table.does(act.TurnNight(0, "N02"), anyway=True)  # it is discarded
    assert table.judge(act.BeginDay(0, 1)) == ["must-night"]
    table.does(act.TurnNight(0, "N01"))
    table.does(act.BeginDay(0, 1))


def test_u26_the_first_player_is_asked():
    table = Table(2)
    table.falls_night()
    table.does(act.TurnNight(0, "N01"))
    assert [(one.seat, one.do) for one in table.game.board.standing(table.state).owed] == [(0, "lead")]
    table.does(act.BeginDay(0, 2))
    assert table.state.first == 2


def test_u27_u28_what_monsters_do_is_told_with_the_night_card():
    table = Table(2)
    table.falls_night()
    assert table.told(act.TurnNight(0, "N01")) == ["night", "monsters"]


def test_u29_resources_change_dice_as_often_as_one_likes_within_their_faces():
    table = Table()
    table.owns(1, {"wood": 2, "stone": 1, "poison": 2, "find": 1})
    table.fights(grey=3, red=2)
    assert table.judge(act.ChangeDie(1, "wood")) == ["not-offered"]
    assert table.judge(act.ChangeDie(1, "wood", red=3)) == ["not-offered"]
    assert table.judge(act.ChangeDie(1, "meat", grey=3)) == ["not-offered"]
    table.does(act.ChangeDie(1, "wood", grey=9))
    table.does(act.ChangeDie(1, "wood", grey=11))
    table.does(act.ChangeDie(1, "stone", red=1))
    assert table.judge(act.ChangeDie(1, "stone", red=1)) == ["have"]
    for kind in ("poison", "poison", "find"):
        table.does(act.ChangeDie(1, kind))
    assert table.state.fight is not None
    assert (table.state.fight.grey, table.state.fight.red, table.tokens()) == (12, 1, {})


def test_u33_as_many_wounds_as_it_has_life():
    table = Table()
    for settled in ("flees.W", "beaten"):
        table.fights(grey=7, red=7)
        assert table.told(act.AcceptDice(1)) == ["accept", "hit", settled]
    assert table.state.wounds == {}


def test_u33_an_enemy_that_nobody_has_described_is_not_guessed():
    table = Table()
    table.fights("E20", grey=7, red=7)
    assert table.judge(act.AcceptDice(1)) == ["facts"]
    assert [one["card"] for one in table.game.board.view(table.state, 1)["untold"]] == ["E20"]
    table.does(act.TellFacts(1, "E20", 8, 8, 1))
    table.does(act.AcceptDice(1))


def test_u34_a_lethal_enemy_fights_on_until_it_is_beaten():
    table = Table(1)
    table.fights("E03", grey=8, red=1)
    for _ in range(2):
        assert table.told(act.AcceptDice(1)) == ["accept", "hit", "target"]
        table.does(act.RollDice(1, 8, 1))
    assert "beaten" in table.told(act.AcceptDice(1))
    assert table.state.fight is None


def test_u34_a_lethal_enemy_leaves_the_dead_alone():
    table = Table(2)
    table.suffers(1, {"hunger": 3})
    table.stands(2, "M01-2")
    table.fights("E03", grey=1, red=12)
    assert table.told(act.AcceptDice(1)) == ["accept", "missed", "skull", "dies", "token"]
    assert (table.state.fight, table.state.turn) == (None, 2)


def test_u35_a_flight_ends_the_fight_and_its_step_is_free():
    table = Table()
    table.fights(grey=1, red=12)
    assert table.told(act.FleeFight(1)) == ["flee", "flight"]
    table.does(table.travel(1, "M01-2"))
    assert (table.left(), table.state.damage[0], table.state.free) == (8, {}, False)
    table.does(table.travel(1, "M01-3"))
    assert table.left() == 7


def test_u35_from_a_lethal_enemy_only_the_target_shifts():
    table = Table(2)
    table.fights("E03", grey=1, red=12)
    assert table.told(act.FleeFight(1)) == ["flee", "target"]
    assert table.state.fight is not None
    assert (table.state.fight.fighter, table.state.fight.rolled) == (2, False)


def test_u36_support_comes_before_the_dice_from_near_and_not_from_oneself():
    table = Table()
    table.stands(2, "M01-4")
    table.fights()
    assert table.judge(act.SupportFight(2)) == ["far"]
    assert table.judge(act.SupportFight(1)) == ["not-offered"]
    table.does(act.SupportFight(3))
    assert table.judge(act.SupportFight(3)) == ["once"]
    table.does(act.RollDice(1, 3, 3))
    assert table.judge(act.SupportFight(4)) == ["not-offered"]


def test_u36_alone_there_is_no_support():
    table = Table(1)
    table.fights()
    assert [one.do for one in table.game.board.offers(table.state, AT) if one.do == "support"] == []


def test_a_fight_comes_before_all_else():
    table = Table()
    table.fights()
    for move in (act.EndActs(1), table.travel(1, "M01-2"), act.GatherToken(1, "wood"), act.BeginFight(1, "E02")):
        assert table.judge(move) == ["must-roll"]
    table.does(act.RollDice(1, 5, 5))
    assert table.judge(act.EndActs(1)) == ["must-accept"]
    assert table.judge(act.RollDice(1, 6, 6)) == ["not-offered"]
    assert table.judge(act.AcceptDice(2)) == ["turn"]
    table.does(act.TakeDamage(2, "skull"))


def test_what_a_fighter_owes_besides_waits_until_the_fight_is_over():
    """Else nothing at all would be lawful: he may lay nothing down in a fight, and fight with nothing laid down."""
    table = Table(2)
    table.owns(1, {"wood": 1})
    table.owns(2, {"stone": 10})
    table.does(act.GiveToken(1, "wood", 2))
    table.fights("E03", grey=1, red=1)  # lethal: it turns to Ben, who carries too much
    table.does(act.AcceptDice(1))
    assert table.judge(act.ThrowToken(2, "stone")) == ["must-roll"]
    table.does(act.RollDice(2, 12, 1))
    table.does(act.ChangeDie(2, "stone", red=2))
    table.does(act.FleeFight(2))
    table.sets(fight=None)
    table.owns(2, {"stone": 11})
    assert table.judge(act.LeaveMap(2)) == ["must-drop"]
    table = Table(2)
    table.sets(hunted=1, drinks=(1, 0))
    assert table.judge(act.DrinkDirty(1, "die", 9)) == ["must-fight"]
    table.does(act.BeginFight(1, "E01"))
    table.does(act.RollDice(1, 1, 1))
    table.does(act.AcceptDice(1))
    assert table.judge(act.GatherToken(1, "wood")) == ["must-drink"]


def test_u24_a_night_deck_that_is_through_brings_no_card():
    table = Table(2)
    table.falls_night()
    nights = tuple(card for card in table.game.table.cards.values() if card[0] == "N")
    table.sets(nights=nights[:-1])
    assert table.judge(act.BeginDay(0, 1)) == ["must-night"]
    table.sets(nights=nights)
    assert [one.do for one in table.game.board.standing(table.state).owed] == ["lead"]
    table.does(act.BeginDay(0, 1))


def test_what_an_object_is_called_may_be_told_and_is_not_asked():
    """It stands on the card: a name, and whether it belongs to a quest."""
    table = Table(2)
    table.does(act.GainItem(1, "O40"))
    assert table.game.board.view(table.state, 1)["untold"] == [{"card": "O40", "keys": ["name"]}]
    table.does(act.TellFacts(1, "O40", name="Axe", quest=True))
    view = table.game.board.view(table.state, 1)
    assert (view["asks"], view["untold"]) == ([], [])
    assert table.judge(act.DropCard(1, "O40")) == ["quest"]
    table.does(act.TellFacts(2, "O41", name="axe\u200b "))  # as another phone types it
    assert table.judge(act.GainItem(1, "O41")) == ["same-name"]
    table.does(act.TellFacts(2, "O42", name="Axes"))
    assert table.judge(act.GainItem(1, "O42")) == []


def test_at_the_end_nothing_is_said_of_the_night():
    table = Table(1)
    assert table.told(act.LeaveMap(1)) == ["wins.one", "leave"]


def test_u38_nobody_dies_before_the_fourth_damage_and_the_dead_do_nothing():
    table = Table()
    for kind in ("hunger", "thirst", "skull"):
        assert "dies" not in table.told(act.TakeDamage(2, kind))
    assert "dies" in table.told(act.TakeDamage(2, "disease"))
    for move in (act.TakeDamage(2, "skull"), act.LeaveMap(2), table.travel(2, "M01-2", 0)):
        assert table.judge(move) == ["dead"]
    assert table.judge(act.GiveToken(1, "food", 2)) == ["dead"]
    table.does(act.EndActs(1))
    assert table.state.turn == 3


def test_u39_a_point_for_each_thing_of_the_dead_on_his_space():
    table = Table()
    table.owns(2, {"wood": 1}, "O01")
    assert table.judge(act.LootDead(1, 2, kind="wood")) == ["not-offered"]
    table.suffers(2, {"hunger": 4})
    table.stands(2, "M01-2")
    assert table.judge(act.LootDead(1, 2, kind="wood")) == ["space"]
    table.stands(2, CAMP)
    assert table.judge(act.LootDead(1, 2, kind="stone")) == ["have"]
    assert table.judge(act.LootDead(1, 2, card="O02")) == ["not-there"]
    assert table.judge(act.LootDead(1, 2)) == ["not-offered"]
    table.does(act.LootDead(1, 2, card="O01"))
    table.does(act.LootDead(1, 2, kind="wood"))
    assert table.left() == 6


def test_u40_the_token_goes_to_the_left_of_the_dead_to_somebody_alive():
    table = Table(4, first=2)
    table.suffers(3, {"hunger": 4})
    table.suffers(2, {"hunger": 3})
    assert table.told(act.TakeDamage(2, "skull")) == ["hurt", "dies", "token"]
    assert (table.state.first, table.state.turn) == (4, 4)


def test_u41_each_winner_leaves_and_then_it_is_over():
    table = Table(3)
    table.does(act.LeaveMap(2))
    assert table.judge(table.travel(2, "M01-2", 0)) == ["left"]
    assert "F2" not in table.game.table.expected(table.state).cards
    table.suffers(3, {"hunger": 3})
    table.does(act.TakeDamage(3, "hunger"))
    assert not table.state.over
    assert table.told(act.LeaveMap(1))[0] == "wins.many"
    standing = table.game.board.standing(table.state)
    assert (standing.over, standing.winners) == (True, (1, 2))
    assert table.judge(act.EndActs(1)) == ["game-over"]
    with pytest.raises(ImpossibleMove):
        table.game.rules.apply(table.state, act.EndActs(1), AT)


def test_u41_the_scenario_may_end_for_all():
    table = Table(2)
    assert table.told(act.AgreeScenarioEnds(0)) == ["wins.nobody", "agree_end"]
    assert table.game.board.standing(table.state).winners == ()


def test_u42_each_seat_acts_until_its_end_of_turn_from_the_first_player_on():
    table = Table(3, first=2)
    assert table.judge(act.GatherToken(1, "wood")) == ["turn"]
    turns = []
    while not table.state.night:
        turns.append(table.state.turn)
        table.does(act.EndActs(table.state.turn))
    assert turns == [2, 3, 1]
    assert table.judge(act.GatherToken(2, "wood")) == ["turn"]


def test_u42_what_others_may_do_meanwhile():
    table = Table()
    table.owns(2, {"wood": 1, "dirty-water": 1}, "O01")
    for move in (act.ThrowToken(2, "wood"), act.DropCard(2, "O01"), act.TakeDamage(2, "thirst")):
        table.does(move)
    table.does(act.DrinkDirty(2, "die", 9))
    for move in (act.GainItem(2, kind="wood"), act.SetFire(2, CAMP, False), act.UseCard(2, None, 1)):
        assert table.judge(move) == ["turn"]


def test_u42_what_night_cards_do_is_lawful_for_all():
    table = Table()
    table.falls_night()
    for move in (act.GainItem(3, kind="wood"), act.ThrowToken(2, "food"), act.TakeDamage(4, "hunger")):
        table.does(move)
    table.does(table.travel(2, "M01-2", 0))
    assert table.judge(table.travel(2, "M01-3")) == ["turn"]
    table.does(act.BeginFight(2, "E01"))
    assert table.judge(act.TurnNight(0, "N01")) == ["must-roll"]


def test_the_end_of_a_turn_and_a_new_day_are_understood():
    table = Table(2)
    step = table.travel(2, "M01-2")
    assert table.game.rules.implied_moves(table.state, step, AT) == (act.EndActs(1), step)
    table.does(act.GatherToken(1, "paw"))
    assert table.game.rules.implied_moves(table.state, step, AT) == ()
    table = Table(2)
    table.falls_night()
    table.does(act.TurnNight(0, "N01"))
    first = act.GatherToken(1, "wood")
    assert table.game.rules.implied_moves(table.state, first, AT) == (act.BeginDay(0, 1), first)
    other = act.GatherToken(2, "wood")
    assert table.game.rules.implied_moves(table.state, other, AT) == ()


def test_people_count_dials_tokens_and_damage():
    table = Table(2)
    after = table.game.rules.correct(table.state, {"wood": (2, 0), "hunger": (0, 3), "stamina": (5, 1)}, AT)
    assert (after.resources[0]["wood"], after.damage[1], after.stamina) == (2, {"hunger": 3}, (5, 1))
    dead = table.game.rules.correct(table.state, {"skull": (4, 0)}, AT)
    assert (dead.turn, dead.first) == (2, 2)
    for counts in ({"wood": (1,)}, {"hunger": (5, 0)}):
        with pytest.raises(InputError):
            table.game.rules.correct(table.state, counts, AT)


def test_before_the_map_is_there_nothing_can_be_done():
    made = game(2)
    assert [one.rule for one in made.rules.judge(made.rules.start, act.GatherToken(1, "wood"), AT)] == ["deal"]
    with pytest.raises(ImpossibleMove):
        made.rules.apply(made.rules.start, act.GatherToken(1, "wood"), AT)
    wrong = act.SetOut(0, ("M01",), (), ("M01-1",))
    assert [one.rule for one in made.rules.judge(made.rules.start, wrong, AT)] == ["not-there"]
    with pytest.raises(ImpossibleMove):
        made.rules.apply(made.rules.start, wrong, AT)
    assert {one.name for one in fields(LandsSetup)} == {"deck", "players"}
