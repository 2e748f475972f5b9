"""Lands Unknown through pixels: figures, tiles and cards of a whole match on a drawn table, and no false alarm."""

from __future__ import annotations

from typing import Any

import pytest
from support.live_match import LiveMatch
from support.pixel_eye import PixelEye

from companion.app.frames import camera_over
from companion.games.lands.module import LANDS
from companion.games.registry import demo_deck, open_match
from vision.synthetic.camera_model import CameraModel

WHOLE_S = 900.0
EVERYDAY = {"dealt", "played", "refused", "settled"}
"""No question, nothing unexplained: whatever people did was seen as what it was."""
PROVOKED = {("travel", "stamina"), ("trade", "space")}
"""What the people of the demonstration try now and then although it may not be done."""


def pixel_match(seed: int) -> LiveMatch:
    """As the simulated table is drawn and watched."""
    opened = open_match(dict(LANDS.demonstration.match), demo_deck(LANDS))
    eye = PixelEye(opened, camera_over(opened.layout, opened.game.table.shapes, CameraModel()), seed)
    return LiveMatch(dict(LANDS.demonstration.match), demo_deck(LANDS), seed, eye=eye)


def refused(live: LiveMatch) -> set[Any]:
    """Which moves were refused, and by which rule."""
    return {
        (line["move"]["do"], one["rule"])
        for line in live.lines
        if line["event"] == "refused"
        for one in line["objections"]
    }


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_a_whole_match_ends_without_a_question_and_only_what_may_not_be_done_is_refused() -> None:
    live = pixel_match(1)
    live.play(WHOLE_S)
    assert [line["move"]["do"] for line in live.lines[:5]] == ["deal", "gain", "gain", "gain", "gain"]
    assert live.match.over
    assert not live.differences
    assert {line["event"] for line in live.lines} <= EVERYDAY
    assert refused(live) <= PROVOKED
