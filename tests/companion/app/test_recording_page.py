"""The recording that the host begins on a page: for whom, when, how large, and what is taken away."""

from __future__ import annotations

import io
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.real_desk import Evening, evening_in

from companion.app.recording_page import RECORDING_FOLDER, HostRecording, zipped
from companion.app.table_recorder import SPARE_BYTES, RecordingRequest, TableRecorder
from companion.public.service import SPECTATOR, Denied, Done, Role, Stale, Unavailable, User
from companion.public.table import Seat
from companion.reading.frame_times import TIMES_FILE, TIMES_HEAD, times_line
from companion.service.recording import SIDE_FILES
from companion.storage.settings import Settings
from vision.messages import RecordingPlan

HOST, OUTSIDE = User(Role.HOST), User(Role.HOST, outside=True)


class ScriptedEye:
    """An eye that writes two pictures when it is told to record, and hears when to stop."""

    plan = RecordingPlan("png", 500_000, 8.0)
    asked: Any = None
    on_recorded: Any = None

    def plan_recording(self, _folder: Path) -> RecordingPlan:
        return self.plan

    def record(self, folder: Path, **how: Any) -> None:
        self.asked = how
        pictures = [(f"{number}.png", 10.0 + number) for number in range(2)]
        for name, _ in pictures:
            (folder / name).write_bytes(b"a picture")
        (folder / TIMES_FILE).write_text(TIMES_HEAD + "".join(times_line(*one) for one in pictures))

    def stop_recording(self) -> None:
        self.on_recorded(None)


