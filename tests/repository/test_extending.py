"""The packages of docs/extending.md, as they stand there: a camera, a lamp and a plug-in that somebody else adds."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from support.documented_packages import module_of, written
from support.real_desk import RealDesk
from support.wled_strip import WledStrip

from companion.errors import InputError
from companion.public.machine import Box
from companion.public.plugins import TableForPlugin
from companion.public.updates import Alert, Signal, Update
from companion.storage import settings as settings_module
from companion.storage.settings import SETTINGS_FILE, read_settings
from vision.camera.trouble import CameraTrouble, Trouble


def test_each_is_a_package_of_forty_lines_at_most():
    for name in ("watchcamera", "wledlamp", "scorefile"):
        code = written(f"{name}/{name}.py")
        assert sum(bool(line.strip()) for line in code.splitlines()) <= 40
        assert f'"{name}:' in written(f"{name}/pyproject.toml")


def jpeg(level: int) -> bytes:
    return cv2.imencode(".jpg", np.full((480, 640), level, np.uint8))[1].tobytes()


def test_the_camera_gives_the_newest_whole_picture_and_says_what_is_wrong(tmp_path: Path):
    module = module_of("watchcamera/watchcamera.py")
    with pytest.raises(CameraTrouble, match="there is no such folder") as wrong, module.WatchedFolder(tmp_path / "no"):
        pass
    assert wrong.value.trouble is Trouble.NOT_THERE
    module.STALLED_S = 0.5
    (tmp_path / "1.jpg").write_bytes(jpeg(20))
    (tmp_path / "2.jpg").write_bytes(jpeg(120))
    with module.WatchedFolder(str(tmp_path)) as camera:
        frames = iter(camera)
        levels = [round(float(next(frames).gray.mean()))]
        (tmp_path / "3.jpg").write_bytes(jpeg(220)[:-200])  # half of it has arrived
        threading.Timer(0.2, lambda: (tmp_path / "3.jpg").write_bytes(jpeg(220))).start()
        levels.append(round(float(next(frames).gray.mean())))
        with pytest.raises(CameraTrouble) as stalled:
            next(frames)
    assert levels == [120, 220]
    assert stalled.value.trouble is Trouble.STALLED


def test_the_lamp_shows_a_refusal_in_red_at_night_dimly_and_goes_off_at_the_end():
    module = module_of("wledlamp/wledlamp.py")
    with WledStrip() as strip:
        lamp = module.WledLamp(f"127.0.0.1:{strip.port}")
        lamp.set_quiet(night=True, mute=False)
        lamp(Update(1, Signal.REFUSED, alert=Alert.REFUSED))
        assert strip.news.wait(20)
        lamp.close()
    first, last = strip.told[0], strip.told[-1]
    assert first["on"]
    assert first["bri"] == 30
    (red, green, blue) = first["seg"][0]["col"][0]
    assert red > 200 > 50 > max(green, blue)
    assert not last["on"]
    with pytest.raises(InputError, match="names the strip's address"):
        module.WledLamp(7)


def test_the_plug_in_keeps_the_score_in_its_file_as_long_as_the_table_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plugin = module_of("scorefile/scorefile.py").PLUGIN
    monkeypatch.setattr(settings_module, "plugins", lambda: (plugin,))
    monkeypatch.setattr(settings_module, "plugin_names", lambda: (plugin.name,))
    (tmp_path / SETTINGS_FILE).write_text("[scorefile]\nfile = 3\n")
    with pytest.raises(InputError, match=r"line 2: scorefile\.file: names a file, such as score\.txt"):
        read_settings(tmp_path)
    (tmp_path / SETTINGS_FILE).write_text('[scorefile]\nfile = "score.txt"\n')
    section = read_settings(tmp_path).sections["scorefile"]
    desk = RealDesk(seats=2)
    told = TableForPlugin(tmp_path, section, "", lambda: Box("0a0b0c0d"), desk.match.newest, desk.match.current)
    opened = plugin.open(told)
    unsubscribe = desk.match.subscribe(opened)
    assert (tmp_path / "score.txt").read_text() == "0 : 0"
    desk.lay(1)
    assert (tmp_path / "score.txt").read_text() == " : ".join(map(str, desk.standing.points)) != "0 : 0"
    unsubscribe()
    opened.close()
    assert not (tmp_path / "score.txt").exists()
    assert plugin.open(replace(told, section=None)) is None
