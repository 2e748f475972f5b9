from __future__ import annotations

import http.server
import json
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.errors import DeviceError
from companion.public.findings import Finding, Level
from companion.public.plugins import Plugin
from companion.public.text import Text
from companion.system import doctor
from companion.system.camera_check import in_english

english = in_english()


def said(findings: Iterable[Finding]) -> list[tuple[str, str]]:
    return [(finding.level.value, finding.name) for finding in findings]


def one(findings: Iterable[Finding]) -> Finding:
    (finding,) = findings
    return finding


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ("0\n", [("ok", "power"), ("ok", "heat")]),
        ("50005", [("trouble", "power"), ("warning", "heat")]),
        ("50000", [("warning", "power"), ("info", "heat")]),
        ("80000", [("ok", "power"), ("info", "heat")]),
        ("8", [("ok", "power"), ("warning", "heat")]),
        (None, [("info", "power"), ("info", "heat")]),
    ],
)
def test_the_pis_own_flags_are_read_bit_by_bit(flags: str | None, wanted: list[tuple[str, str]]) -> None:
    assert said(doctor.power(lambda path: flags, lambda *command: None)) == wanted


def test_where_the_kernel_tells_no_flags_the_firmware_is_asked() -> None:
    assert said(doctor.power(lambda path: None, lambda *command: "throttled=0x10000\n")) == [
        ("warning", "power"),
        ("ok", "heat"),
    ]


@pytest.mark.parametrize(("answer", "level"), [("yes\n", Level.OK), ("no\n", Level.WARNING), (None, Level.INFO)])
def test_a_clock_that_nobody_set_spoils_dates_and_nothing_else(answer: str | None, level: Level) -> None:
    assert one(doctor.clock(lambda *command: answer)).level is level


@pytest.mark.parametrize(
    ("free_mb", "level"),
    [(0, Level.TROUBLE), (99, Level.TROUBLE), (100, Level.WARNING), (999, Level.WARNING), (1000, Level.OK)],
)
def test_the_disk_must_hold_an_evening(tmp_path: Path, free_mb: int, level: Level) -> None:
    finding = one(doctor.disk(tmp_path / "not" / "yet", lambda path: free_mb * 1_000_000))
    assert finding.level is level
    assert str(tmp_path) in english(finding.what)
    assert bool(finding.to_do) == (level is not Level.OK)


