"""The second judge agrees with every figure that was derived by hand, and with its own longer matches."""

from __future__ import annotations

import ast
from pathlib import Path
from random import Random
from typing import Any

import pytest
from reference.matches import Evening, random_match
from reference.referee import Referee, read

FOLDER = Path(__file__).parents[1] / "vectors"
UNUSABLE = sorted(FOLDER.glob("*-unusable.jsonl"))
RECORDS = sorted(set(FOLDER.glob("*.jsonl")) - set(UNUSABLE))


def as_set(entry: Any) -> set[tuple[str, tuple[str, ...]]]:
    return {(item["rule"], tuple(sorted(item["cards"]))) for item in entry.get("objections", ())}


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_the_second_judge_agrees_with_the_record(path: Path) -> None:
    header, entries = read(path)
    referee = Referee(header)
    assert entries
    for entry in entries:
        said = referee.entry(entry)
        where = f"{path.name} entry {entry['number']}: {entry.get('move', entry['event'])}"
        assert (where, said["event"]) == (where, entry["event"]), said
        assert (where, as_set(said)) == (where, as_set(entry))
        for key in ("points", "failed", "held", "standing"):
            assert (where, key, said.get(key)) == (where, key, entry.get(key))
        jokers = header["match"].get("jokers", 0)
        assert (where, referee.oracle.total()) == (where, 54 + jokers)  # TV28


@pytest.mark.parametrize("path", UNUSABLE, ids=lambda path: path.stem)
def test_a_match_that_no_deck_can_deal_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="at most 9 seats"):
        Referee(read(path)[0])


def test_the_worked_example_is_worth_fourteen_eight_and_fourteen() -> None:
    worth = {}
    for name in ("TV01-fr", "TV01-en", "TV01-en-series-plus"):
        header, entries = read(FOLDER / f"{name}.jsonl")
        referee = Referee(header)
        worth[name] = [referee.entry(entry)["standing"]["points"][0] for entry in entries][-1]
    assert worth == {"TV01-fr": 14, "TV01-en": 8, "TV01-en-series-plus": 14}


def test_no_second_judge_owes_anything_to_the_companion() -> None:
    allowed = {"__future__", "json", "pathlib", "random", "typing", "reference.judge", "reference.referee"}
    judges = sorted(Path(__file__).parent.rglob("[!t]*.py"))
    assert len(judges) >= 6
    for path in judges:
        named = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        modules = {alias.name for node in named if isinstance(node, ast.Import) for alias in node.names}
        modules |= {node.module or "" for node in named if isinstance(node, ast.ImportFrom)}
        assert modules <= allowed, path.name


def test_every_vector_of_the_rule_reference_has_a_record() -> None:
    names = {path.stem for path in FOLDER.glob("*.jsonl")}
    assert not [n for n in range(1, 28) if not any(name.startswith(f"TV{n:02}") for name in names)]


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, pytest.param(1000, marks=pytest.mark.long)])
def test_real_cards_dealt_and_played_at_random_are_where_the_judge_counts_them(first: int) -> None:
    deck = read(FOLDER / "evening-en-intro.jsonl")[0]["deck"]
    for seed in range(first, first + (60 if first == 0 else 1500)):
        table = Evening(random_match(Random(seed)), deck, seed)
        table.play()
        assert table.oracle.over, f"seed {seed}: {table.oracle.standing()}"
