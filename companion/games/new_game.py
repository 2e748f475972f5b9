"""Writes the package of a new game: the toy game under another name, which plays at once and is then changed."""

from __future__ import annotations

import keyword
import re
from importlib import resources
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from itertools import product
from pathlib import Path

from companion.errors import InputError
from companion.games.registry import GAMES
from companion.public.codes import ALPHABET

TOY = "noughts"
COPIED = (".py", ".toml", ".po", ".js", ".css", ".html")

PROJECT = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "companion-NAME"
version = "0.1"
description = "The game NAME for the table companion"
dependencies = ["companion-referee"]

[project.entry-points."companion.games"]
NAME = "NAME.module:MODULE"

[project.entry-points."companion.pages"]
NAME = "NAME.pages:PAGES"

[tool.setuptools.packages.find]
include = ["NAME*"]

[tool.setuptools.package-data]
"*" = ["*.toml", "*.po", "*.html", "*.css", "*.js", "*.svg"]
"""

README = """# NAME

A game for the table companion. It is the toy game under another name: change it into yours.

```sh
pip install -e .              # in the companion's environment
companion game check NAME     # what every game must keep to
companion run --game NAME     # at the simulated table
companion stickers --game NAME --out stickers.pdf
```

| File | What |
|---|---|
| `NAME/game.py` | the rules, the table, what is said and shown |
| `NAME/module.py` | how somebody plays it at random |
| `NAME/demo_deck.toml` | the deck, and the letters of its stickers |
| `NAME/locale` | its words in English and French |
| `NAME/pages` | its pages; without them it gets plain ones |
| `tests` | its tests: `pip install pytest`, then `python -m pytest` |

`companion game reference` says what each part of a game may hold.
"""

PAGES = '''"""The pages: a copy of those that a game without its own gets, to be changed."""

from dataclasses import replace
from pathlib import Path

from flask import Blueprint

from web.door import plain_pages

PAGES = replace(
    plain_pages("NAME", 2),
    folder=Path(__file__).parent,
    blueprint=Blueprint("NAME", __name__, static_folder="static", static_url_path="/games/NAME"),
)
'''

TEST = '''"""NAME keeps to what every game must, and to its own rules."""

import pytest

from companion.games.conformance import CHECKS, GameUnderTest
from companion.games.protocol import MoveContext
from NAME.game import ARROW, GAME, STAR, Lay
from NAME.module import MODULE


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_it_keeps_to(check):
    check(GameUnderTest(MODULE))


def test_a_counter_that_touches_nothing_is_refused():
    at, state = MoveContext(1), GAME.rules.start
    for move in (Lay(0, ARROW, 0, 0), Lay(0, STAR, 1, 0)):
        state = GAME.rules.apply(state, move, at).state
    assert [objection.rule for objection in GAME.rules.judge(state, Lay(1, "O1", 5, 3), at)] == ["apart"]
'''


def write_game(name: str, folder: Path) -> Path:
    """Write the package of a game into a new folder with its name; returns that folder.

    Raises:
        InputError: The name cannot be used, or the folder is there already or cannot be written.
    """
    if not re.fullmatch("[a-z][a-z0-9]{1,29}", name) or keyword.iskeyword(name):
        raise InputError(f"{name!r} cannot be a game's name: write 2 to 30 small letters and digits, a letter first")
    if name in GAMES or find_spec(name) is not None:
        raise InputError(f"{name!r} is the name of a game or a Python package here already: choose another one")
    whole = folder / name
    if whole.exists():
        raise InputError(f"{whole}: is there already; a new game takes no other folder's place")
    try:
        _write(name, whole)
    except OSError as wrong:
        raise InputError(f"{whole}: cannot be written ({wrong.strerror}): choose another folder with --into") from wrong
    return whole


def _write(name: str, whole: Path) -> None:
    _copy(resources.files(f"companion.games.{TOY}"), whole / name, name)
    deck = whole / name / "demo_deck.toml"
    deck.write_text(deck.read_text("utf-8").replace('"NO"', f'"{free_letters(name)}"'), "utf-8")
    for catalog in (whole / name / "locale").glob("*.po"):
        title = re.compile(rf'(msgid "{name}\.title"\nmsgstr )".*"')
        catalog.write_text(title.sub(rf'\1"{name.capitalize()}"', catalog.read_text("utf-8")), "utf-8")
    _copy(resources.files("web.pages.plain"), whole / name / "pages", name)
    for path, text in (
        (whole / "pyproject.toml", PROJECT),
        (whole / "README.md", README),
        (whole / name / "pages" / "__init__.py", PAGES),
        (whole / "tests" / f"test_{name}.py", TEST),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("MODULE", name.upper()).replace("NAME", name), "utf-8")


def free_letters(name: str) -> str:
    """Two letters for its stickers that no other game here has, its first ones if they are free."""
    taken = {module.letters for module in GAMES.values()}
    pairs = (one + other for one, other in product(name.upper(), name.upper()[1:] + ALPHABET))
    return next(pair for pair in pairs if pair not in taken)


def _copy(source: Traversable, target: Path, name: str) -> None:
    """Copy a folder of text files, with the toy game's name replaced."""
    target.mkdir(parents=True)
    for entry in source.iterdir():
        if entry.is_dir() and not entry.name.startswith("__"):
            _copy(entry, target / entry.name, name)
        elif entry.name.endswith(COPIED):
            text = entry.read_text("utf-8").replace(f"companion.games.{TOY}", name)
            for change in (str.lower, str.upper, str.capitalize):
                text = text.replace(change(TOY), change(name))
            (target / entry.name).write_text(text, "utf-8")
