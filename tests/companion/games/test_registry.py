"""Every command finds a game by its name, and says which there are when it does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from support.door import come_in

from companion.cli.main import main
from companion.errors import InputError
from companion.games.registry import GAMES, deck_module, demo_deck, game_module, match_module, open_match
from companion.public.shapes import Shape
from companion.storage.decks import save_deck

MORE = ", and others once their package is installed"
SEATS = [{"name": "Ana"}, {"name": "Ben"}]
MATCH = {"profile": "fr-explore", "seat": SEATS}
DEFAULT_GAME = game_module()
OTHER = replace(DEFAULT_GAME, name="other", letters="OT")


@pytest.fixture
def second_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game beside Discovery, by another name."""
    come_in(monkeypatch, OTHER)


def of_game(name: object) -> dict[str, object]:
    deck = demo_deck()
    return {**deck, "deck": {**deck["deck"], "game": name}}


def test_a_deck_and_a_match_that_name_no_game_are_discovery() -> None:
    assert deck_module(demo_deck()) is DEFAULT_GAME
    assert match_module(MATCH, demo_deck()) is DEFAULT_GAME
    assert open_match(MATCH, of_game("discovery")).game.name == "discovery"


@pytest.mark.parametrize("name", ["chess", "", 7, None, ["discovery"], "x" * 5000])
def test_a_game_that_there_is_not_is_one_sentence(name: object) -> None:
    for wrong in (
        lambda: open_match({**MATCH, "game": name}, demo_deck()),
        lambda: open_match(MATCH, of_game(name)),
    ):
        with pytest.raises(InputError, match="there is no game .*; there are " + ", ".join(GAMES)) as refused:
            wrong()
        assert len(refused.value.faults) == 1
        assert len(str(refused.value)) < 400


@pytest.mark.usefixtures("second_game")
def test_a_match_without_a_name_is_of_its_deck_s_game_and_two_games_do_not_mix() -> None:
    assert match_module(MATCH, of_game("other")) is OTHER
    with pytest.raises(InputError, match="the deck belongs to other, but the match is one of discovery"):
        open_match({**MATCH, "game": "discovery"}, of_game("other"))


@pytest.mark.parametrize(
    "arguments", [["run", "--game", "chess"], ["stickers", "--game", "chess", "--out", "none.pdf"]]
)
def test_a_command_says_which_games_there_are(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"companion: game: there is no game 'chess'; there are {', '.join(GAMES)}{MORE}\n"


def test_a_deck_of_an_unknown_game_is_named_with_its_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text('[deck]\nname = "Mine"\nedition = "mine"\ngame = "chess"\n', encoding="utf-8")
    for command in (["deck", "check", str(deck)], ["deck", "show", str(deck)]):
        assert main(command) == 2
        sentence = (
            f"companion: {deck}, line 4: deck.game: there is no game 'chess'; there are {', '.join(GAMES)}{MORE}\n"
        )
        assert capsys.readouterr().err == sentence


def test_a_deck_of_one_game_cannot_be_kept_over_one_of_another(tmp_path: Path) -> None:
    save_deck(tmp_path, "mine", demo_deck())
    tiles = {"deck": {"game": "carcassonne", "name": "Mine", "edition": "own"}, "card": []}
    with pytest.raises(InputError, match="a deck of another game by that name"):
        save_deck(tmp_path, "mine", tiles)


def test_the_next_match_passes_on_who_begins() -> None:
    assert GAMES["discovery"].next_match({**MATCH, "dealer": 2})["dealer"] == 1
    assert GAMES["carcassonne"].next_match({"game": "carcassonne", "seat": SEATS})["first"] == 2
    for module in GAMES.values():
        again = module.next_match(module.demonstration.match)
        assert open_match(again, demo_deck(module)).game.name == module.name


@pytest.mark.usefixtures("second_game")
def test_the_sheets_of_a_deck_are_those_of_its_own_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text('[deck]\nname = "Mine"\nedition = "mine"\ngame = "discovery"\n', encoding="utf-8")
    assert main(["stickers", "--game", "other", "--deck", str(deck), "--out", str(tmp_path / "x.pdf")]) == 2
    assert capsys.readouterr().err == f"companion: {deck}: is a deck of discovery, not of other; leave out --game\n"


def test_a_thing_smaller_than_its_sticker_is_one_sentence_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever game it is of: the match is not begun, and no camera is shown the thing."""

    def open_match(match: object, deck: object) -> object:
        return Shape.rectangle(15, 15, sticker_mm=18)

    come_in(monkeypatch, replace(DEFAULT_GAME, open=open_match))
    match = tmp_path / "match.toml"
    match.write_text('profile = "fr-explore"\n[[seat]]\nname = "Ana"\n[[seat]]\nname = "Ben"\n', encoding="utf-8")
    said = ["referee", "frames", "--match", str(match), "--record", str(tmp_path / "r.jsonl")]
    assert main(said) == 2
    assert "A sticker of 18 mm is too large for a thing of 15 × 15 mm: print it smaller." in capsys.readouterr().err
    assert not (tmp_path / "r.jsonl").exists()
