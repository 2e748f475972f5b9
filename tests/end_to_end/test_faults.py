"""Surviving the evening: every row of docs/faults.md, injected into a whole table that is being played at.

Each test makes something go wrong, looks at what a phone shows, plays on, and reads the log from the disk:
nothing may be missing, and nothing may be there twice.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
import resource
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import paho.mqtt.subscribe
import pytest
from support.faulty_table import (
    MATCH,
    PATIENCE_S,
    DrawnTable,
    Phone,
    Running,
    children,
    entries,
    is_played,
    start,
)
from support.long_cases import rest_long
from support.ports import free_port
from support.processor_queue import ProcessorQueue

import hardware.pins
import vision.process.supervisor
from companion.cli.main import main
from companion.public.table import Observation
from companion.public.updates import Signal
from companion.storage.event_log import LOG_FILE, open_log
from companion.storage.join_codes import host_codes
from companion.storage.log_file import SCHEMA_VERSION
from companion.system import doctor
from companion.system.camera_check import in_english, measured_finding
from hardware.pins import pin_factory
from vision.process.worker import PATIENCE_S as NO_PICTURE_S
from web.push.sse import EventStreams

HERE = Path(__file__).parent
MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


@pytest.fixture(scope="module")
def broker_port() -> int:
    """Where a broker is promised, and none is."""
    return free_port()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory, broker_port: int) -> Iterator[Running]:
    """One long evening; each test is one of its mishaps and leaves the table well."""
    settings = f'[mqtt]\nhost = "127.0.0.1"\nport = {broker_port}\ntable = "table"\n'
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vision.process.supervisor, "HEALTHY_AFTER_S", 2.0)  # mishaps come faster here than in life
        running = Running(tmp_path_factory.mktemp("evening"), settings=settings)
        running.play()  # until the table was seen, what lies there may be left from another match
        yield running
        running.close()


def now(running: Running) -> int:
    """From here on news are new."""
    return len(running.phone.told)


# -- the broker ------------------------------------------------------------------------------------


@pytest.mark.broker
def test_the_broker_is_not_there_yet_then_is_then_goes(evening: Running, broker_port: int, tmp_path: Path):
    if not Path(MOSQUITTO).exists():
        pytest.skip("Mosquitto is not installed: apt-get install mosquitto")
    evening.play()
    settings = tmp_path / "mosquitto.conf"
    settings.write_text(f"listener {broker_port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
    broker = subprocess.Popen([MOSQUITTO, "-c", str(settings)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                heard: Any = paho.mqtt.subscribe.simple("companion/table/standing", port=broker_port)
                break
            except ConnectionRefusedError:
                assert time.monotonic() < until_s
                time.sleep(0.1)
        told = evening.phone.shown()["standing"]
        assert json.loads(heard.payload) == told
    finally:
        broker.terminate()
        broker.wait(10)
    evening.play(now(evening))


# -- the camera ------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", rest_long(["pulled", "broken", "hangs", "same", "ends"]))
def test_a_camera_that_fails_is_said_and_what_was_laid_meanwhile_is_judged(evening: Running, state: str):
    since = now(evening)
    evening.drawn.camera(state)
    lost = evening.phone.until(lambda told: told["signal"] == "lost", since)
    assert evening.phone.told[lost]["texts"] == ["No picture from the camera: is it on and connected?"]
    assert evening.phone.told[lost]["alert"] == "lost"
    evening.phone.health(lambda health: health["camera"] == "camera" and not health["ok"])
    assert evening.phone.ask("/")[0] == 200
    card = evening.drawn.lay()
    evening.drawn.camera("well")
    found = evening.phone.until(lambda told: told["signal"] == "found", lost)
    (text,) = evening.phone.told[found]["texts"]
    assert text.startswith("I see the table again.")
    evening.confirm(card, lost)
    assert evening.phone.health(lambda health: health["ok"])["camera"] == "ok"
    evening.play(found)


def test_an_eye_that_is_killed_comes_back_and_remembers(evening: Running):
    since = now(evening)
    (eye,) = [child for child in multiprocessing.active_children() if child.name == "eye"]
    assert eye.pid is not None
    os.kill(eye.pid, signal.SIGKILL)
    lost = evening.phone.until(lambda told: told["signal"] == "lost", since)
    evening.phone.until(lambda told: told["signal"] == "found", lost)
    evening.play(lost)
    assert {told["signal"] for told in evening.phone.told[since:]} <= {
        *("lost", "found", "played", "recognised", "prize"),
        "asks",  # whose turn it is, when it took long
    }


def test_an_eye_that_hangs_is_said_within_seven_seconds_and_is_never_called_well(evening: Running):
    since = now(evening)
    (eye,) = [child for child in multiprocessing.active_children() if child.name == "eye"]
    assert eye.pid is not None
    os.kill(eye.pid, signal.SIGSTOP)
    stopped_s, queue = time.monotonic(), ProcessorQueue(os.getpid())
    well = []  # how long ago it was stopped, whenever it was called well
    while not any(told["signal"] == "lost" for told in evening.phone.told[since:]):
        _, health = evening.phone.ask("/api/v1/health")
        if health["ok"] or health["camera"] == "ok":
            well.append(time.monotonic() - stopped_s - queue.look())
        assert time.monotonic() - stopped_s < PATIENCE_S
        time.sleep(0.1)
    took_s = time.monotonic() - stopped_s - queue.look()
    lost = evening.phone.until(lambda told: told["signal"] == "lost", since)
    evening.phone.health(lambda health: health["camera"] == "camera" and not health["ok"])
    assert evening.phone.told[lost]["texts"] == ["No picture from the camera: is it on and connected?"]
    assert took_s < 7.0
    assert max(well) < 7.0
    evening.phone.until(lambda told: told["signal"] == "found", lost)  # it was ended and opened again
    evening.play(lost)


# -- the disk --------------------------------------------------------------------------------------


def cannot_be_written(running: Running, mend: Callable[[], object]) -> None:
    """A card is laid while the log takes nothing; it is judged once the log can be written."""
    since = now(running)
    before = running.entries
    turn = running.phone.shown()["standing"]["turn"]
    card = running.drawn.lay()
    trouble = running.phone.until(lambda told: told["signal"] == "trouble", since)
    assert running.phone.told[trouble]["texts"] == [
        "I cannot save the match, so for now I judge nothing. Is the disk full? I keep trying."
    ]
    assert not any(is_played(told, card) for told in running.phone.told[since:])
    health = running.phone.health(lambda health: not health["ok"])
    assert health["camera"] == "ok"
    status, answer = running.phone.ask("/api/v1/moves", {"move": {"do": "end_turn", "by": turn}})
    assert status == 503, answer
    assert "cannot be saved" in answer["detail"]
    assert running.entries == before
    mend()
    heard = running.phone.until(lambda told: is_played(told, card), since)
    assert heard > trouble
    # What was said into the trouble is kept, and heard in its order.
    running.phone.until(lambda told: told["entry"] and told["entry"]["number"] == len(before) + 2, since)
    running.phone.health(lambda health: health["ok"])


def empty_write_ahead_log(running: Running) -> None:
    """The next entry needs new bytes on the disk: after a checkpoint the old file would be written over in place."""
    running.table.runner.log.file._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # noqa: SLF001  # a disk that fails
    assert (running.data / f"{LOG_FILE}-wal").stat().st_size == 0


def test_a_card_that_takes_no_more_bytes_holds_the_verdict_back(evening: Running):
    """The kernel itself refuses: no file of this program may grow."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    empty_write_ahead_log(evening)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))  # less than one page of it with its head
    try:
        cannot_be_written(evening, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    evening.play(now(evening))


def test_a_file_system_that_turns_read_only_holds_the_verdict_back(evening: Running):
    """What Linux does with a card that it finds damaged; SQLite then says so of every write."""
    paper = evening.table.runner.log.file._connection  # noqa: SLF001  # a disk that fails
    paper.execute("PRAGMA query_only=ON")
    cannot_be_written(evening, lambda: paper.execute("PRAGMA query_only=OFF"))
    evening.play(now(evening))


def test_a_full_disk_holds_the_verdict_back(tmp_path: Path):
    """A real file system of 400 kB, filled to its last byte."""
    disk = tmp_path / "data"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "none", disk], capture_output=True).returncode:
        pytest.skip("mounting a small disk needs root")
    try:
        running = Running(tmp_path, apart=False)
        try:
            running.play()
            empty_write_ahead_log(running)
            filler = disk / "filler"
            with filler.open("wb", buffering=0) as file, suppress(OSError):
                while file.write(bytes(512)):
                    pass
            assert shutil.disk_usage(disk).free == 0
            cannot_be_written(running, filler.unlink)
            running.play(now(running))
        finally:
            running.close()
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


