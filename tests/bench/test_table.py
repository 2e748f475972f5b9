"""The bench of the whole table, its beginning: whole evenings through pixels are told exactly as they happened."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.bench.table import HABITS, NAMES, matches, play

SHORT_S = 45.0
MATCHES = list(matches())


@pytest.mark.long
@pytest.mark.parametrize("number", [2, 3, 7])
def test_the_referee_tells_an_evening_as_it_happened(number: int) -> None:
    """Every lawful act once, every unlawful one with exactly its objections, no false alarm, no needless question."""
    match = MATCHES[number]
    played = play(match, match["seed"], SHORT_S)
    assert len(played.acts) > 5
    assert played.faults == []
    assert played.alarms == []
    assert played.asked == []


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
def test_a_whole_match_seen_without_fault_is_told_without_fault(number: int) -> None:
    """From the deal to the end; the looks are a perfect eye's, so that it takes seconds."""
    match = MATCHES[number]
    played = play(match, match["seed"], exact=True)
    assert (played.faults, played.alarms) == ([], [])


def forgetful(profile: str, turn_end: str, seed: int) -> dict:
    seats = [{"name": name} for name in NAMES[: 3 + seed % 4]]
    return {"game": "discovery", "profile": profile, "dealer": len(seats), "seat": seats} | {
        "options": {"turn_end": turn_end}
    }


OPEN = [(profile, end) for profile in ("fr-explore", "en-intro", "en-explore") for end in ("inferred", "spoken")]


@pytest.mark.long
@pytest.mark.parametrize(("profile", "turn_end", "seed"), [(*kind, seed) for kind in OPEN for seed in range(100, 112)])
def test_ends_of_turn_that_everybody_forgets_bring_no_false_alarm(profile: str, turn_end: str, seed: int) -> None:
    """Where they are inferred nothing is asked; where they are spoken, "Ben's turn?", and only that."""
    match = forgetful(profile, turn_end, seed)
    played = play(match, seed, exact=True, forgetful=True, habits=replace(HABITS, forgets=0.25))
    assert (played.faults, played.alarms) == ([], [])
    assert any(act.deed.unsaid for act in played.acts)
    asked = [line for line in played.lines if line.get("asks")]
    assert bool(asked) == (turn_end == "spoken")


def test_the_bench_covers_all_profiles_seats_and_options() -> None:
    """ "over all five profiles, 3 to 6 seats, with bots, jokers, calls and stops"."""
    assert len(MATCHES) == 20
    assert {match["profile"] for match in MATCHES} == {"en-intro", "en-memory", "en-explore", "fr-explore", "fr-bluff"}
    assert {len(match["seat"]) for match in MATCHES} == {3, 4, 5, 6}
    assert any(seat.get("bot") for match in MATCHES for seat in match["seat"])
    assert any(match["jokers"] for match in MATCHES)
    assert any(match["options"].get("turn_end") == "inferred" for match in MATCHES)
