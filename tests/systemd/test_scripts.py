"""The shell scripts, with stand-ins for what they call."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from companion import __version__

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"


def go(*command: str | Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=280,
        env={**os.environ, **environ},
    )


@pytest.mark.parametrize(
    ("request_text", "location"),
    [
        ("GET / HTTP/1.1\r\nHost: companion.local\r\n\r\n", "http://companion.local:8080/"),
        ("GET /join?code=AB12 HTTP/1.1\r\nHost: 192.168.1.7:80\r\n\r\n", "http://192.168.1.7:8080/join?code=AB12"),
        ("GET / HTTP/1.1\r\nHOST: [fe80::1]\r\n\r\n", "http://[fe80::1]:8080/"),
        ("GET //elsewhere.example/ HTTP/1.1\r\nHost: companion.local\r\n\r\n", "http://companion.local:8080/"),
        ('GET / HTTP/1.1\r\nHost: a"><script>\r\n\r\n', "http://companion.local:8080/"),
        ("", "http://companion.local:8080/"),
    ],
)
def test_the_door_at_port_80_shows_the_way_and_repeats_nothing_strange(request_text: str, location: str) -> None:
    answer = subprocess.run(
        [str(SYSTEMD / "door"), "8080"], input=request_text.encode(), capture_output=True, timeout=30, check=True
    ).stdout
    head, _, body = answer.partition(b"\r\n\r\n")
    assert body == b""
    assert head.split(b"\r\n") == [
        b"HTTP/1.1 302 Found",
        b"Location: " + location.encode(),
        b"Content-Length: 0",
        b"Connection: close",
    ]


def fake_nmcli(folder: Path, device: str) -> Path:
    """A NetworkManager that has this one device, and writes down what it is told."""
    folder.mkdir()
    script = folder / "nmcli"
    script.write_text(
        f"""#!/bin/sh
case "$*" in
    "-t -f TYPE,STATE device status") echo "{device}" ;;
    "-t -f TYPE device status") echo "{device.partition(":")[0]}" ;;
    *) echo "$*" >>"{folder}/told" ;;
esac
""",
        encoding="utf-8",
    )
    script.chmod(0o755)
    return folder


def hotspot(folder: Path, kept: Path) -> tuple[str, list[str]]:
    seen = go(
        SYSTEMD / "hotspot",
        "up",
        PATH=f"{folder}:{os.environ['PATH']}",
        COMPANION_HOTSPOT_WAIT_S="1",
        COMPANION_HOTSPOT_FILE=str(kept),
    )
    assert seen.returncode == 0, seen.stderr
    told = folder / "told"
    return seen.stdout, told.read_text(encoding="utf-8").splitlines() if told.exists() else []


def test_where_a_network_is_known_no_hotspot_comes_up(tmp_path: Path) -> None:
    said, told = hotspot(fake_nmcli(tmp_path / "bin", "wifi:connected"), tmp_path / "hotspot")
    assert "no hotspot needed" in said
    assert told == []


def test_without_a_network_the_companion_makes_its_own_with_a_password_that_stays(tmp_path: Path) -> None:
    bin_folder = fake_nmcli(tmp_path / "bin", "wifi:disconnected")
    kept = tmp_path / "hotspot"
    said, told = hotspot(bin_folder, kept)
    ssid, password = (line.partition("=")[2] for line in kept.read_text(encoding="utf-8").splitlines())
    assert ssid == "companion"
    assert len(password) == 10
    assert "http://10.42.0.1:8080" in said
    assert f"device wifi hotspot con-name companion-hotspot ssid companion password {password}" in told[0]
    assert "connection.autoconnect no" in told[1]
    assert stat.S_IMODE(kept.stat().st_mode) & 0o007 == 0
    hotspot(bin_folder, kept)
    assert kept.read_text(encoding="utf-8").endswith(f"password={password}\n")


def test_without_wifi_the_game_goes_on_without_phones(tmp_path: Path) -> None:
    said, told = hotspot(fake_nmcli(tmp_path / "bin", "loopback:unmanaged"), tmp_path / "hotspot")
    assert "without phones" in said
    assert told == []


def house(folder: Path) -> Path:
    """A copy of what ./run needs, set up by nobody yet."""
    (folder / "systemd").mkdir(parents=True)
    for name in ("run", "pyproject.toml", "systemd/apt.sh", "systemd/install", "systemd/constraints-bookworm.txt"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def test_without_a_python_run_says_which_are_wanted(tmp_path: Path) -> None:
    seen = go(house(tmp_path / "house") / "run", COMPANION_PYTHON="/bin/false")
    assert seen.returncode == 1
    assert seen.stderr.startswith("Python 3.11, 3.12 or 3.13 is needed, and none was found (/bin/false).")
    assert not (tmp_path / "house" / ".venv").exists()


@pytest.mark.long
@pytest.mark.skipif(os.geteuid() != 0, reason="installing needs root")
def test_a_failed_upgrade_keeps_the_old_version_and_uninstalling_keeps_the_matches(tmp_path: Path) -> None:
    source = tmp_path / "source"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".venv*", ".git", "build", "out", ".*_cache", "tests"))
    target = tmp_path / "target"
    matches = target / "var/lib/companion/matches.db"
    matches.parent.mkdir(parents=True)
    matches.write_bytes(b"kept")
    current = target / "opt/companion/current"

    seen = go(source / "run", "--install", DESTDIR=str(target), COMPANION_PI="0")
    assert seen.returncode == 0, seen.stderr
    first = current.readlink()
    assert re.fullmatch(rf"{re.escape(__version__)}-\d{{14}}", first.name)
    assert go(current / ".venv/bin/companion", "run", "--help").returncode == 0
    assert (target / "etc/systemd/system/companion.service").exists()

    project = (source / "pyproject.toml").read_text(encoding="utf-8")
    broken = project.replace('"waitress>=3,<4"', '"waitress>=3000"')
    assert broken != project
    (source / "pyproject.toml").write_text(broken, encoding="utf-8")
    seen = go(source / "run", "--install", DESTDIR=str(target), COMPANION_PI="0")
    assert seen.returncode == 1
    assert f"{first.name} goes on" in seen.stderr
    assert current.readlink() == first
    assert go(current / ".venv/bin/companion", "run", "--help").returncode == 0
    assert [folder.name for folder in (target / "opt/companion/versions").iterdir()] == [first.name]

    assert go(source / "run", "--uninstall", DESTDIR=str(target)).returncode == 0
    assert not (target / "opt/companion").exists()
    assert not list((target / "etc/systemd/system").iterdir())
    assert matches.read_bytes() == b"kept"
