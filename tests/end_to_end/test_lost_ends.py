"""One card for the end of a turn is never read: people are asked about it, and the rest of the match is told right."""

from __future__ import annotations

import pytest
from support.film_report import table_match
from support.lost_end import play_without_one_end

SHORT_S, LONG_S = 60.0, 120.0
FILMS = [
    (seed, seats, profile)
    for seed, (seats, profile) in enumerate(
        [(3, "fr-explore"), (4, "en-explore"), (3, "en-intro"), (2, "fr-explore"), (5, "en-explore")] * 2, 1
    )
]


@pytest.mark.parametrize(
    ("seed", "seats", "profile"),
    [film if n in (0, 2) else pytest.param(*film, marks=pytest.mark.long) for n, film in enumerate(FILMS)],
)
def test_after_an_end_of_turn_that_was_not_seen_everything_is_told_right_again(
    seed: int, seats: int, profile: str
) -> None:
    """As a perfect eye sees it: "a lost KEND recovered in 10 of 10"."""
    told = play_without_one_end(table_match(seats, profile), seed, SHORT_S, exact=True)
    assert told.recovered, (told.counted, told.happened)
    assert told.refusals == []
    assert told.asked or told.claims


@pytest.mark.long
@pytest.mark.parametrize(("seed", "seats", "profile"), FILMS)
def test_through_pixels_too_an_end_of_turn_that_was_not_seen_is_recovered(seed: int, seats: int, profile: str) -> None:
    told = play_without_one_end(table_match(seats, profile), seed, LONG_S, exact=False)
    assert told.recovered, (told.counted, told.happened)
    assert told.refusals == []
    assert told.asked or told.claims
