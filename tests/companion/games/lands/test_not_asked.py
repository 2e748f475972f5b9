"""What lies before people is not asked; who tells it is held to it; and old evenings are read as they were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support.lands_match import CAMP, NAMES, Table, demo_deck

from companion.app.rejudge import differences
from companion.errors import ImpossibleMove
from companion.games.lands import moves as act
from companion.games.lands.module import LANDS
from companion.games.protocol import Game
from companion.history.codec import decode_entry, encode_line
from companion.history.record import Record, replay
from companion.storage.record_file import RecordFile

pytestmark = pytest.mark.core
EVENINGS = Path(__file__).parent / "evenings"
"""Four seeded evenings of one to four seats, as they were recorded while every token and die was still asked for."""
ASKED = {"lead", "end_turn", "leave", "agree_end", "travel", "deal", "tell"}
"""Of what a phone said then, what it still says now."""


def lines(seats: int) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EVENINGS / f"{seats}.jsonl").read_text(encoding="utf-8").splitlines()]


def evening(seats: int) -> tuple[Game[Any, Any], Record[Any]]:
    match = dict(LANDS.demonstration.match) if seats == 2 else {"seat": [{"name": name} for name in NAMES[:seats]]}
    game = LANDS.open_match(match, demo_deck())
    return game, replay(game, [decode_entry(game, line, number) for number, line in enumerate(lines(seats), 1)])


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_an_old_evening_is_read_and_played_again_line_by_line(seats: int) -> None:
    _, record = evening(seats)
    for line, written in zip(record.lines, lines(seats), strict=True):
        now = encode_line(line)
        assert {key: now.get(key) for key in ("event", "move", "objections", "settled", "standing")} == {
            key: written.get(key) for key in ("event", "move", "objections", "settled", "standing")
        }
    assert record.standing.over


@pytest.mark.parametrize(("seats", "before", "now"), [(1, 29, 3), (2, 28, 4), (3, 52, 4), (4, 49, 6)])
def test_few_touches_of_an_old_evening_are_left(seats: int, before: int, now: int) -> None:
    """The same evenings, act by act: which of them somebody would still have to say."""
    said = [line["move"]["do"] for line in lines(seats) if (line["event"], line["origin"]) == ("played", "phone")]
    left = sum(do in ASKED for do in said)
    assert (len(said), left) == (before, now)
    print(f"{seats} seats: {before} touches then, {left} now")


def test_nobody_is_offered_what_lies_before_people() -> None:
    table = Table(2)
    table.does(act.BeginFight(1, "E01"))
    assert {one.do for one in table.game.board.offers(table.state, table.at)} == {
        "end_turn",
        "travel",
        "leave",
        "agree_end",
    }
    assert act.is_told(act.GainItem(1, kind="wood"))
    assert not {kind.do for kind in act.NOT_ASKED} & {"travel", "fight", "craft", "count"}


def test_u17_what_somebody_pays_is_said_and_not_judged_where_nobody_tells_tokens() -> None:
    table = Table()
    assert table.tokens() == {"food": 1, "water": 1}
    assert table.told(act.CraftObject(1, "O01")) == ["craft", "pays", "new_project"]
    table = Table()
    table.does(act.GatherToken(1, "wood"))
    assert table.judge(act.CraftObject(1, "O01")) == ["have"]


def test_u35_a_fight_is_over_with_the_next_act_and_a_step_of_the_fighter_is_a_flight() -> None:
    table = Table()
    table.does(act.BeginFight(1, "E01"))
    table.does(table.travel(1, "M01-2"))
    assert (table.left(), table.state.fight, table.state.free) == (8, None, False)
    table.does(act.PutAway(0, "E01"))
    table.does(table.travel(1, "M01-3"))
    assert table.left() == 7
    table.does(act.BeginFight(1, "E01"))
    table.does(act.PutAway(0, "E01"))  # lifted before anything else was done
    assert (table.state.fight, table.state.laid) == (None, {})
    table.does(act.BeginFight(1, "E03"))  # lethal: nobody flees from it
    table.does(table.travel(1, "M01-4"))
    assert table.left() == 6
    table.does(act.BeginFight(1, "E02"))
    table.does(act.EndActs(1))
    assert table.state.fight is None


def test_a_fight_whose_dice_are_told_is_settled_first() -> None:
    table = Table()
    table.does(act.BeginFight(1, "E01"))
    table.does(act.RollDice(1, 7, 7))
    assert table.judge(act.EndActs(1)) == ["must-accept"]
    assert table.judge(act.PutAway(0, "E01")) == ["not-there"]
    with pytest.raises(ImpossibleMove):
        table.does(act.PutAway(0, "E01"), anyway=True)


def test_u36_who_is_near_enough_to_support_is_shown() -> None:
    table = Table()
    table.stands(2, "M01-3")
    table.stands(3, "M01-4")
    table.does(act.BeginFight(1, "E01"))
    assert table.game.board.view(table.state, 1)["fight"]["near"] == [2, 4]
    assert len(table.game.board.view(table.state, 1)["fight"]["compass"]) == 12


def test_a_player_may_count_what_lies_before_him_and_sees_it_again() -> None:
    table = Table(2)
    assert not table.game.board.view(table.state, 1)["sheets"][0]["counted"]
    assert table.told(act.CountThings(1, "wood", 3)) == ["count"]
    table.does(act.CountThings(2, "stamina", 4))  # whoever is at turn
    table.does(act.CountThings(1, "hunger", 1))
    sheet = table.game.board.view(table.state, 2)["sheets"][0]
    assert (sheet["counted"], sheet["resources"]["wood"], sheet["damage"]["hunger"]) == (True, 3, 1)
    assert table.left(2) == 4
    for wrong in (("wood", -1), ("wood", 100), ("stamina", 13), ("skull", 4), ("gold", 1)):
        assert table.judge(act.CountThings(1, *wrong)) == ["not-offered"]
    assert Table(begun=False).judge(act.CountThings(1, "wood", 2)) == []


def test_u38_a_figure_dies_with_one_touch() -> None:
    table = Table(2)
    table.does(act.CountThings(1, "hunger", 1))
    assert table.told(act.CountThings(1, "skull", 3)) == ["count", "dies", "token"]
    assert table.judge(act.CountThings(1, "wood", 1)) == ["dead"]
    assert table.state.turn == 2


def test_u11_nobody_is_held_to_ten_things_of_which_only_the_objects_are_seen() -> None:
    table = Table(1)
    table.does(act.CountThings(1, "wood", 12))
    table.does(act.EndActs(1))
    table = Table(1)
    table.owns(1, {}, *(f"O{number}" for number in range(20, 31)))
    table.sets(told=False)
    assert table.judge(act.EndActs(1)) == ["must-drop"]


def test_an_old_match_that_owes_something_is_freed_by_a_count() -> None:
    """It was cut off in a fight, with dirty water to be drunk; nobody is offered the dice any more."""
    table = Table(2)
    table.owns(1, {"dirty-water": 1})
    table.suffers(1, {"thirst": 1})
    table.does(act.RestFrom(1, "thirst", water="dirty"))
    table.does(act.BeginFight(1, "E01"), anyway=True)
    table.does(act.RollDice(1, 7, 7))
    table.does(act.CountThings(1, "water", 0))
    table.does(table.travel(1, "M01-2"))
    assert table.state.fight is None
    assert table.game.board.standing(table.state).owed == ()
    assert table.state.stands == ("M01-2", CAMP)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_an_old_evening_that_is_judged_anew_is_judged_as_it_was(seats: int) -> None:
    game, _ = evening(seats)
    file = RecordFile(EVENINGS / f"{seats}.jsonl", {}, tuple(enumerate(lines(seats), 1)), torn=False)
    assert list(differences(game, file)) == []
