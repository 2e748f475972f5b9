"""The parts of an image that need no image: its list, its units, and what it does at its first start."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "packaging" / "image"
OWN = IMAGE / "root" / "usr" / "lib"
UNITS = sorted((OWN / "systemd" / "system").glob("*.service"))


def test_the_list_says_of_each_package_where_it_comes() -> None:
    lines = [line for line in (IMAGE / "packages").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-zA-Z0-9.+-]+( debian| pi)?", line)] == []
    names = [line.split()[0] for line in lines]
    assert len(names) == len(set(names))
    wanted = (ROOT / "packaging" / "debian" / "control").read_text("utf-8")
    (recommended,) = re.findall("^Recommends: (.*)$", wanted, re.MULTILINE)
    assert set(recommended.split(", ")) <= set(names), "what the package recommends"
    assert {"python3-picamera2 pi", "python3-lgpio pi"} <= set(lines), "what Debian has not"


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not there")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_the_units_of_an_image_are_understood(unit: Path, tmp_path: Path) -> None:
    text = unit.read_text("utf-8").replace("/usr/lib/companion-image", str(OWN / "companion-image"))
    (tmp_path / unit.name).write_text(text, encoding="utf-8")
    words = ["systemd-analyze", "verify", str(tmp_path / unit.name)]
    seen = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (seen.returncode, seen.stdout + seen.stderr) == (0, "")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a computer a name")
def test_two_boxes_of_one_image_have_two_names(tmp_path: Path) -> None:
    """And each has the four digits that its own Wi-Fi has."""
    names = []
    for letter in "ab":
        settings = tmp_path / letter
        settings.mkdir()
        (settings / "machine-id").write_text(letter * 32 + "\n", encoding="utf-8")
        seen = subprocess.run(
            [
                *("unshare", "--mount", "--uts", "--propagation", "private", "/bin/sh", "-c"),
                'mount --bind "$1" /etc && "$2" && hostname',
                *("sh", str(settings), str(OWN / "companion-image" / "name")),
            ],
            capture_output=True,
            text=True,
            timeout=60,
        )
        if "unshare" in seen.stderr:
            pytest.skip(f"no namespaces here: {seen.stderr}")
        assert seen.returncode == 0, seen.stderr
        digits = hashlib.sha256((letter * 32 + "\ncompanion-hotspot\n").encode()).hexdigest()[:4]
        kept = (settings / "hostname").read_text("utf-8")
        assert (seen.stdout, kept) == (f"companion-{digits}\n",) * 2
        assert f"127.0.1.1 companion-{digits}\n" in (settings / "hosts").read_text("utf-8")
        names.append(kept)
    assert len(set(names)) == 2


GROWN = """#!/bin/sh
echo "$*" >>"{folder}/asked"
exit {status}
"""


@pytest.mark.parametrize(("status", "answer"), [(0, 0), (1, 0), (2, 2)], ids=["grown", "full already", "broken"])
def test_a_card_that_is_full_already_is_no_fault(tmp_path: Path, status: int, answer: int) -> None:
    """``growpart`` says 1 where there is nothing to gain."""
    program = tmp_path / "growpart"
    program.write_text(GROWN.format(folder=tmp_path, status=status), encoding="utf-8")
    program.chmod(0o755)
    disk, part = tmp_path / "class" / "mmcblk0", tmp_path / "class" / "mmcblk0" / "mmcblk0p3"
    part.mkdir(parents=True)
    (part / "partition").write_text("3\n", encoding="utf-8")
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev" / "mmcblk0p3").touch()
    script = (OWN / "companion-image" / "fill-card").read_text("utf-8")
    script = script.replace("findfs LABEL=companion-data", f"echo {tmp_path / 'dev' / 'mmcblk0p3'}")
    script = script.replace("/sys/class/block", str(disk))
    seen = subprocess.run(
        ["sh", "-c", script],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
    )
    assert seen.returncode == answer, seen.stderr
    assert (tmp_path / "asked").read_text("utf-8") == "/dev/mmcblk0 3\n"