def test_a_data_folder_that_is_a_file_is_trouble(tmp_path: Path) -> None:
    file = tmp_path / "matches"
    file.write_text("")
    finding = one(doctor.disk(file, lambda path: 10**12))
    assert (finding.level, english(finding.what)) == (Level.TROUBLE, f"{file} is a file, and the matches need a folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_data_folder_in_which_this_user_may_not_write_is_trouble(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    finding = one(doctor.disk(tmp_path, lambda path: 10**12))
    assert (finding.level, str(tmp_path) in english(finding.what)) == (Level.TROUBLE, True)


def test_a_card_that_makes_errors_is_trouble_and_a_worn_one_a_warning(tmp_path: Path) -> None:
    blocks, ext4 = tmp_path / "block", tmp_path / "ext4"
    for path, text in (
        (ext4 / "mmcblk0p2" / "errors_count", "3\n"),
        (ext4 / "sda1" / "errors_count", "0\n"),
        (blocks / "mmcblk0" / "device" / "life_time", "0x02 0x09\n"),
        (blocks / "mmcblk1" / "device" / "life_time", "0x01 0x01\n"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    assert [(f.level, english(f.what)) for f in doctor.wear(doctor.read, blocks, ext4)] == [
        (Level.TROUBLE, "the file system on mmcblk0p2 has met 3 errors"),
        (Level.WARNING, "mmcblk0 has used 90 % of its life"),
        (Level.OK, "mmcblk1 has used at most 10 % of its life"),
    ]
    assert said(doctor.wear(doctor.read, tmp_path / "none", tmp_path / "none")) == [("info", "disk wear")]


@pytest.mark.parametrize(
    ("answer", "level"),
    [("Power save: on\n", Level.WARNING), ("Power save: off\n", Level.OK), (None, Level.INFO)],
)
def test_wifi_that_saves_power_makes_phones_late(tmp_path: Path, answer: str | None, level: Level) -> None:
    assert one(doctor.wifi(lambda *command: answer, tmp_path)).what == Text("doctor.wifi.none")
    (tmp_path / "wlan0" / "wireless").mkdir(parents=True)
    assert one(doctor.wifi(lambda *command: answer, tmp_path)).level is level


@pytest.mark.parametrize(
    ("health", "wanted"),
    [
        (None, [("info", "companion"), ("info", "last look")]),
        ({"version": "1", "camera": "ok", "last_look_s": 0.2}, [("ok", "companion"), ("ok", "last look")]),
        ({"version": "1", "camera": "ok", "last_look_s": 60}, [("ok", "companion"), ("trouble", "last look")]),
        ({"version": "1", "camera": "lost", "last_look_s": 0.2}, [("ok", "companion"), ("trouble", "last look")]),
        ({"version": "1", "camera": "ok", "last_look_s": None}, [("ok", "companion"), ("info", "last look")]),
    ],
)
def test_the_age_of_the_last_look_tells_whether_the_eye_goes_on(
    health: dict[str, object] | None, wanted: list[tuple[str, str]]
) -> None:
    assert said(doctor.running(lambda: health)) == wanted


def test_where_no_companion_runs_it_is_said_how_to_start_one_from_a_folder_and_from_a_package() -> None:
    """ "Start one with ./run", it said where a package is installed: there is no such file."""
    line = doctor.line(next(iter(doctor.running(lambda: None))), english)
    assert "./run" in line
    assert "sudo systemctl start companion" in line


@pytest.fixture
def port() -> Iterator[int]:
    class Answering(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps({"version": "9", "path": self.path}).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *ignored: object) -> None:
            """Nothing is logged."""

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_address[1]
        server.shutdown()
        thread.join()


def test_the_running_companion_is_asked_over_its_own_door(port: int) -> None:
    assert doctor.health(port) == {"version": "9", "path": "/api/v1/health"}
    assert doctor.health(1) is None


def test_a_whole_log_is_whole_and_a_torn_one_is_damaged(tmp_path: Path) -> None:
    file = tmp_path / "matches.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE entry (number INTEGER PRIMARY KEY, text TEXT)")
        connection.executemany("INSERT INTO entry VALUES (?, ?)", [(n, "x" * 200) for n in range(500)])
        connection.commit()
    assert said(doctor.database([file])) == [("ok", "matches")]
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + b"\xff" * 8192 + whole[16384:])
    assert said(doctor.database([file])) == [("trouble", "matches")]
    file.write_bytes(b"this is no database, but long enough to look like one" * 40)
    assert said(doctor.database([file])) == [("trouble", "matches")]
    assert said(doctor.database([])) == [("info", "matches")]


def test_a_log_that_may_not_be_opened_is_not_called_damaged(tmp_path: Path) -> None:
    assert said(doctor.database([tmp_path / "gone.sqlite"])) == [("warning", "matches")]


def test_a_missing_second_reader_is_no_trouble() -> None:
    def missing() -> object:
        raise ImportError("Unable to find zbar shared library")

    assert one(doctor.zbar(missing)).level is Level.INFO
    assert one(doctor.zbar(lambda: None)).level is Level.OK


def test_a_check_that_cannot_look_stops_no_other() -> None:
    def broken() -> Iterable[Finding]:
        raise DeviceError("the camera is not there: check its cable")

    def fine() -> Iterable[Finding]:
        yield Finding("disk", Level.OK, Text("plenty"))

    seen = list(doctor.examine([("camera", broken), ("disk", fine)]))
    assert said(seen) == [("trouble", "camera"), ("ok", "disk")]
    assert "check its cable" in english(seen[0].what)


@pytest.mark.parametrize(
    ("levels", "status"), [((), 0), ((Level.OK, Level.INFO, Level.WARNING), 0), ((Level.TROUBLE, Level.OK), 1)]
)
def test_the_answer_is_no_exactly_when_something_is_in_trouble(levels: tuple[Level, ...], status: int) -> None:
    heard: list[str] = []
    findings = [Finding("disk", level, Text("so")) for level in levels]
    assert doctor.report(findings, heard.append, english) == status
    assert len(heard) == len(levels)
    heard.clear()
    assert doctor.report(findings, heard.append, english, as_json=True) == status
    assert [json.loads(line)["level"] for line in heard] == [level.value for level in levels]


def test_a_line_says_what_and_the_one_thing_to_do() -> None:
    finding = Finding("power", Level.TROUBLE, Text("too little voltage now"), Text("take another supply"))
    assert doctor.line(finding, english) == "trouble  power: too little voltage now -> take another supply"


def _raises(section: object, health: object) -> Iterator[Finding]:
    lacking: dict[str, Text] = {}
    yield Finding("odd", Level.OK, lacking["colour"])  # raises at the first finding, as a generator does


@pytest.mark.parametrize(
    ("lines", "why"), [(_raises, "KeyError: 'colour'"), (lambda *_: ["well"], "TypeError: 'well' is no Finding")]
)
def test_a_plug_in_whose_lines_fail_is_a_line_itself(
    lines: Any, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "plugins", lambda: (Plugin("odd", doctor=lines),))
    monkeypatch.setattr(doctor, "unloaded", lambda: {"broken": "no module"})
    found = list(doctor.examine(doctor.plugin_checks(tmp_path, dict)))
    assert said(found) == [("warning", "plug-ins")] * 2
    assert [one.what.params for one in found] == [
        {"plugin": "odd", "why": why},
        {"plugin": "broken", "why": "no module"},
    ]