# -- the clock -------------------------------------------------------------------------------------


@pytest.mark.parametrize("jump_s", [86_400.0, -86_400.0 * 365], ids=["a day forwards", "a year back"])
def test_the_clock_on_the_wall_jumps_and_nobody_notices(
    evening: Running, monkeypatch: pytest.MonkeyPatch, jump_s: float
):
    """The network sets the time of a Pi, which has no clock of its own, in the middle of an evening."""
    evening.play(now(evening))
    since, real, began_s = now(evening), time.time, time.monotonic()
    before_s = evening.entries[-1]["time_s"]
    runner, seen_s = evening.table.runner, [began_s]
    post = runner.post

    def posted(told: Any) -> None:
        if isinstance(told, Observation) and told.lost is None:
            seen_s.append(time.monotonic())
        post(told)

    monkeypatch.setattr(runner, "post", posted)
    monkeypatch.setattr(time, "time", lambda: real() + jump_s)
    evening.play(since)
    after_s = evening.entries[-1]["time_s"]
    assert before_s < after_s < before_s + 60 + (time.monotonic() - began_s)
    assert evening.phone.health(lambda health: health["ok"])["last_look_s"] < 60
    # A machine so busy that it takes no picture for a second loses its table, whatever the clock says.
    late = max(later - earlier for earlier, later in pairwise((*seen_s, time.monotonic()))) > NO_PICTURE_S
    assert late or not any(told["signal"] in ("lost", "trouble") for told in evening.phone.told[since:])


