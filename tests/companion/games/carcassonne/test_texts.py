"""Everything that the rules can say is said in both languages."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.carcassonne_match import Table

from companion.games import carcassonne as rooms
from companion.games.carcassonne.moves import (
    CloseMatch,
    DeployFollower,
    DiscardTile,
    FinishTurn,
    RemoveTile,
    ScoreFollower,
)
from companion.games.protocol import Move
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import Text

pytestmark = pytest.mark.core

FOLDER = Path(next(iter(rooms.__path__)))
WORDS = Translations([FOLDER / "locale"])
NAMED = Names(seats=("Ana", "Ben", "Cléo"))


def said(text: Text) -> tuple[str, str]:
    english, french = (WORDS.say(text, language, NAMED) for language in LANGUAGES)
    return english, french


def refused(table: Table, move: Move) -> list[tuple[str, str]]:
    found = table.game.rules.judge(table.state, move, table.at)
    return [said(table.game.words.reason(table.state, move, objection)) for objection in found]


def told(table: Table, move: Move) -> list[str]:
    before = table.state
    step = table.does(move, anyway=True)
    return [WORDS.say(text, "en", NAMED) for text in table.game.words.caption(before, move, step)]


def test_every_fault_has_words_and_no_key_is_there_for_nothing():
    code = "\n".join(path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.py"))
    written = set(re.findall(r'"(carcassonne\.fault\.\w+)"', code)) | {
        "carcassonne.fault.edge_none",
        "carcassonne.fault.edge_twice",
    }
    faults = {key for key in WORDS.keys("en") if key.startswith("carcassonne.fault.")}
    assert faults == written
    spoken = ("act", "caption", "objection", "reading", "start", "why", "zone")
    for key in (key for key in WORDS.keys("en") if key.split(".")[:2] in [["carcassonne", part] for part in spoken]):
        assert all(part in code for part in key.split(".")[2:]) or ".side." in key or ".zone." in key, key


def test_what_the_table_of_objections_says():
    table = Table("", "Z+", "A", "A", "B", "Y", "X", "X", seats=3)
    assert refused(table, table.tile("T02", "0,0/0")) == [
        ("The start tile comes first: lay it.", "La tuile de départ vient d’abord : posez-la.")
    ]
    table.next_tile = 1
    table.lay("0,0/0")
    assert refused(table, table.tile("T02", "1,0/0", by=2)) == [("It is Ana’s turn.", "C’est à Ana de jouer.")]
    assert refused(table, table.tile("T02", "1,1/0")) == [
        ("T02 must touch a side of a tile on the map.", "T02 doit toucher un côté d’une tuile de la carte.")
    ]
    assert refused(table, table.tile("T02", "0,1/1")) == [
        ("T02 does not fit here (North: sea against grassland).", "T02 ne va pas ici (Nord : mer contre prairie).")
    ]
    assert refused(table, table.tile("T04", "0,-1/0")) == [
        (
            "T04 does not fit here (South: grassland against mountain).",
            "T04 ne va pas ici (Sud : prairie contre montagne).",
        )
    ]
    assert refused(table, DiscardTile(1, "T05")) == [
        ("T05 fits somewhere: the map shows where.", "T05 se pose quelque part : la carte montre où.")
    ]
    assert refused(table, FinishTurn(1)) == [("Ana lays a tile first.", "Ana pose d’abord une tuile.")]
    table.does(table.tile("T02", "1,0/0"))
    assert refused(table, table.tile("T03", "-1,0/0", by=1)) == [("It is Ben’s turn.", "C’est à Ben de jouer.")]
    assert refused(table, table.deploy("F11", "T01", "sea")) == [
        ("A follower goes onto the tile just laid.", "Un pion se place sur la tuile qui vient d’être posée.")
    ]
    table.deploys("F11", "T02", "sea")
    assert refused(table, table.deploy("F12", "T02", "grassland")) == [
        ("Ana deploys or scores once a turn, not both.", "Ana place ou reprend un seul pion par tour.")
    ]
    table.does(table.tile("T06", "2,0/0"))
    assert refused(table, table.deploy("F21", "T06", "sea")) == [
        (
            "A follower stands in this territory already: the map shows it.",
            "Un pion est déjà dans ce territoire : la carte le montre.",
        )
    ]
    assert refused(table, ScoreFollower(1, "F11")) == [
        (
            "This follower is Ana’s, and it is Ben’s turn: put it back.",
            "Ce pion est à Ana, et c’est à Ben de jouer : remettez-le.",
        )
    ]
    table.ends()
    table.does(table.tile("T07", "3,0/0"))
    table.ends()
    table.does(table.tile("T03", "-1,0/0"))
    assert refused(table, table.deploy("F11", "T03", "grassland")) == [
        (
            "F11 stands on the map already: take it back and score it first.",
            "F11 est déjà sur la carte : reprenez-le d’abord.",
        )
    ]
    table.does(CloseMatch(0))
    assert refused(table, FinishTurn(1)) == [("The match is over.", "La partie est terminée.")]


def test_two_counters_are_there():
    position = {"laid": ["T01@0,0/0"], "followers": ["F11 T01 1", "F12 T01 1"], "turn": 2}
    table = Table("", "X", "X", position=position)
    table.does(table.tile("T02", "1,0/0"))
    assert refused(table, table.deploy("F21", "T02", "sea")) == [
        (
            "The map shows which followers stand in this territory already.",
            "Des pions sont déjà dans ce territoire : la carte les montre.",
        )
    ]


def test_two_sides_that_disagree_are_both_named():
    table = Table("X@0,0/0 X@1,0/0 X@1,1/0", "Y")
    assert refused(table, table.tile("T04", "0,1/0", by=1)) == [
        (
            "T04 does not fit here (North: grassland against sea and East: grassland against sea).",
            "T04 ne va pas ici (Nord : prairie contre mer et Est : prairie contre mer).",
        )
    ]


def test_what_cannot_be_there_is_said_as_what_it_is():
    table = Table("X@0,0/0 X@1,0/0", "Y", "X", "X")
    table.ends()
    table.discards("T03")
    assert [refused(table, move)[0][0] for move in (
        table.tile("T03", "2,0/0"), table.tile("T02", "2,0/0"), table.tile("T04", "0,0/0"), ScoreFollower(1, "F11"),
        DeployFollower(2, "F21", "T05", 1), RemoveTile(0, "T04"), DiscardTile(1, "T01"),
    )] == [
        "T03 is out of the match.", "T02 lies on the map already.", "A tile lies there already.",
        "F11 is not on the map.", "F21 cannot stand there.", "The table is not at that point of the match yet.",
        "T01 lies on the map already.",
    ]  # fmt: skip


def test_a_match_is_told_as_it_goes():
    table = Table("", "A+", "A", "X", "Y", "X")
    assert told(table, table.game.rules.moves["start"](by=0, card="T01")) == ["The map begins."]
    assert told(table, table.tile("T02", "0,-1/2")) == ["Ana lays a tile."]
    assert told(table, table.deploy("F11", "T02", "grassland")) == ["Ana sends an explorer into the grassland."]
    assert told(table, DiscardTile(2, "T04")) == ["Ben puts a tile aside and draws again."]
    table.does(table.tile("T03", "1,0/0"))
    assert told(table, table.deploy("F21", "T03", "sea")) == ["Ben sends a navigator out to sea."]
    table.does(table.tile("T05", "2,0/0"))
    assert told(table, ScoreFollower(1, "F11")) == [
        "Ana wins the match!", "Ana takes a follower back and scores 2 points.",
        "Points for the explorer: 2, complete grassland on just 2 tiles, 1 point each.",
        "Points for Ben’s navigator: 1, sea, 1 city.",
    ]  # fmt: skip


@pytest.mark.parametrize(("start", "tile", "terrain", "said"), [
    ("Q@0,0/0", "Q", "sea", "complete sea on just 2 tiles, 0 cities; the tiles score nothing."),
    ("B@0,0/0", "B", "mountain", "complete mountain on just 2 tiles, 0 cities, 1 point each."),
    ("A@0,0/0", "A", "grassland", "complete grassland on just 2 tiles, 1 point each."),
])  # fmt: skip
def test_a_score_under_the_exception_is_explained_by_it(start: str, tile: str, terrain: str, said: str):
    """ "Complete territories on just 2 tiles score as though they were incomplete": no other formula is named."""
    table = Table(start, tile, "X", "X")
    table.does(table.tile("T02", "0,-1/2"))
    table.deploys("F11", "T02", terrain)
    table.state = replace(table.state, turn=1, tile="T01", acted=0)
    step = table.does(ScoreFollower(1, "F11"))
    (reason,) = step.score_reasons
    assert WORDS.say(reason, "en", NAMED).endswith(said)


def test_a_tie_is_told_as_one():
    table = Table("X@0,0/0 X@1,0/0")
    assert told(table, FinishTurn(1))[0] == "Ana and Ben share the win!"


def test_people_are_reminded_of_the_tiles_to_remove():
    table = Table("", "X", "X", "X", "X", "X", "X", seats=3, equal_turns=True)
    table.lay("0,0/0")
    for card, left in (("T02", 2), ("T03", 1)):
        assert table.game.board.view(table.state, None)["to_remove"] == left
        table.does(RemoveTile(0, card))
    assert table.game.board.view(table.state, None)["to_remove"] == 0
