"""Games come through one door: lazily, by name, and none of them keeps the others from being played."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.door import come_in

from companion.cli.main import main
from companion.errors import InputError
from companion.games.noughts.module import NOUGHTS
from companion.games.registry import GAMES, GROUP, NoGame, demo_deck, open_match
from companion.public import entry_points as ours
from companion.public.entry_points import OWN
from web.pages.game_pages import own_pages
from web.pages.plain import pages_of_games

BUILT_IN = ["discovery", "carcassonne", "darwinci", "lands"]


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh Python has loaded then."""
    told = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return set(told.stdout.splitlines()[-1].split())


def games_of(modules: set[str]) -> set[str]:
    return {name.split(".")[2] for name in modules if name.startswith("companion.games.")} & {*BUILT_IN}


@pytest.mark.slow
def test_a_game_is_loaded_when_it_is_asked_for_and_no_other_that_need_not_be() -> None:
    assert games_of(loaded_after("import companion.games.registry")) == set()
    assert games_of(loaded_after("from companion.games.registry import demo_deck; demo_deck()")) == {"discovery"}


@pytest.mark.slow
def test_help_loads_no_game_no_page_and_no_camera() -> None:
    modules = loaded_after("from companion.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass")
    assert "companion.cli.main" in modules
    assert {
        name for name in modules if name.startswith(("companion.games", "web", "vision", "numpy", "sqlite3"))
    } == set()


def test_a_game_that_does_not_load_is_one_sentence_and_the_others_are_played(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    come_in(monkeypatch, ImportError("no module named dice"), "broken")
    come_in(monkeypatch, "no game", "words")
    come_in(monkeypatch, NOUGHTS)
    assert list(GAMES) == [*BUILT_IN, "noughts"]
    assert [str(wrong) for wrong in GAMES.faults()] == [
        "the game broken does not load (ImportError: no module named dice): "
        "install strange-broken again, or uninstall it",
        "the game words does not load (TypeError: strange:GAME is not its GameModule): "
        "install strange-words again, or uninstall it",
    ]
    assert main(["stickers", "--game", "broken", "--out", str(tmp_path / "x.pdf")]) == 2
    assert capsys.readouterr().err.startswith("companion: the game broken does not load (ImportError")
    assert main(["stickers", "--game", "noughts", "--out", str(tmp_path / "x.pdf")]) == 0


def test_two_games_with_the_same_letters_on_their_stickers_are_not_both_played(monkeypatch: pytest.MonkeyPatch) -> None:
    come_in(monkeypatch, replace(NOUGHTS, letters=GAMES["lands"].letters))
    with pytest.raises(NoGame, match="of noughts begin with LU, as those of lands do: uninstall strange-noughts"):
        GAMES["noughts"]
    assert list(GAMES) == BUILT_IN


def test_a_deck_names_the_letters_of_its_stickers(monkeypatch: pytest.MonkeyPatch) -> None:
    come_in(monkeypatch, NOUGHTS)
    match, deck = dict(NOUGHTS.demonstration.match), demo_deck(NOUGHTS)
    assert deck["deck"]["letters"] == NOUGHTS.letters == "NO"
    with pytest.raises(InputError, match=r'the stickers of this game begin with NO: letters = "NO"'):
        open_match(match, {"deck": {**deck["deck"], "letters": "QQ"}})
    assert open_match(match, {"deck": {key: deck["deck"][key] for key in ("game", "name", "edition")}})


def test_pages_that_do_not_load_are_one_sentence_and_the_game_gets_plain_ones(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    come_in(monkeypatch, SyntaxError("half a line"), "halves", "companion.pages")
    own_pages.cache_clear()
    pages = pages_of_games({"halves": 3, "lands": 4})
    assert (pages["halves"].seats, pages["lands"]) == (3, own_pages("lands"))
    assert [line.getMessage() for line in caplog.records] == [
        "the game halves gets plain pages, for its own do not load (SyntaxError: half a line): "
        "install strange-halves again, or uninstall it"
    ]


def test_drawings_of_the_same_name_do_not_hide_each_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mine = own_pages("lands")
    assert mine is not None
    come_in(monkeypatch, replace(mine, name="isles"), "isles", "companion.pages")
    pages = pages_of_games({"lands": 4, "isles": 2})
    assert pages["isles"].drawings is None
    assert [line.getMessage() for line in caplog.records] == [
        "isles gets plain pages, for another game has drawings called island too"
    ]


def of_package(name: str, *values: tuple[str, str]) -> list[EntryPoint]:
    """Entry points as the metadata of an installed package has them."""
    dist = SimpleNamespace(name=name)
    return [EntryPoint(game, value, GROUP)._for(dist) for game, value in values]  # type: ignore[attr-defined]  # noqa: SLF001


def test_a_checkout_that_was_updated_and_not_installed_again_has_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ours, "entry_points", lambda group: of_package(OWN, ("gone", "companion.gone:GONE")))
    assert set(ours.entry_points_of.__wrapped__(GROUP)) == {*BUILT_IN}


def test_a_wheel_s_games_are_in_its_metadata_and_come_before_a_stranger_s_of_the_same_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    found = [
        *of_package("another", ("lands", "isles:LANDS"), ("isles", "isles:ISLES")),
        *of_package(OWN, ("lands", "own:LANDS")),
    ]
    monkeypatch.setattr(ours, "CHECKOUT", tmp_path / "pyproject.toml")
    monkeypatch.setattr(ours, "entry_points", lambda group: found)
    games = ours.entry_points_of.__wrapped__(GROUP)
    assert {name: door.value for name, door in games.items()} == {"lands": "own:LANDS", "isles": "isles:ISLES"}
    sentence = "companion-referee and another both bring lands: uninstall one of them"
    assert [line.getMessage() for line in caplog.records] == [sentence]


LEAVES = {
    "leaves": ("import sys; sys.exit('No display found')", "SystemExit: No display found"),
    "dies": ("import os; os._exit(0)", "its import ends the process (os._exit)"),
    "dies_of_a_fault": ("import os; os._exit(1)", "its import ends the process (os._exit)"),
    "goes_on_beside": (
        "import threading, time\nthreading.Thread(target=time.sleep, args=(4,)).start()\nGAME = None",
        "TypeError: goes_on_beside:GAME is not its GameModule",
    ),
    "is_killed": ("import os; os.kill(os.getpid(), 9)", "its import ends the process (signal 9)"),
    "hangs": ("while True: pass", "its import does not end within 3 seconds"),
}


@pytest.mark.parametrize("name", LEAVES)
def test_whatever_a_package_does_while_it_is_imported_the_other_games_are_played(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """``doctor``, ``scan`` and ``run`` ended with the package's own words alone."""
    program, why = LEAVES[name]
    (tmp_path / f"{name}.py").write_text(program, encoding="utf-8")
    about = tmp_path / f"strange_{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: strange-{name}\nVersion: 1.0\n", encoding="utf-8")
    (about / "entry_points.txt").write_text(f"[{GROUP}]\n{name} = {name}:GAME\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(ours, "IMPORT_S", 3.0)
    (door,) = entry_points(group=GROUP, name=name)
    monkeypatch.setitem(ours.entry_points_of(GROUP), name, door)  # type: ignore[arg-type]
    assert list(GAMES) == BUILT_IN
    with pytest.raises(NoGame) as refused:
        GAMES[name]
    sentence = f"game: the game {name} does not load ({why}): install strange-{name} again, or uninstall it"
    assert str(refused.value).removeprefix("game: ") == sentence.removeprefix("game: ")