class Table:
    """A match under way, its eye, and the recording of it."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.eye = evening, ScriptedEye()
        self.folder = evening.folder / RECORDING_FOLDER
        host = evening.host
        zones = evening.desk.setup._zones  # noqa: SLF001  # as the table has them
        assert zones is not None
        self.looking: Any = SimpleNamespace(process=self.eye, zones=zones)
        self.recorder = TableRecorder(host, self.looking, Settings(), "usb:0")
        self.eye.on_recorded = self.recorder.recorded
        self.recording = HostRecording(host, self.recorder, self.looking, evening.folder)

    def state(self) -> Any:
        self.evening.host.ask(lambda: None)  # what was asked before is done
        answer = self.recording.state(HOST)
        assert isinstance(answer, Done), answer
        return answer.value

    def record(self) -> Any:
        """One recording from its beginning to its end, as the page then says it."""
        self.recording.begin(HOST, 60.0, None)
        self.recording.stop(HOST)
        return self.state()["ready"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    for evening in evening_in(tmp_path):
        yield Table(evening)


def taken_away(table: Table) -> zipfile.ZipFile:
    found = table.recording.file(HOST)
    assert found is not None
    return zipfile.ZipFile(io.BytesIO(b"".join(found[1])))


def test_it_is_planned_begun_watched_stopped_taken_away_and_deleted(table: Table) -> None:
    assert table.state() == {"recording": False, "ready": None, "broken_off": None}
    assert table.recording.plan(HOST, 60) == Done({"kind": "png", "rate_hz": 8.0, "bytes": 240_000_000})
    begun = table.recording.begin(HOST, 60.0, None)
    assert isinstance(begun, Done)
    assert {**begun.value, "bytes": 0} == {
        **{"recording": True, "ready": None, "broken_off": None},
        **{"seconds": 1.0, "of": 60.0, "ring": False, "bytes": 0},
    }
    assert table.eye.asked == {"kind": "png", "seconds": 60.0, "ring_s": None}
    assert table.recording.file(HOST) is None, "it is not finished"
    table.recording.stop(HOST)
    ready = table.state()["ready"]
    assert (ready["frames"], ready["seconds"], ready["pictures"]) == (2, 1.0, ["png"])
    with taken_away(table) as box:
        assert box.testzip() is None
        names = {Path(name).name for name in box.namelist()}
        assert names == {"0.png", "1.png", TIMES_FILE, *SIDE_FILES}
        about = json.loads(box.read(f"recording-{ready['match']}/recording.json"))
        assert about["source"] == "usb:0"
    assert isinstance(table.recording.delete(HOST), Done)
    assert table.state()["ready"] is None
    assert table.recording.file(HOST) is None


def test_a_ring_is_planned_for_its_minutes_and_goes_on_until_it_is_stopped(table: Table) -> None:
    begun = table.recording.begin(HOST, None, 300.0)
    assert isinstance(begun, Done)
    assert table.eye.asked == {"kind": "png", "seconds": None, "ring_s": 300.0}
    assert (begun.value["of"], begun.value["ring"]) == (300.0, True)


def test_one_recording_at_a_time_and_not_while_the_last_is_being_taken_away(table: Table) -> None:
    table.recording.begin(HOST, 60.0, None)
    assert isinstance(table.recording.begin(HOST, 60.0, None), Stale)
    assert isinstance(table.recording.delete(HOST), Stale)
    table.recording.stop(HOST)
    table.state()
    assert table.recording.file(HOST) is not None, "its head alone was asked for"
    found = table.recording.file(HOST)
    assert found is not None
    next(found[1])
    assert isinstance(table.recording.begin(HOST, 60.0, None), Stale)
    assert isinstance(table.recording.delete(HOST), Stale)
    found[1].close()  # type: ignore[attr-defined]  # the browser went away
    assert isinstance(table.recording.begin(HOST, 60.0, None), Done)


def test_only_the_host_records_and_in_a_silent_game_only_one_who_does_not_play(table: Table) -> None:
    for user in (SPECTATOR, User(Role.SEAT, Seat(1))):
        for asked in (table.recording.state, table.recording.stop, table.recording.delete):
            assert isinstance(asked(user), Denied)
        assert isinstance(table.recording.begin(user, 60.0, None), Denied)
        with pytest.raises(PermissionError):
            table.recording.file(user)
    table.evening.begin("fr-bluff")
    assert isinstance(table.recording.state(HOST), Denied)
    assert isinstance(table.recording.begin(HOST, 60.0, None), Denied)
    assert isinstance(table.recording.begin(OUTSIDE, 60.0, None), Done)
    assert isinstance(table.recording.stop(OUTSIDE), Done)
    table.evening.host.ask(lambda: None)
    assert table.recording.file(OUTSIDE) is not None
    table.evening.begin()
    with pytest.raises(PermissionError):
        table.recording.file(HOST)  # the silent match may yet be gone on with


def test_what_cannot_be_recorded_is_said_before_anything_is_deleted(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.record()
    fresh = HostRecording(table.evening.host, table.recorder, table.looking, table.evening.folder)
    table.eye.plan = RecordingPlan()
    assert isinstance(fresh.begin(HOST, 60.0, None), Unavailable)
    table.eye.plan = ScriptedEye.plan
    free = SimpleNamespace(free=SPARE_BYTES + 239_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    assert isinstance(table.recording.begin(HOST, 60.0, None), Unavailable)
    assert isinstance(table.recording.plan(HOST, 60.0), Unavailable)
    assert isinstance(table.recording.plan(HOST, 59.0), Done)
    assert table.state()["ready"] is not None


def test_a_recording_from_before_a_restart_is_still_there_and_a_torn_one_is_not(table: Table) -> None:
    ready = table.record()
    nothing: Any = SimpleNamespace(process=None)
    again = HostRecording(table.evening.host, table.recorder, nothing, table.evening.folder)
    assert again.state(HOST) == Done({"recording": False, "ready": ready, "broken_off": None})
    assert isinstance(again.begin(HOST, 60.0, None), Stale), "nobody looks"
    (table.folder / "recording.json").write_text('{"recording": 1, "mat')
    assert again.state(HOST) == Done({"recording": False, "ready": None, "broken_off": None})


def test_a_zip_file_is_made_while_it_is_sent(tmp_path: Path) -> None:
    (tmp_path / "large.bin").write_bytes(bytes(range(256)) * 20_000)
    (tmp_path / ".hidden").write_bytes(b"no")
    pieces = list(zipped(tmp_path, "film"))
    assert max(map(len, pieces)) < 2 << 20
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as box:
        assert box.namelist() == ["film/large.bin"]
        assert box.read("film/large.bin") == bytes(range(256)) * 20_000


@pytest.mark.parametrize("ends", ["the stick is pulled", "the stick is full", "no room from the beginning"])
def test_a_disk_that_ends_a_recording_ends_neither_the_table_nor_the_silence_about_it(
    ends: str, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`companion record` closes its table when the recording is complete, and not when a stick was pulled."""
    told: list[str] = []
    stopped: list[bool] = []
    monkeypatch.setattr(table.evening.host, "stop", lambda: stopped.append(True))
    folder = table.evening.folder / "stick"
    folder.mkdir()
    request = RecordingRequest(folder, seconds=60.0, on_broken_off=told.append)
    recorder = TableRecorder(table.evening.host, table.looking, Settings(), "usb:0", request)
    table.eye.on_recorded = recorder.recorded
    table.evening.host.ask(recorder.eye_opened)
    if ends == "no room from the beginning":
        room = SimpleNamespace(free=SPARE_BYTES)
        monkeypatch.setattr(shutil, "disk_usage", lambda _folder: room)
        recorder.planned(table.eye.plan)
    else:
        if ends == "the stick is pulled":
            shutil.rmtree(folder)
            recorder.planned(table.eye.plan)
        recorder.recorded("the disk takes no more (No space left on device)")
    table.evening.host.ask(lambda: None)
    assert len(told) == 1
    assert recorder.broken_off == told[0]
    assert recorder.current is None
    assert not stopped
    monkeypatch.undo()
    assert isinstance(table.recording.begin(HOST, 60.0, None), Done), "the host's own recordings go on"


def test_a_complete_recording_closes_the_table_that_was_opened_for_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[bool] = []
    monkeypatch.setattr(table.evening.host, "stop", lambda: stopped.append(True))
    folder = table.evening.folder / "stick"
    folder.mkdir()
    recorder = TableRecorder(
        table.evening.host, table.looking, Settings(), "usb:0", RecordingRequest(folder, seconds=60.0)
    )
    table.evening.host.ask(recorder.eye_opened)
    recorder.recorded(None)
    table.evening.host.ask(lambda: None)
    assert stopped == [True]
    assert recorder.broken_off is None
