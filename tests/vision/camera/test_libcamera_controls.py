"""The controls that we name, against every release of libcamera and of Raspberry Pi's own."""

from __future__ import annotations

import ast
import re
import tomllib
from os.path import commonprefix
from pathlib import Path

import pytest

from vision.camera import picamera

ROOT = Path(__file__).parents[3]
RELEASES: dict[str, dict[str, dict[str, list[str]]]] = tomllib.loads(
    Path(__file__).with_name("libcamera_controls.toml").read_text()
)
OLDEST = {"libcamera": "0.2.0", "raspberrypi": "0.1.0+rpt20231116"}
"""From here on every name is there. Debian 13 has 0.4.0, as had Raspberry Pi OS when picamera2 0.3.25 came."""

SOURCE = ast.parse(Path(picamera.__file__).read_text())


def names_of(maker: str) -> dict[str, set[str]]:
    """What each release has, the oldest release first."""
    has: dict[str, set[str]] = {}
    now: set[str] = set()
    for release, changes in RELEASES[maker].items():
        now = (now | {*changes.get("added", ())}) - {*changes.get("removed", ())}
        has[release] = now
    return has


def our_controls() -> set[str]:
    """Controls, metadata and properties: everything in capital letters that is asked for by name."""
    keys = {node.value for node in ast.walk(SOURCE) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    keys |= {node.arg for node in ast.walk(SOURCE) if isinstance(node, ast.keyword) and node.arg}
    return {key for key in keys if re.fullmatch(r"([A-Z][a-z]+)+", key)} - {"Id", "Raises"}


def our_values() -> set[tuple[str, str]]:
    """Enumerations and the value that is used of each: ``AfMode``, ``Manual``."""
    used = {ast.unparse(node) for node in ast.walk(SOURCE) if isinstance(node, ast.Attribute)}
    return {(one[1], one[2]) for text in used if (one := re.fullmatch(r"controls\.([\w.]+)Enum\.(\w+)", text))}


def test_what_we_name_is_found_in_our_source() -> None:
    assert {"LensPosition", "AeFlickerPeriod", "SensorTimestamp", "Model", *picamera.USEFUL_CONTROLS} <= our_controls()
    assert our_values() == {("AfMode", "Manual"), ("AeFlickerMode", "Manual"), ("draft.NoiseReductionMode", "Fast")}


@pytest.mark.parametrize("maker", OLDEST)
def test_every_release_since_has_every_control_and_value_that_we_name(maker: str) -> None:
    has = names_of(maker)
    order = [*has]
    for release in order[order.index(OLDEST[maker]) :]:
        assert not [name for name in our_controls() if not {name, f"draft.{name}"} & has[release]], release
        for name, value in our_values():
            values = [one.rpartition(".")[2] for one in has[release] if one.startswith(f"{name}.")]
            prefix = commonprefix(values)  # noqa: RUF071  # as libcamera's makers cut their names for Python
            assert value in {one.removeprefix(prefix) for one in values}, (release, name)


def test_the_document_names_the_releases_that_have_each_control() -> None:
    rows = [line.split("|") for line in (ROOT / "docs" / "cameras.md").read_text().splitlines()]
    documented = {name: row[2] for row in rows if len(row) > 3 for name in re.findall(r"`(\w+)`", row[1])}
    for name in our_controls():
        spans = []
        for maker in OLDEST:
            having = [release for release, has in names_of(maker).items() if {name, f"draft.{name}"} & has]
            spans.append(f"{having[0]} to {having[-1]}")
        assert documented[name].strip() == f"libcamera {spans[0]}, Raspberry Pi's {spans[1]}", name
