"""Whole matches with jokers, bots, teams, stops and forgotten ends of turn are told exactly as they happened."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.film_report import Film, table_match, tell

from tests.bench.table import AROUND_S, HABITS, LIVELY, MATCHES, faults, film_of


@pytest.mark.long
@pytest.mark.parametrize("number", [2, 3, 7])
def test_the_beginning_of_a_match_is_told_through_pixels_as_it_happened(number: int) -> None:
    told = tell(film_of(number), 45.0, longer_s=0.5, around_s=AROUND_S)
    assert len(told.acts) > 5
    assert (faults(told), told.alarms, told.asked) == ([], [], [])


@pytest.mark.long
@pytest.mark.parametrize("number", range(len(MATCHES)))
def test_a_whole_match_seen_without_fault_is_told_without_fault(number: int) -> None:
    told = tell(film_of(number), longer_s=0.5, around_s=AROUND_S, exact=True)
    assert (faults(told), told.alarms) == ([], [])


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 112))
@pytest.mark.parametrize("turn_end", ["inferred", "spoken"])
@pytest.mark.parametrize("profile", ["fr-explore", "en-intro", "en-explore"])
def test_ends_of_turn_that_everybody_forgets_bring_no_false_alarm(profile: str, turn_end: str, seed: int) -> None:
    """Where they are inferred nothing is asked; where they are spoken, "Ben's turn?", and only that."""
    match = table_match(3 + seed % 4, profile) | {"options": {"turn_end": turn_end}}
    film = Film(match, seed, replace(HABITS, forgets=0.25), LIVELY, forgetful=True)
    told = tell(film, longer_s=0.5, around_s=AROUND_S, exact=True)
    assert (faults(told), told.alarms) == ([], [])
    assert any(act.deed.unsaid for act in told.acts)
    assert any(line.get("asks") for line in told.lines) == (turn_end == "spoken")
