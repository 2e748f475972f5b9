"""A sample of `companion bench durable`; the whole of it has a thousand kills."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from companion.cli.bench import durable
from companion.storage.event_log import LOG_FILE, EventLog


def test_a_sample_of_kills_loses_nothing_that_was_acknowledged() -> None:
    (told,) = durable.durable(False)
    kills, acknowledged, wrong = (int(word) for word in told.replace(",", "").split() if word.isdigit())
    assert (kills, wrong) == (durable.KILLS, 0)
    assert acknowledged > durable.KILLS


def test_a_lost_write_and_a_match_without_codes_are_found(tmp_path: Path) -> None:
    with closing(EventLog(tmp_path / LOG_FILE)) as log:
        log.begin("m", "2026-01-01", durable.HEADER)
    assert list(durable.faults(tmp_path, [("m", 0), ("m", 1), ("n", 0)])) == [
        "m has no codes", "entry 1 of m is lost", "entry 0 of n is lost",
    ]  # fmt: skip
