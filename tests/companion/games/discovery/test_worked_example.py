"""The rule book's own evening (F:208-234, rules.md 3.9, TV01)."""

from __future__ import annotations

import pytest
from support.discovery_match import Evening, game, middle

from companion.games.discovery.moves import EndTurn, Place
from companion.games.protocol import Objection

pytestmark = pytest.mark.core


def begun(profile="fr-explore", tree=("1-3",), **options):
    position = middle(tree=list(tree), pool=["1-2", "2-5", "2-6", "2-7", "2-8"], stack=20 + 54 - 41 - len(tree) + 1)
    position["hands"] = [5, 5, 54 - len(tree) - 5 - 10 - position["stack"]]
    return Evening(game(profile, position=position, options=options))


ACTS = (
    Place(1, "1-1", "hand"),
    Place(1, "1-2", "pool"),
    Place(1, "1-4", "hand"),
    Place(1, "2-1", "hand"),
    Place(1, "1-5", "hand"),
)


def test_tv01_au_total_vous_avez_gagne_14_points():
    evening = begun()
    stack = evening.standing.counters["stack"]
    for move in ACTS:
        evening.play(move)
    assert [step.points for step in evening.steps] == [1, 2, 3, 7, 1]
    assert evening.standing.counters["trumps"] == 0
    assert len(evening.state.position.tree) == 6
    evening.play(EndTurn(1))
    assert evening.standing.points == (14, 0, 0)
    assert evening.standing.counters["hands"][0] == 5
    assert evening.standing.counters["stack"] == stack - 5
    assert len(evening.state.position.pool) == 5
    assert evening.standing.turn == 2


def test_tv01_the_same_acts_are_worth_8_in_en_explore():
    evening = begun("en-explore")
    evening.play(*ACTS)
    assert evening.standing.points[0] == 8


def test_tv01_and_14_with_series_plus():
    evening = begun("en-explore", series_plus=True)
    evening.play(*ACTS)
    assert evening.standing.points[0] == 14


def test_tv01_mais_vous_ne_pouvez_pas_faire_les_deux():
    evening = begun()
    evening.play(*ACTS[:2])
    assert evening.judge(Place(1, "1-5", "hand")) == (Objection("link", ("1-2",)),)
    evening = begun()
    evening.play(ACTS[0], ACTS[4])
    assert evening.judge(ACTS[1]) == (Objection("link", ("1-5",)),)


def test_tv01_seulement_apres_avoir_verifie_que_charognage_a_egalement_deja_ete_place():
    evening = begun(tree=())
    evening.play(*ACTS[:3])
    assert evening.judge(ACTS[3]) == (Objection("prerequisites", ("1-3",)),)
