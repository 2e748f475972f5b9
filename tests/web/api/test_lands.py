"""A match of Lands Unknown said over HTTP: what each seat may say, what is asked, what everybody sees."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.spoken_table import HOST, SpokenTable

from companion.games.lands.deck import LISTS
from companion.games.lands.module import LANDS
from companion.games.lands.pages.report import report
from companion.games.protocol import MoveContext
from companion.games.registry import demo_deck, open_match
from companion.history.codec import encode_move
from companion.public.service import Done
from companion.service.archive import with_earlier_facts
from companion.storage.event_log import LOG_FILE

MATCH = {"game": "lands", "seat": [{"name": "Ana"}, {"name": "Ben"}]}
BOX = {**MATCH, "deck": "lands-box.toml"}
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


@contextmanager
def restarted(table: SpokenTable, folder: Path) -> Iterator[SpokenTable]:
    """The same table in another process, as it were: it has the disk, and goes on with the match."""
    before = table.standing()["public"]
    table.close()
    again = SpokenTable(folder)
    again.codes = table.codes
    try:
        assert again.runner.ask(again.runner.resume)
        assert again.standing()["public"] == before
        yield again
    finally:
        again.close()


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
    assert {one["by"] for one in offers(table, 2) if one["do"] == "end_turn"} == set()
    assert {one["by"] for one in offers(table, 1) if one["do"] == "end_turn"} == {1}
    assert {one["by"] for one in offers(table, None)} == {0, 1, 2}
    refused = table.post("moves", 2, move={"do": "gather", "by": 1, "kind": "wood"}, after=table.standing()["number"])
    assert refused.status_code == 403
    said = table.say({"do": "gather", "by": 1, "kind": "wood"}, who=1)
    assert said["standing"]["items"] == [3, 2]


def test_a_seat_counts_what_lies_before_it_and_the_host_counts_for_all(table: SpokenTable) -> None:
    begins(table)
    count = {"do": "count", "by": 2, "kind": "wood", "n": 3}
    assert table.post("moves", 1, move=count, after=table.standing()["number"]).status_code == 403
    for who, kind in ((2, "wood"), (None, "stone")):
        assert table.say({**count, "kind": kind}, who=who)["event"] == "played"
    sheet = table.standing()["public"]["sheets"][1]
    assert (sheet["counted"], sheet["resources"]["wood"], sheet["resources"]["stone"]) == (True, 3, 3)


def test_what_is_on_an_enemy_that_nobody_described_may_be_told_and_a_program_that_tells_dice_is_held_to_them(
    table: SpokenTable,
) -> None:
    """ "Missing facts are asked when first needed, never guessed": they are printed on the card that lies there."""
    begins(table)
    table.say({"do": "fight", "by": 1, "card": "E09"})
    public = table.standing()["public"]
    assert (public["asks"], public["untold"]) == ([], [{"card": "E09", "keys": ["defence", "attack", "life"]}])
    table.say({"do": "roll", "by": 1, "grey": 7, "red": 4}, who=1)
    assert table.say({"do": "accept", "by": 1}, who=1)["objections"][0]["rule"] == "facts"
    told = {"do": "tell", "by": 1, "card": "E09", "defence": 7, "attack": 9, "life": 2}
    assert table.say(told, who=1)["event"] == "played"
    assert table.standing()["public"]["untold"] == []
    assert table.standing()["public"]["fight"]["now"] == {"hit": True, "hurt": False, "dead": False}
    settled = table.say({"do": "accept", "by": 1}, who=1)["settled"]
    assert (settled["hit"], settled["hurt"], settled["dead"]) == (True, False, False)


def test_a_match_that_was_cut_off_in_a_fight_goes_on_in_it(tmp_path: Path) -> None:
    """The disk has all that was said: another process opens it and plays on."""
    table = SpokenTable(tmp_path)
    table.opens(MATCH)
    begins(table)
    table.say({"do": "fight", "by": 1, "card": "E01"})
    table.say({"do": "roll", "by": 1, "grey": 7, "red": 4}, who=1)
    with restarted(table, tmp_path) as again:
        settled = again.say({"do": "accept", "by": 1})["settled"]
        assert (settled["hit"], settled["fled"]) == (True, 4)


@pytest.mark.parametrize(
    "move",
    [
        {"do": "cook", "by": 1, "count": True},
        {"do": "cook", "by": 1, "count": "3"},
        {"do": "cook", "by": 1},
        {"do": "roll", "by": 1, "grey": 7},
        {"do": "roll", "by": 1, "grey": 7.5, "red": 3},
        {"do": "roll", "by": 1, "grey": 13, "red": 0},
        {"do": "travel", "by": 1, "card": "F1"},
        {"do": "dance", "by": 1},
        {"do": "hurt", "by": 1, "kind": None},
    ],
)
def test_what_is_no_move_is_told_and_nothing_is_written(table: SpokenTable, move: dict[str, Any]) -> None:
    begins(table)
    number = table.standing()["number"]
    answer = table.post("moves", 1, move=move, after=number)
    assert (answer.status_code, table.standing()["number"]) == (422, number), answer.json


TILE = {"do": "tell", "by": 1, "card": "M20", "spaces": [[-20, 10], [25, 10]], "ways": [[1, 2]], "exits": [[1, -50, 0]]}


def explores(table: SpokenTable) -> None:
    begins(table)
    table.say({"do": "travel", "by": 1, "card": "F1", "to": "M02-2"}, who=1)
    table.say({"do": "scout", "by": 1, "card": "M20", "joins": [["M20", "M02-2"]]})


def test_what_is_on_a_tile_that_was_turned_up_is_asked_and_told_by_two_phones_at_once(table: SpokenTable) -> None:
    """The second is told to look again, and the tile is as the first one said; told once more, it is as told last."""
    explores(table)
    assert table.standing()["public"]["asks"] == [{"card": "M20", "keys": ["spaces"]}]
    number = table.standing()["number"]
    other = {**TILE, "by": 0, "spaces": [[0, 0]], "ways": []}
    answers = [
        table.post("moves", who, move=move, after=number).status_code for who, move in ((1, TILE), (None, other))
    ]
    assert answers == [200, 409]
    public = table.standing()["public"]
    assert (public["asks"], public["unknown"], public["described"][0]["spaces"]) == ([], [], TILE["spaces"])
    table.say(other)
    assert table.standing()["public"]["described"][0]["spaces"] == [[0, 0]]
    assert table.post("moves", 2, move=TILE, after=table.standing()["number"]).status_code == 403


def test_nobody_waits_for_what_is_on_a_tile(table: SpokenTable) -> None:
    """Everything that is offered while nobody has told it is taken."""
    explores(table)
    table.say({"do": "travel", "by": 1, "card": "F1", "to": "M20"}, who=1)
    for offer in offers(table, 1):
        if offer["by"] == 1:
            entry = table.say(moves(offer)[0], who=1)
            assert entry["event"] == "played", entry
            table.post("corrections", None, do="undo", number=entry["number"], after=entry["number"])


@pytest.mark.parametrize(
    "wrong",
    [
        {"spaces": [[0.5, 1]]},
        {"spaces": [[1]]},
        {"spaces": "M20-1"},
        {"ways": [[1, True]]},
        {"exits": [[1, 2]]},
        {"costs": 2},
    ],
)
def test_spaces_that_are_none_are_told_in_one_sentence(table: SpokenTable, wrong: dict[str, Any]) -> None:
    explores(table)
    number = table.standing()["number"]
    answer = table.post("moves", 1, move={**TILE, **wrong}, after=number)
    assert (answer.status_code, table.standing()["number"]) == (422, number), answer.json


def test_what_was_told_is_still_known_after_a_restart_and_in_the_next_match(tmp_path: Path) -> None:
    """Tiles, enemies, night cards, projects and objects: nothing is asked twice of one box."""
    table = SpokenTable(tmp_path)
    table.opens(MATCH)
    explores(table)
    table.say(TILE, who=1)
    table.say({"do": "gain", "by": 1, "card": "O30"})
    told = [
        {"do": "tell", "by": 1, "card": "O30", "name": "Rope ladder", "quest": True},
        {"do": "tell", "by": 1, "card": "E30", "defence": 7, "attack": 9, "life": 2, "lethal": True},
        {"do": "tell", "by": 1, "card": "N09", "colour": "orange", "tribal": True},
        {"do": "tell", "by": 1, "card": "P09", "cost": "wood wood", "makes": "O31"},
    ]
    for move in told:
        assert table.say(move, who=1)["event"] == "played"
    with restarted(table, tmp_path) as again:
        assert again.post("rematch", None).status_code == 200
        assert again.runner.stored is not None
        rows = {row["id"]: row for key in LISTS for row in again.runner.stored.header["deck"].get(key, ())}
        assert [space["at"] for space in rows["M20"]["space"]] == TILE["spaces"]
        assert (rows["O30"]["name"], rows["O30"]["quest"], rows["P09"]["cost"]) == ("Rope ladder", True, ["wood"] * 2)
        assert (rows["E30"]["lethal"], rows["N09"]["colour"], rows["P09"]["object"]) == (True, "orange", "O31")
        again.codes = {one.user.seat: one.code for one in again.desk.match.join_codes(HOST)}
        begins(again)
        again.say({"do": "scout", "by": 1, "card": "M20", "joins": [["M20-1", "M01-1"]]})
        public = again.standing()["public"]
        assert (public["asks"], public["unknown"]) == ([], [])


def begins_box(table: SpokenTable) -> None:
    """As the setup page does."""
    assert table.post("matches", None, match=BOX).status_code == 200
    table.codes = {one.user.seat: one.code for one in table.desk.match.join_codes(HOST)}


def test_what_was_told_of_a_box_is_known_in_every_later_match_with_its_deck_file(table: SpokenTable) -> None:
    """The next evening somebody begins a match from the setup page; nobody turns tiles up to describe them again."""
    begins_box(table)
    explores(table)
    table.say(TILE, who=1)
    table.say({"do": "gain", "by": 1, "card": "O30"})
    assert table.say({"do": "tell", "by": 1, "card": "O30", "name": "Rope ladder"}, who=1)["event"] == "played"

    def rows_after_begin(match: dict[str, Any]) -> dict[str, Any]:
        assert table.post("matches", None, match=match).status_code == 200
        assert table.runner.stored is not None
        deck = table.runner.stored.header["deck"]
        return {row["id"]: row for key in LISTS for row in deck.get(key, ())}

    first = rows_after_begin(BOX)
    assert [space["at"] for space in first["M20"]["space"]] == TILE["spaces"]
    assert first["O30"]["name"] == "Rope ladder"
    assert rows_after_begin(BOX) == first, "also two matches later"
    assert "M20" not in rows_after_begin({**BOX, "deck": "another.toml"}), "another box"
    assert "M20" not in rows_after_begin(MATCH), "the demonstration's"
    deck = demo_deck(LANDS)
    corrected = {**deck, "object": [*deck.get("object", ()), {"id": "O30", "name": "Rope"}]}
    header = with_earlier_facts(table.runner, {"match": BOX, "deck": corrected})
    rows = {row["id"]: row for key in LISTS for row in header["deck"].get(key, ())}
    assert (rows["O30"]["name"], "M20" in rows) == ("Rope", True), "what somebody wrote into the file goes first"
    assert {key: header["deck"][key] for key in ("deck", "night", "enemy")} == {
        key: deck[key] for key in ("deck", "night", "enemy")
    }


@pytest.mark.parametrize(
    "damage", ["UPDATE match SET header = '{'", "UPDATE match SET header = '{}'", "UPDATE entry SET body = '{'"]
)
def test_an_earlier_match_that_is_damaged_tells_nothing_and_hinders_no_new_one(
    table: SpokenTable, tmp_path: Path, damage: str
) -> None:
    begins_box(table)
    explores(table)
    table.say(TILE, who=1)
    with closing(sqlite3.connect(tmp_path / LOG_FILE)) as disk, disk:
        disk.execute(damage)
    assert table.post("matches", None, match=BOX).status_code == 200
    assert table.standing()["number"] == 0


def test_a_friend_s_imported_match_tells_nothing_of_the_box_that_lies_here(table: SpokenTable, tmp_path: Path) -> None:
    """Every family's box is called *My box*, and no two boxes are alike."""
    friends = SpokenTable(tmp_path / "friend")
    try:
        friends.opens(MATCH)  # so that there is a host
        begins_box(friends)
        explores(friends)
        friends.say(TILE, who=1)
        assert friends.runner.stored is not None
        played = friends.runner.stored.id
        friends.opens(MATCH)  # the other one is over
        lines = friends.desk.archive.record(HOST, played)
    finally:
        friends.close()
    assert lines is not None
    text = "\n".join(lines)
    assert isinstance(table.desk.archive.import_record(HOST, text), Done)
    assert "M20" in text
    assert table.post("matches", None, match=BOX).status_code == 200
    assert table.runner.stored is not None
    assert "M20" not in {row["id"] for row in table.runner.stored.header["deck"]["tile"]}


