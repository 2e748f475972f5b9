"""A match of Carcassonne said over HTTP, without a camera: the standing is what the second judge says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from reference.carcassonne.judge import Umpire
from support.spoken_table import MODULE, SpokenTable

from companion.cli.main import main
from companion.games.protocol import MoveContext
from companion.history.codec import encode_move


@pytest.fixture
def table(tmp_path: Path) -> Iterator[SpokenTable]:
    made = SpokenTable(tmp_path)
    yield made
    made.close()


def agrees(table: SpokenTable, umpire: Umpire) -> None:
    now = table.standing()["standing"]
    assert now["points"] == umpire.points[1:]
    assert now["supply"] == umpire.supply()
    assert (now["tiles"], now["over"], now["winners"]) == (umpire.left(), umpire.over, umpire.winners())


def thought_of(table: SpokenTable, dice: Random) -> Iterator[dict[str, Any]]:
    """What somebody who plays at random thinks of doing now, lawful or not."""
    match = table.runner.match
    assert match is not None
    return map(encode_move, MODULE.demonstration.random_player(match.game)(match.public, dice, MoveContext(0)))


def after_turn(umpire: Umpire) -> Umpire:
    """As it will be when the turn is over."""
    later = deepcopy(umpire)
    later.play({"do": "end_turn", "by": umpire.turn})
    return later


def plays(table: SpokenTable, umpire: Umpire, dice: Random, *, until_left: int = -1) -> None:
    """Plays on at random until so few tiles are left, or until the end."""
    while not umpire.over and umpire.left() > until_left:
        for move in thought_of(table, dice):
            who = move["by"] if move["by"] and dice.random() < 0.5 else None
            if umpire.new and move["do"] in ("place", "discard") and not after_turn(umpire).judge(move):
                umpire.play({"do": "end_turn", "by": umpire.turn})  # nobody had to say it
            entry = table.say(move, who)
            against = [(one["rule"], tuple(one.get("cards", ()))) for one in entry.get("objections", ())]
            assert sorted(against) == sorted(umpire.judge(move)), move
            if against:
                assert entry["event"] == "refused"
                continue
            assert entry.get("points", 0) == umpire.play(move)
            agrees(table, umpire)
            break


def test_a_match_is_said_from_the_start_tile_to_its_winners(
    table: SpokenTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every act by its seat's phone or the host's; the record judges the same anew."""
    umpire = table.begin(3, 16, first=2)
    plays(table, umpire, Random(3))
    assert umpire.over
    match_id = table.standing()["match"]
    answer = table.client.get(
        f"/api/v1/matches/{match_id}/record", headers={"Authorization": f"Bearer {table.codes[None]}"}
    )
    assert answer.status_code == 200, answer.json
    record = answer.get_data(as_text=True)
    acts = {json.loads(line)["move"]["do"] for line in record.splitlines()[1:] if "move" in line}
    assert acts >= {"start", "place", "deploy", "score", "end_turn"}
    file = tmp_path / "record.jsonl"
    file.write_text(record, encoding="utf-8")
    assert main(["judge", str(file), "--json"]) == 0
    again = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [json.loads(line) for line in record.splitlines()[1:]]
    assert [(one["event"], one.get("points", 0), one["standing"]) for one in again] == [
        (one["event"], one.get("points", 0), one["standing"]) for one in told
    ]


def test_a_seat_takes_back_the_tile_that_it_placed_and_no_other_seat_does(table: SpokenTable) -> None:
    umpire, start = table.begin(2, 12), {"do": "start", "by": 0, "card": "T01"}
    table.say(start)
    umpire.play(start)
    before = table.standing()["public"]
    place = next(one for one in thought_of(table, Random(1)) if one["do"] == "place" and not umpire.judge(one))
    number = table.say(place, 1)["number"]
    undo = {"do": "undo", "number": number, "after": number}
    assert table.post("corrections", 2, **undo).status_code == 403
    assert table.post("corrections", 1, **undo).status_code == 200
    assert table.standing()["public"] == before


def test_a_seat_speaks_for_itself_alone(table: SpokenTable) -> None:
    table.begin(2, 12)
    table.say({"do": "start", "by": 0, "card": "T01"})
    for move in ({"do": "place", "by": 1, "card": "T02", "x": 0, "y": -1, "turn": 2}, {"do": "agree_end", "by": 0}):
        assert table.post("moves", 2, move=move, after=1).status_code == 403


def test_what_is_no_move_is_said_with_its_place(table: SpokenTable) -> None:
    table.begin(2, 12)
    table.say({"do": "start", "by": 0, "card": "T01"})
    wrong: list[dict[str, Any]] = [
        {"do": "place", "by": 1, "card": "T02", "x": "0", "y": 1, "turn": 0},
        {"do": "place", "by": 1, "card": "T02", "x": 0, "y": 1},
        {"do": "stop", "by": 1},
        {"do": "score", "by": 1, "card": 11},
    ]
    for move in wrong:
        answer = table.post("moves", None, move=move, after=1)
        assert answer.status_code == 422, move
        assert answer.json["detail"].startswith("move."), answer.json


def test_tiles_are_missing_from_the_box_and_all_agree_to_end(table: SpokenTable) -> None:
    """C23: "considered incomplete"."""
    umpire = table.begin(3, 20)
    plays(table, umpire, Random(8), until_left=6)
    move = {"do": "agree_end", "by": 0}
    assert umpire.judge(move) == []
    table.say(move)
    umpire.play(move)
    assert umpire.over
    agrees(table, umpire)
    assert table.say({"do": "end_turn", "by": 1})["objections"] == [{"rule": "game-over"}]


def test_a_minute_after_the_last_tile_the_match_is_over_by_itself(table: SpokenTable) -> None:
    """Origin ``clock``; the closing entry brings the final scoring."""
    umpire = table.begin(2, 12)
    plays(table, umpire, Random(4), until_left=0)
    assert not table.standing()["standing"]["over"]
    assert table.standing()["standing"]["tiles"] == 0
    table.wait(59.0)
    assert not table.standing()["standing"]["over"]
    table.wait(1.5)
    now = table.standing()
    assert now["standing"]["over"]
    assert (now["entry"]["move"], now["entry"]["origin"]) == ({"do": "end_turn", "by": umpire.turn}, "clock")
    umpire.play(now["entry"]["move"])
    agrees(table, umpire)


def test_the_running_match_says_how_its_tiles_are_drawn(table: SpokenTable) -> None:
    table.begin(2, 12)
    match = table.client.get("/api/v1/match").json["match"]
    assert (match["game"], match["profile"]) == ("carcassonne", "base")
    assert [thing["id"] for thing in match["things"]][:1] == ["T01"]
    assert {"terrain", "edges", "spot", "area"} == set(match["things"][0]["segments"][0])


def test_the_next_match_begins_with_the_next_seat(table: SpokenTable) -> None:
    umpire = table.begin(3, 12, first=3)
    table.say({"do": "start", "by": 0, "card": "T01"})
    umpire.play({"do": "start", "by": 0, "card": "T01"})
    assert table.standing()["standing"]["turn"] == 3
    table.say({"do": "agree_end", "by": 0})
    assert table.post("rematch", None).status_code == 200
    table.say({"do": "start", "by": 0, "card": "T01"})
    assert table.standing()["standing"]["turn"] == 1
