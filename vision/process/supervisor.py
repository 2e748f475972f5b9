"""Runs the observer in a process and restarts it after a crash."""

from __future__ import annotations

import logging
import multiprocessing
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, assert_never

from companion.public.codes import StickerCodes
from companion.public.layout import Layout
from companion.public.shapes import NO_SHAPES, Shape
from companion.public.table import Observation, TableState, Token, ViewLost
from companion.public.table_picture import TablePicture
from vision.messages import (
    ColourTaken,
    FramesEnded,
    FromWorker,
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
    ViewQuality,
)

if TYPE_CHECKING:
    from vision.process.worker import SourceSpec

log = logging.getLogger(__name__)

HANGING_AFTER_S = 12.0
"""A process that is silent for this long hangs; finding the table takes a second, starting a camera five."""

SILENT_AFTER_S = 5.0
"""A live process that is silent for this long is said to see nothing; it usually tells a look every second at least."""

OPENING_S = (40.0, 60.0, 90.0)
"""Time limits for the first message, by attempt. A camera may need twenty seconds for its first picture and ten for its
focus, and a busy machine some to load the libraries: a process that was killed each time before it began would never
start. ``companion doctor`` waits as long for the first try."""

RESTART_DELAYS_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Delays before successive restarts; a process that ran for a minute starts again with the first."""

HEALTHY_AFTER_S = 60.0
SNAPSHOT_PATIENCE_S = 3.0
PLAN_PATIENCE_S = 10.0
"""A plan tests the disk, which may be busy."""


@dataclass(frozen=True, slots=True)
class PreparedProcess:
    """A process that is loading its libraries, which takes a second or more."""

    child: BaseProcess
    door: Connection

    def close(self) -> None:
        """End the process; for one from ``prespawn`` that no ``VisionProcess`` takes."""
        self.door.close()


ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
"""Signals that people and systemd send to all processes of a program."""


def prespawn() -> PreparedProcess:
    """Start a vision process early, while the program does other work."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_wake, args=(theirs,), name="eye", daemon=True)
    # Ctrl-C, a closed terminal and systemd signal every process of a program. The child must not see these signals,
    # because it would end first and be reported as lost: the referee stops it by its pipe. It inherits the blocked set.
    resource_tracker.ensure_running()  # starting it later would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        child.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return PreparedProcess(child, ours)


def _wake(door: Connection) -> None:
    """Import the worker only here: the referee's process does not need OpenCV and its memory."""
    from vision.process.worker import main

    try:
        source, layout, accepted, shapes, remembered, still = door.recv()
    except (EOFError, OSError):
        return
    main(source, layout, accepted, shapes, remembered, still, door, True)


def _run_in_thread(*arguments: Any) -> None:
    from vision.process.worker import main

    main(*arguments)


