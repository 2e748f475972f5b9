"""Films on photographed surfaces, with photographed hands: every act is told once, in order, and nothing else."""

from __future__ import annotations

import pytest
from end_to_end.test_films import breathes, check
from support.film_report import table_match, tell
from support.photographs import WIDE_MM

LASTS_S = 60.0
SURFACES = sorted(WIDE_MM)
PROFILES = ("fr-explore", "en-explore")


@pytest.mark.long
@pytest.mark.parametrize("breathing", [False, True], ids=["still", "breathing"])
@pytest.mark.parametrize("surface", SURFACES)
def test_a_film_on_a_photographed_surface_is_told_exactly(surface: str, breathing: bool) -> None:
    """A lens that finds its focus at once, and one that seeks it all the while."""
    seed = 30 + SURFACES.index(surface)
    match = table_match(2 + seed % 4, PROFILES[seed % 2])
    told = tell(match, seed, LASTS_S, magnified=breathes if breathing else None, photographed=surface)
    assert len(told.happened) >= 5
    check(told)
    assert told.lost == 0
