"""The matches of a game that was uninstalled: still listed, and each page and command says what is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from support.door import come_in
from support.spoken_table import SpokenTable

from companion.cli.main import main
from companion.games.noughts.module import NOUGHTS

SENTENCE = "The game “noughts” is not installed here, or does not load: install its package to open this match."


@pytest.fixture
def left(tmp_path: Path) -> Iterator[SpokenTable]:
    """A table whose only match is one of a game that is gone."""
    with pytest.MonkeyPatch.context() as patch:
        come_in(patch, NOUGHTS)
        with closing(SpokenTable(tmp_path)) as table:
            table.opens(dict(NOUGHTS.demonstration.match))
            table.say({"do": "lay", "by": 0, "card": "ARROW", "x": 0, "y": 0})
            host = table.codes
    with closing(SpokenTable(tmp_path)) as table:
        table.codes = host
        yield table


@pytest.mark.parametrize("language", ["en", "fr"])
def test_it_is_listed_with_its_names_and_says_what_is_missing(left: SpokenTable, language: str) -> None:
    (line,) = left.client.get("/api/v1/matches").json["matches"]
    assert line == {
        **{"id": "2026-01-01-1", "game": "noughts", "profile": "", "seats": ["Ana", "Ben"], "missing": True},
        **{"began": "2026-01-01T18:00:00+01:00", "entries": 1, "over": False, "running": False},
    }
    page = left.client.get("/matches", headers={"Accept-Language": language}).text
    assert SENTENCE in page if language == "en" else "installez son paquet pour ouvrir cette partie" in page
    assert "data-go-on" not in page


@pytest.mark.parametrize(
    "path", ["/", "/host", "/tv", "/setup", "/how?game=noughts", "/decks", "/players/Ana", "/seat"]
)
def test_no_page_falls_over_it(left: SpokenTable, path: str) -> None:
    head = {"Authorization": f"Bearer {left.codes[None]}"}
    assert left.client.get(path, headers=head).status_code in ({404} if path == "/players/Ana" else {200, 302, 303})


@pytest.mark.parametrize("path", ["", "/moves.csv"])
def test_its_own_pages_say_what_is_missing(left: SpokenTable, path: str) -> None:
    answer = left.client.get(f"/matches/2026-01-01-1{path}")
    assert (answer.status_code, SENTENCE in answer.text) == (403 if path else 404, True)


@pytest.mark.parametrize("path", ["record", "figures", "pictures/1/1"])
def test_what_reads_its_record_is_answered_with_the_sentence(left: SpokenTable, path: str) -> None:
    answer = left.client.get(f"/api/v1/matches/2026-01-01-1/{path}")
    assert (answer.status_code, answer.json["detail"]) == (403, SENTENCE)


def test_it_is_neither_gone_on_with_nor_played_again_and_can_be_deleted(left: SpokenTable) -> None:
    assert left.post("matches/2026-01-01-1/go-on", None).status_code == 404
    again = left.post("rematch", None)
    assert again.status_code == 422
    assert "there is no game 'noughts'" in again.text
    assert left.post("matches/2026-01-01-1/delete", None).status_code == 200
    assert left.client.get("/api/v1/matches").json == {"matches": []}


def test_every_command_lists_it_or_says_what_is_missing(
    left: SpokenTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left.log.close()
    data = ["--data", str(tmp_path)]
    assert main(["matches", *data]) == 0
    said = capsys.readouterr()
    assert said.out.split() == ["2026-01-01-1", "unfinished", "Ana,", "Ben"]
    sentence = "the game 'noughts' is not installed here, or does not load: install its package"
    assert said.err == f"companion: 2026-01-01-1: {sentence}\n"
    for command in (["export", "2026-01-01-1"], ["matches", "--figures", "2026-01-01-1"]):
        assert main([*command, *data]) == 2
        assert "there is no game 'noughts'; there are discovery" in capsys.readouterr().err
    assert main(["backup", str(tmp_path / "all.zip"), *data]) == 0
