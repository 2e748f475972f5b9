"""MQTT as a plug-in: its part of the settings, its line in the doctor, and nothing of it where it is not wanted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.ports import free_port
from support.real_desk import RealDesk
from support.table_at_broker import TableAtBroker

from companion.errors import InputError
from companion.plugins.mqtt import PLUGIN
from companion.public.i18n import LANGUAGES, Translations
from companion.storage.settings import SETTINGS_FILE, read_settings
from companion.system.doctor import examine, plugin_checks

BROKER = '[mqtt]\nhost = "127.0.0.1"\nport = {port}\n'

PROGRAM = """
import sys, threading
from pathlib import Path
from support.real_desk import RealDesk
from companion.app.table_plugins import TablePlugins
from companion.public.machine import Box
from companion.public.plugins import TableForPlugin
from companion.storage.settings import read_settings
from companion.system.doctor import examine, plugin_checks

folder = Path(sys.argv[1])
desk = RealDesk()
before = threading.active_count()
plugins = TablePlugins(
    read_settings(folder),
    lambda section: TableForPlugin(folder, section, "", lambda: Box("0a0b0c0d"), desk.match.newest, desk.match.current),
)
desk.match.subscribe(plugins)
desk.lay(1)
names = {finding.name for finding in examine(plugin_checks(folder, dict))}
print("paho" in sys.modules, threading.active_count() - before, plugins.publishes, sorted(names))
plugins.close()
"""


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("", "False 0 False []"),
        ("[plugins]\nmqtt = false\n" + BROKER, "False 0 False []"),
        (BROKER, "True 1 True ['broker']"),
    ],
)
def test_without_a_broker_or_switched_off_it_is_not_there(settings: str, said: str, tmp_path: Path) -> None:
    """No library, no thread, no line in the doctor."""
    (tmp_path / SETTINGS_FILE).write_text(settings.format(port=free_port()))
    tests = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        cwd=tests.parent,
        env={"PYTHONPATH": f"{tests.parent}:{tests}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == said


def test_a_certificate_that_cannot_be_used_costs_the_publishing_and_not_the_evening(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    desk = RealDesk()
    missing = str(tmp_path / "none.pem")
    table = TableAtBroker(tmp_path / "data", {"host": "127.0.0.1", "tls": True, "ca": missing}, desk)
    desk.lay(1)
    assert f"the plug-in mqtt is left out until the next start: The broker's certificate {missing}" in caplog.text
    assert not table.plugins.publishes
    (note,) = table.plugins.notes()
    assert not isinstance(note.text, str)
    assert note.text.key == "note.plugin"
    table.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[mqtt]\n", "line 1: mqtt.host: needs the broker's host"),
        ("mqtt = 3\n", "line 1: mqtt.host"),
        ('[mqtt]\nhost = "a"\nsecret = "b"\n', "line 3: mqtt.secret: is no key of this section"),
        ('[mqtt]\nhost = "a"\nport = "1883"\n', "line 3: mqtt.port: has the wrong type"),
        ('[mqtt]\nhost = "a"\nprefix = "a/#"\n', "line 3: mqtt.prefix: is how topics begin, such as club/room-1"),
        ('[mqtt]\nhost = "a"\ndiscovery = "/"\n', "line 3: mqtt.discovery: is how topics begin"),
        ('[mqtt]\nhost = "a"\nca = "/a"\n', "line 3: mqtt.ca: is of use with tls = true alone"),
        ('[mqtt]\nhost = "a"\ntls = true\nca = "a"\n', "line 4: mqtt.ca: names the file with the certificate by its"),
    ],
)
def test_a_fault_of_its_section_is_one_sentence_and_none_where_it_is_switched_off(
    text: str, said: str, tmp_path: Path
) -> None:
    settings = tmp_path / SETTINGS_FILE
    settings.write_text(text)
    with pytest.raises(InputError) as wrong:
        read_settings(tmp_path)
    assert f"{SETTINGS_FILE}, {said}" in str(wrong.value)
    settings.write_text(f"{text}[plugins]\nmqtt = false\n")
    assert read_settings(tmp_path).switched_off == {"mqtt"}


def test_a_running_companion_is_believed_and_wrong_settings_are_not_asked(tmp_path: Path) -> None:
    settings = tmp_path / SETTINGS_FILE
    settings.write_text(BROKER.format(port=free_port()))
    (finding,) = examine(plugin_checks(tmp_path, lambda: {"broker": "twin"}))
    assert finding.what.key == "doctor.broker.twin"
    settings.write_text("[mqtt]\n")
    assert list(examine(plugin_checks(tmp_path, dict))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_it_says_has_words(language: str) -> None:
    assert PLUGIN.words is not None
    states: Any = [f"doctor.broker.{state}{do}" for state in ("away", "refused", "twin") for do in ("", ".do")]
    others = {"doctor.broker.ok", "doctor.name.broker", "note.broker", "note.twin"}
    assert Translations((PLUGIN.words,)).keys(language) == {*states, *others}
