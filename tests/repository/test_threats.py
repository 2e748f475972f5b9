"""The pages about threats and promises name tests that are there, and leave out no finding."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/.]+\.py)::(\w+)`")


def rows(page: str, heading: str) -> list[list[str]]:
    """The cells of the table under a heading."""
    section = (ROOT / "docs" / page).read_text(encoding="utf-8").split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


@cache
def functions_in(path: Path) -> frozenset[str]:
    """The names of a file's functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def assert_named(cell: str) -> None:
    """A cell names at least one test, and all that it names are there."""
    named = NAMED.findall(cell)
    assert named, f"no test is named: {cell}"
    for file, name in named:
        assert (ROOT / file).is_file(), f"{file} is not there"
        assert name.startswith("test_"), name
        assert name in functions_in(ROOT / file), f"there is no {name} in {file}"


def test_each_finding_has_its_row_in_order():
    assert [int(row[0]) for row in rows("threats.md", "The findings, one by one")] == list(range(1, 33))


@pytest.mark.parametrize("row", rows("threats.md", "The findings, one by one"), ids=lambda row: row[0])
def test_each_finding_names_the_tests_that_show_it(row: list[str]):
    assert len(row) == 3
    assert all(row)
    assert_named(row[2])


@pytest.mark.parametrize("row", rows("promises.md", "The promises"), ids=lambda row: row[0])
def test_each_promise_names_the_tests_that_hold_it(row: list[str]):
    assert len(row) == 2
    assert all(row)
    assert_named(row[1])


def test_a_test_that_is_not_there_is_found():
    with pytest.raises(AssertionError, match="there is no test_of_nothing"):
        assert_named("`tests/repository/test_threats.py::test_of_nothing`")
    with pytest.raises(AssertionError, match=r"test_gone\.py is not there"):
        assert_named("`tests/repository/test_gone.py::test_of_nothing`")
    with pytest.raises(AssertionError, match="no test is named"):
        assert_named("by looking")
