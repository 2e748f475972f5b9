"""What people do with figures, tiles and cards of Lands Unknown, filmed: each thing is understood once, and no more.

What needs no camera to be tried is in ``tests/companion/games/lands/test_at_the_table.py``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.island_film import SETTLED_S, SLEEVE, IslandFilm

from companion.games.lands import moves as act
from companion.public.table import CardId, Token
from companion.public.updates import Signal

pytestmark = pytest.mark.slow
LONG = pytest.mark.long


def test_a_figure_that_hops_over_three_spaces_travels_once_and_one_that_is_set_back_not_at_all() -> None:
    film = IslandFilm()
    film.lays("F1", "on M01-1")
    assert film.story == []
    film.hops("F1", "M01-2", "M02-4", "M02-3")
    assert film.story == ["travel 1 F1 on M02-3"]
    assert film.match.public.stamina[0] == 10 - 4  # the last space is a hard one
    assert film.alarms == []


@LONG
def test_a_figure_on_a_seam_is_asked_about_and_travels_when_it_is_pushed_to_one_side() -> None:
    """ "A second space within 1.25 times the nearest's distance of the foot: ask"."""
    film = IslandFilm()
    one, other = (film.game.setup.deck.spaces[space].at for space in ("M01-3", "M01-4"))
    film.puts(film.foot_at("F1", "M01", ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)))
    assert film.alarms == [Signal.ASKS]
    film.lays("F1", "on M01-4")
    film.rest(1.0)
    assert [line for line in film.story if line.startswith("travel")] == ["travel 1 F1 on M01-4"]
    assert film.alarms == [Signal.ASKS]


@LONG
def test_the_map_shoved_with_all_that_stands_on_it_and_a_tile_turned_by_a_sleeve_mean_nothing() -> None:
    film = IslandFilm()
    for things, by_mm in ((["F1"], (5, 4)), (["M01", "M02", "F1", "F2"], (14, -9))):
        film.shoves(things, by_mm, SLEEVE)
        film.rest(1.0)
    film.nudges("M02", turn_deg=12)
    assert (film.story, film.alarms) == ([], [])
    film.lays("F1", "on M02-2")
    assert film.story == ["travel 1 F1 on M02-2"]


@LONG
def test_of_two_night_cards_at_once_each_is_told_though_one_lies_half_upon_the_other() -> None:
    film = IslandFilm()
    film.says(act.EndActs(1), act.EndActs(2))
    one = film.at("N01", "night")
    film.puts(one, replace(one, token=Token("N03"), y_mm=one.y_mm - 28, z_mm=1.0))
    assert film.story[2:] == ["night 0 N01", "night 0 N03"]
    assert film.alarms == []


@LONG
def test_an_enemy_card_that_is_covered_still_fights() -> None:
    film = IslandFilm()
    film.lays("E01", "fight")
    assert film.story == ["fight 1 E01"]
    card = film.pieces[Token("E01")]
    film.puts(replace(card, token=Token("O12"), x_mm=card.x_mm + 3, y_mm=card.y_mm + 2, z_mm=1.0))
    film.says(act.RollDice(1, 7, 4), act.AcceptDice(1))
    assert film.story == ["fight 1 E01", "roll 1", "accept 1"]
    assert film.alarms == []


@LONG
def test_a_tile_that_nobody_has_described_is_gone_to_told_and_from_then_on_known() -> None:
    """ "A sticker is pasted when its … tile is first turned up, and the phone then asks its facts"."""
    film = IslandFilm(blank=("M03",))
    film.lays("M03", "new M03-3=M01-1")
    film.puts(film.foot_at("F1", "M03", (30.0, 25.0)))
    assert film.story == ["scout 1 M03", "travel 1 F1 on M03"]
    spaces = ((-8, -22), (30, -22), (30, 25), (-22, 25))
    ways = ((1, 2), (1, 4), (2, 3), (3, 4))
    film.says(act.TellFacts(1, CardId("M03"), spaces=spaces, ways=ways, exits=((1, 0, -50), (3, 0, 50))))
    film.rest(SETTLED_S)
    assert film.story[2:] == ["tell 1 M03", "join 0 M03", "place 0 F1 on M03-3"]
    assert film.match.public.ways["M03-3"] == ("M01-1", "M03-2", "M03-4")
    film.puts(film.foot_at("F1", "M03", (-8.0, -22.0)))
    assert film.story[5:] == ["travel 1 F1 on M03-1"]
    assert film.match.public.stamina[0] == 10 - 1 - 1 - 2
    assert film.alarms == []
