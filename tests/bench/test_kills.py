"""A sample of `python -m tests.bench kills`, and that it would see what it looks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.games.discovery.moves import EndTurn, Pass, Place
from companion.games.registry import demo_deck, demo_match
from companion.history.codec import encode_entry
from companion.history.events import Entry, Origin, Played, Refused
from companion.public.table import CardId, Seat
from companion.storage.event_log import LOG_FILE, EventLog
from tests.bench import kills
from tests.bench.kills import Acknowledged, differences, judged_standing

CODES = [(1, "long", "SHORT")]
HEADER = {"match": demo_match(), "deck": demo_deck()}


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_a_companion_that_is_killed_while_people_play_keeps_what_it_told_them() -> None:
    lives = 60
    *each, all_of_it = kills.kills(False, lives, seed=4)
    assert sum(int(line.split(": ")[2].split()[0]) for line in each) == lives
    assert all_of_it.startswith("kills: 0 lost, doubled, changed or without codes; ")
    assert sum(int(line.rsplit(", ", 1)[1].split()[0]) for line in each) > lives / 2


def move(number: int, by: int) -> Entry:
    return Entry(number, Played(Pass(by)), Origin.PHONE, float(number))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[EventLog]:
    with closing(EventLog(tmp_path / LOG_FILE)) as opened:
        opened.begin("m", "2026-01-01", HEADER, invitations=CODES)
        opened.append("m", [move(1, 1), move(2, 2)])
        yield opened


def told(*entries: Entry, unanswered: tuple[Any, ...] = ()) -> dict[str, Acknowledged]:
    return {"m": Acknowledged({entry.number: encode_entry(entry) for entry in entries}, list(unanswered))}


def test_what_was_told_and_what_may_have_been_written_without_an_answer_is_no_fault(log: EventLog) -> None:
    assert list(differences(log, told(move(1, 1), move(2, 2)))) == []
    assert list(differences(log, told(move(1, 1), unanswered=({"do": "pass", "by": 2},)))) == []


@pytest.mark.parametrize(
    ("heard", "fault"),
    [
        (told(move(1, 1), move(2, 2), move(3, 1)), "entry 3 of m is lost"),
        (told(move(1, 1), move(2, 1)), "entry 2 of m is not as it was told"),
        (told(move(1, 1)), "entry 2 of m was asked for by nobody, or is there twice"),
        (
            told(move(1, 1), unanswered=({"do": "pass", "by": 1},)),
            "entry 2 of m was asked for by nobody, or is there twice",
        ),
        ({"n": Acknowledged()}, "n is lost"),
    ],
)
def test_a_lost_a_changed_and_a_doubled_entry_are_found(
    log: EventLog, heard: dict[str, Acknowledged], fault: str
) -> None:
    assert list(differences(log, heard)) == [fault]


@pytest.mark.parametrize(
    ("first", "moment_s", "faults"),
    [
        (Refused(Place(Seat(1), CardId("1-5"), "hand")), 3.0, []),
        (Refused(Place(Seat(1), CardId("1-5"), "hand")), 3.1, [3, 4]),
        (Refused(Place(Seat(2), CardId("1-5"), "hand")), 3.0, []),
        (Refused(Place(Seat(2), CardId("1-6"), "hand")), 3.0, [3, 4]),
        (Played(Pass(Seat(1))), 3.0, [3, 4]),
    ],
)
def test_the_end_of_turn_before_a_refused_card_that_was_claimed_was_asked_for_with_it(
    first: Any, moment_s: float, faults: list[int], tmp_path: Path
) -> None:
    """ "That was me": nobody asked for two moves, and nothing is struck, for the card had not counted."""
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        log.begin("m", "2026-01-01", HEADER, invitations=CODES)
        ended = Entry(3, Played(EndTurn(Seat(1))), Origin.PHONE, 3.0)
        claimed = Entry(4, Played(Place(Seat(2), CardId("1-5"), "hand")), Origin.PHONE, moment_s)
        log.append("m", [move(1, 1), Entry(2, first, Origin.PHONE, 2.0), ended, claimed])
        said = told(move(1, 1), Entry(2, first, Origin.PHONE, 2.0))
        wanted = [f"entry {number} of m was asked for by nobody, or is there twice" for number in faults]
        assert list(differences(log, said)) == wanted


def test_a_match_without_codes_and_two_in_play_are_found(log: EventLog) -> None:
    log.begin("n", "2026-01-01", HEADER)
    assert list(differences(log, {})) == ["not one match is in play", "n has no codes"]


def test_a_standing_is_compared_with_what_judge_says_of_the_exported_record(log: EventLog) -> None:
    assert judged_standing(log, "m", 1)["turn"] == 2  # type: ignore[index]
    assert judged_standing(log, "m", 2)["turn"] == 3  # type: ignore[index]
    assert judged_standing(log, "m", 3) == "there are only 2 entries"


def test_a_companion_that_does_not_start_again_is_found(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[[", "utf-8")
    with pytest.raises(kills.LogError, match=r"does not start again: companion: .*settings\.toml"):
        kills.Companion(tmp_path)
