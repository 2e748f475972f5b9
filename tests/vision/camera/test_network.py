"""A phone as a webcam and a camera on the wall: read by address, lost and found again, and their password untold."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self

import cv2
import pytest
from support.drawn_film import Packed, make_film, number_in, numbered
from support.flat_table import ACCEPTED, LAYOUT, Laid, zones
from support.mjpeg_server import PASSWORD, USER, MjpegServer

from companion.errors import DeviceError, InputError
from companion.public.sources import shown_source
from companion.public.table import Observation, ViewLost
from vision.camera.network import POLL_S, NetworkCamera
from vision.camera.packed import unpack
from vision.camera.sources import open_source
from vision.camera.trouble import CameraTrouble, Trouble
from vision.camera.usb import UsbCamera
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


# -- ways of speaking ------------------------------------------------------------------------------

JPEGS = [cv2.imencode(".jpg", numbered(number))[1].tobytes() for number in range(30)]
PLAIN = "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n"


def _part(jpeg: bytes, *, length: bool = True, wrong: int = 0, more: bytes = b"") -> bytes:
    said = f"Content-Length: {len(jpeg) + len(more) + wrong}\r\n" if length else ""
    return f"Content-Type: image/jpeg\r\n{said}\r\n".encode() + jpeg + more + b"\r\n"


def _chunk(data: bytes) -> bytes:
    return b"%x\r\n" % len(data) + data + b"\r\n"


LINE = b"--frame\r\n"
WAYS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "as the others": (PLAIN, lambda jpeg: LINE + _part(jpeg)),
    "dashes in the boundary's name": (PLAIN.replace("=frame", "=--frame"), lambda jpeg: LINE + _part(jpeg)),
    "quotes around the boundary's name": (PLAIN.replace("=frame", '="frame"'), lambda jpeg: LINE + _part(jpeg)),
    "no length": (PLAIN, lambda jpeg: LINE + _part(jpeg, length=False)),
    "chunks": (
        PLAIN.replace("\r\n\r\n", "\r\nTransfer-Encoding: chunked\r\n\r\n"),
        lambda jpeg: _chunk(LINE + _part(jpeg)),
    ),
    "no boundary before the first picture": (PLAIN, lambda jpeg: _part(jpeg) + LINE),
    "no boundary at all": (PLAIN, _part),
    "zeros after each picture": (PLAIN, lambda jpeg: LINE + _part(jpeg, more=b"\0" * 300)),
    "a name in capitals": (
        PLAIN.replace("Content-Type: multipart", "CONTENT-TYPE: Multipart"),
        lambda jpeg: LINE + _part(jpeg),
    ),
    "a length that is too small": (PLAIN, lambda jpeg: LINE + _part(jpeg, wrong=-2)),
    "no kind in the parts": (PLAIN, lambda jpeg: LINE + _part(jpeg).partition(b"\r\n")[2]),
    "parts without a head": (PLAIN, lambda jpeg: LINE + b"\r\n" + jpeg + b"\r\n"),
    "words between the pictures": (
        PLAIN,
        lambda jpeg: LINE + b"Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello\r\n" + LINE + _part(jpeg),
    ),
    "zeros before each picture": (PLAIN, lambda jpeg: LINE + _part(b"\0" * 16 + jpeg)),
    "pictures and nothing else": (PLAIN.replace("multipart/x-mixed-replace; boundary=frame", "image/jpeg"), bytes),
    "pictures of no kind": (PLAIN.replace("Content-Type: multipart/x-mixed-replace; boundary=frame\r\n", ""), bytes),
}


class Speaker:
    """A small camera that speaks in its own way, for as long as somebody listens; ``count`` pictures a connection."""

    def __init__(self, head: str, part: Callable[[bytes], bytes], count: int = 200) -> None:
        self.connections = 0
        self._head, self._part, self._count = head, part, count
        self._server = socket.create_server(("127.0.0.1", 0))
        self.place = f"127.0.0.1:{self._server.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *trouble: object) -> None:
        self._server.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                threading.Thread(target=self._speak, args=(line,), daemon=True).start()

    def _speak(self, line: socket.socket) -> None:
        with line, suppress(OSError):
            if not line.recv(4096):
                return  # somebody only knocked
            first, self.connections = self.connections * self._count, self.connections + 1
            line.sendall(self._head.encode())
            for number in range(first, first + self._count):
                line.sendall(self._part(JPEGS[number % len(JPEGS)]))
                time.sleep(0.02 if self._count > 1 else 0)


@pytest.mark.parametrize("way", WAYS)
def test_a_camera_that_every_browser_shows_is_read_however_it_speaks(way: str):
    with Speaker(*WAYS[way]) as camera, open_source(f"http://{camera.place}/video") as source:
        numbers = [number_in(frame.gray) for frame, _ in zip(source, range(6), strict=False)]
    assert None not in numbers
    assert numbers == list(range(numbers[0] or 0, (numbers[0] or 0) + 6))


def test_a_camera_that_begins_to_say_what_nobody_understands_is_connected_to_once_more():
    def with_words(jpeg: bytes) -> bytes:
        return LINE + _part(jpeg) + (b"hello\r\n" if jpeg in JPEGS[3::7] else b"")

    with Speaker(PLAIN, with_words) as camera, open_source(f"http://{camera.place}/video") as source:
        numbers = [number_in(frame.gray) for frame, _ in zip(source, range(12), strict=False)]
        assert camera.connections == 2
    assert None not in numbers
    assert numbers[:4] == [0, 1, 2, 3]


def test_a_camera_that_sends_a_key_picture_every_four_seconds_may_be_joined_in_between(tmp_path: Path):
    """At 25 pictures a second a hundred only tell how they differ from the one before."""
    packed = Packed(rate_hz=25, key_every=100, codec_options={"bframes": "0", "sc_threshold": "0"})
    data = make_film(tmp_path / "t.ts", [number / 25 for number in range(110)], packed).read_bytes()
    joined = data[: 3 * 188] + data[60 * 188 :]  # its tables, and no first key picture
    parts = iter([joined])
    numbers: list[int] = []
    with Speaker("HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\n\r\n", lambda _: next(parts), 1) as speaker:
        camera = NetworkCamera(f"http://{speaker.place}/live.ts")
        with camera, pytest.raises(CameraTrouble, match="gives no more pictures"):
            numbers += (number_in(frame.gray) for frame in camera)
    assert numbers[:5] == list(range(100, 105))


@pytest.mark.parametrize("scheme", ["Http", "HTTP", "hTTp"])
def test_an_address_may_begin_as_a_phones_keyboard_writes_it(scheme: str):
    with Speaker(*WAYS["as the others"]) as camera, open_source(f"{scheme}://{camera.place}/video") as source:
        assert number_in(next(iter(source)).gray) is not None


SINGLE = "HTTP/1.0 200 OK\r\nContent-Type: image/jpeg\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "part"),
    [(SINGLE, bytes), (PLAIN, lambda jpeg: LINE + _part(jpeg)), (SINGLE.replace("image/jpeg", "text/plain"), bytes)],
    ids=["a picture", "a stream of one picture", "a picture of a wrong kind"],
)
def test_an_address_of_single_pictures_is_asked_again_and_again(head: str, part: Callable[[bytes], bytes]):
    with Speaker(head, part, count=1) as camera, open_source(f"http://{camera.place}/snapshot.jpg") as source:
        began_s = time.monotonic()
        frames = [frame for frame, _ in zip(source, range(5), strict=False)]
        took_s = time.monotonic() - began_s
    first = number_in(frames[0].gray)
    assert first in (0, 1)  # the first connection may only find out what comes there
    assert [number_in(frame.gray) for frame in frames] == list(range(first, first + 5))
    assert took_s >= 4 * POLL_S - 0.05
    assert [frame.taken_s for frame in frames] == sorted(frame.taken_s for frame in frames)


def test_an_address_of_single_pictures_that_answers_no_more_is_said():
    camera = Speaker(SINGLE, bytes, count=1)
    with open_source(f"http://{camera.place}/snapshot.jpg") as source:
        frames = iter(source)
        next(frames)
        camera.__exit__()
        with pytest.raises(CameraTrouble, match=r"answers, but sends no video|gives no more"):
            for _ in frames:
                pass


def test_a_picture_without_its_end_is_none_whatever_follows_it():
    whole = JPEGS[7]
    assert number_in(unpack(whole + b"\0" * 500)) == 7
    assert number_in(unpack(whole + b"\r\n--frame\r\nContent-Type: image/jpeg\r\nContent-Length: 99\r\n\r\n")) == 7
    for torn in (whole[:-2], whole[: len(whole) // 2], whole[:300] + b"\xff\xd9" + whole[300:-900]):
        assert unpack(torn) is None
        assert unpack(torn + b"\0" * 500) is None


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
