"""``companion game new`` writes a package that keeps to everything; what is then spoilt in it ``game check`` finds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import EntryPoint
from itertools import count
from pathlib import Path

import pytest
from support.door import come_in

from companion.cli.main import main
from companion.games.conformance import CHECKS
from companion.public.entry_points import entry_points_of
from web.pages.game_pages import own_pages

NUMBERS = count()
FIRST = "from __future__ import annotations\n"
IMPORTED = {
    "AvailableMove": "companion.public.standing",
    "replace": "dataclasses",
    "monotonic_ns": "time",
}
SPOILT = {
    "a_game_is_a_frozen_value_and_starts_the_same_each_time": (
        "module.py",
        "plain_module(GAME, BOARD, player, errs=0.3)",
        "replace(plain_module(GAME, BOARD, player, errs=0.3), open=lambda *_: replace(GAME, name=str(monotonic_ns())))",
    ),
    "a_match_goes_on_for_some_moves": ("game.py", "    wrong = {", '    wrong = {\n        "never": True,'),
    "judging_and_carrying_out_change_nothing_and_answer_the_same_again": ("game.py", "dict(state.laid)", "state.laid"),
    "a_match_can_be_told_again_from_its_moves_alone": (
        "game.py",
        "    return Effect(Grid(laid,",
        "    BOARD.owners[len(BOARD.owners)] = 0\n    return Effect(Grid({**laid, len(BOARD.owners): 0},",
    ),
    "every_move_is_written_and_read_back_unchanged": ("game.py", "(Lay, TurnArrow, Lift)}", "(TurnArrow, Lift)}"),
    "every_kind_of_move_names_itself_and_its_seat_first": (
        "game.py",
        "    by: Seat\n    card: CardId\n    to: int",
        "    card: CardId\n    by: Seat\n    to: int",
    ),
    "what_a_move_does_not_say_is_no_or_nothing": ("game.py", "    to: int\n", "    to: int = 1\n"),
    "what_a_lawful_move_changes_on_the_table_can_be_read_back": (
        "game.py",
        "if cell is not None and change.came_from is None:",
        "if card == ARROW and cell is not None:",
    ),
    "its_zones_lie_on_its_table_and_one_is_for_command_cards": (
        "game.py",
        "layout=BOARD.layout",
        "layout=replace(BOARD.layout, size_mm=(200.0, 200.0))",
    ),
    "what_should_lie_there_are_things_of_the_game": (
        "game.py",
        "BOARD.expected(public.laid)",
        'BOARD.expected({**public.laid, CardId("GHOST"): Cell(4, 4)})',
    ),
    "a_table_drawn_from_what_should_lie_there_is_seen_so": ("game.py", "BOARD.lying(public.laid, table)", "{}"),
    "a_table_that_is_adopted_as_it_should_be_stays_as_it_is": ("game.py", "laid=there,", "laid={},"),
    "there_are_winners_only_when_the_match_is_over": ("game.py", "else (public.turn, ())", "else (public.turn, best)"),
    "points_of_a_move_are_those_that_the_scoreboard_gives_its_seat": (
        "game.py",
        "lifted), points)",
        "lifted), points + 1)",
    ),
    "everything_offered_is_lawful_and_can_be_carried_out": (
        "game.py",
        "GameBoard(standing=standing,",
        'GameBoard(offers=lambda _p, _a: (AvailableMove(Seat(1), "lift", {"card": ("O1",)}),), standing=standing,',
    ),
    "what_pages_get_is_json": ("game.py", "_seat: BOARD.view(state.laid)", "_seat: {1: len(state.laid)}"),
    "a_seat_that_there_is_not_cannot_move": ("game.py", "    if move.by not in (0, 1, 2):", "    if move.by < 0:"),
    "silent_games_say_nothing_before_they_are_sealed": (
        "game.py",
        "lifted), points)",
        'lifted), points, objections=(Objection("turn"),))',
    ),
    "its_deck_has_a_sticker_for_everything": ("demo_deck.toml", 'letters = "', 'letters = "lower '),
    "what_it_says_is_in_its_catalogs_in_every_language": ("locale/fr.po", ".did.lay", ".did.lie"),
    "its_catalogs_have_the_same_texts_in_every_language": ("locale/fr.po", ".how.aim", ".how.end"),
}


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The package of a new game; Python finds it, and it is not loaded yet."""
    name = f"rings{next(NUMBERS)}"
    assert main(["game", "new", name, "--into", str(tmp_path)]) == 0
    monkeypatch.syspath_prepend(str(tmp_path / name))
    return tmp_path / name / name