def test_the_time_of_day_is_a_label_and_never_a_measure():
    """Every place that reads it: the dates of matches, and nothing else."""
    reads = re.compile(r"\btime\.time\b|\bdatetime\.(now|utcnow|today)\b|\btime\.(localtime|gmtime)\b")
    found = {
        f"{path.relative_to(HERE.parents[1])}: {line.strip()}"
        for folder in ("companion", "vision", "hardware", "web")
        for path in (HERE.parents[1] / folder).rglob("*.py")
        for line in path.read_text().splitlines()
        if reads.search(line)
    }
    assert all("isoformat(" in line for line in found), found


# -- pins and phones -------------------------------------------------------------------------------


def test_pins_that_fail_leave_a_dark_lamp_and_a_whole_evening(
    evening: Running, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    def fails(*_: object) -> None:
        raise OSError("'bad gpio' (-3)")

    lamp = evening.pins.pin(17)
    with monkeypatch.context() as patch:
        patch.setattr(type(lamp), "_set_state", fails)
        evening.play(now(evening))
        evening.play(now(evening))
    said = [record.message for record in caplog.records if record.name == "hardware.sequencer"]
    assert len([line for line in said if "the lamp does not work" in line]) == 1, said
    lit = len(lamp.states)
    evening.play(now(evening))
    until_s = time.monotonic() + PATIENCE_S
    while len(lamp.states) == lit:
        assert time.monotonic() < until_s, "the wire is back, and the lamp stays dark"
        time.sleep(0.05)


def test_phones_that_vanish_in_the_middle_of_a_stream_leave_no_trace(evening: Running):
    (feed,) = [outlet for outlet in evening.table.runner._subscribers if isinstance(outlet, EventStreams)]  # noqa: SLF001  # who listens
    there = feed.listeners
    for _ in range(20):
        gone = socket.create_connection(("127.0.0.1", evening.port))
        gone.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        assert b"200 OK" in gone.recv(200)
        gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        gone.close()  # no good-bye: the battery is empty
    evening.play(now(evening))
    until_s = time.monotonic() + PATIENCE_S
    while feed.listeners > there:
        assert time.monotonic() < until_s, f"{feed.listeners} streams are still held"
        evening.table.runner.publish(Signal.FOUND)
        time.sleep(0.5)
    evening.play(now(evening))


def test_a_phone_that_slept_through_a_restart_gets_every_entry_once(evening: Running):
    for _ in range(3):
        evening.play(now(evening))
    number = len(evening.entries)
    late = Phone(evening.port, after=number - 5)
    late.until(lambda told: told["number"] == number)
    evening.play(now(evening))
    late.until(lambda told: told["entry"] and told["entry"]["number"] == number + 2)
    numbers = [told["entry"]["number"] for told in late.told if told["entry"] and told["signal"] != "started"]
    assert sorted(set(numbers)) == list(range(number - 4, number + 3))
    late.close()


# -- what the doctor says --------------------------------------------------------------------------


def test_too_little_voltage_is_said_by_the_doctor_and_the_match_goes_on(evening: Running, tmp_path: Path):
    """The Pi's own flags, made up: now too little voltage (bit 0), now slowed down (bit 2), both before too."""
    flags = tmp_path / "get_throttled"
    flags.write_text("50005\n")
    findings = list(doctor.power(doctor.read, doctor.ask, flags))
    english = in_english()
    assert [(one.level.value, english(one.what)) for one in findings] == [
        ("trouble", "too little voltage now"),
        ("warning", "slowed down now"),
    ]
    assert "power supply" in english(findings[0].to_do)
    evening.play(now(evening))


def test_the_doctor_asks_the_running_table_what_its_eye_sees(evening: Running):
    health = evening.phone.health(lambda health: health["sight"])
    assert {found["name"] for found in health["sight"]} >= {"module_px", "sharpness", "exposure", "glare"}
    assert not any(found["name"] == "reads" for found in health["sight"]), "which cards lie there is told elsewhere"
    found = {finding.name: finding for finding in measured_finding(health)}
    assert list(found) == ["camera", "tags", "focus", "light", "stickers"]
    assert found["tags"].level is doctor.Level.OK
    evening.play(now(evening))


# -- the power -------------------------------------------------------------------------------------


def test_the_power_goes_between_a_card_and_its_verdict(tmp_path: Path):
    """Killed as the plug would: no signal that it could catch, no file closed."""
    drawn, port = DrawnTable(tmp_path), free_port()
    (tmp_path / "data").mkdir()
    (tmp_path / "match.toml").write_text(MATCH)
    program = start(tmp_path, port, "first")
    try:
        with open_log(tmp_path / "data") as paper:
            phone = Phone(port, host_codes(paper)[0])
        phone.health(lambda health: health["camera"] == "ok")
        card = drawn.lay()
        phone.until(lambda told: is_played(told, card))
        assert phone.ask("/api/v1/moves", {"move": {"do": "end_turn", "by": 1}})[0] == 200
        known = [entry["number"] for entry in entries(tmp_path / "data")]
        card = drawn.lay()
        time.sleep(0.4)  # the eye has it; the referee has said nothing yet, or just
        started = children(program.pid)
        assert started, "the eye is a program of its own"
    finally:
        program.kill()
        program.wait(PATIENCE_S)
    phone.close()
    assert [entry["number"] for entry in entries(tmp_path / "data")][: len(known)] == known
    until_s = time.monotonic() + PATIENCE_S
    while any(Path(f"/proc/{pid}/exe").exists() for pid in started):
        assert time.monotonic() < until_s, "an eye goes on for nobody, and holds the camera"
        time.sleep(0.1)
    running = Running(tmp_path, drawn)
    try:
        running.confirm(card)
        running.play(now(running))
    finally:
        running.close()


# -- a start that goes wrong -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DrawnTable]:
    """A folder with a match that was begun and not ended."""
    folder = tmp_path_factory.mktemp("played")
    running = Running(folder, apart=False)
    running.play()
    running.close()
    return folder, running.drawn


def newer(data: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    paper = sqlite3.connect(data / LOG_FILE)
    paper.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    paper.close()

    def older() -> None:
        paper = sqlite3.connect(data / LOG_FILE)
        paper.execute(f"PRAGMA user_version={SCHEMA_VERSION}")
        paper.close()

    return older


def no_log_at_all(data: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    """A folder in its place, as a file system repair leaves it, and no backup: nothing can be opened or made there."""
    (data / "backups").rename(data / "kept-backups")
    for part in data.glob(f"{LOG_FILE}*"):
        part.rename(data / f"kept-{part.name}")
    (data / LOG_FILE).mkdir()

    def mend() -> None:
        (data / LOG_FILE).rmdir()
        (data / "kept-backups").rename(data / "backups")
        for part in data.glob(f"kept-{LOG_FILE}*"):
            part.rename(data / part.name.removeprefix("kept-"))

    return mend


def damaged(data: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    (data / "settings.toml").write_text('[mqtt]\nhost = "broker\n\0\0\0\0')
    return (data / "settings.toml").unlink


def no_pins(data: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    """On a Pi, without the library that this machine's pins need."""
    real = hardware.pins.on_a_pi
    patch.setattr(hardware.pins, "pin_factory", pin_factory)
    patch.setattr(hardware.pins, "on_a_pi", lambda: True)
    patch.setitem(sys.modules, "gpiozero.pins.lgpio", None)
    return lambda: patch.setattr(hardware.pins, "on_a_pi", real)


def port_taken(data: Path, patch: pytest.MonkeyPatch) -> Callable[[], object]:
    """By another companion, say."""
    there = socket.create_server(("0.0.0.0", PORT))
    return there.close


PORT = free_port()


@pytest.mark.parametrize(
    ("fault", "said"),
    rest_long(
        [
            (newer, "was written by a newer companion (version 3): update this one"),
            (no_log_at_all, "cannot be opened"),
            (damaged, "settings.toml: this is not TOML"),
            (no_pins, "sudo apt-get install python3-lgpio"),
            (port_taken, "is the companion running already? Stop it or choose another with --port"),
        ],
        quick=2,
    ),
)
def test_a_start_that_goes_wrong_is_one_sentence_and_loses_nothing(
    played: tuple[Path, DrawnTable],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    fault: Callable[[Path, pytest.MonkeyPatch], Callable[[], object]],
    said: str,
):
    folder, drawn = played
    before = entries(folder / "data")
    mend = fault(folder / "data", monkeypatch)
    try:
        status = main(["run", "--source", "simulated", "--data", str(folder / "data"), "--port", str(PORT)])
    finally:
        mend()
    complaint = capsys.readouterr().err.strip()
    assert status == 2
    assert said in complaint
    assert complaint.count("\n") == 0, complaint
    assert entries(folder / "data") == before
    running = Running(folder, drawn, apart=False)
    try:
        running.play(now(running))
    finally:
        running.close()


def test_a_data_folder_that_takes_no_files_is_one_sentence(capsys: pytest.CaptureFixture[str]):
    """Not even root may make a folder in there, like on a card that is locked."""
    status = main(["run", "--source", "simulated", "--data", "/proc/companion", "--port", str(PORT)])
    complaint = capsys.readouterr().err.strip()
    assert status == 2
    assert "/proc/companion" in complaint
    assert complaint.count("\n") == 0, complaint
