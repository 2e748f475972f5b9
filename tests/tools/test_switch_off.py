"""A rule that is switched off is noticed by a test that carries its id."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.rule_ids import IDS
from tools.switch_off import (
    CARCASSONNE_OFF,
    DARWINCI_OFF,
    LANDS_NO_CODE,
    LANDS_OFF,
    NO_CODE,
    OF_VECTORS,
    OFF,
    VECTORS,
    noticing,
    sentences,
    switches,
)

SCRIPT = Path(__file__).parent / "switch_off.py"


def test_every_rule_has_a_switch_or_a_reason_why_there_is_nothing_to_switch() -> None:
    assert sorted([*OFF, *NO_CODE]) == sorted(IDS)


def test_every_sentence_of_the_rule_books_names_rules_and_vectors_that_there_are() -> None:
    lines = sentences()
    assert len(lines) > 100
    for where, rules, names in lines:
        assert set(rules) <= set(IDS), where
        assert all((VECTORS / f"{name}.jsonl").exists() for name in names), where
        assert set(rules) & OFF.keys() or not names, f"{where}: nothing could be switched off"
    assert not [where for where, rules, names in lines if not names and rules[0] not in {*NO_CODE, "A5", "J4", "K12"}]


def test_every_vector_has_something_that_can_be_switched_off() -> None:
    outside = {"no-deal", "not-offered", "TV06-10-unusable"}  # what nobody said, what no profile has, no match at all
    unheld = {name for name, keys in switches().items() if not keys and not name.startswith("evening-")}
    assert not [name for name in unheld - outside if not name.startswith("TV06-")]  # those are the same deal for others
    assert OF_VECTORS.keys() <= switches().keys()


@pytest.mark.parametrize(
    ("off", "vector"),
    [("C2", "TV01c"), ("E1-in-order", "E1-in-order"), ("K2-winner", "K2-winner"), ("O3-stopped-en-memory",) * 2],
)
def test_a_vector_fails_while_what_holds_it_is_off_and_another_does_not(off: str, vector: str) -> None:
    assert noticing(off, [vector, "TV07"]) == [vector]


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [(), ("--vectors",), *(("--game", game) for game in ("carcassonne", "darwinci", "lands"))],
    ids=["Discovery", "vectors", "Carcassonne", "Darwinci", "Lands"],
)
def test_whatever_is_switched_off_is_noticed(words: tuple[str, ...]) -> None:
    command = [sys.executable, str(SCRIPT), *words]
    run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=1500)
    assert run.returncode == 0, run.stdout
    assert "not noticed: none" in run.stdout


def test_every_rule_of_carcassonne_has_a_switch():
    assert list(CARCASSONNE_OFF) == [f"C{number}" for number in range(1, 24)]


def test_every_rule_of_darwinci_has_a_switch():
    assert list(DARWINCI_OFF) == [f"W{number}" for number in range(1, 33)]


def test_every_rule_of_lands_unknown_has_a_switch_or_a_reason_why_there_is_nothing_to_switch():
    assert sorted([*LANDS_OFF, *LANDS_NO_CODE], key=lambda rule: int(rule[1:])) == [f"U{n}" for n in range(1, 43)]
