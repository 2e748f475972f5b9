"""The engine and the second judge, written apart from the same rules, tell the same story of every random match."""

from __future__ import annotations

import pytest
from reference.judge import PROFILES
from support.two_judges import TwoJudges


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.long) for first in range(10, 410, 40))])
def test_they_agree_when_people_count_too_and_seats_come_and_go_and_no_card_is_lost_and_nobody_stuck(
    profile: str, first: int
) -> None:
    for seed in range(first, first + (10 if first == 0 else 40)):
        table = TwoJudges(seed, profile, people=True)
        assert table.play(), f"{profile}, seed {seed}, entry {table.number} of {table.match}: {table.differs}"


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.long) for first in range(40, 400, 40))])
def test_two_judges_agree_on_every_act_its_objections_points_and_standing(profile: str, first: int) -> None:
    ended = 0
    for seed in range(first, first + 40):
        table = TwoJudges(seed, profile)
        assert table.play(), f"{profile}, seed {seed}, entry {table.number} of {table.match}: {table.differs}"
        ended += table.oracle.over
    assert ended > 20, "most matches should come to their end"
