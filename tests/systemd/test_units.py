"""The units: what systemd-analyze says about each of them, and what the house relies on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "systemd"
UNITS = sorted(path for kind in ("service", "socket", "path") for path in SYSTEMD.glob(f"*.{kind}"))
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
EXPOSED = {
    "companion.service": 17,
    "companion@.service": 17,
    "companion-board.service": 10,
    "companion-door@.service": 5,
    "companion-home-wifi.service": 15,
    "companion-hotspot.service": 10,
    "companion-hub.service": 13,
    "companion-install.service": 43,
    "companion-update.service": 15,
    "companion-wifi.service": 13,
}
"""How far each may stand open, in tenths."""
OF_THE_PACKAGE = (
    *("companion-update.path", "companion-update.service", "companion-install.service"),
    *("companion-home-wifi.path", "companion-home-wifi.service", "companion-hub.service"),
)
"""What no installation before the package had, so there is nothing to take away."""
ROOTS_OWN = {"/run/agetty.reload", "/etc/NetworkManager/system-connections"}
"""Where a service of root's may write besides its own folders: root alone writes there."""
INSTALLS = "companion-install.service"
"""It runs dpkg, so it writes where programs are. It reads a package in root's own folder, whose signature was right."""

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
            r"/opt/companion(/current|-hub)/\S+|/usr/sbin/iw|/sbin/agetty|/usr/lib/companion/\S+",
            "/bin/true",
            other.read_text(encoding="utf-8"),
        )
        (tmp_path / other.name).write_text(text, encoding="utf-8")
    seen = subprocess.run(
        ["systemd-analyze", "verify", str(tmp_path / unit.name)], capture_output=True, text=True, timeout=60
    )
    assert (seen.returncode, seen.stdout + seen.stderr) == (0, "")


@analyze
@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_service_is_shut_in(unit: Path) -> None:
    """The analyst's level goes from 0 to 10, here in tenths; a service of which nothing is said has 9.6."""
    seen = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", f"--threshold={EXPOSED.get(unit.name, 0)}", str(unit)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert seen.returncode == 0, f"{unit.name}: name its bound in EXPOSED, 25 at most. {seen.stdout[-100:]}"


def test_every_service_has_a_bound() -> None:
    assert EXPOSED.keys() == {unit.name for unit in SERVICES}
    assert max(bound for name, bound in EXPOSED.items() if name != INSTALLS) <= 25


def test_no_service_of_roots_may_write_where_another_user_does() -> None:
    """Root follows a link that is planted in somebody else's folder: so root has no way there."""
    for unit in SERVICES:
        said = keys(unit)
        if said.get("User") in (["companion"], ["companion-hub"]):
            continue
        folders = [*said.get("RuntimeDirectory", []), *said.get("StateDirectory", [])]
        assert "companion" not in folders, unit.name
        assert {path.lstrip("-+") for path in said.get("ReadWritePaths", [])} <= ROOTS_OWN, unit.name
        if unit.name != INSTALLS:
            assert said["ProtectSystem"] == ["strict"], unit.name
        started = " ".join(said["ExecStart"] + said.get("ExecStop", []))
        assert "/var/lib/companion" not in started, unit.name
        assert not re.search(r"^Exec\w+=-?[+!]", unit.read_text("utf-8"), re.M), f"{unit.name} steps out of its sandbox"


def test_messages_with_codes_and_passwords_are_in_folders_that_others_cannot_enter() -> None:
    assert keys(SYSTEMD / "companion.service")["RuntimeDirectoryMode"] == ["0750"]
    assert keys(SYSTEMD / "companion.service")["StateDirectoryMode"] == ["0700"]
    for name, mode in {"board": "0700", "hotspot": "0750"}.items():
        said = keys(SYSTEMD / f"companion-{name}.service")
        assert said["RuntimeDirectory"] == [f"companion-{name}"]
        assert said["RuntimeDirectoryMode"] == [mode]
        assert said["UMask"] == ["0077"]
        assert "User" not in said  # the folder belongs to root


