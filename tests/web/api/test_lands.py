"""A match of Lands Unknown said over HTTP: what each seat may say, what is asked, what everybody sees."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.spoken_table import SpokenTable

from companion.games.lands.module import LANDS
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.codec import encode_move
from web.games.lands.report import report

MATCH = {"game": "lands", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
DEAL = {"do": "deal", "by": 0, "tiles": ["M01", "M02"], "joins": [["M02-4", "M01-2"]], "stands": ["M01-1", "M01-1"]}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    made.opens(MATCH)
    yield made
    made.close()


def begins(table: SpokenTable) -> None:
    table.say(DEAL)
    for seat, project in ((1, "P01"), (1, "P02"), (2, "P03"), (2, "P04")):
        table.say({"do": "gain", "by": seat, "card": project})
    table.say({"do": "lead", "by": 0, "seat": 1})


def offers(table: SpokenTable, seat: int | None) -> list[dict[str, Any]]:
    head = {"Authorization": f"Bearer {table.codes[seat]}"}
    return table.client.get("/api/v1/seat", headers=head).json["offers"]


def moves(offer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [{"do": offer["do"], "by": offer["by"]}]
    for key, values in offer["choices"].items():
        found = [{**move, key: value} for move in found for value in values]
    return found


def test_each_seat_says_its_own_acts_and_the_host_says_all(table: SpokenTable) -> None:
    """ "One tap and only what is possible, a seat for itself, the host for all"."""
    begins(table)
    assert {one["by"] for one in offers(table, 2) if one["do"] in ("gather", "rest", "end_turn")} == set()
    assert {one["by"] for one in offers(table, 1) if one["do"] == "gather"} == {1}
    assert {one["by"] for one in offers(table, None)} == {0, 1, 2}
    refused = table.post("moves", 2, move={"do": "gather", "by": 1, "kind": "wood"}, after=table.standing()["number"])
    assert refused.status_code == 403
    said = table.say({"do": "gather", "by": 1, "kind": "wood"}, who=1)
    assert said["standing"]["items"] == [3, 2]


def test_everything_offered_to_a_seat_is_taken(table: SpokenTable) -> None:
    begins(table)
    for offer in offers(table, 1):
        if offer["by"] != 1:
            continue
        for move in (moves(offer)[0], moves(offer)[-1]):
            entry = table.say(move, who=1)
            assert entry["event"] == "played", entry
            undone = table.post("corrections", None, do="undo", number=entry["number"], after=entry["number"])
            assert undone.status_code == 200, undone.json


def test_what_is_on_an_enemy_that_nobody_described_is_asked_and_told_by_whoever_fights(table: SpokenTable) -> None:
    """ "Missing facts are asked when first needed, never guessed"."""
    begins(table)
    table.say({"do": "fight", "by": 1, "card": "E09"})
    assert table.standing()["public"]["asks"] == [{"card": "E09", "keys": ["defence", "attack", "life"]}]
    table.say({"do": "roll", "by": 1, "grey": 7, "red": 4}, who=1)
    assert table.say({"do": "accept", "by": 1}, who=1)["objections"][0]["rule"] == "facts"
    told = {"do": "tell", "by": 1, "card": "E09", "defence": 7, "attack": 9, "life": 2}
    assert table.say(told, who=1)["event"] == "played"
    assert table.standing()["public"]["asks"] == []
    assert table.standing()["public"]["fight"]["now"] == {"hit": True, "hurt": False, "dead": False}
    settled = table.say({"do": "accept", "by": 1}, who=1)["settled"]
    assert (settled["hit"], settled["hurt"], settled["dead"]) == (True, False, False)


def test_a_die_that_shows_thirteen_is_one_sentence_and_nothing_is_written(table: SpokenTable) -> None:
    begins(table)
    table.say({"do": "fight", "by": 1, "card": "E01"})
    number = table.standing()["number"]
    answer = table.post("moves", 1, move={"do": "roll", "by": 1, "grey": 13, "red": 0}, after=number)
    assert answer.status_code == 422
    assert answer.json["detail"].count(".") <= 1
    assert table.standing()["number"] == number


def test_the_host_counts_stamina_again(table: SpokenTable) -> None:
    begins(table)
    number = table.standing()["number"]
    assert table.post("corrections", None, do="counts", stamina=[4, 9], after=number).status_code == 200
    assert table.standing()["standing"]["stamina"] == [4, 9]


@pytest.mark.slow
def test_a_match_is_played_to_its_end_and_its_report_has_every_tile(table: SpokenTable) -> None:
    game = open_match(MATCH, demo_deck(LANDS)).game
    dice, state, number = Random(3), game.start(), 1
    while not state.over:
        at = MoveContext(number)
        move = next(one for one in LANDS.random_player(game)(state, dice, at) if not game.judge(state, one, at))
        said = table.say(json.loads(json.dumps(encode_move(move))))
        assert said["event"] in ("dealt", "played"), said
        state, number = game.apply(state, move, at).state, number + 1
    assert table.standing()["standing"]["winners"] == sorted(state.left)
    match_id, host = table.standing()["match"], {"Authorization": f"Bearer {table.codes[None]}"}
    record = table.client.get(f"/api/v1/matches/{match_id}/record", headers=host).get_data(as_text=True)
    found, _ = report(record.splitlines())
    assert list(found.places) == list(state.tiles)
    page = table.client.get(f"/matches/{match_id}", headers=host)
    assert page.status_code == 200
