"""A table's own settings: the usual ones where nothing is written, every fault with its line where something is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import Fault, InputError
from companion.public.plugins import Plugin
from companion.storage import settings as settings_module
from companion.storage.settings import SETTINGS_FILE, read_settings

GOOD = """
[mqtt]
host = "broker.local"
port = 1884
[table]
size_mm = [900, 600]
[[table.zone]]
name = "tree"
polygon = [[0, 0], [900, 0], [900, 600]]
[panel]
buzzer = 18
"""


def test_without_a_file_everything_is_as_usual(tmp_path: Path) -> None:
    settings = read_settings(tmp_path)
    assert (settings.panel, settings.sections, settings.layout, settings.document) == (None, {}, None, None)


def test_what_is_written_is_read(tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text(GOOD)
    settings = read_settings(tmp_path)
    assert settings.sections == {"mqtt": {"host": "broker.local", "port": 1884}}
    assert settings.panel == {"buzzer": 18}
    assert settings.layout is not None
    assert settings.layout.size_mm == (900, 600)
    assert settings.layout.zone_at(800, 100) == "tree"


def test_names_and_framing_pages_are_read(tmp_path: Path) -> None:
    web = '[web]\nhosts = ["table.example.org"]\nframes = ["http://homeassistant.local:8123"]\nproxy = "192.168.1.2"\n'
    (tmp_path / SETTINGS_FILE).write_text(web)
    settings = read_settings(tmp_path)
    assert settings.hosts == ("table.example.org",)
    assert settings.frames == ("http://homeassistant.local:8123",)
    assert settings.proxy == "192.168.1.2"


@pytest.mark.parametrize("address", ["http://192.168.1.20:8080", "https://table.example.org", "http://[fd00::5]:8080"])
def test_where_phones_reach_the_table_is_read(address: str, tmp_path: Path) -> None:
    (tmp_path / SETTINGS_FILE).write_text(f'[web]\naddress = "{address}"\n')
    assert read_settings(tmp_path).address == address


def test_every_fault_is_named_at_once_with_its_line(tmp_path: Path) -> None:
    text = GOOD.replace("port = 1884", 'port = "1884"').replace('name = "tree"', "name = 3") + "[lamp]\npin = 3\n"
    (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(InputError) as wrong:
        read_settings(tmp_path)
    lines = str(wrong.value).splitlines()
    for line, said in ((4, "mqtt.port: has the wrong type"), (8, "table.zone.1.name"), (12, "lamp: there is no such")):
        assert any(f"{SETTINGS_FILE}, line {line}: {said}" in found for found in lines), (line, lines)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("table = 3\n", "line 1: table: "),
        ("[table]\nsize_mm = 3\n", "line 2: table.size_mm"),
        ("web = 3\n", "line 1: web: is a section with hosts, frames, proxy, address, https and tls"),
        ("[web]\nhost = []\n", "line 2: web.host: is no key of this section"),
        ('[web]\nproxy = "proxy.example"\n', "line 2: web.proxy: should be the proxy's address, such as 192.168.1.2"),
        ('[web]\nproxy = ["192.168.1.2"]\n', "line 2: web.proxy: should be the proxy's address"),
        ('[web]\nproxy = "192.168.001.2"\n', "line 2: web.proxy: should be the proxy's address"),
        (
            '[web]\naddress = "192.168.1.20"\n',
            "line 2: web.address: should be an address such as http://192.168.1.20:8080",
        ),
        ('[web]\nhttps = "http://a.example"\n', "line 2: web.https: should be an address such as https://companion"),
        ('[web]\nhosts = ["http://a.example"]\n', "line 2: web.hosts: should be a list of host names"),
        ('[web]\nframes = ["*"]\n', "line 2: web.frames: should be a list of origins"),
        ('[web]\nframes = ["http://a.example; script-src *"]\n', "line 2: web.frames"),
        (
            '[web]\nhttps = "http://a.example"\n',
            "line 2: web.https: should be an address such as https://companion.local",
        ),
        ('[web]\nhttps = "https://a.example/x"\n', "line 2: web.https: should be an address"),
        ("[web]\nhttps = 8443\n", "line 2: web.https: should be an address"),
        ('[web]\ntls = "yes"\n', "line 2: web.tls: is true or false"),
        ("panel", "this is not TOML"),
    ],
)
def test_a_fault_is_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(InputError) as wrong:
        read_settings(tmp_path)
    assert f"{SETTINGS_FILE}" in str(wrong.value)
    assert said in str(wrong.value)


@pytest.mark.parametrize(
    ("text", "darker", "source"),
    [("", True, None), ("[camera]\ndarker = false\n", False, None), ('[camera]\nsource = "usb:0"\n', True, "usb:0")],
)
def test_a_camera_takes_darker_pictures_unless_the_settings_say_no(
    tmp_path: Path, text: str, darker: bool, source: str | None
):
    (tmp_path / SETTINGS_FILE).write_text(text)
    settings = read_settings(tmp_path)
    assert (settings.darker, settings.source) == (darker, source)


@pytest.mark.parametrize("text", ["[camera]\n", '[camera]\ndarker = "no"\n', "[camera]\nbrighter = true\n"])
def test_a_wrong_setting_of_the_camera_is_named(tmp_path: Path, text: str):
    (tmp_path / SETTINGS_FILE).write_text(text)
    with pytest.raises(InputError, match="camera"):
        read_settings(tmp_path)


class Gathering:
    """What a plug-in's reader makes of its section."""

    def __init__(self, faults: tuple[Fault, ...] = (), wrong: Exception | None = None) -> None:
        self.faults, self.wrong, self.asked = faults, wrong, list[object]()

    def __call__(self, section: object) -> tuple[Fault, ...]:
        self.asked.append(section)
        if self.wrong is not None:
            raise self.wrong
        return self.faults