def checked(
    package: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, list[str]]:
    """The answer of ``companion game check``, and what it says no to."""
    come_in(monkeypatch, getattr(import_module(f"{package.name}.module"), package.name.upper()))
    capsys.readouterr()
    status = main(["game", "check", package.name])
    said = capsys.readouterr().out.splitlines()
    assert len(said) == len(CHECKS) + len(["its pages", "their words"])
    for module in [name for name in sys.modules if name.partition(".")[0] == package.name]:
        del sys.modules[module]
    return status, [line.removeprefix("NO   ").partition(":")[0] for line in said if line.startswith("NO")]


def test_a_new_game_keeps_to_everything(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert checked(written, monkeypatch, capsys) == (0, [])


def test_a_new_game_bears_its_own_name_in_every_language(written: Path) -> None:
    """ "Rings and arrows"."""
    for language in ("en", "fr"):
        catalog = (written / "locale" / f"{language}.po").read_text("utf-8")
        assert f'msgid "{written.name}.title"\nmsgstr "{written.name.capitalize()}"\n' in catalog


def test_something_is_spoilt_for_every_check() -> None:
    assert list(SPOILT) == [check.__name__ for check in CHECKS]


@pytest.mark.parametrize("check", SPOILT)
def test_what_is_spoilt_in_a_new_game_is_found(
    check: str, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before, after = SPOILT[check]
    text = (written / file).read_text("utf-8")
    assert before in text
    spoilt = text.replace(before, after)
    for name, module in IMPORTED.items():
        if f"{name}(" in after:
            spoilt = spoilt.replace(FIRST, f"{FIRST}from {module} import {name}\n")
    (written / file).write_text(spoilt, "utf-8")
    status, found = checked(written, monkeypatch, capsys)
    assert status == 1
    assert check.replace("_", " ") in found


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (lambda pages: (pages / "templates" / "table.html").unlink(), "lacks templates/table.html"),
        (lambda pages: (pages / "__init__.py").write_text("import dice_of_gold"), "No module named 'dice_of_gold'"),
    ],
)
def test_pages_that_lack_a_file_or_do_not_load_are_found(
    spoilt: Callable[[Path], object],
    why: str,
    written: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    door = EntryPoint(written.name, f"{written.name}.pages:PAGES", "companion.pages")
    monkeypatch.setitem(entry_points_of("companion.pages"), written.name, door)
    come_in(monkeypatch, getattr(import_module(f"{written.name}.module"), written.name.upper()))
    spoilt(written / "pages")
    capsys.readouterr()
    assert main(["game", "check", written.name]) == 1
    (no,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("NO")]
    assert no.startswith("NO   its pages load and have their files")
    assert why in no


WORDS_OF_PAGES = "what its pages say is in its catalogs in every language"
UNSAID = {
    "a zone": ("locale/fr.po", "js.zone.board", "js.zone.bored", "js.zone.board is not in fr.po"),
    "its title": ("locale/en.po", ".title", ".titel", ".title is not in en.po"),
    "what a script says": (
        "pages/static/table.js",
        "export ",
        'say("rings.turned");\nexport ',
        "js.rings.turned is not in",
    ),
    "said with js.": (
        "pages/static/table.js",
        "export ",
        'say("js.rings.a");\nexport ',
        "a script says it without js.",
    ),
    "what a template says": (
        "pages/templates/setup.html",
        "{",
        "{{ t('rings.more') }}{",
        "rings.more is not in en.po and",
    ),
    "a button": (
        "game.py",
        "GameBoard(standing=standing,",
        'GameBoard(offers=lambda _p, _a: (AvailableMove(Seat(1), "lift"),), standing=standing,',
        ".do.lift or js.do.lift is not in en.po and fr.po",
    ),
}


@pytest.mark.parametrize("what", UNSAID)
def test_a_word_that_a_page_will_ask_for_is_missed_before_a_page_shows_its_key(
    what: str, written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before, after, why = UNSAID[what]
    text = (written / file).read_text("utf-8")
    assert before in text
    text = text.replace(before, after, 1)
    if "AvailableMove(" in after:
        text = text.replace(FIRST, f"{FIRST}from companion.public.standing import AvailableMove\n")
    (written / file).write_text(text, "utf-8")
    door = EntryPoint(written.name, f"{written.name}.pages:PAGES", "companion.pages")
    monkeypatch.setitem(entry_points_of("companion.pages"), written.name, door)
    own_pages.cache_clear()
    come_in(monkeypatch, getattr(import_module(f"{written.name}.module"), written.name.upper()))
    capsys.readouterr()
    assert main(["game", "check", written.name]) == 1
    said = capsys.readouterr().out.splitlines()
    assert any(line.startswith(f"NO   {WORDS_OF_PAGES}: ") and why in line for line in said), said


def test_what_a_game_raises_is_told_once_with_its_file_and_line(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """ "KeyError: 'C07'", sixteen times, and nothing about where."""
    game = written / "game.py"
    lines = game.read_text("utf-8").splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("def judge("))
    lines.insert(at + 1, '    if public.laid: {}["C07"]')
    game.write_text("\n".join(lines) + "\n", "utf-8")
    come_in(monkeypatch, getattr(import_module(f"{written.name}.module"), written.name.upper()))
    capsys.readouterr()
    assert main(["game", "check", written.name]) == 1
    no = [line for line in capsys.readouterr().out.splitlines() if line.startswith("NO")]
    where = f"KeyError: 'C07', raised in {game}, line {at + 2}, in judge"
    assert sum(where in line for line in no) == 1
    assert sum('as under "a match goes on for some moves"' in line for line in no) == len(no) - 1 > 5


def test_a_game_that_does_not_even_open_says_where(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = written / "module.py"
    text = module.read_text("utf-8")
    made = "plain_module(GAME, BOARD, player, errs=0.3)"
    assert made in text
    text = text.replace(made, f"replace({made}, open=lambda match, _deck: match['rings'])")
    module.write_text(text.replace(FIRST, f"{FIRST}from dataclasses import replace\n"), "utf-8")
    come_in(monkeypatch, getattr(import_module(f"{written.name}.module"), written.name.upper()))
    capsys.readouterr()
    assert main(["game", "check", written.name]) == 1
    (said,) = capsys.readouterr().out.splitlines()
    assert said.startswith(f"NO   the match of its demonstration opens: KeyError: 'rings', raised in {module}, line ")


def test_a_move_may_bring_points_to_another_seat(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As in games where whoever completes something pays for everybody who has a part in it."""
    game = written / "game.py"
    text = game.read_text("utf-8")
    to_the_mover = "points * (move.by == seat)"
    assert to_the_mover in text
    game.write_text(text.replace(to_the_mover, "points * (move.by != TABLE)"), "utf-8")
    assert checked(written, monkeypatch, capsys) == (0, [])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("lands", "is the name of a game or a Python package here already"),
        ("json", "is the name of a game or a Python package here already"),
        ("My-Game", "cannot be a game's name: write 2 to 30 small letters and digits, a letter first"),
        ("class", "cannot be a game's name"),
    ],
)
def test_a_name_that_cannot_be_one_is_one_sentence(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["game", "new", name, "--into", str(tmp_path)]) == 2
    assert why in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_new_game_takes_no_other_folder_s_place(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = f"rings{next(NUMBERS)}"
    (written.parents[1] / name).mkdir()
    assert main(["game", "new", name, "--into", str(written.parents[1])]) == 2
    assert "is there already; a new game takes no other folder's place" in capsys.readouterr().err


def test_a_new_game_has_letters_of_its_own(tmp_path: Path) -> None:
    """The first two of its name are those of Carcassonne."""
    name = "cdplayer"
    assert main(["game", "new", name, "--into", str(tmp_path)]) == 0
    assert 'letters = "CP"' in (tmp_path / name / name / "demo_deck.toml").read_text("utf-8")


def test_a_folder_in_which_nothing_can_be_written_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["game", "new", "cdplayer", "--into", str(tmp_path / "file")]) == 2
    assert "cannot be written (Not a directory)" in capsys.readouterr().err
