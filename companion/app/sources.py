"""A table's sources of pictures and how tables differ by them: a camera, a phone, a film, a simulation."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.frames import RATE_HZ, PacedFrames, ResumedFrames, Symbols, live_frames, phone_pictures
from companion.app.live_table import LiveTable, live_table
from companion.games import registry
from companion.public.pictogram import Pictogram
from companion.public.sources import PHONE, is_network, shown_source
from companion.public.table import Token
from companion.public.text import JSON
from companion.service.archive import rematch_header
from companion.service.phone_camera import PhoneCamera
from companion.service.runner import MatchRunner
from companion.service.visiting import sitting
from companion.simulation.visitors import Visitors
from companion.storage.event_log import StoredMatch
from companion.storage.settings import Settings

if TYPE_CHECKING:  # OpenCV is loaded only in the camera's process
    from vision.camera.frame import FrameSource
    from vision.process.worker import SourceSpec

log = logging.getLogger(__name__)

SIMULATED = "simulated"


def usual_source(settings: Settings) -> str:
    """The default source: the camera of the settings, else a Pi's camera, else the simulated table."""
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


@dataclass(frozen=True, slots=True)
class TableSource:
    """A table's source of pictures.

    Attributes:
        name: The part that may be displayed: its address may contain a password.
        frames: What the camera's process opens for a match that has begun.
        before_match: What it opens before the first match; ``None`` = nothing.
        live: It continues as long as the table is open.
        header: Additional header keys of its matches; a simulated table's seed.
        match_over: Called when a match is no longer watched.
        visitors: The people who play a seat of the simulated table.
        phone: Receives the pictures of a phone.
    """

    name: str
    frames: Callable[[StoredMatch], SourceSpec]
    before_match: SourceSpec | None = None
    live: bool = True
    header: Mapping[str, JSON] = field(default_factory=dict)
    match_over: Callable[[], None] = lambda: None
    visitors: Visitors | None = None
    phone: PhoneCamera | None = None

    @property
    def simulated(self) -> bool:
        """There is no camera; the pictures of a simulated match are drawn."""
        return SIMULATED in self.header


def table_source(
    source: str, runner: MatchRunner, seed: int, speed: float, stack: ExitStack, *, darker: bool = True
) -> TableSource:
    """The source of ``--source`` (docs/contract.md, section 2); anything but a file or a folder is a camera.

    Args:
        seed, speed: For a simulated table.
        stack: Closes what is opened here.
        darker: Whether a camera takes a darker picture now and then.
    """
    name = shown_source(source)
    if source == SIMULATED:
        people = SimulatedPeople(runner, speed)
        header = {SIMULATED: {"seed": seed}}
        return TableSource(name, people.sit_down, header=header, match_over=people.get_up, visitors=people.visitors)
    if source == PHONE:
        phone = PhoneCamera()
        stack.callback(phone.close)
        pictures = partial(phone_pictures, phone.address)
        return TableSource(name, lambda _: pictures, pictures, phone=phone)
    if not is_network(source) and Path(source).exists():
        film = partial(PacedFrames, source)
        return TableSource(name, lambda _: ResumedFrames(film, runner.played_s), live=False)
    frames = source if darker else partial(one_exposure, source)
    return TableSource(name, lambda _: frames, frames)


def one_exposure(source: str) -> FrameSource:
    """A camera that never takes a darker picture."""
    from vision.camera.sources import open_source

    return open_source(source, darker=False)


def check_source(source: str) -> None:
    """Report at once what is wrong with a source from the command line; a service's own camera may be connected later.

    Raises:
        InputError: There is no such source.
        DeviceError: It cannot be opened.
    """
    if source in (SIMULATED, PHONE):
        return
    from vision.camera.sources import open_source

    camera = open_source(source)
    if "NOTIFY_SOCKET" not in os.environ:
        with camera:
            pass


class SimulatedPeople:
    """The people at the simulated table, in one match after the other.

    Args:
        speed: How fast they play; 0 = as fast as possible.

    Attributes:
        visitors: Real people who play a seat by touching their phone.
    """

    def __init__(self, runner: MatchRunner, speed: float) -> None:
        self.visitors = Visitors(partial(sitting, runner))
        self._runner = runner
        self._speed = speed
        self._live: LiveTable | None = None

    def sit_down(self, stored: StoredMatch) -> SourceSpec:
        """Begin to play this match; returns what draws it."""
        header, seed = stored.header, stored.header[SIMULATED]["seed"]
        next_match = partial(self._play_next, stored)
        self._live = live_table(self._runner, stored.id, header, seed, self._speed, RATE_HZ, next_match, self.visitors)
        drawings = card_pictograms(header["deck"]), family_symbols(header["deck"])
        return partial(live_frames, self._live.address, header, seed, self._speed, *drawings)

    def get_up(self) -> None:
        if self._live is not None:
            self._live.close()
            self._live = None

    def _play_next(self, watched: StoredMatch) -> None:
        """The end of a match was shown long enough: begin the next one."""

        def rematch() -> None:
            if self._runner.stored is watched and self._runner.match is not None:
                entries = [line.entry for line in self._runner.match.record.lines]
                self._runner.begin(rematch_header(watched.header, entries))

        self._runner.submit(rematch)


def card_pictograms(deck: JSON) -> dict[Token, Pictogram]:
    """The drawings on the cards of a simulated table, by sticker."""
    from web.pages.game_pages import own_pages

    module = registry.deck_module(deck)
    pages = own_pages(module.name)
    if pages is None:  # then it has no drawings either
        return {}
    drawn = {label.token: pages.pictogram_of(label.names) for label in module.decks.stickers(deck).cards}
    return {token: pictogram for token, pictogram in drawn.items() if pictogram is not None}


def family_symbols(deck: JSON) -> Symbols:
    """The symbols of a deck's families, which are printed on its cards."""
    from web.pages.game_pages import own_pages

    module = registry.deck_module(deck)
    pages = own_pages(module.name)
    if pages is None:
        return {}
    drawn = {family: pages.symbol_of(family) for family in module.decks.form.families}
    return {family: symbol for family, symbol in drawn.items() if symbol is not None}
