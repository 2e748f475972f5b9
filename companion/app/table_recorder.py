"""Records a table in use: joins the eye, which writes the pictures, to the match that they belong to."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.errors import InputError
from companion.public.frame_times import read_times
from companion.service.recording import Recording
from companion.service.runner import MatchRunner
from companion.storage.settings import Settings
from companion.version import __version__

if TYPE_CHECKING:  # OpenCV is loaded in the eye's process alone
    from companion.app.eye import TableEye
    from vision.messages import RecordingPlan

log = logging.getLogger(__name__)
SPARE_BYTES = 200_000_000
"""So much of a disk stays free whatever is recorded: the matches are kept there too."""


@dataclass(frozen=True, slots=True)
class RecordingRequest:
    """A recording that somebody wants.

    Attributes:
        folder: Is there, and empty.
        kind: ``png``, ``jpg``, or empty: as the disk keeps up.
        seconds: How long; ``None`` = until the table is closed.
        ring_s: Only the last so many seconds are kept; ``None`` = all.
        say: Hears in a sentence what it is like, and what came of it.
    """

    folder: Path
    kind: str = ""
    seconds: float | None = None
    ring_s: float | None = None
    say: Callable[[str], None] = lambda _: None


def prepare_folder(folder: Path) -> None:
    """Make the folder of a recording.

    Raises:
        InputError: It cannot be made, or something is in it.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError(f"{folder}: something is in this folder already; name a new one.")
    except OSError as wrong:
        raise InputError(f"{folder}: this folder cannot be made ({wrong.strerror}).") from wrong


class TableRecorder:
    """Makes one recording at a time of whatever is at the table.

    Args:
        settings: The table's; without their secrets they are part of a recording.
        source: What may be said of where pictures come from.
        request: What to record as soon as an eye is opened; then the table is closed when it is over.
    """

    def __init__(
        self,
        runner: MatchRunner,
        eye: TableEye,
        settings: Settings,
        source: str,
        request: RecordingRequest | None = None,
    ) -> None:
        self._request = request
        self._runner = runner
        self._eye = eye
        self._settings = {} if settings.document is None else settings.document.content
        self._about = {"source": source, "version": __version__}
        self._say: Callable[[str], None] = lambda _: None
        self._closes_table = False
        self._current: Recording | None = None
        self._lock = threading.RLock()
        self._seconds: float | None = None

    @property
    def current(self) -> Recording | None:
        """The recording that is being made."""
        return self._current

    # -- from the referee's thread, or before it -----------------------------------------------------

    def eye_opened(self) -> None:
        """An eye is about to look at a match: record it from its first picture, where somebody asked for that."""
        request, self._request = self._request, None
        if request is not None:
            self._closes_table = True
            self.begin(request)

    def begin(self, request: RecordingRequest) -> None:
        """Record the match at the table; in the referee's thread.

        Raises:
            InputError: There is no match, or no eye.
        """
        eye, stored, match = self._eye.process, self._runner.stored, self._runner.match
        if eye is None or stored is None or match is None:
            raise InputError(f"{request.folder}: there is no match to record")
        with self._lock:
            self._seconds, self._say = request.seconds, request.say
            self._current = Recording(
                request.folder,
                stored,
                match,
                layout=self._eye.zones.current,
                settings=self._settings,
                about=self._about,
            )
        eye.record(request.folder, kind=request.kind, seconds=request.seconds, ring_s=request.ring_s)

    def eye_closed(self) -> None:
        """Nothing more will be looked at: the recording is as long as it is."""
        self._finish(None)

    # -- from the eye's thread -----------------------------------------------------------------------

    def planned(self, plan: RecordingPlan) -> None:
        """Say what the recording is like, and end it where there is no room."""
        recording = self._current
        if recording is None or not plan.kind:
            return
        minute = plan.bytes_each * plan.rate_hz * 60
        kind = "PNG" if plan.kind == "png" else "JPEG of quality 95"
        sentence = f"{recording.folder}: {kind}, {plan.rate_hz:.0f} pictures a second, {minute / 1e6:.0f} MB a minute"
        self._say(sentence)
        log.info("%s", sentence)
        wanted = minute * (self._seconds or 60) / 60
        if shutil.disk_usage(recording.folder).free < wanted + SPARE_BYTES:
            log.error("%s: there is no room for this recording; it ends", recording.folder)
            if (eye := self._eye.process) is not None:
                eye.stop_recording()

    def recorded(self, why: str | None) -> None:
        """The eye has written down all it will."""
        self._runner.submit(lambda: self._over(why))

    def film_over(self) -> None:
        """A film that was looked at is at its end."""
        self._runner.submit(lambda: self._over(None))

    def _over(self, why: str | None) -> None:
        self._finish(why)
        if self._closes_table:
            self._runner.stop()

    def _finish(self, why: str | None) -> None:
        with self._lock:
            recording, self._current = self._current, None
        if recording is None:
            return
        try:
            frames = recording.finish(**({} if why is None else {"broken_off": why}))
        except OSError as wrong:
            log.error("%s: the recording cannot be finished (%s)", recording.folder, wrong.strerror)
            return
        if why is not None:
            log.error("%s: the recording was broken off: %s", recording.folder, why)
        size = sum((recording.folder / name).stat().st_size for name, _ in read_times(recording.folder))
        self._say(f"{recording.folder}: {frames} pictures, {size / 1e6:.0f} MB. To referee them again:")
        self._say(f"companion referee {recording.folder} --record again.jsonl")
