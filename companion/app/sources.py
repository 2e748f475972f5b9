"""Where a table's pictures come from, and what is different about a table for it: a camera, a phone, a film, dice."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.app.frames import RATE_HZ, PacedFrames, ResumedFrames, live_frames, phone_pictures
from companion.app.live_table import LiveTable, live_table
from companion.games import registry
from companion.games.protocol import Game
from companion.public.layout import Layout
from companion.public.pictogram import Pictogram
from companion.public.sources import PHONE, is_camera, shown_source
from companion.public.table import Token
from companion.public.text import JSON
from companion.service.archive import rematch_header
from companion.service.phone_camera import PhoneCamera
from companion.service.runner import MatchRunner
from companion.service.visiting import sitting
from companion.simulation.visitors import Visitors
from companion.storage.event_log import StoredMatch
from companion.storage.settings import Settings

if TYPE_CHECKING:  # OpenCV is loaded in the eye's process alone
    from vision.process.worker import SourceSpec

log = logging.getLogger(__name__)

SIMULATED = "simulated"


def usual_source(settings: Settings) -> str:
    """What to look through when nobody named anything: the camera of the settings, else a Pi's camera; where there is
    none, the simulated table."""
    if settings.source is not None:
        return settings.source
    from hardware.pins import on_a_pi

    if not on_a_pi():
        return SIMULATED
    from vision.camera.picamera import cameras

    if cameras():
        return "picamera"
    log.warning("this Pi sees no camera (is its ribbon cable in place?): the table is simulated until the next start")
    return SIMULATED


class TableSource:
    """A camera, and what the other kinds of source are like where they do not say it.

    Attributes:
        name: What may be said of it: its address may hold a password.
        simulated: Its pictures are drawn, and its players are dice.
        live: It goes on for as long as the table is open.
        header: What the header of a match has more that is looked at through it.
        visitors: Who plays a seat of the simulated table.
        phone: Takes in the pictures of a phone.

    Args:
        source: As ``--source`` names it (docs/contract.md, section 2).
    """

    simulated = False
    live = True
    header: Mapping[str, JSON] = MappingProxyType({})
    visitors: Visitors | None = None
    phone: PhoneCamera | None = None

    def __init__(self, source: str) -> None:
        self._source = source
        self.name = shown_source(source)

    def check(self) -> None:
        """Say at once what is wrong with a source that somebody named; a service's own camera may come later.

        Raises:
            InputError: There is no such source.
            DeviceError: It cannot be opened.
        """
        from vision.camera.sources import open_source

        source = open_source(self._source)
        if "NOTIFY_SOCKET" not in os.environ:
            with source:
                pass

    def before_match(self) -> SourceSpec | None:
        """What the eye opens while there is no match; ``None`` = nothing is to be seen then."""
        return self._source

    def frames(self, _stored: StoredMatch) -> SourceSpec:
        """What the eye opens for a match, until ``match_over``."""
        return self._source

    def layout(self, _game: Game[Any, Any]) -> Layout | None:
        """Where the zones lie whatever anybody drew; ``None`` = as they were drawn."""
        return None

    def trouble(self) -> str | None:
        """Why nothing comes, where that is known before the eye says so."""
        return None

    def match_over(self) -> None:
        """The match is looked at no more."""

    def close(self) -> None:
        """The table is closed."""


class FilmSource(TableSource):
    """A folder of pictures or a video file, shown as if it were played now; it goes on where its match is."""

    live = False

    def __init__(self, source: str, runner: MatchRunner) -> None:
        super().__init__(source)
        self._runner = runner

    def before_match(self) -> SourceSpec | None:
        """Nothing: the film is of a match."""
        return None

    def frames(self, _stored: StoredMatch) -> SourceSpec:
        """The film from where the match is."""
        return ResumedFrames(partial(PacedFrames, self._source), self._runner.played_s)


class PhoneSource(TableSource):
    """A phone whose page sends what its camera sees."""

    def __init__(self) -> None:
        super().__init__(PHONE)
        self.phone: PhoneCamera = PhoneCamera()

    def check(self) -> None:
        """It may come at any time."""

    def before_match(self) -> SourceSpec:
        """The pictures that it sends."""
        return partial(phone_pictures, self.phone.address)

    def frames(self, _stored: StoredMatch) -> SourceSpec:
        """The pictures that it sends."""
        return self.before_match()

    def trouble(self) -> str | None:
        """Whether one sends."""
        return self.phone.trouble()

    def close(self) -> None:
        """Take no more in."""
        self.phone.close()


class SimulatedSource(TableSource):
    """A drawn table, at which dice play whatever match the runner runs, and the next one after it.

    Args:
        seed: Of the dice, in the matches that begin from now on.
        speed: How fast they play; 0 = as fast as can be.
    """

    simulated = True

    def __init__(self, runner: MatchRunner, seed: int, speed: float) -> None:
        super().__init__(SIMULATED)
        self.header = {SIMULATED: {"seed": seed}}
        self.visitors = Visitors(partial(sitting, runner))
        self._runner = runner
        self._speed = speed
        self._live: LiveTable | None = None

    def check(self) -> None:
        """It is always there."""

    def before_match(self) -> SourceSpec | None:
        """Nothing lies there."""
        return None

    def frames(self, stored: StoredMatch) -> SourceSpec:
        """The table as its people play this match; they sit down now."""
        header, seed = stored.header, stored.header[SIMULATED]["seed"]
        next_match = partial(self._play_next, stored)
        self._live = live_table(self._runner, stored.id, header, seed, self._speed, RATE_HZ, next_match, self.visitors)
        return partial(live_frames, self._live.address, header, seed, self._speed, card_pictograms(header["deck"]))

    def layout(self, game: Game[Any, Any]) -> Layout | None:
        """As the game has it: so it is drawn."""
        return game.layout()

    def match_over(self) -> None:
        """Its people get up."""
        if self._live is not None:
            self._live.close()
            self._live = None

    def _play_next(self, watched: StoredMatch) -> None:
        """The end of a match was looked at for long enough: the next one begins."""

        def rematch() -> None:
            if self._runner.stored is watched and self._runner.match is not None:
                entries = [line.entry for line in self._runner.match.record.lines]
                self._runner.begin(rematch_header(watched.header, entries))

        self._runner.submit(rematch)


def table_source(source: str, runner: MatchRunner, seed: int, speed: float) -> TableSource:
    """The source that ``--source`` names; ``seed`` and ``speed`` are the simulated table's."""
    if source == SIMULATED:
        return SimulatedSource(runner, seed, speed)
    if source == PHONE:
        return PhoneSource()
    return TableSource(source) if is_camera(source) else FilmSource(source, runner)


def card_pictograms(deck: JSON) -> dict[Token, Pictogram]:
    """What is drawn on the cards of a simulated table, by their stickers."""
    from web.games.registry import GAME_PAGES

    module = registry.deck_module(deck)
    pictogram_of = GAME_PAGES[module.name].pictogram_of
    drawn = {label.token: pictogram_of(label.names) for label in module.stickers(deck).cards}
    return {token: pictogram for token, pictogram in drawn.items() if pictogram is not None}