class VisionProcess:
    """Observes a table while it is open.

    Args:
        source: A ``--source``, or a function that opens a frame source.
        on_observation: Called with every observation, in another thread; it must not raise.
        process: Run in a separate process, so that a crash in native code only causes a restart; else in a thread.
        shapes: The things that are not playing cards, by their stickers.
        on_snapshot: Called with the pictures that were kept for an entry.
        on_plan: Called with the properties of a recording when it begins.
        on_recorded: Called when a recording is over, with one sentence if it ended early.
        on_end: Called once when no more observations will come, with one sentence if it was an error.
        live: Restart when the source ends; recorded frames end by themselves.
        prepared: The first process, from ``prespawn``.
    """

    def __init__(
        self,
        source: SourceSpec,
        layout: Layout,
        accepted: StickerCodes,
        on_observation: Callable[[Observation], None],
        process: bool = True,
        *,
        shapes: Mapping[Token, Shape] = NO_SHAPES,
        on_snapshot: Callable[[SnapshotTaken], None] | None = None,
        on_plan: Callable[[RecordingPlan], None] | None = None,
        on_recorded: Callable[[str | None], None] | None = None,
        on_end: Callable[[str | None], None] | None = None,
        live: bool = True,
        prepared: PreparedProcess | None = None,
    ) -> None:
        self._source = source
        self._layout = layout
        self._accepted = accepted
        self._shapes = dict(shapes)  # a mapping that can be pickled
        self._on_observation = on_observation
        self._apart = process
        self._on_snapshot = on_snapshot
        self._on_end = on_end
        self._on_plan = on_plan
        self._on_recorded = on_recorded
        self._recording: StartRecording | None = None
        self._planned = threading.Event()
        self._plan = RecordingPlan()
        self._live = live
        self._prepared = prepared
        self._number = 0
        self._last = Observation(0, 0.0, TableState())
        self._health: ViewQuality | None = None
        self._trouble: str | None = None
        self._still = b""
        self._door: Connection | None = None
        self._sending = threading.Lock()
        self._stopping = threading.Event()
        self._taking = threading.Lock()
        self._pictured = threading.Event()
        self._picture: SnapshotTaken | None = None
        self._coloured = threading.Event()
        self._colour: TablePicture | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def start(self) -> None:
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._supervise, name="eye", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the camera is released."""
        self._stopping.set()
        self._send(StopWorker())
        if self._prepared is not None:
            self._prepared.close()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10.0)

    close = stop

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of recorded frames; returns whether they have ended."""
        if self._thread is not None:
            self._thread.join(timeout_s)
            return not self._thread.is_alive()
        return True

    def snapshot(self, straight: bool = False, whole: bool = False) -> bytes | None:
        """The table now, as a JPEG file; ``None`` if there is no picture.

        Args:
            straight: From straight above (``vision.process.recorder.top_view_jpeg``), without distortion and tilt.
            whole: The whole picture at full resolution.
        """
        taken = self._take(TakeSnapshot(straight, whole))
        return None if taken is None else taken.jpeg

    def page_picture(self) -> SnapshotTaken | None:
        """The table now, small, with the cards' corners; ``None`` while it is not found."""
        return self._take(TakeSnapshot(small=True))

    def _take(self, wanted: TakeSnapshot) -> SnapshotTaken | None:
        with self._taking:  # the process keeps one request
            self._pictured.clear()
            if not self._send(wanted) or not self._pictured.wait(SNAPSHOT_PATIENCE_S):
                return None
            return self._picture if self._picture and self._picture.jpeg else None

    def colour_picture(self) -> TablePicture | None:
        """The newest picture of a drawn table in colour, for people; ``None`` if there is none."""
        self._coloured.clear()
        if not self._send(TakeColour()) or not self._coloured.wait(SNAPSHOT_PATIENCE_S):
            return None
        return self._colour

    def health(self) -> ViewQuality | None:
        """The last measurement of the picture's quality."""
        return self._health

    def trouble(self) -> str | None:
        """Why there are no pictures, a value of ``vision.camera.trouble.Trouble``; ``None`` while there are, or if
        unknown."""
        return self._trouble

    def record(
        self, folder: Path, *, kind: str = "", seconds: float | None = None, ring_s: float | None = None
    ) -> None:
        """Record every observed frame from now on, and continue after a crash.

        Args:
            folder: Must exist and be empty.
            kind, seconds, ring_s: As in ``vision.messages.StartRecording``.
        """
        self._recording = StartRecording(str(folder), kind, seconds, ring_s)
        self._send(self._recording)

    def stop_recording(self) -> None:
        """End the recording; it is over when ``on_recorded`` is called."""
        self._recording = None
        self._send(StopRecording())

    def plan_recording(self, folder: Path) -> RecordingPlan:
        """The properties of a recording in this folder; without a kind while the table is not seen."""
        self._planned.clear()
        if not self._send(PlanRecording(str(folder))) or not self._planned.wait(PLAN_PATIENCE_S):
            return RecordingPlan()
        return self._plan

    def relayout(self, layout: Layout) -> None:
        """Use other zones, or another table size."""
        self._layout = layout
        self._send(layout)

    def keep(self, entry: int, seconds: float = 4.0, token: Token | None = None) -> None:
        """Keep a few pictures of the last seconds for this entry, with the sticker's position in the metadata."""
        self._send(KeepSnapshot(entry, seconds, token))

    def _send(self, message: ToWorker) -> bool:
        with self._sending:
            if self._door is None:
                return False
            try:
                self._door.send(message)
            except (BrokenPipeError, OSError):
                return False
            return True

    def _supervise(self) -> None:
        """Restart the child until stopped."""
        failures = 0
        while not self._stopping.is_set():
            began_s = time.monotonic()
            finished, why = self._run_child(OPENING_S[min(failures, len(OPENING_S) - 1)])
            if self._stopping.is_set():
                return
            if finished and not self._live:
                if self._on_end is not None:
                    self._on_end(why)
                return
            failures = 0 if time.monotonic() - began_s > HEALTHY_AFTER_S else failures
            wait_s = RESTART_DELAYS_S[min(failures, len(RESTART_DELAYS_S) - 1)]
            failures += 1
            log.warning("the eye is opened again in %.1f s: %s", wait_s, why or "it ended")
            self._report_lost()
            self._stopping.wait(wait_s)

    def _run_child(self, opening_s: float) -> tuple[bool, str | None]:
        """Run the child once: whether it ended regularly, and why; ``opening_s``: time limit for its first message."""
        arguments = (self._source, self._layout, self._accepted, self._shapes, self._last.table, self._still)
        child: BaseProcess | threading.Thread
        prepared, self._prepared = self._prepared, None
        if self._apart:
            prepared = prepared or prespawn()
            child, ours = prepared.child, prepared.door
            with suppress(BrokenPipeError):  # it has died already, which _listen will notice
                ours.send(arguments)
        else:
            ours, theirs = multiprocessing.get_context("spawn").Pipe()
            child = threading.Thread(
                target=_run_in_thread, args=(*arguments, theirs, False), name="eye-loop", daemon=True
            )
            child.start()
        with self._sending:
            self._door = ours
        if self._recording is not None:
            self._send(self._recording)
        if self._stopping.is_set():
            self._send(StopWorker())
        try:
            return self._listen(ours, max(opening_s, HANGING_AFTER_S))
        finally:
            with self._sending:
                self._door = None
            ours.close()
            child.join(timeout=2.0)
            if isinstance(child, BaseProcess) and child.is_alive():
                child.kill()
                child.join(timeout=2.0)

    def _answers(self, door: Connection, patience_s: float, begun: bool) -> bool:
        """Whether a message comes in time; a live process that has begun is said to be lost before it is given up."""
        if begun and self._live and patience_s > SILENT_AFTER_S:
            if door.poll(SILENT_AFTER_S):
                return True
            log.warning("the eye has said nothing for %.0f s", SILENT_AFTER_S)
            self._report_lost()
            patience_s -= SILENT_AFTER_S
        return door.poll(patience_s)

    def _listen(self, door: Connection, patience_s: float) -> tuple[bool, str | None]:
        begun = False
        while True:
            try:
                if not self._answers(door, patience_s, begun):
                    return False, f"it has said nothing for {patience_s:.0f} s"
                message: FromWorker = door.recv()
                patience_s, begun = HANGING_AFTER_S, True
            except (EOFError, OSError):
                return False, "it has crashed"
            match message:
                case Observation():
                    if message.lost is not ViewLost.CAMERA:
                        self._trouble = None
                    self._report(message)
                case ViewQuality():
                    self._health = message
                case ColourTaken(picture=picture):
                    self._colour = picture
                    self._coloured.set()
                case SnapshotTaken(entry=None):
                    self._picture = message
                    self._pictured.set()
                case SnapshotTaken():
                    if self._on_snapshot is not None:
                        self._on_snapshot(message)
                case RecordingPlan() as plan:
                    self._plan = plan
                    self._planned.set()
                    if self._recording is not None and not self._recording.kind:
                        self._recording = replace(self._recording, kind=plan.kind)  # also after a restart
                    if self._recording is not None and self._on_plan is not None:
                        self._on_plan(plan)
                case RecordingOver(why=why):
                    self._recording = None
                    if self._on_recorded is not None:
                        self._on_recorded(why)
                case FramesEnded(why=why, trouble=trouble, still=still):
                    self._trouble, self._still = trouble, still
                    return True, why
                case _ as never:
                    assert_never(never)

    def _report_lost(self) -> None:
        self._report(replace(self._last, taken_s=time.monotonic(), settled=False, lost=ViewLost.CAMERA))

    def _report(self, look: Observation) -> None:
        self._number += 1
        self._last = replace(look, number=self._number)
        self._on_observation(self._last)
