"""Carcassonne through pixels: what the camera makes of a match is what a perfect eye makes of it."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from support.live_match import LiveMatch
from support.pixel_eye import PixelEye

from companion.app.frames import camera_over
from companion.games.carcassonne import people
from companion.games.carcassonne.module import CARCASSONNE
from companion.games.registry import demo_deck, open_match
from companion.public.updates import Signal
from companion.simulation.deeds import Carry
from vision.synthetic.camera_model import CameraModel

WHOLE_S = 900.0
FALSE_ALARMS = {Signal.ASKS, Signal.MISPLACED, Signal.LOST, Signal.TROUBLE}
"""Nobody does anything in these matches of which a table should say so."""


def story(seed: int, eye: Any, until_s: float, entries: tuple[Any, ...] = ()) -> LiveMatch:
    """A match of the demonstration's people, seen by this eye, or by a perfect one; it goes on after these entries."""
    live = LiveMatch(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE), seed, eye=eye, entries=entries)
    live.play(until_s)
    return live


def carried(live: LiveMatch) -> list[tuple[str, str | None]]:
    """Which thing the people carried where, one after the other; ``None`` = off the table."""
    tokens = live.match.game.table.cards
    steps = (step for deed in live.deeds for step in deed.steps)
    return [(tokens[step.token], step.place) for step in steps if isinstance(step, Carry) and step.token in tokens]


def judged(lines: list[Any]) -> list[tuple[str, str | None]]:
    """The same as a record has it, lawful or refused."""
    return [(move["card"], place_of(move)) for line in lines if (move := line.get("move", {})).get("card")]


def place_of(move: dict[str, Any]) -> str | None:
    """Where a move's thing lies afterwards."""
    match move["do"]:
        case "start":
            return "field 0 0 0"
        case "place":
            return f"field {move['x']} {move['y']} {move['turn']}"
        case "deploy":
            return f"on {move['tile']} {move['segment']}"
        case "discard" | "remove":
            return "aside"
    return None


def pixel_eye(seed: int) -> PixelEye:
    """As the simulated table is drawn and watched."""
    opened = open_match(dict(CARCASSONNE.demonstration.match), demo_deck(CARCASSONNE))
    return PixelEye(opened, camera_over(opened.layout, opened.game.table.shapes, CameraModel()), seed)


@pytest.mark.long
def test_after_a_restart_a_follower_that_was_read_late_is_seen_to_go(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was there in the first picture. What its place looked like before it came, nobody knows then."""
    faultless = partial(people.neat_player, slips=False)  # in this very match the follower was read late
    monkeypatch.setattr(people, "neat_player", faultless)
    known = story(2, None, WHOLE_S)
    entries = tuple(line.entry for line in known.match.record.lines)[:79]
    seen = story(2, pixel_eye(2), 10.0, entries)
    assert judged(seen.lines[len(entries) :])[:2] == carried(seen)[:2]
    assert carried(seen)[1] == ("F12", None)


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(1, 13))
def test_a_whole_match_is_told_through_pixels_as_it_was_played(seed: int) -> None:
    """A whole match needs no tap: no question and no false alarm, and what is refused was unlawful."""
    seen = story(seed, pixel_eye(seed), WHOLE_S)
    assert seen.ended
    assert seen.match.over
    assert judged(seen.lines) == carried(seen)
    assert FALSE_ALARMS.isdisjoint(seen.signals)