def test_the_hotspot_reads_the_tables_name_and_writes_nothing_there() -> None:
    """Root without any power of root's: the group lets it into the companion's run-time folder, where it only reads."""
    said = keys(SYSTEMD / "companion-hotspot.service")
    assert said["Group"] == ["companion"]
    assert said["CapabilityBoundingSet"] == [""]
    assert said["InaccessiblePaths"] == ["-/var/lib/companion"]
    assert "ReadWritePaths" not in said


def test_no_storm_switches_anything_off_for_good() -> None:
    """Port 80: 200 calls within two seconds would (systemd's own limit); the board: five messages within ten."""
    door = keys(SYSTEMD / "companion-door.socket")
    assert door["TriggerLimitIntervalSec"] == ["0"]
    assert int(door["MaxConnectionsPerSource"][0]) * 4 <= int(door["MaxConnections"][0]) <= 64
    assert int(keys(SYSTEMD / "companion-door@.service")["RuntimeMaxSec"][0]) <= 10
    assert keys(SYSTEMD / "companion-board.service")["StartLimitIntervalSec"] == ["0"]


def test_who_looks_at_an_update_may_become_the_companions_user_and_unpack_and_no_more() -> None:
    """setpriv sets capabilities, and dpkg-deb unpacks with tar, which names an owner; else nothing could be read."""
    said = keys(SYSTEMD / "companion-update.service")
    assert said["CapabilityBoundingSet"] == ["CAP_SETUID CAP_SETGID"]
    assert said["SystemCallFilter"] == ["@system-service", "~@privileged @resources", "@setuid @chown capset"]
    assert said["StateDirectoryMode"] == ["0700"]


def test_the_service_is_what_the_house_relies_on() -> None:
    said = keys(SYSTEMD / "companion.service")
    assert said["User"] == ["companion"]
    assert said["SupplementaryGroups"] == ["video gpio render"]
    assert said["Type"] == ["notify"]
    assert said["StateDirectory"] == ["companion"]
    assert said["WorkingDirectory"] == ["/var/lib/companion"]
    assert "GPIOZERO_PIN_FACTORY" not in said["Environment"][0]  # a computer without pins would not start
    assert "hardware.off" in said["ExecStopPost"][0]
    assert "ProcSubset" not in said  # gpiozero reads /proc/device-tree
    assert int(said["WatchdogSec"][0]) >= 10


def test_a_second_table_on_one_computer_shares_nothing_with_the_first_but_the_program() -> None:
    first, second = keys(SYSTEMD / "companion.service"), keys(SYSTEMD / "companion@.service")
    apart = {
        *("Description", "EnvironmentFile", "Environment", "ExecStart", "ExecStartPre", "ExecStopPost"),
        *("StateDirectory", "RuntimeDirectory", "RuntimeDirectoryMode", "WorkingDirectory"),
    }
    assert {key for key in first.keys() | second.keys() if first.get(key) != second.get(key)} == apart
    for key in ("EnvironmentFile", "StateDirectory", "RuntimeDirectory", "WorkingDirectory"):
        assert "companion-%i" in second[key][0], key
    assert "--data /var/lib/companion-%i --port %i " in second["ExecStart"][0]
    assert "ExecStopPost" not in second  # it would drive off the pins of the first


def test_nothing_waits_for_a_network_that_may_never_come() -> None:
    """A cable or a Wi-Fi that gives no address would keep the pages back for a minute."""
    assert [unit.name for unit in UNITS if "network-online.target" in str(keys(unit))] == []


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


def test_the_package_takes_away_every_unit_that_an_older_installation_wrote() -> None:
    """It wrote them where they would stand before the package's own."""
    taken = (SYSTEMD.parent / "packaging" / "debian" / "set-up").read_text(encoding="utf-8").partition("take_over()")[2]
    for unit in UNITS:
        if unit.name not in OF_THE_PACKAGE:
            assert unit.name in taken, f"{unit.name} would stay as it was"


def test_every_unit_is_in_a_package() -> None:
    makers = "".join((SYSTEMD.parent / "packaging" / name).read_text(encoding="utf-8") for name in ("deb", "deb-hub"))
    for unit in UNITS:
        assert unit.name in makers, f"{unit.name} is in no package"
    for script in ("postinst", "postrm"):
        text = (SYSTEMD.parent / "packaging" / "debian" / script).read_text("utf-8")
        assert all(unit.name in text for unit in UNITS if unit.suffix == ".path"), script
