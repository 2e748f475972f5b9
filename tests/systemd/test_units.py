"""."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path for kind in ("service", "socket", "path") for path in SYSTEMD.glob(f"*.{kind}"))
analyze = pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed here")


def keys(unit: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in unit.read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


@analyze
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_has_nothing_to_say_about_a_unit(unit: Path, tmp_path: Path) -> None:
    for other in UNITS:  # they name each other; what they start lies elsewhere on this computer
        text = re.sub(
            r"/opt/companion/current/\S+|/usr/sbin/iw|/sbin/agetty", "/bin/true", other.read_text(encoding="utf-8")
        )
        (tmp_path / other.name).write_text(text, encoding="utf-8")
    seen = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / unit.name)], capture_output=True, text=True, timeout=60
    )
    assert (seen.returncode, seen.stdout + seen.stderr) == (0, "")


@analyze
@pytest.mark.parametrize("unit", ["companion.service", "companion-door@.service"])
def test_what_strangers_reach_is_exposed_by_two_at_most(unit: str) -> None:
    seen = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(SYSTEMD / unit)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert seen.returncode == 0, seen.stdout[-300:]


def test_the_service_is_what_the_house_relies_on() -> None:
    said = keys(SYSTEMD / "companion.service")
    assert said["User"] == ["companion"]
    assert said["SupplementaryGroups"] == ["video gpio render"]
    assert said["Type"] == ["notify"]
    assert said["StateDirectory"] == ["companion"]
    assert said["WorkingDirectory"] == ["/var/lib/companion"]
    assert "GPIOZERO_PIN_FACTORY=lgpio" in said["Environment"][0]
    assert "hardware.off" in said["ExecStopPost"][0]
    assert "ProcSubset" not in said  # gpiozero reads /proc/device-tree
    assert int(said["WatchdogSec"][0]) >= 10


def test_a_start_that_fails_is_tried_again_for_ever_and_not_ever_so_often() -> None:
    """Nobody types systemctl on a game night. systemd 252 (Debian 12) has no growing waits: they are a file apart."""
    said = keys(SYSTEMD / "companion.service")
    assert said["Restart"] == ["on-failure"]
    assert said["StartLimitIntervalSec"] == ["0"]
    more = keys(SYSTEMD / "companion-backoff.conf")
    assert int(more["RestartSteps"][0]) > 1
    assert int(said["RestartSec"][0]) < int(more["RestartMaxDelaySec"][0]) <= 120
    assert not set(more) & set(said)


def test_everything_that_a_unit_starts_is_shipped_and_executable() -> None:
    named = {
        path
        for unit in UNITS
        for path in re.findall(r"/opt/companion/current/(systemd/[a-z]+)\b", unit.read_text(encoding="utf-8"))
    }
    assert {"systemd/hotspot", "systemd/door"} <= named
    assert all((SYSTEMD.parent / path).stat().st_mode & 0o111 for path in named)


def test_the_installer_knows_every_unit() -> None:
    installer = (SYSTEMD / "install").read_text(encoding="utf-8")
    for unit in UNITS:
        assert installer.count(unit.name) >= 2, f"{unit.name} is not both written and taken away"
