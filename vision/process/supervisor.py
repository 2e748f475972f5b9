"""The eye as the rest of the house knows it: looks come out, and a crash inside is a restart."""

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
from vision.messages import (
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
    TakeSnapshot,
    ToWorker,
    ViewQuality,
)

if TYPE_CHECKING:
    from vision.process.worker import SourceSpec

log = logging.getLogger(__name__)

HANGING_AFTER_S = 12.0
"""An eye that says nothing for so long hangs; finding the table takes a second, starting a camera five."""

OPENING_S = (12.0, 24.0, 48.0, 90.0)
"""How long its first word may take, at each attempt; on a busy machine the libraries alone may need longer than an eye
at work may be silent, and an eye that is given up each time before it has begun would never open."""

RESTART_DELAYS_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Waits before one restart after the other; an eye that has worked for a minute begins anew."""

HEALTHY_AFTER_S = 60.0
SNAPSHOT_PATIENCE_S = 3.0
PLAN_PATIENCE_S = 10.0
"""A plan tries the disk, which may be busy."""


@dataclass(frozen=True, slots=True)
class PreparedProcess:
    """An eye's own process, getting ready: its libraries take it a second or more."""

    child: BaseProcess
    door: Connection

    def close(self) -> None:
        """Let the process end; for a process from ``prespawn`` that no ``VisionProcess`` takes."""
        self.door.close()


ENDING = frozenset({signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT})
"""Signals that people and systemd send to a whole program."""


def prespawn() -> PreparedProcess:
    """Begin an eye's process while there is other work to do."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_wake, args=(theirs,), name="eye", daemon=True)
    # Ctrl-C, a closed terminal and systemd tell every process of a program to end. The eye hears it from its referee
    # alone, by its door: otherwise it would be gone first, and be missed. A child inherits what is blocked here.
    resource_tracker.ensure_running()  # its start would unblock them
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        child.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    theirs.close()
    return PreparedProcess(child, ours)


def _wake(door: Connection) -> None:
    """Only here is the worker needed: the referee's process has no use for OpenCV, nor for its memory."""
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
    """Looks at a table for as long as it is open.

    Args:
        source: What ``--source`` names, or what opens a frame source.
        on_observation: Gets every look, in a thread of its own; it must not raise.
        process: In a process of its own, so that a crash in native code is a restart; else in a thread.
        shapes: The things that are no playing cards, by their stickers.
        on_snapshot: Gets the pictures that were kept for an entry.
        on_plan: Told what a recording is like, when it begins.
        on_recorded: Told that a recording is over, with one sentence where it was not the end that was asked for.
        on_end: Told, once, that no more looks will come, with one sentence where it was no regular end.
        live: Restart it when it ends; a recording ends by itself.
        prepared: Its first process, started by ``prespawn`` before.
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
        self._shapes = dict(shapes)  # as it can be sent to another process
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
        self._pictured = threading.Event()
        self._picture: SnapshotTaken | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *trouble: object) -> None:
        self.close()

    def start(self) -> None:
        """Open the eye."""
        if self._thread is None:
            self._stopping.clear()
            self._thread = threading.Thread(target=self._supervise, name="eye", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Close the eye, and wait until its camera is free."""
        self._stopping.set()
        self._send(StopWorker())
        if self._prepared is not None:
            self._prepared.close()
        thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=10.0)

    close = stop

    def join(self, timeout_s: float | None = None) -> bool:
        """Wait for the end of a recording; whether it has come."""
        if self._thread is not None:
            self._thread.join(timeout_s)
            return not self._thread.is_alive()
        return True

    def snapshot(self, straight: bool = False, whole: bool = False) -> bytes | None:
        """The table now, as a JPEG file; ``None`` when the eye does not see.

        Args:
            straight: As seen straight from above (``vision.process.recorder.top_view_jpeg``), lens and tilt taken out.
            whole: All of the picture with all its pixels.
        """
        self._pictured.clear()
        if not self._send(TakeSnapshot(straight, whole)) or not self._pictured.wait(SNAPSHOT_PATIENCE_S):
            return None
        return (self._picture.jpeg or None) if self._picture else None

    def health(self) -> ViewQuality | None:
        """How well the table can be seen, as measured last."""
        return self._health

    def trouble(self) -> str | None:
        """Why there are no pictures, a word of ``vision.camera.trouble``; ``None`` while there are, or when nobody
        knows."""
        return self._trouble

    def record(
        self, folder: Path, *, kind: str = "", seconds: float | None = None, ring_s: float | None = None
    ) -> None:
        """Write down every frame that is looked at from now on, also by the eye after a crash.

        Args:
            folder: Is there, and empty.
            kind, seconds, ring_s: As ``vision.messages.StartRecording`` has them.
        """
        self._recording = StartRecording(str(folder), kind, seconds, ring_s)
        self._send(self._recording)

    def stop_recording(self) -> None:
        """End a recording; it is over when ``on_recorded`` is told."""
        self._recording = None
        self._send(StopRecording())

    def plan_recording(self, folder: Path) -> RecordingPlan:
        """What a recording into this folder would be like; without a kind while the eye does not see the table."""
        self._planned.clear()
        if not self._send(PlanRecording(str(folder))) or not self._planned.wait(PLAN_PATIENCE_S):
            return RecordingPlan()
        return self._plan

    def relayout(self, layout: Layout) -> None:
        """Other zones, or another size."""
        self._layout = layout
        self._send(layout)

    def keep(self, entry: int, seconds: float = 4.0, token: Token | None = None) -> None:
        """Keep a few pictures of the last seconds for this entry; where the sticker lay is noted in them."""
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
        """Keep an eye open until told to stop."""
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
            self._report(replace(self._last, taken_s=time.monotonic(), settled=False, lost=ViewLost.CAMERA))
            self._stopping.wait(wait_s)

    def _run_child(self, opening_s: float) -> tuple[bool, str | None]:
        """One life of the eye: whether it said good-bye, and why it ended; ``opening_s``: until its first word."""
        arguments = (self._source, self._layout, self._accepted, self._shapes, self._last.table, self._still)
        child: BaseProcess | threading.Thread
        prepared, self._prepared = self._prepared, None
        if self._apart:
            prepared = prepared or prespawn()
            child, ours = prepared.child, prepared.door
            with suppress(BrokenPipeError):  # then it has died already, which listening will find
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

    def _listen(self, door: Connection, patience_s: float) -> tuple[bool, str | None]:
        while True:
            try:
                if not door.poll(patience_s):
                    return False, f"it has said nothing for {patience_s:.0f} s"
                message: FromWorker = door.recv()
                patience_s = HANGING_AFTER_S
            except (EOFError, OSError):
                return False, "it has crashed"
            match message:
                case Observation():
                    if message.lost is not ViewLost.CAMERA:
                        self._trouble = None
                    self._report(message)
                case ViewQuality():
                    self._health = message
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
                        self._recording = replace(self._recording, kind=plan.kind)  # also for the eye after a crash
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

    def _report(self, look: Observation) -> None:
        self._number += 1
        self._last = replace(look, number=self._number)
        self._on_observation(self._last)
