"""A phone as a webcam and a camera on the wall: read by address, lost and found again, and their password untold."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.flat_table import ACCEPTED, LAYOUT, Laid, zones
from support.mjpeg_server import PASSWORD, USER, MjpegServer

from companion.errors import DeviceError, InputError
from companion.public.sources import shown_source
from companion.public.table import Observation, ViewLost
from vision.camera.network import NetworkCamera
from vision.camera.sources import UsbCamera, open_source
from vision.camera.trouble import CameraTrouble, Trouble
from vision.process import supervisor
from vision.process.supervisor import VisionProcess

CARDS = (Laid("C14", 860, 120), Laid("C12", 400, 300, 10))
LAID = {"C14": "pool", "C12": "tree"}


@pytest.fixture
def camera() -> Iterator[MjpegServer]:
    with MjpegServer(CARDS, guarded=True) as server:
        yield server


def read_until_lost(camera: MjpegServer, then: str) -> CameraTrouble:
    """What is said of a camera that gives some pictures and then does this."""

    def read() -> None:
        with NetworkCamera(camera.address, read_s=1.0) as source:
            for number, _ in enumerate(source):
                camera.state = then if number == 3 else camera.state

    with pytest.raises(CameraTrouble) as caught:
        read()
    return caught.value


def test_a_phone_as_a_webcam_gives_its_own_pictures_with_times_that_grow(camera: MjpegServer):
    with open_source(camera.address) as source:
        assert source.live
        assert source.name == f"http://127.0.0.1:{camera.port}"
        frames = [frame for frame, _ in zip(source, range(5), strict=False)]
    assert all(frame.gray.shape == (1296, 2304) and frame.lores.shape == (324, 576) for frame in frames)
    assert len({frame.gray.tobytes() for frame in frames}) > 1
    times = [frame.taken_s for frame in frames]
    assert times == sorted(times)


@pytest.mark.parametrize(("then", "trouble"), [("stalls", Trouble.STALLED), ("drops", Trouble.ENDED)])
def test_what_a_camera_does_that_gives_no_more_pictures_is_said_by_its_name(
    camera: MjpegServer, then: str, trouble: Trouble
):
    lost = read_until_lost(camera, then)
    assert lost.trouble is trouble
    assert f"http://127.0.0.1:{camera.port} " in str(lost)
    assert PASSWORD not in str(lost)


@pytest.mark.parametrize("state", ["words", "drops"])
def test_who_answers_without_pictures_is_told_from_who_does_not_answer(camera: MjpegServer, state: str):
    camera.state = state
    with pytest.raises(CameraTrouble, match="answers, but sends no video: check path, user and password") as caught:
        NetworkCamera(camera.address).open()
    assert caught.value.trouble is Trouble.NO_VIDEO
    camera.gone()
    with pytest.raises(CameraTrouble, match="does not answer: is it on, and in this network") as caught:
        NetworkCamera(camera.address).open()
    assert caught.value.trouble is Trouble.UNREACHABLE


def test_a_wrong_password_is_no_video(camera: MjpegServer):
    with pytest.raises(CameraTrouble, match="sends no video") as caught:
        NetworkCamera(camera.address.replace(f"{USER}:", "ben:")).open()
    assert PASSWORD not in str(caught.value)


def test_a_camera_that_takes_the_connection_and_says_nothing_is_given_up():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/video"
        with pytest.raises(CameraTrouble, match="sends no video"):
            NetworkCamera(address, open_s=1.0).open()


def test_a_picture_that_was_cut_off_on_its_way_is_left_out(camera: MjpegServer):
    """Half of the table would be grey, and whatever lies there gone."""
    with NetworkCamera(camera.address) as source:
        frames = iter(source)
        next(frames)
        camera.state = "torn"
        assert all(frame.gray[-200:].std() > 5 for frame, _ in zip(frames, range(12), strict=False))


def test_a_phone_that_is_turned_gives_pictures_of_another_size(camera: MjpegServer):
    with NetworkCamera(camera.address) as source:
        shapes = []
        for frame, _ in zip(source, range(30), strict=False):
            shapes.append(frame.gray.shape)
            camera.state = "small"
    assert shapes[0] == (1296, 2304)
    assert shapes[-1] == (1037, 1843)


def test_closing_waits_for_a_picture_that_is_being_read(camera: MjpegServer):
    """OpenCV dies when a film is closed under whoever reads it."""
    source = NetworkCamera(camera.address, read_s=1.0)
    source.open()
    ended: list[object] = []

    def read() -> None:
        try:
            for number, _ in enumerate(source):
                if number == 1:
                    camera.state = "stalls"
                    stalled.set()
            ended.append(None)
        except DeviceError as error:
            ended.append(error)

    stalled = threading.Event()
    reader = threading.Thread(target=read)
    reader.start()
    assert stalled.wait(20)
    source.close()
    reader.join(20)
    assert len(ended) == 1


# -- in use ---------------------------------------------------------------------------------------


class Table:
    """An eye on a network camera, and what it has told."""

    def __init__(self, address: str) -> None:
        self.looks: list[Observation] = []
        self._news = threading.Condition()
        self.eye = VisionProcess(address, LAYOUT, ACCEPTED, self._look, process=True)

    def _look(self, look: Observation) -> None:
        with self._news:
            self.looks.append(look)
            self._news.notify_all()

    def until(self, wanted: Callable[[Observation], bool], patience_s: float = 60.0) -> None:
        """Wait for such a look; those that were there before do not count."""
        with self._news:
            since = len(self.looks)
            assert self._news.wait_for(lambda: any(map(wanted, self.looks[since:])), patience_s), self.looks[-1:]


def lies(look: Observation) -> bool:
    return look.lost is None and zones(look) == LAID


@pytest.mark.long
def test_an_evening_with_bad_wifi_goes_on_after_each_fault_and_nothing_has_moved(
    camera: MjpegServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
):
    """It stalls, repeats itself, is turned to another size, drops everybody, goes away and comes back."""
    monkeypatch.setattr(supervisor, "RESTART_DELAYS_S", (0.2,))
    caplog.set_level(logging.DEBUG)
    table = Table(camera.address)
    with table.eye:
        table.until(lies)
        for fault, trouble in (("stalls", "stalled"), ("same", "frozen"), ("drops", "no-video")):
            camera.state = fault
            table.until(lambda look: look.lost is ViewLost.CAMERA)
            told(lambda wanted=trouble: table.eye.trouble() == wanted, table)
            camera.state = "well"
            table.until(lies)
            assert table.eye.trouble() is None
        camera.state = "small"
        table.until(lies)
        told(lambda: (health := table.eye.health()) is not None and health.size_px == (1843, 1037), table)
        camera.gone()
        table.until(lambda look: look.lost is ViewLost.CAMERA)
        told(lambda: table.eye.trouble() == "unreachable", table)
        camera.state = "well"
        camera.back()
        table.until(lies)
    # What lay there was never said to have gone, nor anything else to have come.
    began = next(number for number, look in enumerate(table.looks) if lies(look))
    assert all(zones(look) == LAID for look in table.looks[began:])
    said = caplog.text + "".join(capfd.readouterr())
    assert "the eye is opened again" in said
    assert PASSWORD not in said
    assert USER + ":" not in said


def told(what: Callable[[], bool], table: Table) -> None:
    """Wait for it, look by look."""
    deadline_s = time.monotonic() + 60
    while not what():
        assert time.monotonic() < deadline_s, (table.eye.trouble(), table.eye.health())
        time.sleep(0.05)


# -- what is said of an address --------------------------------------------------------------------

TOLD = {
    "http://10.0.0.7:8080/video": "http://10.0.0.7:8080",
    "rtsp://ana:s3cret-Zq9@cam.local/h264": "rtsp://cam.local",  # pragma: allowlist secret
    "RTSP://ana:s3cret-Zq9@cam.local:554": "rtsp://cam.local:554",  # pragma: allowlist secret
    "rtsp://cam/user=ana_password=s3cret-Zq9_stream=0": "rtsp://cam",  # pragma: allowlist secret
    "http://cam/cgi?user=ana&pwd=s3cret-Zq9": "http://cam",
    "https://[fe80::1]:8443/#s3cret-Zq9": "https://[fe80::1]:8443",
    # passwords with signs that end a host
    "rtsp://ana:a/s3cret-Zq9@cam/x": "rtsp://…",  # pragma: allowlist secret
    "rtsp://ana:12/s3cret-Zq9@cam/x": "rtsp://…",  # pragma: allowlist secret
    "rtsp://ana:a@s3cret-Zq9@cam/x": "rtsp://…",  # pragma: allowlist secret
    "rtsp://ana:a#s3cret-Zq9@cam/x": "rtsp://…",  # pragma: allowlist secret
    "rtsp://ana:a b s3cret-Zq9@cam": "rtsp://cam",  # pragma: allowlist secret
    # slips
    "rtps://ana:s3cret-Zq9@cam/x": "…",  # pragma: allowlist secret
    "rtsp:/ana:s3cret-Zq9@cam/x": "…",  # pragma: allowlist secret
    "ana:s3cret-Zq9@cam": "…",
    "cam/video?pwd=s3cret-Zq9": "…",
    # and what has none
    "usb:C920": "usb:C920",
    "films/first evening": "films/first evening",
    "picamera": "picamera",
}


@pytest.mark.parametrize("source", TOLD)
def test_of_an_address_scheme_and_host_alone_are_said(source: str):
    assert shown_source(source) == TOLD[source]
    assert "s3cret" not in shown_source(source)


@pytest.mark.parametrize("source", [source for source, told in TOLD.items() if told.endswith("…")])
def test_an_address_that_cannot_be_read_is_refused_without_being_said(source: str):
    with pytest.raises(InputError) as caught:
        open_source(source)
    assert "s3cret" not in str(caught.value)


# -- USB cameras by their name ----------------------------------------------------------------------


def plugged_in(folder: Path, *names: str) -> Path:
    """As Linux lists cameras: each gives pictures by its first device, and something else by its second."""
    for number, name in enumerate(name for one in names for name in (one, one)):
        device = folder / f"video{number}"
        device.mkdir(parents=True)
        (device / "name").write_text(name + "\n")
        (device / "index").write_text(f"{number % 2}\n")
    return folder


def test_a_usb_camera_is_found_by_a_part_of_its_name_in_whichever_socket(tmp_path: Path):
    devices = plugged_in(tmp_path, "Integrated Camera: Integrated C", "HD Pro Webcam C920")
    assert UsbCamera("c920", devices).number() == 2
    assert UsbCamera("7", devices).number() == 7
    with pytest.raises(CameraTrouble, match=r"no camera has this in the name.*usb:0 \(Integrated.*usb:2 \(HD Pro"):
        UsbCamera("Brio", devices).number()
    with pytest.raises(CameraTrouble, match="several cameras have"):
        UsbCamera("c", devices).number()
    with pytest.raises(CameraTrouble, match="There are here: none"):
        UsbCamera("c", tmp_path / "nothing").number()
    with pytest.raises(InputError, match="named by its number"):
        UsbCamera(" ", devices)
