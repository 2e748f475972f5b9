"""Runs inside the Debian of ``camera.sh``: the companion with picamera2 and libcamera as they are released.

python play.py [TEST]
"""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import cv2
import numpy as np
from programs import fails, run_tests, say
from sitecustomize import UNPLUGGED

from vision.camera import picamera
from vision.camera.picamera import FAST_PX, FULL_PX, LORES_PX, PiCamera
from vision.camera.sources import read_gray

JSON = Any
FRAMES, FEW, FILM = Path("/frames"), Path("/few"), Path("/film")
DATA, PORT = Path("/tmp/companion-camera"), 18231
LOG = Path("/tmp/companion.log")
COMPANION = str(Path(sys.executable).with_name("companion"))
PATIENCE_S = 240.0


def show(folder: Path) -> None:
    """The folder whose pictures the virtual camera shows from its next start on."""
    FRAMES.unlink(missing_ok=True)
    FRAMES.symlink_to(folder)


def test_it_is_found_by_number_by_model_and_by_place() -> None:
    assert picamera.cameras() == 1
    for named in ("", "0", "imx708", "VIRTUAL0"):
        with PiCamera(named, size_px=FAST_PX) as camera:
            assert next(iter(camera)).gray.shape == (1296, 2304), named
    assert "picamera:0 (virtual_imx708)" in fails(PiCamera("1").open)
    assert "picamera:0 (virtual_imx708)" in fails(PiCamera("imx477").open)


def test_both_streams_are_the_grey_picture_that_is_before_the_lens() -> None:
    before = [read_gray(path) for path in sorted(FEW.glob("*.jpg"))]
    for size_px in (FAST_PX, FULL_PX):
        with PiCamera(size_px=size_px) as camera:
            for number, frame in enumerate(camera):
                assert 0 <= time.monotonic() - frame.taken_s < 2
                assert frame.gray.shape == size_px[::-1]
                assert frame.lores.shape == LORES_PX[::-1]
                small = cv2.resize(frame.gray, LORES_PX, interpolation=cv2.INTER_AREA)
                assert np.abs(small.astype(int) - frame.lores).mean() < 3, "the streams are two pictures"
                seen = cv2.resize(frame.gray, FAST_PX, interpolation=cv2.INTER_AREA).astype(int)
                far = min(float(np.abs(seen - picture).mean()) for picture in before)
                assert far < 3, f"it differs by {far:.1f} from every picture"
                del frame
                if number == 5:
                    break


def test_a_size_that_it_does_not_have_becomes_one_that_it_has() -> None:
    picamera.RATE_HZ[3280, 2464] = 14.0
    with PiCamera(size_px=(3280, 2464)) as camera:
        assert next(iter(camera)).gray.shape == (2592, 4608)


def test_what_it_does_not_advertise_is_named_and_done_without() -> None:
    assert picamera.missing_controls() == ("LensPosition", "ExposureTime", "AnalogueGain", "ColourGains")


def test_a_camera_that_is_in_use_is_one_sentence() -> None:
    with PiCamera():
        assert "another program is using the camera" in fails(PiCamera().open)


def test_a_camera_that_stalls_is_said_and_closed_at_once_and_opened_again() -> None:
    with PiCamera(size_px=FAST_PX) as camera:
        held = []
        with suppress(TimeoutError):
            while True:  # until it has no buffer left
                held.append(camera._camera.capture_request(wait=2.0))  # noqa: SLF001
        assert held
        assert "has stopped giving pictures" in fails(lambda: next(iter(camera)))
        began_s = time.monotonic()
    assert time.monotonic() - began_s < 2, "a picture that never came kept it"
    del held
    with PiCamera(size_px=FAST_PX) as camera:
        next(iter(camera))


def test_a_first_picture_after_twelve_seconds_is_waited_for() -> None:
    from picamera2 import Picamera2

    process, began_s = Picamera2.process_requests, time.monotonic()

    def late(camera: Any, display: Any) -> None:
        time.sleep(max(0.0, began_s + 12 - time.monotonic()))
        process(camera, display)

    Picamera2.process_requests = late
    with PiCamera(size_px=FAST_PX) as camera:
        assert time.monotonic() - began_s > 12
        next(iter(camera))


def test_the_stickers_of_a_picture_are_read() -> None:
    with PiCamera() as camera:
        for frame in camera:  # after the loop the camera would overwrite the picture while that is written
            cv2.imwrite("/tmp/seen.png", frame.gray)
            break
    (seen,) = json_lines(COMPANION, "scan", "--json", "/tmp/seen.png")
    before = json_lines(COMPANION, "scan", "--json", *map(str, sorted(FEW.glob("*.jpg"))))
    say(f"{len(tokens(seen))} stickers")
    assert tokens(seen) in [tokens(one) for one in before]
    assert len(tokens(seen)) >= 5


