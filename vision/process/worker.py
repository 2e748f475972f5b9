"""The worker's loop, in a process or a thread: frames in, observations out, requests in between."""

from __future__ import annotations

import gc
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias, assert_never

import cv2

from companion.errors import CompanionError
from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.shapes import Shape
from companion.public.table import Observation, TableState, Token, ViewLost
from vision.camera.exposure import DARKER_SHARE, AdjustableCamera, ExposureControl, TwoExposures
from vision.camera.frame import Frame, FrameSource
from vision.camera.latest_frame import FROZEN_AFTER_S, LatestFrame
from vision.camera.sources import open_source
from vision.camera.trouble import CameraTrouble, Trouble
from vision.messages import (
    ColourTaken,
    FramesEnded,
    KeepSnapshot,
    PlanRecording,
    RecordingOver,
    RecordingPlan,
    SnapshotTaken,
    StartRecording,
    StopRecording,
    StopWorker,
    TakeColour,
    TakeSnapshot,
    ToWorker,
)
from vision.process.film_writer import FilmWriter, choose_kind, on_the_table, pack
from vision.process.recorder import (
    PAGE_WIDTH_PX,
    STEP_S,
    Recorder,
    card_corners,
    jpeg,
    page_jpeg,
    top_view_jpeg,
    whole_jpeg,
)
from vision.tracking.observer import Observer

SourceSpec: TypeAlias = str | Callable[[], FrameSource]
"""A ``--source``, or a function that opens a source; for a separate process it must be importable by name."""

PATIENCE_S = 1.0
"""Without a frame for this long the camera is reported as lost."""

UNFOUND = (ViewLost.TABLE, ViewLost.MIRRORED)
"""In both cases nobody knows where the table is in the picture."""

STALLED_AFTER_S = 6.0
"""Without a frame for this long the camera must be reopened."""

HEALTH_S = 5.0
USUAL_RATE_HZ = 10.0
"""Assumed before the rate is known."""

RATE_OVER = 50
"""Number of looks over which the rate is measured."""

GARBAGE_VALUES = 10_000
"""Allocations between garbage collections; a look makes some hundreds, which are freed when it ends."""

JUST_NOW_S = 0.02
"""Frames closer together count as one picture."""


def main(
    spec: SourceSpec,
    layout: Layout,
    accepted: StickerCodes,
    shapes: Mapping[Token, Shape],
    remembered: TableState,
    still: bytes,
    door: Connection,
    alone: bool,
) -> None:
    """Observe until the frames end, the camera fails, or ``StopWorker`` comes.

    Args:
        accepted: The stickers that count.
        shapes: The things that are not playing cards.
        remembered: The table as the previous worker left it.
        still: The digest of the repeated picture, if the camera was frozen before.
        door: The pipe: ``FromWorker`` messages go out, ``ToWorker`` messages come in.
        alone: Whether this is a separate process.
    """
    if alone:
        alone_here()
    with ExitStack() as opened:  # why it ended is said before the camera is closed: a broken one may hang in that
        try:
            source = open_source(spec) if isinstance(spec, str) else spec()
            Worker(opened.enter_context(source), layout, accepted, shapes, remembered, door, still).run()
            ended = FramesEnded()
        except CameraTrouble as error:
            ended = FramesEnded(str(error), error.trouble.value, error.still)
        except CompanionError as error:
            ended = FramesEnded(str(error))
        except (BrokenPipeError, EOFError, ConnectionResetError):
            return  # the parent is gone
        with door, suppress(OSError):
            door.send(ended)


def alone_here() -> None:
    """Set up a process that only observes."""
    cv2.setNumThreads(1)  # pictures are small: more threads would only keep the cores awake
    gc.freeze()  # collecting the libraries' objects would now and then delay a look by 20 ms
    gc.set_threshold(GARBAGE_VALUES)