def test_what_was_told_stays_known_when_the_owner_enters_the_compass(table: SpokenTable) -> None:
    begins_box(table)
    explores(table)
    table.say(TILE, who=1)
    deck: Any = demo_deck(LANDS)
    later = {**deck, "deck": {**deck["deck"], "compass": ["N"] * 12}}
    header = with_earlier_facts(table.runner, {"match": BOX, "deck": later})
    assert header["deck"]["deck"] == later["deck"]
    assert "M20" in {row["id"] for row in header["deck"]["tile"]}


@pytest.mark.slow
def test_a_match_is_played_to_its_end_and_its_report_has_every_tile(table: SpokenTable) -> None:
    game = open_match(MATCH, demo_deck(LANDS)).game
    dice, state, number = Random(3), game.rules.start, 1
    while not state.over:
        at = MoveContext(number)
        move = next(
            one
            for one in LANDS.demonstration.random_player(game)(state, dice, at)
            if not game.rules.judge(state, one, at)
        )
        said = table.say(json.loads(json.dumps(encode_move(move))))
        assert said["event"] in ("dealt", "played"), said
        state, number = game.rules.apply(state, move, at).state, number + 1
    assert table.standing()["standing"]["winners"] == sorted(state.left)
    match_id, host = table.standing()["match"], {"Authorization": f"Bearer {table.codes[None]}"}
    record = table.client.get(f"/api/v1/matches/{match_id}/record", headers=host).get_data(as_text=True)
    found, _ = report(record.splitlines())
    assert list(found.places) == list(state.tiles)
    page = table.client.get(f"/matches/{match_id}", headers=host)
    assert page.status_code == 200
