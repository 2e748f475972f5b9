"""Films of the simulated table, refereed from their pictures alone: every act told once, in order, and nothing else."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from support.film_report import Told, table_match, tell

from companion.cli.main import main

SHORT_S, LONG_S = 42.0, 420.0
RECORDING = Path(__file__).parents[3] / "shared" / "recordings" / "three-turns"

FILMS = [
    pytest.param(
        seed, seats, profile, options, id=f"{seed}-{profile}-{seats}" + "".join(f"-{name}" for name in options)
    )
    for seed, seats, profile, options in (
        (2, 4, "fr-explore", {}),
        (1, 3, "en-explore", {"series_plus": True}),
        (3, 5, "en-explore", {}),
        (4, 2, "fr-explore", {}),
        (5, 3, "en-explore", {"series_plus": True}),
        (6, 4, "fr-explore", {}),
        (7, 5, "fr-explore", {}),
        (12, 2, "en-explore", {}),
        (9, 3, "fr-explore", {}),
        (10, 2, "en-explore", {"series_plus": True}),
    )
]


def check(told: Told) -> None:
    """Every act is told once, in order, with its objections and points; no question, nothing unexplained."""
    assert told.told == told.happened
    happened, said = told.brought
    assert said == happened
    assert told.lies == told.should_lie
    assert [line["number"] for line in told.lines] == list(range(1, len(told.lines) + 1))


def test_a_film_is_told_exactly() -> None:
    """The other films are told with a lens that seeks its focus, and for minutes."""
    told = tell(table_match(4), 2, SHORT_S)
    assert len(told.happened) >= 5
    check(told)


BREATH = 0.01


def breathes(time_s: float) -> float:
    """A lens that seeks its focus: larger for two seconds in every five, in one step; then smaller and back, slowly."""
    round_s = time_s % 10
    if round_s < 5:
        return 1 + BREATH if round_s < 2 else 1.0
    return 1 - BREATH * math.sin(math.pi * min(round_s - 5, 4.0) / 4)


@pytest.mark.long
@pytest.mark.parametrize(("seed", "seats", "profile", "options"), FILMS)
def test_a_film_is_told_exactly_although_the_lens_seeks_its_focus(
    seed: int, seats: int, profile: str, options: dict[str, bool]
) -> None:
    """ "Breathing focus (±1 %): the table is followed, not lost; commands shown meanwhile are seen"."""
    told = tell(table_match(seats, profile, **options), seed, SHORT_S, magnified=breathes)
    assert len(told.happened) >= 5
    check(told)
    assert told.lost == 0


@pytest.mark.long
def test_a_pool_that_is_dealt_before_the_camera_is_one_deal() -> None:
    """ "hand out one card to the pool (face up) then one to each player" (E:188-189)."""
    told = tell(table_match(3), 11, 30.0, deals=True)
    check(told)
    assert told.lines[0]["event"] == "dealt"


@pytest.mark.long
@pytest.mark.parametrize(("seed", "seats", "profile", "options"), FILMS)
def test_a_long_film_is_told_exactly(seed: int, seats: int, profile: str, options: dict[str, bool]) -> None:
    """Minutes of play: refills, series, trumps, discards, cards taken back, straightened and slid, hands at rest."""
    check(tell(table_match(seats, profile, **options), seed + 100, LONG_S))


@pytest.mark.long
def test_people_whose_hands_never_rest_are_told_exactly() -> None:
    check(tell(table_match(4), 21, 240.0, lively=1.0))


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