class Worker:
    """The child's loop: observes frames, and handles the parent's requests in between."""

    def __init__(
        self,
        source: FrameSource,
        layout: Layout,
        accepted: StickerCodes,
        shapes: Mapping[Token, Shape],
        remembered: TableState,
        door: Connection,
        still: bytes = b"",
    ) -> None:
        self._source = source
        self._still = still
        self._accepted = accepted
        self._shapes = shapes
        self._door = door
        self._observer = Observer(layout, accepted, remembered, shapes=shapes)
        self._recorder = Recorder()
        self._exposure = ExposureControl(source) if isinstance(source, AdjustableCamera) else None
        self._darker = source if isinstance(source, TwoExposures) and source.darker else None
        self._frame: Frame | None = None
        self._mailbox: LatestFrame | None = None
        self._layout = layout
        self._wanted: TakeSnapshot | None = None
        self._to_record: StartRecording | None = None
        self._film: FilmWriter | None = None
        self._stopped = False
        self._examined_s = float("-inf")
        self._times_s: deque[float] = deque(maxlen=RATE_OVER)
        self._last = Observation(0, 0.0, remembered)

    def run(self) -> None:
        """Observe every frame."""
        try:
            self._look()
        finally:
            if self._film is not None:
                self._film.close()

    def _look(self) -> None:
        for frame in self._frames():
            if frame is None:
                self._door.send(replace(self._last, taken_s=time.monotonic(), settled=False, lost=ViewLost.CAMERA))
            elif frame.is_darker:
                self._observer.take_darker(frame)
            else:
                self._see(frame)
            self._listen()  # while the last frame is still there: its memory goes back to the camera afterwards
            if self._stopped:
                return

    def _see(self, frame: Frame) -> None:
        self._last = self._observer.observe(frame)
        self._door.send(self._last)
        self._frame = frame
        self._times_s.append(frame.taken_s)
        self._adjust_exposure(frame)
        at_rest = self._last.settled and self._last.lost is None
        if self._darker is not None and at_rest and self._observer.wants_darker(frame):
            self._darker.look_darker(DARKER_SHARE)
        self._write_down(frame)
        self._remember(STEP_S)
        if self._wanted is not None:
            wanted, self._wanted = self._wanted, None
            self._door.send(self._for_page(frame) if wanted.small else self._snapshot(frame, wanted))
        if frame.taken_s - self._examined_s >= HEALTH_S and self._last.settled:
            health = self._observer.health(frame)
            if health is not None:
                self._examined_s = frame.taken_s
                dropped = self._mailbox.dropped if self._mailbox else 0
                height, width = frame.gray.shape
                rate_hz = self._rate_hz(frame.taken_s)
                self._door.send(replace(health, dropped=dropped, rate_hz=rate_hz, size_px=(width, height)))

    def _adjust_exposure(self, frame: Frame) -> None:
        """Where the camera can be told its exposure, follow the light; never while hands move."""
        control, look = self._exposure, self._last
        if control is None or not control.is_due(frame.taken_s):
            return
        if look.lost is None:
            if look.settled:
                control.see(self._observer.paper_dn(frame), frame.taken_s)
        elif look.lost in (ViewLost.DARK, ViewLost.TABLE):
            control.miss(frame.taken_s, dark=look.lost is ViewLost.DARK)

    def _write_down(self, frame: Frame) -> None:
        """Record the observed frame, if a recording was requested."""
        wanted = self._to_record
        if wanted is None:
            return
        # Without the table's position the picture may show private things.
        geometry = None if self._last.lost in UNFOUND else self._observer.geometry
        if self._film is None:
            if geometry is None:
                return
            plan = self._plan(frame, wanted.folder, wanted.kind)
            self._door.send(plan)
            if not plan.kind:
                self._end_recording("the disk takes nothing")
                return
            self._film = FilmWriter(Path(wanted.folder), plan.kind, seconds=wanted.seconds, ring_s=wanted.ring_s)
        self._film.take(frame, geometry, self._layout)
        if self._film.over:
            self._end_recording()

    def _end_recording(self, why: str | None = None) -> None:
        film, self._film, self._to_record = self._film, None, None
        if film is not None:
            film.close()
            why = film.why
        self._door.send(RecordingOver(why))

    def _plan(self, frame: Frame, folder: str, kind: str = "") -> RecordingPlan:
        geometry = self._observer.geometry
        if geometry is None:
            return RecordingPlan()
        rate_hz = self._rate_hz(frame.taken_s) or USUAL_RATE_HZ
        picture = on_the_table(frame.gray, geometry, self._layout)
        try:
            # Recorded frames wait for the disk, so they are never too fast for it.
            best, size = choose_kind(picture, Path(folder), rate_hz if self._source.live else 0.0)
        except OSError:
            return RecordingPlan()
        if kind and kind != best:
            best, size = kind, len(pack(picture, kind))
        return RecordingPlan(best, size, rate_hz)

    def _rate_hz(self, now_s: float) -> float:
        """The recent number of looks per second."""
        passed_s = now_s - self._times_s[0]
        return round((len(self._times_s) - 1) / passed_s, 1) if passed_s > 0 else 0.0

    def _remember(self, step_s: float) -> None:
        if self._frame is not None:
            observer = self._observer
            self._recorder.note(self._frame, observer.geometry, self._last.table, observer.outlines, step_s=step_s)

    def _frames(self) -> Iterator[Frame | None]:
        """Every frame of a recording; of a camera the newest, and ``None`` while there is none."""
        if not self._source.live or getattr(self._source, "borrowed", False):
            yield from self._source
            return
        frozen_after_s = getattr(self._source, "frozen_after_s", None) or FROZEN_AFTER_S
        self._mailbox = LatestFrame(self._source, frozen_after_s, self._still)
        fresh_s = time.monotonic()
        try:
            while True:
                frame = self._mailbox.take(PATIENCE_S)
                if frame is not None:
                    fresh_s = time.monotonic()
                elif time.monotonic() - fresh_s > self._stalled_after_s() and not getattr(self._source, "waits", False):
                    raise CameraTrouble(Trouble.STALLED, f"{self._source.name} has sent no picture for some seconds.")
                yield frame
        finally:
            self._mailbox.close()

    def _stalled_after_s(self) -> float:
        """A network camera knows only when it is connected how long it may be silent."""
        return getattr(self._source, "stalled_after_s", None) or STALLED_AFTER_S

    def _snapshot(self, frame: Frame, wanted: TakeSnapshot) -> SnapshotTaken:
        geometry = self._observer.geometry
        if wanted.whole:
            picture = whole_jpeg(frame.gray)
        elif not wanted.straight:
            picture = jpeg(frame.gray, geometry)
        else:
            picture = b"" if geometry is None else top_view_jpeg(frame.gray, geometry)
        return SnapshotTaken(picture, frame.taken_s)

    def _for_page(self, frame: Frame) -> SnapshotTaken:
        """The field alone, empty while it is not found: the rest of the picture may show private things."""
        geometry = None if self._last.lost in UNFOUND else self._observer.geometry
        if geometry is None:
            return SnapshotTaken(b"", frame.taken_s)
        cards = {
            one.token: card_corners(one, geometry, self._observer.outlines, frame.gray.shape, PAGE_WIDTH_PX)
            for one in self._last.table.placements
        }
        return SnapshotTaken(page_jpeg(frame.gray, geometry), frame.taken_s, cards=cards)

    def _listen(self) -> None:
        while self._door.poll():
            message: ToWorker = self._door.recv()
            match message:
                case Layout() as layout:
                    self._layout = layout
                    self._observer = Observer(layout, self._accepted, self._last.table, shapes=self._shapes)
                case KeepSnapshot(entry=entry, seconds=seconds, token=token):
                    self._remember(JUST_NOW_S)  # the disputed card was placed a moment ago
                    for taken_s, picture in self._recorder.around(self._last.taken_s, seconds, token):
                        self._door.send(SnapshotTaken(picture, taken_s, entry))
                case TakeSnapshot() as picture_wanted:
                    self._wanted = picture_wanted
                case TakeColour():
                    drawn = getattr(self._source, "colour_picture", lambda: None)
                    self._door.send(ColourTaken(drawn()))
                case StartRecording() as wanted:
                    self._to_record = wanted
                case StopRecording():
                    if self._to_record is not None:
                        self._end_recording()
                case PlanRecording(folder=folder):
                    self._door.send(RecordingPlan() if self._frame is None else self._plan(self._frame, folder))
                case StopWorker():
                    self._stopped = True
                case _ as never:
                    assert_never(never)