def test_the_doctor_looks_through_it_and_says_what_it_lacks() -> None:
    done = subprocess.run([COMPANION, "doctor", "--source", "picamera", "--data", str(DATA)], **TEXT)
    say(done.stdout)
    assert "picamera gives pictures" in done.stdout
    assert "LensPosition" in done.stdout


def test_a_match_is_the_same_as_from_a_folder_until_it_is_over() -> None:
    wanted = by_folder()
    with match_of(FILM / "whole") as running:
        until(lambda: entries() >= len(wanted), "the end of the match", running)
        time.sleep(3)  # for one too many; the film begins anew some seconds later
    assert recorded() == wanted


def test_a_camera_that_is_unplugged_in_the_middle_of_a_match_accuses_nobody_and_the_match_goes_on() -> None:
    wanted = by_folder()
    taken_back = [event["event"] for event in wanted].index("struck") + 1
    alerts = set()

    def alert() -> str:
        alerts.add(asked("standing")["alert"])
        return str(asked("health")["camera"])

    with match_of(FILM / "first") as running:
        until(lambda: entries() >= taken_back, "a card that is taken back", running)
        UNPLUGGED.touch()
        show(FILM / "then")
        until(lambda: alert() == "camera", "the lost camera", running)
        time.sleep(10)  # it is looked for again and again
        assert alert() == "camera"
        assert entries() == taken_back
        assert "the camera has stopped giving pictures" in LOG.read_text()
        UNPLUGGED.unlink()
        until(lambda: alert() == "ok", "the camera again", running)
        until(lambda: alert() == "ok" and entries() >= len(wanted), "the end of the match", running)
        time.sleep(3)
    assert recorded() == wanted
    # After the time without pictures people are asked whose turn it is; nobody is accused of anything.
    assert alerts <= {"none", "lost", "asks"}, alerts


def by_folder() -> list[JSON]:
    """What happens in the film, as the same pictures by folder tell it."""
    match, record = str(FILM / "match.toml"), Path("/tmp/by-folder.jsonl")
    subprocess.run([COMPANION, "referee", str(FILM / "frames"), "--match", match, "--record", str(record)], check=True)
    told = events(record.read_text())
    assert told[-1]["standing"]["over"]
    assert told[-1]["standing"]["winners"]
    return told


@contextmanager
def match_of(pictures: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The companion, which referees the match that the camera shows; afterwards it has ended well."""
    shutil.rmtree(DATA, ignore_errors=True)
    UNPLUGGED.unlink(missing_ok=True)
    show(pictures)
    match = ["--match", str(FILM / "match.toml"), "--port", str(PORT), "--data", str(DATA)]
    with LOG.open("w") as log:
        running = subprocess.Popen([COMPANION, "run", "--source", "picamera", *match], stderr=log)
    began_s = time.monotonic()
    try:
        yield running
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(60)
        UNPLUGGED.unlink(missing_ok=True)
        show(FEW)
        seen = recorded()
        for event in seen:
            say(json.dumps(event))
        say(f"{len(seen)} events in {time.monotonic() - began_s:.0f} s")
        say(LOG.read_text())
    assert running.returncode == 0
    assert "Traceback" not in LOG.read_text()


def until(true: Callable[[], bool], what: str, running: subprocess.Popen[bytes]) -> None:
    began_s = time.monotonic()
    while not true():
        assert running.poll() is None, f"it ended before {what}"
        assert time.monotonic() - began_s < PATIENCE_S, f"waited {PATIENCE_S:.0f} s for {what}"
        time.sleep(0.5)
    say(f"{what} after {time.monotonic() - began_s:.0f} s")


TEXT: dict[str, Any] = {"capture_output": True, "text": True, "check": False}


def asked(route: str) -> JSON:
    with urlopen(f"http://127.0.0.1:{PORT}/api/v1/{route}", timeout=10) as answer:
        return json.load(answer)


def entries() -> int:
    """How much has happened in the match that runs."""
    try:
        return int(asked("health")["entries"])
    except OSError:  # not yet
        return 0


def recorded() -> list[JSON]:
    """The events of the match that runs, or ran last."""
    listed = subprocess.run([COMPANION, "matches", "--data", str(DATA)], **TEXT).stdout.split()
    if not listed:
        return []
    return events(subprocess.run([COMPANION, "export", listed[0], "--data", str(DATA)], **TEXT).stdout)


def events(record: str) -> list[JSON]:
    """What happened, without the times."""
    lines = [json.loads(line) for line in record.splitlines()[1:]]
    keys = ("event", "move", "objections", "points", "settles", "standing")
    return [{key: line[key] for key in keys if key in line} for line in lines]


def json_lines(*command: str) -> list[JSON]:
    return [json.loads(line) for line in subprocess.run(command, **TEXT).stdout.splitlines()]


def tokens(scanned: JSON) -> set[str]:
    return {found["token"] for found in scanned["sightings"]}


if __name__ == "__main__":
    show(FEW)
    sys.exit(run_tests(globals()))
