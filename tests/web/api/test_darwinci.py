"""A match of Darwinci said over HTTP: who buys, who wins what, what everybody is told, what may be said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.spoken_table import SpokenTable

from companion.games.darwinci.module import DARWINCI
from companion.games.darwinci.pages.report import report
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.codec import encode_move

MATCH = {"game": "darwinci", "seat": [{"name": name} for name in ("Ana", "Ben", "Cl\u00e9o")]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    made.opens(MATCH)
    yield made
    made.close()


def plays(table: SpokenTable, until: Any, seed: int = 5) -> Any:
    """Lawful moves, said by the host, until that holds."""
    game = open_match(MATCH, demo_deck(DARWINCI)).game
    dice, state, player, number = Random(seed), game.rules.start, DARWINCI.demonstration.random_player(game), 1
    while not until(state):
        at = MoveContext(number)
        move = next(one for one in player(state, dice, at) if not game.rules.judge(state, one, at))
        said = table.say(dict(encode_move(move)))
        assert said["event"] in ("dealt", "played"), said
        state, number = game.rules.apply(state, move, at).state, number + 1
    return state


def test_what_is_said_against_a_stone_leads_to_its_rule(table: SpokenTable) -> None:
    """\"every objection's "Why?" leading there\"."""
    state = plays(table, lambda state: state.bidding == 1)
    other = state.turn % 3 + 1
    stone = next(card for card, zone in sorted(state.stones.items()) if zone == f"reserve-{other}")
    assert table.say({"do": "bid", "by": other, "card": stone, "to": 1})["objections"] == [{"rule": "turn"}]
    assert table.standing()["why"] == [{"rule": "turn", "section": ""}]


def test_everybody_sees_what_each_seat_must_and_may_still_lay(table: SpokenTable) -> None:
    """\"In the first turn: two foreign stones … and one of one's own\"."""
    state = plays(table, lambda state: state.bidding == 1)
    public = table.standing()["public"]
    assert [(one["must"], one["may"], one["done"]) for one in public["bids"]] == [(2, 3, False)] * 3
    stone = next(card for card, zone in sorted(state.stones.items()) if zone == f"reserve-{state.turn}")
    table.say({"do": "bid", "by": state.turn, "card": stone, "to": 1})
    now = next(one for one in table.standing()["public"]["bids"] if one["seat"] == state.turn)
    assert now["must"] + now["may"] in (3, 4)


@pytest.mark.slow
def test_a_match_is_played_to_its_end_and_its_report_has_every_tile(table: SpokenTable) -> None:
    state = plays(table, lambda state: state.over)
    assert table.standing()["standing"]["winners"] == list(state.winners)
    match_id, host = table.standing()["match"], {"Authorization": f"Bearer {table.codes[None]}"}
    record = table.client.get(f"/api/v1/matches/{match_id}/record", headers=host).get_data(as_text=True)
    found, _ = report(record.splitlines())
    assert set(found.places) == {card for plot in state.plots for card in plot}
    assert sum(bool(place.get("dealt")) for place in found.places.values()) == 6
    assert len(found.placed) == len(found.places) - 6
    seat = {"Authorization": f"Bearer {table.codes[2]}"}
    assert table.client.get(f"/api/v1/matches/{match_id}/record", headers=seat).get_data(as_text=True) == record
    page = table.client.get(f"/matches/{match_id}", headers=host)
    assert page.status_code == 200
    assert re.search('<p class="what">[^<]*Darwinci', page.get_data(as_text=True))


def test_whoever_owes_money_is_counted_again_with_his_debt_and_the_record_keeps_it(table: SpokenTable) -> None:
    """Debt is allowed and said; 3 Darwin cannot be paid out of it."""
    plays(table, lambda state: state.round == 1)
    for counted in ([20, -7, 0], [120, -7, 0]):
        answer = table.post("corrections", None, do="counts", darwin=counted, after=table.standing()["number"])
        assert answer.status_code == 200, answer.json
        assert table.standing()["standing"]["darwin"] == counted
    wrong = table.post("corrections", None, do="counts", darwin=[1000, 0, 0], after=table.standing()["number"])
    assert (wrong.status_code, "from −999 to 999" in wrong.json["detail"]) == (422, True)
    match_id, host = table.standing()["match"], {"Authorization": f"Bearer {table.codes[None]}"}
    record = table.client.get(f"/api/v1/matches/{match_id}/record", headers=host).get_data(as_text=True)
    assert json.loads(record.splitlines()[-1])["darwin"] == [120, -7, 0]
    assert table.client.post("/api/v1/records", json={"record": record}, headers=host).status_code in (200, 201)


def test_a_seat_buys_on_its_phone_and_counts_a_jewel(table: SpokenTable) -> None:
    plays(table, lambda state: state.dealt)
    before = table.standing()["standing"]["darwin"]
    table.say({"do": "buy", "by": 2}, 2)
    table.say({"do": "income", "by": 3, "jewel": "green", "amount": 4}, 3)
    assert table.standing()["standing"]["darwin"] == [before[0], before[1] - 3, before[2] + 4]


def test_the_list_of_matches_says_which_game_it_was(table: SpokenTable) -> None:
    plays(table, lambda state: state.dealt)
    (stored,) = table.client.get("/api/v1/matches").json["matches"]
    assert (stored["game"], stored["profile"]) == ("darwinci", "base")
