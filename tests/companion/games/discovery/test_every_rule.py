"""Every row of the rules has a test or a vector that carries its id, and a line in docs/rules.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.rule_ids import IDS
from tools.switch_off import vectors_of

pytestmark = pytest.mark.core

HERE = Path(__file__).parent


def test_every_id_is_carried_by_a_test_or_a_vector():
    names = re.findall(r"^def (test_\w+)\(", "\n".join(p.read_text("utf-8") for p in HERE.glob("test_*.py")), re.M)
    carried = {part.upper() for name in names for part in name.split("_") if re.fullmatch(r"[a-t]\d+", part)}
    assert not [rule for rule in IDS if rule not in carried and not vectors_of(rule)]


def test_every_id_is_explained_in_the_rules_as_played():
    page = (HERE.parents[3] / "docs" / "rules.md").read_text("utf-8")
    explained = set(re.findall(r"\b([A-T]\d+)\b", page))
    for first, last in re.findall(r"\b([A-T]\d+)-([A-T]\d+)\b", page):
        explained |= {f"{first[0]}{number}" for number in range(int(first[1:]), int(last[1:]) + 1)}
    assert set(IDS) - explained == set()
