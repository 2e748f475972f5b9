"""Our calls against a stand-in for picamera2.

Pictures through the released one: tests/tools/camera.sh. What only a Pi can show stands in docs/cameras.md.
"""

from __future__ import annotations

import os
import sys
import types
from concurrent.futures import CancelledError, TimeoutError as WaitedTooLong
from errno import EBUSY
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from companion.errors import DeviceError
from vision.camera import picamera
from vision.camera.picamera import FAST_PX, PiCamera, flicker_safe_us
from vision.camera.sources import open_source
from vision.camera.trouble import CameraTrouble


class Request:
    def __init__(self, camera: StandIn) -> None:
        self.camera = camera
        camera.lent += 1

    def get_metadata(self) -> dict[str, Any]:
        return {"SensorTimestamp": 1}

    def release(self) -> None:
        self.camera.lent -= 1


class MappedArray:
    """Planar YUV as picamera2 maps it: rows padded to 64, a half more rows than the picture has."""

    def __init__(self, request: Request, stream: str, write: bool = True) -> None:
        assert not write
        width, height = request.camera.configured[stream]["size"]
        self.array = np.full((height * 3 // 2, -(-width // 64) * 64 + 64), 128, np.uint8)
        self.array[:height, :width] = 90 if stream == "main" else 91

    def __enter__(self) -> MappedArray:
        return self

    def __exit__(self, *trouble: object) -> None:
        return None


CONTROLS = (
    *("AeEnable", "AeFlickerMode", "AeFlickerPeriod", "AfMode", "AnalogueGain", "AwbEnable", "ColourGains"),
    *("ExposureTime", "FrameDurationLimits", "LensPosition", "NoiseReductionMode", "Sharpness"),
)
FIXED_FOCUS = {"LensPosition", "AfMode"}
"""What Camera Module 2, the HQ Camera and the Global Shutter Camera do not have."""
WEBCAM = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825"
TWO = (
    {"Id": "/base/soc/i2c0mux/i2c@1/imx708@1a", "Model": "imx708_wide"},
    {"Id": "/base/soc/i2c0mux/i2c@0/imx477@1a", "Model": "imx477"},
    {"Id": WEBCAM, "Model": "webcam"},
)


class StandIn:
    """As much of Picamera2 as we call; ``calls`` is the whole trace. It refuses what the released one refuses."""

    camera_controls = dict.fromkeys(CONTROLS, (0, 1, 0)) | {
        "AnalogueGain": (1.0, 16.0, 1.0),
        "ExposureTime": (29, 112_015_443, 20_000),
    }
    made: list[StandIn] = []  # noqa: RUF012
    fails: str = ""
    error: BaseException | None = None
    here: tuple[dict[str, str], ...] = TWO

    @classmethod
    def global_camera_info(cls) -> list[dict[str, str]]:
        return list(cls.here)

    def __init__(self, camera_num: int = 0) -> None:
        if self.fails == "init":
            try:
                raise self.error or IndexError("list index out of range")
            except Exception as error:
                raise RuntimeError("Camera __init__ sequence did not complete.") from error
        self.number = camera_num
        self.jobs = self.taken = 0
        self.calls: list[tuple[str, object]] = []
        self.configured: dict[str, Any] = {}
        self.lent = 0
        StandIn.made.append(self)

    def create_video_configuration(self, **options: Any) -> dict[str, Any]:
        return options

    def camera_configuration(self) -> dict[str, Any]:
        return self.configured

    def cancel_all_and_flush(self) -> None:
        self.jobs = 0

    def configure(self, configuration: dict[str, Any]) -> None:
        self._advertised(configuration["controls"])
        self.configured = configuration
        self.calls.append(("configure", None))

    def start(self) -> None:
        if self.fails == "start":
            raise RuntimeError("Failed to start camera")
        self.calls.append(("start", None))

    def _advertised(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")

    def set_controls(self, controls: dict[str, Any]) -> None:
        self._advertised(controls)
        self.calls.append(("set_controls", controls))

    def autofocus_cycle(self, wait: float) -> bool:
        self.calls.append(("autofocus_cycle", wait))
        if self.fails == "sweep":
            self.jobs += 1
            raise WaitedTooLong
        return True

    def capture_metadata(self, wait: float) -> dict[str, Any]:
        assert not self.jobs, "it would wait behind the job that never ends"
        self.taken += 1
        if self.fails == "first" and self.taken == 1 and wait < 12:
            raise WaitedTooLong
        seen = {"LensPosition": 1.04, "ExposureTime": 13_000, "AnalogueGain": 2.0, "ColourGains": (1.7, 1.9)}
        return {name: value for name, value in seen.items() if name in self.camera_controls}

    def capture_request(self, wait: float) -> Request:
        if self.fails == "stall":
            self.jobs += 1
            raise WaitedTooLong
        if self.fails == "closed":
            raise CancelledError
        return Request(self)

    def stop(self) -> None:
        assert not self.jobs, "the released one waits for ever behind a picture that never came"
        self.calls.append(("stop", None))

    def close(self) -> None:
        self.calls.append(("close", None))


class Names:
    """Enumerations of libcamera: every name is there and is its own value."""

    def __getattr__(self, name: str) -> Any:
        return Names() if name.endswith("Enum") or name == "draft" else name


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> type[StandIn]:
    libcamera, module = types.ModuleType("libcamera"), types.ModuleType("picamera2")
    libcamera.controls = Names()  # type: ignore[attr-defined]
    module.Picamera2, module.MappedArray = StandIn, MappedArray  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "libcamera", libcamera)
    monkeypatch.setitem(sys.modules, "picamera2", module)
    monkeypatch.setattr(picamera.time, "sleep", lambda seconds: None)
    for name in ("fails", "error", "here", "camera_controls"):
        monkeypatch.setattr(StandIn, name, getattr(StandIn, name))
    StandIn.made.clear()
    return StandIn


def controls(camera: StandIn) -> dict[str, Any]:
    return {key: value for name, what in camera.calls if name == "set_controls" for key, value in what.items()}  # type: ignore[attr-defined]


def test_frames_are_the_grey_rows_without_padding_and_every_buffer_goes_back(stand_in: type[StandIn]):
    with PiCamera(size_px=FAST_PX) as source:
        frames = iter(source)
        for _ in range(3):
            frame = next(frames)
            assert frame.gray.shape == (1296, 2304)
            assert set(np.unique(frame.gray)) == {90}
            assert frame.lores.shape == (324, 576)
            assert set(np.unique(frame.lores)) == {91}
            assert stand_in.made[0].lent == 1
        frames.close()  # type: ignore[attr-defined]
    assert stand_in.made[0].lent == 0
    assert [name for name, _ in stand_in.made[0].calls][-2:] == ["stop", "close"]


def test_focus_is_swept_once_and_locked_and_so_is_the_light(stand_in: type[StandIn]):
    with PiCamera() as source:
        camera = stand_in.made[0]
        assert [name for name, _ in camera.calls].count("autofocus_cycle") == 1
        kept = controls(camera)
        assert (kept["AfMode"], kept["LensPosition"]) == ("Manual", 1.04)
        assert (kept["AeEnable"], kept["AwbEnable"]) == (False, False)
        assert kept["ExposureTime"] == 10_000
        assert kept["AnalogueGain"] == pytest.approx(2.6)
        assert kept["ColourGains"] == (1.7, 1.9)
        assert kept["AeFlickerPeriod"] == 10_000
        assert source.focus == 1.04


def test_a_known_focus_is_not_swept_again(stand_in: type[StandIn]):
    with PiCamera(focus=0.9):
        camera = stand_in.made[0]
        assert "autofocus_cycle" not in [name for name, _ in camera.calls]
        assert controls(camera)["LensPosition"] == 0.9


@pytest.mark.parametrize(
    ("found_us", "half_wave_us", "kept_us"),
    [(13_000, 10_000, 10_000), (16_000, 10_000, 20_000), (900, 10_000, 10_000), (60_000, 1e6 / 120, 16_667)],
)
def test_the_exposure_is_whole_half_waves_of_the_mains(found_us: float, half_wave_us: float, kept_us: int):
    assert flicker_safe_us(found_us, half_wave_us) == kept_us


def told(camera: StandIn) -> tuple[int, float]:
    kept = controls(camera)
    return kept["ExposureTime"], round(kept["AnalogueGain"], 2)


def test_the_light_is_changed_by_the_gain_first_and_in_whole_half_waves(stand_in: type[StandIn]):
    """Locked at 10 ms and gain 2.6. Only where half a wave is too long, in daylight, the exposure is shorter."""
    with PiCamera() as source:
        camera = stand_in.made[0]
        steps = [(source.brighten(factor), *told(camera)) for factor in (2.0, 0.25, 0.5, 0.5, 50.0, 4.0, 2.0, 0.9)]
    assert steps == [
        (True, 10_000, 5.2),
        (True, 10_000, 1.3),
        (True, 6_500, 1.0),
        (True, 3_250, 1.0),
        (True, 20_000, 8.12),
        (True, 20_000, 16.0),
        (False, 20_000, 16.0),
        (True, 20_000, 14.4),
    ]


class Obeying:
    """Metadata of a sensor that obeys three pictures after it was told."""

    def __init__(self, camera: StandIn) -> None:
        self.camera = camera
        self.behind = [told(camera)] * 4

    def seen(self) -> dict[str, Any]:
        self.behind = [*self.behind[1:], told(self.camera)]
        exposure_us, gain = self.behind[0]
        return {"SensorTimestamp": 1, "ExposureTime": exposure_us, "AnalogueGain": gain}


def test_one_picture_is_darker_and_none_is_given_on_the_way(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    with PiCamera() as source:
        camera = stand_in.made[0]
        sensor, lights = Obeying(camera), list[float]()

        def seen(request: Request) -> dict[str, Any]:
            told_now = sensor.seen()
            lights.append(told_now["ExposureTime"] * told_now["AnalogueGain"])
            return told_now

        monkeypatch.setattr(Request, "get_metadata", seen)
        frames, given = iter(source), list[tuple[bool, float]]()
        for number in range(16):
            if number in (2, 12):
                source.look_darker(0.3)
            given.append((next(frames).is_darker, lights[-1]))
        frames.close()  # type: ignore[attr-defined]
    usual = 26_000.0
    assert {light for is_darker, light in given if not is_darker} == {usual}
    assert [round(light) for is_darker, light in given if is_darker] == [round(0.3 * usual)] * 2
    assert len(lights) > len(given), "those that were dark for no reason were left out"
    assert told(camera) == (10_000, 2.6)


def test_a_sensor_that_does_not_obey_in_time_gives_its_usual_pictures(
    stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch
):
    now_s = [100.0]
    monkeypatch.setattr(picamera.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(
        Request, "get_metadata", lambda self: {"SensorTimestamp": 1, "ExposureTime": 10_000, "AnalogueGain": 2.6}
    )
    with PiCamera() as source:
        frames = iter(source)
        source.look_darker(0.3)
        for _ in range(5):
            assert not next(frames).is_darker
            now_s[0] += picamera.OBEYS_S / 2
        assert told(stand_in.made[0]) == (10_000, 2.6)
        frames.close()  # type: ignore[attr-defined]


def test_darker_pictures_can_be_switched_off(stand_in: type[StandIn]):
    with PiCamera(darker=False) as source:
        source.look_darker(0.3)
        assert told(stand_in.made[0]) == (10_000, 2.6)


def test_after_dark_the_automatic_finds_the_light_and_it_is_locked_again(
    stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch
):
    now_s = [100.0]
    monkeypatch.setattr(picamera.time, "monotonic", lambda: now_s[0])
    monkeypatch.setattr(
        Request, "get_metadata", lambda self: {"SensorTimestamp": 1, "ExposureTime": 20_000, "AnalogueGain": 8.0}
    )
    with PiCamera() as source:
        camera, frames = stand_in.made[0], iter(source)
        next(frames)
        source.find_light()
        next(frames)
        assert controls(camera)["AeEnable"] is True
        assert source.brighten(0.5), "its automatic is still at it"
        assert controls(camera)["AeEnable"] is True
        now_s[0] += picamera.SETTLE_S
        next(frames)
        assert controls(camera)["AeEnable"] is False
        assert told(camera) == (20_000, 8.0)
        frames.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["ExposureTime", "AnalogueGain"])
def test_a_camera_whose_light_cannot_be_set_says_so(
    stand_in: type[StandIn], name: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stand_in, "camera_controls", without(name))
    with PiCamera() as source:
        assert not source.brighten(0.5)


def without(*names: str) -> dict[str, Any]:
    return {name: limits for name, limits in StandIn.camera_controls.items() if name not in names}


def test_a_camera_without_a_focus_motor_is_used_without_it(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stand_in, "camera_controls", without("LensPosition", "AfMode"))
    with PiCamera():
        camera = stand_in.made[0]
        assert "autofocus_cycle" not in [name for name, _ in camera.calls]
        assert not FIXED_FOCUS & set(controls(camera))
        assert controls(camera)["ExposureTime"] == 10_000


@pytest.mark.parametrize("name", CONTROLS)
def test_a_control_that_a_camera_does_not_advertise_is_left_out(
    stand_in: type[StandIn], name: str, monkeypatch: pytest.MonkeyPatch
):
    """The released picamera2 raises at such a control, in its configuration as afterwards."""
    monkeypatch.setattr(stand_in, "camera_controls", without(name, *(FIXED_FOCUS if name in FIXED_FOCUS else ())))
    with PiCamera():
        camera = stand_in.made[0]
        assert name not in controls(camera) | camera.configured["controls"]


def test_a_camera_that_advertises_nothing_gives_pictures(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stand_in, "camera_controls", {})
    with PiCamera() as source:
        assert next(iter(source)).gray.shape == (2592, 4608)
    assert controls(stand_in.made[0]) == {}


def test_a_sweep_that_never_ends_is_given_up_and_the_pictures_come(
    stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(stand_in, "fails", "sweep")
    with PiCamera() as source:
        next(iter(source))
    assert "no sharp focus was found" in caplog.text


def test_a_first_picture_may_take_twelve_seconds(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stand_in, "fails", "first")
    with PiCamera() as source:
        assert next(iter(source)).gray.shape == (2592, 4608)


@pytest.mark.parametrize(("named", "number"), [("", 0), ("0", 0), ("1", 1), ("imx708", 0), ("IMX477", 1), ("i2c@0", 1)])
def test_of_two_cameras_one_is_named_by_number_model_or_place(stand_in: type[StandIn], named: str, number: int):
    source = open_source(f"picamera:{named}" if named else "picamera")
    with source:
        assert stand_in.made[0].number == number
    assert source.name == (f"picamera:{named}" if named else "picamera")


@pytest.mark.parametrize(
    ("named", "says"),
    [
        ("2", "picamera:2: no camera has this number or name"),
        ("webcam", "picamera:webcam: no camera has this number or name"),
        ("imx", r"picamera:imx: several cameras have.*picamera:0 \(imx708_wide\), picamera:1 \(imx477\)"),
    ],
)
def test_a_camera_that_is_not_there_is_one_sentence_that_lists_those_that_are(
    stand_in: type[StandIn], named: str, says: str
):
    with pytest.raises(CameraTrouble, match=says), PiCamera(named):
        pass


def test_a_webcam_alone_is_no_ribbon_camera(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(stand_in, "here", ({"Id": WEBCAM, "Model": "webcam"},))
    with pytest.raises(CameraTrouble, match="no camera is found; check its ribbon cable"), PiCamera():
        pass


@pytest.mark.parametrize(
    ("error", "says"),
    [
        # libcamera's Camera::acquire returns EBUSY where another process holds the camera; py_main.cpp throws a
        # std::system_error with these words, in every release from 0.2.0 to 0.7.2.
        (RuntimeError(f"Failed to acquire camera: {os.strerror(EBUSY)}"), "another program is using the camera"),
        (PermissionError(13, "Permission denied", "/dev/dma_heap/linux,cma"), "sudo usermod -aG video"),
        (OSError(12, "Cannot allocate memory"), "there is no memory for the camera's pictures"),
        (RuntimeError("Could not open any dmaHeap device"), "Could not open any dmaHeap device"),
    ],
)
def test_what_libcamera_says_is_one_sentence_with_what_to_do(
    stand_in: type[StandIn], error: Exception, says: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stand_in, "fails", "init")
    monkeypatch.setattr(stand_in, "error", error)
    with pytest.raises(DeviceError, match=says) as raised, PiCamera():
        pass
    assert str(raised.value).startswith("picamera: ")


def test_a_size_that_the_camera_does_not_have_is_the_one_that_libcamera_chose(stand_in: type[StandIn]):
    """Otherwise the colours, which follow the grey rows, would be seen as a part of the table."""
    with PiCamera() as source:
        stand_in.made[0].configured["main"]["size"] = (3280, 2464)
        frame = next(iter(source))
    assert frame.gray.shape == (2464, 3280)
    assert set(np.unique(frame.gray)) == {90}


@pytest.mark.parametrize("fails", ["init", "start"])
def test_a_camera_that_does_not_start_is_one_sentence(
    stand_in: type[StandIn], fails: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(stand_in, "fails", fails)
    with pytest.raises(DeviceError, match="picamera: the camera does not start"), PiCamera():
        pass


def test_a_camera_that_stalls_is_one_sentence(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    with PiCamera() as source:
        monkeypatch.setattr(stand_in, "fails", "stall")
        with pytest.raises(DeviceError, match="has stopped giving pictures"):
            next(iter(source))


def test_a_camera_that_is_closed_while_a_picture_is_awaited_ends_without_a_complaint(
    stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch
):
    with PiCamera() as source:
        frames = iter(source)
        next(frames)
        monkeypatch.setattr(stand_in, "fails", "closed")
        assert list(frames) == []


def test_a_camera_without_a_first_picture_is_one_sentence(stand_in: type[StandIn], monkeypatch: pytest.MonkeyPatch):
    """A time-out is an OSError too, and no lack of memory."""
    monkeypatch.setattr(stand_in, "fails", "first")
    monkeypatch.setattr(picamera, "FIRST_S", 3.0)
    with pytest.raises(DeviceError, match="picamera: the camera gives no pictures"), PiCamera():
        pass


def test_without_picamera2_the_way_to_get_it_is_said(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "libcamera", None)
    with pytest.raises(DeviceError, match="sudo apt install python3-picamera2"), open_source("picamera"):
        pass


@pytest.mark.parametrize(
    ("seen", "ribbons"),
    [
        ("[]", 0),
        ("[{'Id': '/base/soc/i2c0mux/i2c@1/imx708@1a', 'Model': 'imx708_wide'}]", 1),
        ("[{'Id': '/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.2:1.0-046d:0825', 'Model': 'webcam'}]", 0),
    ],
)
def test_ribbon_cameras_are_counted_in_a_program_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seen: str, ribbons: int
):
    """libcamera lists webcams too; they are named usb:0 and work otherwise."""
    module = f"class Picamera2:\n    @staticmethod\n    def global_camera_info():\n        return {seen}\n"
    (tmp_path / "picamera2.py").write_text("print('libcamera says many things')\n" + module)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(picamera.__file__).parents[1])]))
    assert picamera.cameras() == ribbons


def test_what_a_camera_lacks_is_asked_in_a_program_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    module = """
class Picamera2:
    global_camera_info = staticmethod(lambda: [{"Id": "/i2c/imx708@1a"}, {"Id": "/i2c/imx477@1a", "Model": "imx477"}])
    def __init__(self, number):
        self.camera_controls = {"ExposureTime": 0, "AnalogueGain": 0, "ColourGains": 0, "FrameDurationLimits": 0}
        if number == 0:
            self.camera_controls["LensPosition"] = 0
    def close(self):
        print("closed, says libcamera", end=chr(10))
"""
    (tmp_path / "picamera2.py").write_text(module)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(picamera.__file__).parents[1])]))
    assert picamera.missing_controls() == ()
    assert picamera.missing_controls("imx477") == ("LensPosition",)
    assert picamera.missing_controls("7") == (), "it is named where it is opened"


def test_where_cameras_cannot_be_counted_there_are_none_and_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    (tmp_path / "picamera2.py").write_text("raise ImportError('libcamera')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(Path(picamera.__file__).parents[1])]))
    assert picamera.cameras() == 0
    assert "cannot be counted" in caplog.text
