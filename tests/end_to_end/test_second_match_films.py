"""A second match that begins while the first one's things lie there, in every game, through pixels."""

from __future__ import annotations

from typing import Any

import pytest
from support.live_match import RATE_HZ, LiveMatch
from support.pixel_eye import PixelEye

from companion.app.frames import camera_over
from companion.games.registry import GAMES, demo_deck, open_match
from companion.public.updates import Alert, Signal
from companion.simulation.script import ScriptedPicture
from companion.simulation.trajectories import MovingThing
from vision.synthetic.camera_model import CameraModel

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.timeout(1800)]
OLD_S, NEW_LINES = 45.0, 7
ALARMS = {Signal.REFUSED, Signal.ASKS, Signal.MISPLACED, Signal.SUSPECTED}


@pytest.mark.parametrize("share", [1, 2], ids=["everything", "half"])
@pytest.mark.parametrize("name", GAMES)
def test_nothing_of_the_first_match_is_a_move_of_the_second(name: str, share: int) -> None:
    file: dict[str, Any] = dict(GAMES[name].demonstration.match)
    deck = demo_deck(GAMES[name])
    before = LiveMatch(file, deck, 1)
    before.play(OLD_S)
    opened = open_match(file, deck)
    while before.match.standing.turn is None or len(before.match.record.lines) < 12:  # more than a deal lies there
        before.go_on(15.0)
    there = [MovingThing(token, pose) for token, pose in sorted(before.film.stage.lying.items())][::share]
    shapes, usual = opened.game.table.shapes, CameraModel()
    eye = PixelEye(opened, camera_over(opened.layout, shapes, usual) if shapes else usual, 1)
    second = LiveMatch(file, deck, 2, eye=eye)
    now_s = -300.0

    def shows(things: list[MovingThing], lasts_s: float) -> None:
        nonlocal now_s
        for _ in range(round(lasts_s * RATE_HZ)):
            now_s += 1 / RATE_HZ
            second.match.handle(eye.look(ScriptedPicture(now_s, tuple(things), ())), now_s)
            second.match.wake(now_s)

    shows(there, 4.0)
    assert (second.lines, second.match.latest().alert) == ([], Alert.DISAGREES)
    left = [len(second.match.latest().instructions)]
    while there:
        del there[-3:]
        shows(there, 1.0)
        left.append(len(second.match.latest().instructions))
    assert (second.lines, left[-1], left) == ([], 0, sorted(left, reverse=True))
    shows([], 1.0)
    assert not ALARMS & set(second.signals)
    alone = LiveMatch(file, deck, 2)
    while len(alone.lines) < NEW_LINES:
        alone.go_on(5.0)
    second.play(alone.now_s)
    events = [line["event"] for line in second.lines]
    assert events[0] == "dealt"
    assert set(events) <= {"dealt", "played", "refused", "settled"}
    moves = [line["move"] for line in second.lines if "move" in line]
    assert moves[:4] == [line["move"] for line in alone.lines if "move" in line][:4]
