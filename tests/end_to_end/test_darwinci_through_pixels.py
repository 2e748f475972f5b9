"""Darwinci through pixels: some forty tiles and chips on a drawn table and the real eye; nothing asked or missed."""

from __future__ import annotations

from typing import Any

import pytest
from support.live_match import LiveMatch
from support.pixel_eye import PixelEye

from companion.cli.frame_sources import camera_over
from companion.games.darwinci.module import DARWINCI
from companion.games.registry import demo_deck, open_match
from vision.synthetic.camera_model import CameraModel

EVERYDAY = {"dealt", "played", "refused", "settled", "struck"}
"""No question, nothing unexplained: whatever people did was seen as what it was."""


def match_file(profile: str) -> dict[str, Any]:
    return {**DARWINCI.demo_match, "profile": profile}


def played(seed: int, profile: str, share: float) -> tuple[Any, ...]:
    """The entries of so large a part of a match that was played without pixels."""
    live = LiveMatch(match_file(profile), demo_deck(DARWINCI), seed)
    live.play(float("inf"))
    entries = tuple(line.entry for line in live.match.record.lines)
    return entries[: round(share * len(entries))]


def pixel_match(seed: int, profile: str, entries: tuple[Any, ...]) -> LiveMatch:
    """The same match from there on, as the simulated table is drawn and watched."""
    opened = open_match(match_file(profile), demo_deck(DARWINCI))
    eye = PixelEye(opened, camera_over(opened.layout, opened.game.shapes, CameraModel()), seed)
    return LiveMatch(match_file(profile), demo_deck(DARWINCI), seed, eye=eye, entries=entries, looked=nothing_false)


def nothing_false(live: LiveMatch) -> None:
    """Whatever is refused lies where it was said to lie, be it by the name of another chip of its colour."""
    line = live.match.record.lines[-1] if live.match.record.lines else None
    if line is None or (told := getattr(line.entry.event, "change", None)) is None or told.went_to is None:
        return
    alike = {token for token in live.match.game.shapes if token[0] == told.card[0]}
    assert any(live.film.stage.place(token) == told.went_to for token in alike), told


def events(live: LiveMatch, since: int) -> set[str]:
    return {line["event"] for line in live.lines[since:]}


@pytest.mark.slow
def test_people_bid_and_end_their_turns_and_each_is_seen_once() -> None:
    entries = played(1, "base", 0.12)
    live = pixel_match(1, "base", entries)
    live.play(14.0)
    assert len(live.lines) >= len(entries) + 3
    assert events(live, len(entries)) <= EVERYDAY
    assert {line["move"]["do"] for line in live.lines[len(entries) :] if "move" in line} >= {"bid", "end_turn"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "profile", "share"),
    [(1, "base", 0.0), (2, "experts", 0.2), (3, "base", 0.4), (4, "experts", 0.6), (5, "base", 0.8)],
)
def test_a_minute_of_a_match_is_played_without_a_false_alarm(seed: int, profile: str, share: float) -> None:
    """Five matches, each from later on."""
    entries = played(seed, profile, share)
    live = pixel_match(seed, profile, entries)
    live.play(90.0 if not entries else 60.0)  # before the first entry 33 things are laid
    assert len(live.lines) >= len(entries) + 10
    assert events(live, len(entries)) <= EVERYDAY


@pytest.mark.long
def test_the_last_round_is_played_to_the_winners() -> None:
    entries = played(6, "base", 0.93)
    live = pixel_match(6, "base", entries)
    live.play(300.0)
    assert live.match.over
    assert live.match.standing.winners
    assert not live.differences
    assert events(live, len(entries)) <= EVERYDAY
