"""Tables that are not there, as sources of frames: a seeded match that is filmed and drawn, and recorded pictures.

Joins the script (``companion.simulation``, which knows no pixels) to the drawing (``vision``, which knows no game).
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from companion.games.protocol import MoveContext
from companion.games.registry import open_match
from companion.history.codec import decode_move
from companion.public.standing import encode_standing
from companion.public.text import JSON
from companion.simulation.behaviour import Behaviour
from companion.simulation.card_places import CardPlaces, Measures
from companion.simulation.players import Players
from companion.simulation.script import MatchScript

if TYPE_CHECKING:  # OpenCV is loaded only when there are pictures to make
    from vision.camera.frame import Frame, FrameSource

log = logging.getLogger(__name__)
RATE_HZ = 8.0
"""Pictures a second of a simulated table; drawing and looking at them must leave a small machine some air."""

DEALT_S = 0.3
"""The pool lies there from the first picture; by now the referee has seen it and play time counts."""

HABITS = Behaviour(errs=0.18)


class DiscoveryJudge:
    """Tells the simulated players what the rules say; a ``companion.simulation.Judge``."""

    def __init__(self, header: Mapping[str, JSON]) -> None:
        self._game = open_match(header["match"], header["deck"]).game
        self._state: Any = self._game.start()

    def judge(self, move: JSON, number: int, time_s: float | None) -> set[tuple[str, tuple[str, ...]]]:
        """All objections to a move; in the game's own order."""
        meant = decode_move(self._game, move)
        found = self._game.judge(self._game.public(self._state), meant, MoveContext(number, time_s))
        return {(objection.rule, objection.cards) for objection in found}

    def play(self, move: JSON, number: int, time_s: float | None) -> JSON:
        """Carry out a lawful move."""
        meant, at = decode_move(self._game, move), MoveContext(number, time_s)
        step = self._game.apply_hidden(self._state, meant, at, self._game.apply(self._state, meant, at))
        self._state = step.state
        standing = encode_standing(self._game.standing(self._game.public(self._state)))
        return {"points": step.points, "standing": standing, **step.extras}

    def lying(self) -> dict[str, str]:
        """Every card that can be seen, and its zone."""
        expected = self._game.expected(self._game.public(self._state))
        return {str(card): str(zone) for card, zone in expected.cards.items()}


def match_film(header: Mapping[str, JSON], seed: int, speed: float = 1.0) -> MatchScript:
    """The script of a seeded match.

    Raises:
        InputError: The simulated players do not know this kind of match.
    """
    opened = open_match(header["match"], header["deck"])
    players = Players(header["match"], header["deck"], lambda: DiscoveryJudge(header), seed, HABITS)
    stage = CardPlaces(opened.layout, opened.game.seats, Measures(), seed)
    return MatchScript(players.deeds(), stage, seed, speed=speed or 1.0)


def simulated_frames(header: Mapping[str, JSON], seed: int, speed: float, start_s: float) -> FrameSource:
    """The frames of a seeded match played for ``start_s`` seconds already; ``speed`` 0 = as fast as can be."""
    from vision.synthetic.scene import Scene
    from vision.synthetic.source import SimulatedTable

    opened = open_match(header["match"], header["deck"])
    pictures = match_film(header, seed, speed).pictures(RATE_HZ)
    begin_s = start_s + DEALT_S if start_s else 0.0
    return SimulatedTable(pictures, Scene(opened.layout, seed=seed), live=speed > 0, start_s=begin_s)


class ResumedFrames:
    """A film that begins where its match is, whenever an eye is opened on it, also the one after a crash.

    Args:
        show: Makes the frame source that begins at that second.
        played_s: How many seconds of the match were played.
    """

    def __init__(self, show: Callable[[float], FrameSource], played_s: Callable[[], float]) -> None:
        self._show = show
        self._played_s = played_s

    def __call__(self) -> FrameSource:
        """The frame source."""
        return self._show(self._played_s())

    def __reduce__(self) -> tuple[Any, ...]:
        """On its way into the eye's process it becomes the film from now on."""
        return partial, (self._show, self._played_s())


def usual_source() -> str:
    """What to look through when nobody named anything: a Pi's camera; where there is none, the simulated table."""
    from hardware.pins import on_a_pi

    if not on_a_pi():
        return "simulated"
    from vision.camera.picamera import cameras

    if cameras():
        return "picamera"
    log.warning("this Pi sees no camera (is its ribbon cable in place?): the table is simulated until the next start")
    return "simulated"


def is_camera(source: str) -> bool:
    """Whether a ``--source`` names a camera, which never ends."""
    return source == "picamera" or source.startswith("usb:")


class PacedFrames(AbstractContextManager["PacedFrames"]):
    """Recorded frames as if they were taken now.

    Args:
        source: A folder of pictures or a film.
        start_s: Where in the recording to begin, when its match was refereed up to there already.
        clock, sleep: Of real time; monotonic seconds.

    Raises:
        InputError: The recording cannot be read.
    """

    live = False

    def __init__(
        self,
        source: str,
        start_s: float = 0.0,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        from vision.camera.sources import open_source

        self.name = source
        self._start_s = start_s
        self._frames = open_source(source)
        self._clock = clock
        self._sleep = sleep

    def __enter__(self) -> Self:
        self._frames.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._frames.__exit__(kind, error, trace)

    def __iter__(self) -> Iterator[Frame]:
        began_s: float | None = None
        for frame in self._frames:
            if frame.taken_s < self._start_s:
                continue
            if began_s is None:
                began_s = self._clock() - frame.taken_s
            due_s = began_s + frame.taken_s
            self._sleep(max(0.0, due_s - self._clock()))
            yield replace(frame, taken_s=due_s)
