"""What the type checker must find, for it to be worth running."""

from __future__ import annotations

import ast
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MISSPELT = {
    "a turn": "replace(position.turn, trumsp=1)",
    "the public half": "replace(position, stakc=1)",
    "a builder": "builder.stakc = 1",
    "a builder that begins": "PositionBuilder(stakc=1)",
    "a move": "replace(move, crad=CardId('1-1'))",
    "a setup": "replace(setup, optoins=setup.options)",
}
SNIPPET = """
from dataclasses import replace

from companion.games.discovery.moves import Place
from companion.games.discovery.setup import Setup
from companion.games.discovery.state import Position, PositionBuilder
from companion.public.table import CardId


def changes(position: Position, builder: PositionBuilder, move: Place, setup: Setup) -> None:
    replace(position.turn, trumps=1)
    replace(position, stack=1)
    builder.stack = 1
"""


@pytest.mark.slow
def test_a_misspelt_field_is_found_by_the_type_checker(tmp_path: Path) -> None:
    """Otherwise "trumsp" would be found at a table, in the one match where somebody wins a trump in that way."""
    snippet = tmp_path / "snippet.py"
    snippet.write_text(SNIPPET + "".join(f"    {line}\n" for line in MISSPELT.values()))
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--cache-dir", tmp_path, snippet]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, capture_output=True, text=True, check=False)
    first = SNIPPET.count("\n") + 1
    lines = {int(line.split(":")[1]) for line in done.stdout.splitlines() if ": error:" in line}
    assert lines == set(range(first, first + len(MISSPELT))), done.stdout + done.stderr


@pytest.mark.parametrize("package", ["companion", "vision", "hardware", "web"])
def test_whoever_builds_on_a_package_gets_its_types(package: str) -> None:
    """PEP 561: without this file a type checker takes everything of an installed package for ``Any``."""
    assert (ROOT / package / "py.typed").is_file()


def unreachable(source: str) -> list[int]:
    """The lines of statements that stand behind a return, raise, break or continue."""
    blocks = [
        block
        for node in ast.walk(ast.parse(source))
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, name, None), list)
    ]
    leaves = (ast.Return, ast.Raise, ast.Break, ast.Continue)
    return [after.lineno for block in blocks for one, after in pairwise(block) if isinstance(one, leaves)]


def test_no_test_returns_before_what_it_asserts() -> None:
    """The type checker looks for such lines in the program, and does not read the tests."""
    assert unreachable("def test_it():\n    return\n    assert False\n") == [3]
    found = {str(path): lines for path in ROOT.glob("tests/**/*.py") if (lines := unreachable(path.read_text("utf-8")))}
    assert found == {}