STRIP = "[strip]\naddress = 3\n"


def with_plugins(monkeypatch: pytest.MonkeyPatch, *there: Plugin) -> None:
    monkeypatch.setattr(settings_module, "plugins", lambda: there)
    monkeypatch.setattr(settings_module, "plugin_names", lambda: ("strip", "broken"))


def test_a_plug_in_s_faults_have_its_section_and_their_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Gathering((Fault("is a name", ("address",)),))
    with_plugins(monkeypatch, Plugin("strip", settings=reader))
    (tmp_path / SETTINGS_FILE).write_text(STRIP)
    with pytest.raises(InputError, match=r"line 2: strip\.address: is a name"):
        read_settings(tmp_path)
    (tmp_path / SETTINGS_FILE).write_text(f"{STRIP}[plugins]\nstrip = false\n")
    assert read_settings(tmp_path).sections == {"strip": {"address": 3}}
    assert reader.asked == [{"address": 3}]


def test_a_reader_that_raises_costs_no_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    with_plugins(monkeypatch, Plugin("strip", settings=Gathering(wrong=KeyError("colour"))))
    (tmp_path / SETTINGS_FILE).write_text(STRIP)
    assert read_settings(tmp_path).sections == {"strip": {"address": 3}}
    assert "the plug-in strip does not read its section (KeyError: 'colour')" in caplog.text


def test_the_section_of_a_plug_in_that_does_not_load_is_left_alone_and_any_other_is_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_plugins(monkeypatch, Plugin("strip"))
    (tmp_path / SETTINGS_FILE).write_text("[broken]\na = 1\n")
    assert read_settings(tmp_path).sections == {"broken": {"a": 1}}
    for section in ("strip", "lamp"):  # it has no section; there is none
        (tmp_path / SETTINGS_FILE).write_text(f"[{section}]\na = 1\n")
        with pytest.raises(InputError, match=f"line 1: {section}: there is no such section; there are panel, "):
            read_settings(tmp_path)
