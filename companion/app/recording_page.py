"""The button "record a minute": a recording that the host starts, watches and downloads as a zip on a page."""

from __future__ import annotations

import json
import os
import shutil
import threading
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.app.eye import TableEye
from companion.app.table_recorder import SPARE_BYTES, RecordingRequest, TableRecorder
from companion.errors import InputError
from companion.public.results import PlannedRecording, RecordingState
from companion.public.service import Denied, Done, Refusal, Result, Role, Stale, Unavailable, User
from companion.public.text import JSON, Text
from companion.reading.frame_times import read_times
from companion.referee.match import Match
from companion.service.archive import may_read
from companion.service.recording import ABOUT_FILE
from companion.service.runner import MatchRunner

if TYPE_CHECKING:  # OpenCV is loaded only in the camera's process
    from vision.messages import RecordingPlan


RECORDING_FOLDER = "recording"
"""In the data folder; holds one recording."""

PLANNED_S = 60.0
"""A plan is reused for this long, because making one tests the disk."""

PIECE_BYTES = 1 << 20


class HostRecording:
    """A ``companion.public.service.RecordingService`` over the table's recorder.

    Args:
        recorder: Makes the recordings.
        data: Gets the recording's folder.
    """

    def __init__(self, runner: MatchRunner, recorder: TableRecorder, eye: TableEye, data: Path) -> None:
        self._runner = runner
        self._recorder = recorder
        self._eye = eye
        self._data = data
        self._folder = data / RECORDING_FOLDER
        self._of: Match | None = None
        self._request: RecordingRequest | None = None
        self._fetched = 0
        self._plan: RecordingPlan | None = None
        self._planned_s = float("-inf")
        self._lock = threading.Lock()

    # -- state --------------------------------------------------------------------------------------

    def state(self, user: User) -> Result[RecordingState]:
        return self._why_not(user) or Done(self._state())

    def _state(self) -> JSON:
        recording = self._recorder.current
        request = self._request
        running = recording is not None and request is not None and recording.folder == request.folder
        state: dict[str, JSON] = {"recording": running, "ready": None, "broken_off": None}
        if running and request is not None:
            times, size = read_times(self._folder), _size(self._folder)
            seconds = times[-1][1] - times[0][1] if times else 0.0
            wanted = request.seconds or request.ring_s
            passed = {"seconds": round(min(seconds, wanted or seconds), 1), "of": wanted, "ring": bool(request.ring_s)}
            return {**state, **passed, "bytes": size}
        if (about := self._about()) is not None:
            ready = {key: about.get(key) for key in ("match", "frames", "seconds", "pictures")}
            state |= {"ready": {**ready, "bytes": _size(self._folder)}, "broken_off": about.get("broken_off")}
        return state

    def _about(self) -> JSON | None:
        """The content of ``recording.json``; ``None`` if no recording was finished."""
        try:
            about = json.loads((self._folder / ABOUT_FILE).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return about if isinstance(about, dict) else None

    # -- requests ------------------------------------------------------------------------------------

    def plan(self, user: User, seconds: float) -> Result[PlannedRecording]:
        if (no := self._why_not(user) or self._why_not_now()) is not None:
            return no
        return self._planned(seconds)

    def _planned(self, seconds: float) -> Result[PlannedRecording]:
        plan, eye = self._plan, self._eye.process
        if plan is None or time.monotonic() - self._planned_s > PLANNED_S:
            plan = None if eye is None else eye.plan_recording(self._data)
            if plan is None or not plan.kind:
                return Unavailable(Text("desk.record.unseen"))
            self._plan, self._planned_s = plan, time.monotonic()
        size = round(plan.bytes_each * plan.rate_hz * seconds)
        if shutil.disk_usage(self._data).free < size + SPARE_BYTES:
            return Unavailable(Text("desk.record.room", {"n": max(1, size // 1_000_000)}))
        return Done({"kind": plan.kind, "rate_hz": plan.rate_hz, "bytes": size})

    def begin(self, user: User, seconds: float | None, ring_s: float | None) -> Result[RecordingState]:
        if (no := self._why_not(user) or self._why_not_now()) is not None:
            return no
        planned = self._planned(seconds or ring_s or 0.0)
        if not isinstance(planned, Done):
            return planned

        def work() -> Result[RecordingState]:
            if (no := self._why_not(user) or self._why_not_now()) is not None:
                return no
            with self._lock:
                if self._fetched:
                    return Stale(Text("desk.record.fetched"))
                try:
                    shutil.rmtree(self._folder, ignore_errors=True)
                    self._folder.mkdir(parents=True, exist_ok=True)
                    self._request = RecordingRequest(self._folder, planned.value["kind"], seconds, ring_s)
                    self._recorder.begin(self._request)
                except InputError:
                    return Stale(Text("desk.no_match"))
                except OSError as wrong:
                    return Unavailable(wrong.strerror or str(wrong))
            self._of = self._runner.match
            return Done(self._state())

        try:
            return self._runner.ask(work)
        except TimeoutError:
            return Unavailable(Text("desk.slow_host"))

    def stop(self, user: User) -> Result[RecordingState]:
        """Stop it now; what was recorded stays. Stopping one that has ended is not an error."""
        if (no := self._why_not(user)) is not None:
            return no
        if self._state()["recording"] and (eye := self._eye.process) is not None:
            eye.stop_recording()
        return Done(self._state())

    def delete(self, user: User) -> Result[RecordingState]:
        if (no := self._why_not(user)) is not None:
            return no
        with self._lock:
            if self._fetched or self._state()["recording"]:
                return Stale(Text("desk.record.fetched" if self._fetched else "desk.record.running"))
            shutil.rmtree(self._folder, ignore_errors=True)
        return Done(self._state())

    def file(self, user: User) -> tuple[str, Iterator[bytes]] | None:
        if user.role is not Role.HOST or any(_is_secret(match, user) for match in (self._runner.match, self._of)):
            raise PermissionError(Text("desk.picture_secret"))
        about = self._about()
        if about is None or self._state()["recording"]:
            return None
        name = f"recording-{about.get('match', 'match')}"
        return f"{name}.zip", self._fetch(name)

    def _fetch(self, name: str) -> Iterator[bytes]:
        with self._lock:  # only here: a HEAD request does not fetch it
            self._fetched += 1
        try:
            yield from zipped(self._folder, name)
        finally:
            with self._lock:
                self._fetched -= 1

    # -- permissions ---------------------------------------------------------------------------------

    def _why_not(self, user: User) -> Refusal | None:
        """A recording shows the whole table, and holds the whole record of its match."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        return Denied(Text("desk.picture_secret")) if _is_secret(self._runner.match, user) else None

    def _why_not_now(self) -> Refusal | None:
        if self._recorder.current is not None:
            return Stale(Text("desk.record.running"))
        if self._runner.match is None or self._eye.process is None:
            return Stale(Text("desk.no_match"))
        return None


def _is_secret(match: Match | None, user: User) -> bool:
    return match is not None and not may_read(user, match.game.silent and not match.standing.final)


def _size(folder: Path) -> int:
    """Bytes of all files in a folder; some may be deleted meanwhile."""
    size = 0
    with suppress(OSError), os.scandir(folder) as files:
        for file in files:
            with suppress(OSError):
                size += file.stat().st_size
    return size


class _Pieces:
    """A file object that collects the pieces of a zip file for sending."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing is buffered."""

    def taken(self) -> bytes:
        """Return and remove what was written since the last call."""
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data


def zipped(folder: Path, name: str) -> Iterator[bytes]:
    """A zip of all files in a folder, made while it is sent, so that it takes no space on the disk.

    Args:
        name: The folder's name in it.
    """
    out = _Pieces()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as box:  # type: ignore[call-overload]  # it only writes
        for path in sorted(file for file in folder.iterdir() if file.is_file() and not file.name.startswith(".")):
            with path.open("rb") as source, box.open(f"{name}/{path.name}", "w") as entry:
                while piece := source.read(PIECE_BYTES):
                    entry.write(piece)
                    yield out.taken()
    yield out.taken()
