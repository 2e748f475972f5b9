"""Records a table in use: connects the camera's process, which writes the pictures, with the match."""

from __future__ import annotations

import logging
import shutil
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from companion.errors import InputError
from companion.reading.frame_times import read_times
from companion.service.recording import Recording
from companion.service.runner import MatchRunner
from companion.service.zone_editor import ZoneEditor
from companion.storage.settings import Settings
from companion.version import __version__

if TYPE_CHECKING:  # OpenCV is loaded only in the camera's process
    from vision.messages import RecordingPlan
    from vision.process.supervisor import VisionProcess

log = logging.getLogger(__name__)
SPARE_BYTES = 200_000_000
"""This much of a disk stays free in any case: the matches are kept there too."""


@dataclass(frozen=True, slots=True)
class RecordingRequest:
    """A recording to make.

    Attributes:
        folder: Exists, and is empty.
        kind: ``png``, ``jpg``, or empty: depends on the speed of the disk.
        seconds: The length; ``None`` = until the table is closed.
        ring_s: Keep only this many last seconds; ``None`` = all.
        report: Called with a sentence about the recording and its result.
        on_broken_off: Called with the reason if the disk ended it; then the table goes on without it.
    """

    folder: Path
    kind: str = ""
    seconds: float | None = None
    ring_s: float | None = None
    report: Callable[[str], None] = lambda _: None
    on_broken_off: Callable[[str], None] = lambda _: None


def prepare_folder(folder: Path) -> None:
    """Make the folder of a recording.

    Raises:
        InputError: It cannot be made, or is not empty.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError(f"{folder}: something is in this folder already; name a new one.")
    except OSError as wrong:
        raise InputError(f"{folder}: this folder cannot be made ({wrong.strerror}).") from wrong


class RecordedEye(Protocol):
    """What a recorder asks of a table's eye.

    Attributes:
        process: The camera's process; ``None`` while it is closed.
        zones: The zones in use.
    """

    process: VisionProcess | None
    zones: ZoneEditor


class TableRecorder:
    """Makes recordings of the table, one at a time.

    Attributes:
        broken_off: Why the disk ended the last recording; ``None`` = it did not.

    Args:
        settings: The table's; they are part of a recording, without secrets.
        source: The part of the source's name that may be displayed.
        request: A recording to start with the first picture; when it is complete, the table is closed.
    """

    def __init__(
        self,
        runner: MatchRunner,
        eye: RecordedEye,
        settings: Settings,
        source: str,
        request: RecordingRequest | None = None,
    ) -> None:
        self._request = request
        self._runner = runner
        self._eye = eye
        self._settings = {} if settings.document is None else settings.document.content
        self._about = {"source": source, "version": __version__}
        self.broken_off: str | None = None
        self._report: Callable[[str], None] = lambda _: None
        self._on_broken_off: Callable[[str], None] = lambda _: None
        self._closes_table = False
        self._no_room: str | None = None
        self._current: Recording | None = None
        self._lock = threading.RLock()
        self._seconds: float | None = None

    @property
    def current(self) -> Recording | None:
        return self._current

    # -- from the referee's thread, or before it -----------------------------------------------------

    def eye_opened(self) -> None:
        """The camera is about to watch a match: start the requested recording, if any."""
        request, self._request = self._request, None
        if request is not None:
            self._closes_table = True
            self.begin(request)

    def begin(self, request: RecordingRequest) -> None:
        """Record the match at the table; in the referee's thread.

        Raises:
            InputError: There is no match, or the camera is closed.
        """
        eye, stored, match = self._eye.process, self._runner.stored, self._runner.match
        if eye is None or stored is None or match is None:
            raise InputError(f"{request.folder}: there is no match to record: begin one first")
        with self._lock:
            self._seconds, self._report = request.seconds, request.report
            self._on_broken_off = request.on_broken_off
            self._no_room = self.broken_off = None
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
        """The camera is closed, so the recording ends."""
        self._finish(None)

    # -- from the camera's thread --------------------------------------------------------------------

    def planned(self, plan: RecordingPlan) -> None:
        """Announce what the recording will be like, and end it if there is no room."""
        recording = self._current
        if recording is None or not plan.kind:
            return
        minute = plan.bytes_each * plan.rate_hz * 60
        kind = "PNG" if plan.kind == "png" else "JPEG of quality 95"
        sentence = f"{recording.folder}: {kind}, {plan.rate_hz:.0f} pictures a second, {minute / 1e6:.0f} MB a minute"
        self._report(sentence)
        log.info("%s", sentence)
        wanted = minute * (self._seconds or 60) / 60
        with suppress(OSError):  # a disk that has just gone: the first picture says so
            if shutil.disk_usage(recording.folder).free < wanted + SPARE_BYTES:
                self._no_room = "the disk has no room for it"
                if (eye := self._eye.process) is not None:
                    eye.stop_recording()

    def recorded(self, why: str | None) -> None:
        """The camera's process has finished writing."""
        self._runner.submit(lambda: self._over(why))

    def film_over(self) -> None:
        """A recorded film has ended."""
        self._runner.submit(lambda: self._over(None))

    def _over(self, why: str | None) -> None:
        why = self._no_room or why
        self._finish(why)
        closes, self._closes_table = self._closes_table, False
        if why is None and closes:
            self._runner.stop()

    def _finish(self, why: str | None) -> None:
        with self._lock:
            recording, self._current = self._current, None
        if recording is None:
            return
        if why is not None:
            self.broken_off = why
            log.error("%s: the recording was broken off, and the match goes on: %s", recording.folder, why)
            self._on_broken_off(why)
        try:
            frames = recording.finish(**({} if why is None else {"broken_off": why}))
            size = sum((recording.folder / name).stat().st_size for name, _ in read_times(recording.folder))
        except OSError as wrong:
            log.error("%s: the recording cannot be finished (%s)", recording.folder, wrong.strerror)
            return
        if frames:
            self._report(f"{recording.folder}: {frames} pictures, {size / 1e6:.0f} MB. To referee them again:")
            self._report(f"companion referee {recording.folder} --record again.jsonl")
