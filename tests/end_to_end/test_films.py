"""Films of the simulated table, refereed from their pictures alone: every act told once, in order, and nothing else."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from support import photographs
from support.film_report import Film, Told, table_match, tell

from companion.cli.main import main

SHORT_S, LONG_S = 42.0, 420.0
RECORDING = Path(__file__).parents[3] / "shared" / "recordings" / "three-turns"
SERIES = {"series_plus": True}
FILMS = [
    pytest.param(seed, table_match(seats, profile, **options), id=f"{seed}-{profile}-{seats}")
    for seed, seats, profile, options in (
        (2, 4, "fr-explore", {}),
        (1, 3, "en-explore", SERIES),
        (3, 5, "en-explore", {}),
        (4, 2, "fr-explore", {}),
        (5, 3, "en-explore", SERIES),
        (6, 4, "fr-explore", {}),
        (7, 5, "fr-explore", {}),
        (12, 2, "en-explore", {}),
        (9, 3, "fr-explore", {}),
        (10, 2, "en-explore", SERIES),
    )
]
SURFACES = sorted(photographs.WIDE_MM)


def check(told: Told) -> None:
    """Every act is told once, in order, with its objections and points, and nothing is unexplained.

    Whose turn it is, is asked about each card that would have been right one turn later; nothing else is asked.
    """
    assert len(told.happened) >= 5
    assert told.told == told.happened
    assert told.lies == told.should_lie
    assert [line["number"] for line in told.lines] == list(range(1, len(told.lines) + 1))
    assert not [line for line in told.lines if line["event"] == "question"]
    assert told.asked_about == told.may_be_early
    assert told.asked == []  # it was none of these, so nobody says yes
    assert told.alarms == []


def test_a_film_is_told_exactly() -> None:
    """The other films are told with a lens that seeks its focus, and for minutes."""
    check(tell(Film(table_match(4), 2), SHORT_S))


def breathes(time_s: float) -> float:
    """A lens that seeks its focus: 1 % larger for two seconds in every five, in one step; then smaller and back."""
    round_s = time_s % 10
    if round_s < 5:
        return 1.01 if round_s < 2 else 1.0
    return 1 - 0.01 * math.sin(math.pi * min(round_s - 5, 4.0) / 4)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "match"), FILMS)
def test_a_film_is_told_exactly_although_the_lens_seeks_its_focus(seed: int, match: dict) -> None:
    told = tell(Film(match, seed), SHORT_S, magnified=breathes)
    check(told)
    assert told.lost == 0


@pytest.mark.long
@pytest.mark.parametrize("surface", SURFACES)
def test_a_film_on_a_photographed_surface_with_photographed_hands_is_told_exactly(surface: str) -> None:
    """All the while the lens seeks its focus."""
    seed = 30 + SURFACES.index(surface)
    film = Film(table_match(2 + seed % 4, ("fr-explore", "en-explore")[seed % 2]), seed)
    told = tell(film, 60.0, magnified=breathes, scene=film.scene(surface))
    check(told)
    assert told.lost == 0


@pytest.mark.long
def test_a_pool_that_is_dealt_before_the_camera_is_one_deal() -> None:
    """ "hand out one card to the pool (face up) then one to each player" (E:188-189)."""
    told = tell(Film(table_match(3), 11, deals=True), 45.0)
    check(told)
    assert told.lines[0]["event"] == "dealt"


@pytest.mark.long
@pytest.mark.parametrize(("seed", "match"), FILMS)
def test_a_long_film_is_told_exactly(seed: int, match: dict) -> None:
    """Minutes of play: refills, series, trumps, discards, cards taken back, straightened and slid, hands at rest."""
    check(tell(Film(match, seed + 100), LONG_S))


@pytest.mark.long
def test_people_whose_hands_never_rest_are_told_exactly() -> None:
    check(tell(Film(table_match(4), 21, lively=1.0), 240.0))


def test_the_recorded_table_is_told_exactly(tmp_path: Path) -> None:
    """A film that another hand has drawn; an extra, where it lies beside the project."""
    if not RECORDING.is_dir():
        pytest.skip(f"the recording {RECORDING} is not there; it is no part of the project")
    record = tmp_path / "out.jsonl"
    film = [str(RECORDING / "table.mp4"), "--match", str(RECORDING / "match.toml"), "--record", str(record)]
    assert main(["referee", *film]) == 0
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()[1:]]
    acts = [line for line in lines if line["event"] in ("played", "refused") and line["move"]["do"] != "refill"]
    told = [
        (line["move"], sorted(wrong["rule"] for wrong in line.get("objections", ())), line["standing"]["points"])
        for line in acts
    ]
    truth = [json.loads(line) for line in (RECORDING / "truth.jsonl").read_text("utf-8").splitlines()]
    keys = ("do", "by", "card", "from")
    happened = [
        ({key: act[key] for key in keys if key in act}, sorted(act.get("rules", ())), act["points"]) for act in truth
    ]
    assert told == happened
    assert {line["event"] for line in lines} <= {"dealt", "played", "refused", "settled"}
