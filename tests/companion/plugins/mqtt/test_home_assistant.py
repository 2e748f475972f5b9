"""What is told to Home Assistant, held against its own schemas: the wheel of its newest release, unpacked."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import zipfile
from typing import Any

import pytest
from support.real_desk import RealDesk

from companion.plugins.mqtt.publisher import discovery_json

pytestmark = pytest.mark.long
MQTT = "homeassistant/components/mqtt"
RELEASE = ("3.14.2", "homeassistant>=2026")
"""The Python that it wants, and itself; nothing of it is run here."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("homeassistant")
    python, release = RELEASE
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    got = subprocess.run(
        [*command, "--python-version", python, release, "-d", str(folder)], capture_output=True, text=True, timeout=280
    )
    if got.returncode:
        pytest.skip(f"Home Assistant cannot be fetched here: {got.stderr[-200:]}")
    return zipfile.ZipFile(next(folder.glob("*.whl")))


def constants(wheel: zipfile.ZipFile) -> dict[str, str]:
    """``CONF_NAME`` and its like: what each is called in a payload."""
    texts = [wheel.read(f"homeassistant/{name}").decode() for name in ("const.py", "components/mqtt/const.py")]
    texts += [wheel.read(f"{MQTT}/{name}.py").decode() for name in ("event", "sensor", "binary_sensor")]
    texts.append(wheel.read("homeassistant/components/sensor/const.py").decode())
    found = re.findall(r"""^(\w+)(?:: \w+(?:\[\w+\])?)? = "([^"]*)"$""", "\n".join(texts), re.MULTILINE)
    known = dict(found)
    for name, other in re.findall(r"^(\w+) = ([A-Z_]+)$", "\n".join(texts), re.MULTILINE):
        known.setdefault(name, known.get(other, other))
    return known


def keys(wheel: zipfile.ZipFile, module: str, kind: str = "Required|Optional|Exclusive") -> set[str]:
    """The keys that the schemas of one of its modules name."""
    named = re.findall(rf"\b(?:{kind})\(\s*(CONF_\w+)", wheel.read(f"{MQTT}/{module}.py").decode())
    known = constants(wheel)
    return {known[name] for name in named if name in known}


def abbreviations(wheel: zipfile.ZipFile) -> dict[str, dict[str, str]]:
    """What its short keys stand for, by table."""
    tree = ast.parse(wheel.read(f"{MQTT}/abbreviations.py"))
    return {
        ast.unparse(node.targets[0]): ast.literal_eval(node.value) for node in tree.body if isinstance(node, ast.Assign)
    }


def test_every_key_is_one_that_home_assistant_takes_and_none_that_it_needs_is_missing(wheel: zipfile.ZipFile) -> None:
    desk = RealDesk(seats=3)
    told: Any = discovery_json(
        "den-3fa90c21", desk.standing, "0.1.0", id="3fa90c21", address="http://192.168.1.2:8080", names=["Ana"]
    )
    short = abbreviations(wheel)
    whole = {short["ABBREVIATIONS"].get(key, key): value for key, value in told.items()}
    assert whole.keys() - {"components"} <= keys(wheel, "schemas") | {"device", "origin"}
    assert whole.keys() >= keys(wheel, "schemas", "Required") & {"device", "origin", "components"}
    device = {short["DEVICE_ABBREVIATIONS"].get(key, key) for key in whole["device"]}
    assert {"configuration_url", "identifiers"} <= device <= keys(wheel, "schemas")
    assert {short["ORIGIN_ABBREVIATIONS"].get(key, key) for key in whole["origin"]} <= keys(wheel, "schemas")
    shared = {"state_topic", "qos"} & whole.keys()
    for name, component in whole["components"].items():
        given = {short["ABBREVIATIONS"].get(key, key): value for key, value in component.items()}
        platform = given["platform"]
        if name in {f"{counts}_{seat}" for counts in ("points", "hands") for seat in range(4, 10)}:
            assert given.keys() == {"platform"}, "so it takes away what an empty seat had"
            continue
        taken = keys(wheel, platform) | keys(wheel, "schemas") | keys(wheel, "config")
        assert given.keys() <= taken, name
        needed = keys(wheel, platform, "Required") | {"state_topic", "unique_id"}
        assert needed <= given.keys() | shared, name


def test_the_schemas_are_read_and_would_refuse_something(wheel: zipfile.ZipFile) -> None:
    assert "event_types" in keys(wheel, "event", "Required")
    assert "event_types" not in keys(wheel, "sensor")
    assert "seat" not in keys(wheel, "schemas")
