"""Where frames come from: one suite for all sources that can be had without a camera, and what goes wrong."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.errors import DeviceError, InputError
from vision.camera.film import VideoFile
from vision.camera.frame import FrameSource, make_frame
from vision.camera.sources import PictureFolder, open_source, read_gray
from vision.camera.usb import UsbCamera


def pictures(folder: Path, number: int = 5) -> Path:
    folder.mkdir(exist_ok=True)
    for index in range(number):
        picture = np.full((324, 576), 40 + 20 * index, np.uint8)
        cv2.imwrite(str(folder / f"{index:03}.png"), picture)
    return folder


def film(path: Path, number: int = 5, rate_hz: float = 6.0) -> Path:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate_hz, (576, 324))
    for index in range(number):
        writer.write(np.full((324, 576, 3), (40 + 20 * index) % 255, np.uint8))
    writer.release()
    return path


@pytest.fixture(params=["folder", "film"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> FrameSource:
    return open_source(str(pictures(tmp_path / "t") if request.param == "folder" else film(tmp_path / "t.avi")))


def test_every_source_gives_grey_frames_with_times_that_grow(source: FrameSource):
    with source:
        frames = list(source)
    assert len(frames) == 5
    assert all(f.gray.shape == (324, 576) and f.lores.shape == (324, 576) for f in frames)
    times = [f.taken_s for f in frames]
    assert times == sorted(set(times))
    assert [round(float(f.gray.mean()) / 20) for f in frames] == [2, 3, 4, 5, 6]
    assert not source.live
    assert source.name


def test_every_source_can_be_closed_twice_and_opened_again(source: FrameSource):
    with source:
        first = next(iter(source))
    with source:
        again = next(iter(source))
    assert np.array_equal(first.gray, again.gray)


def test_a_folder_without_times_is_a_tenth_of_a_second_a_picture(tmp_path: Path):
    assert [f.taken_s for f in PictureFolder(pictures(tmp_path / "t"))] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_a_folder_says_its_times_in_frames_csv(tmp_path: Path):
    folder = pictures(tmp_path / "t")
    (folder / "frames.csv").write_text("name,time_ms\n002.png,0\n000.png,250\n")
    frames = list(PictureFolder(folder))
    assert [f.taken_s for f in frames] == [0, 0.25]
    assert frames[0].gray.mean() == 80


def greys(folder: Path) -> list[int]:
    return [round(float(frame.gray.mean())) for frame in PictureFolder(folder)]


def numbered(folder: Path, *names: str) -> Path:
    """Pictures of these names; the grey of each tells its place in the list."""
    folder.mkdir()
    for place, name in enumerate(names):
        cv2.imwrite(str(folder / name), np.full((324, 576), 10 * place, np.uint8))
    return folder


@pytest.mark.parametrize(
    "names",
    [
        ("frame1.png", "frame2.png", "frame9.png", "frame10.png", "frame11.png", "frame100.png"),
        ("1.png", "2.png", "10.png"),
        ("IMG_9998.png", "IMG_9999.png", "IMG_10000.png"),
        ("a9-2.png", "a9-10.png", "a10-1.png"),
        ("01.png", "1.png", "002.png", "3.png"),
        ("99999999999999999999.png", "100000000000000000000.png"),
        ("2 b.png", "10 a.png", "b.png"),
        ("2026-11-28 9.59.59.png", "2026-11-28 10.00.00.png"),
    ],
)
def test_the_numbers_in_the_names_of_a_folder_are_counted_as_people_count(tmp_path: Path, names: tuple[str, ...]):
    assert greys(numbered(tmp_path / "t", *names)) == [10 * place for place in range(len(names))]


def test_times_in_frames_csv_outweigh_the_numbers_in_names(tmp_path: Path):
    folder = numbered(tmp_path / "t", "1.png", "2.png", "10.png")
    (folder / "frames.csv").write_text("name,time_ms\n10.png,0\n1.png,100\n2.png,300\n")
    assert greys(folder) == [20, 0, 10]


def test_what_lies_beside_the_pictures_of_a_folder_and_is_none_is_left_out(tmp_path: Path):
    """A stick that was in a Mac has a hidden ``._`` file for each picture."""
    folder = numbered(tmp_path / "t", "1.png", "2.png")
    (folder / "._1.png").write_bytes(b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X        ")
    (folder / ".DS_Store").write_bytes(b"\x00\x00\x00\x01Bud1")
    (folder / ".hidden.jpg").write_bytes(b"")
    (folder / "Thumbs.db").write_bytes(b"\xd0\xcf\x11\xe0")
    (folder / "3.jpg").mkdir()
    (folder / "__MACOSX").mkdir()
    assert greys(folder) == [0, 10]


def test_a_name_in_frames_csv_may_hold_any_sign(tmp_path: Path):
    folder = numbered(tmp_path / "t", "a\u2028b.png", "c\x85,d.png")
    (folder / "frames.csv").write_text('name,time_ms\na\u2028b.png,0\n"c\x85,d.png",200\n', "utf-8")
    assert greys(folder) == [0, 10]


def test_a_film_runs_at_its_own_rate(tmp_path: Path):
    with VideoFile(film(tmp_path / "t.avi", rate_hz=8)) as shown:
        assert [f.taken_s for f in shown] == pytest.approx([0, 0.125, 0.25, 0.375, 0.5])


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        ("name;time_ms\n", "line 1: the columns must be name,time_ms"),
        ("name,time_ms\n000.png,soon\n", "line 2: time_ms must be a number, not 'soon'"),
        ("name,time_ms\n000.png,100\n001.png,50\n", "line 3: time_ms must never go back"),
        ("name,time_ms\n777.png,0\n", "line 2: there is no picture named '777.png'"),
        ("name,time_ms\n000.png,nan\n", "line 2: time_ms must never go back"),
        ("name,time_ms\n", "there are no pictures in this folder"),
    ],
)
def test_a_wrong_frames_csv_is_said_with_its_line(tmp_path: Path, lines: str, says: str):
    folder = pictures(tmp_path / "t")
    (folder / "frames.csv").write_text(lines)
    with pytest.raises(InputError, match=says):
        PictureFolder(folder)


def test_what_is_not_there_is_said_in_one_sentence(tmp_path: Path):
    (tmp_path / "empty").mkdir()
    (tmp_path / "no-film.mp4").write_bytes(b"this is no film" * 99)
    for text, says in (
        (tmp_path / "nowhere.mp4", "there is no such folder or film"),
        (tmp_path / "empty", "there are no pictures in this folder"),
        ("usb:", "a USB camera is named by its number"),
    ):
        with pytest.raises(InputError, match=says):
            open_source(str(text))
    with pytest.raises(InputError, match="not a film that can be read"), open_source(str(tmp_path / "no-film.mp4")):
        pass


def test_a_picture_in_a_folder_that_cannot_be_read_is_named(tmp_path: Path):
    folder = pictures(tmp_path / "t")
    (folder / "002.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    seen = []
    with pytest.raises(InputError, match=r"002\.png: this is not a picture"):
        seen.extend(PictureFolder(folder))
    assert len(seen) == 2


def test_a_usb_camera_that_does_not_open_is_missing_or_forbidden_or_in_use(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """OpenCV says only that it did not open; tests/tools/camera/usb.py has another program hold one."""
    with pytest.raises(DeviceError, match=r"usb:97: no such camera; is it plugged in\? There are here: none\."):
        UsbCamera("97", tmp_path).open()
    (tmp_path / "video97").mkdir()
    (tmp_path / "video97" / "name").write_text("C920")
    (tmp_path / "video97" / "index").write_text("0")
    with pytest.raises(DeviceError, match=r"usb:97: another program is using it; end it"):
        UsbCamera("97", tmp_path).open()
    with pytest.raises(DeviceError, match=r"usb:98: no such camera.* here: usb:97 \(C920\)\."):
        UsbCamera("98", tmp_path).open()
    monkeypatch.setattr("vision.camera.usb.os.access", lambda device, wanted: wanted == os.F_OK)
    with pytest.raises(DeviceError, match=r"usb:97: this user may not use the camera; add it: sudo usermod -aG video"):
        UsbCamera("97", tmp_path).open()


def test_odd_pictures_become_plain_grey(tmp_path: Path):
    cases = {
        "deep.png": np.full((40, 50), 40000, np.uint16),
        "colour.png": np.full((40, 50, 3), 90, np.uint8),
        "one.png": np.full((1, 1), 7, np.uint8),
    }
    for name, picture in cases.items():
        cv2.imwrite(str(tmp_path / name), picture)
        gray = read_gray(tmp_path / name)
        assert gray.dtype == np.uint8
        assert gray.shape == picture.shape[:2]


def test_what_is_see_through_is_white_as_on_paper(tmp_path: Path):
    picture = np.zeros((40, 50, 4), np.uint8)
    picture[:, :25, 3] = 255
    cv2.imwrite(str(tmp_path / "t.png"), picture)
    gray = read_gray(tmp_path / "t.png")
    assert gray[:, :25].max() == 0
    assert gray[:, 25:].min() == 255


def test_a_frame_refuses_what_is_no_grey_picture():
    with pytest.raises(ValueError, match=r"want \(height, width\) uint8"):
        make_frame(np.zeros((9, 9), np.uint8), 0.0).__class__(
            np.zeros((9, 9, 3), np.uint8), np.zeros((9, 9), np.uint8), 0.0
        )


def test_a_pipe_among_the_pictures_of_a_folder_is_not_waited_for(tmp_path: Path):
    folder = pictures(tmp_path / "t")
    os.mkfifo(folder / "002a.png")
    with open_source(str(folder)) as source:
        assert len(list(source)) == 5


@pytest.mark.parametrize("name", ["../outside.png", "/etc/hostname", ".."])
def test_the_times_of_a_recording_name_pictures_of_its_own_folder_alone(tmp_path: Path, name: str):
    folder = pictures(tmp_path / "t")
    (tmp_path / "outside.png").write_bytes((folder / "000.png").read_bytes())
    (folder / "frames.csv").write_text(f"name,time_ms\n000.png,0\n{name},100\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"frames.csv line 3: there is no picture named .* in this folder"):
        open_source(str(folder))
