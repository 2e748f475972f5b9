"""The parts of an image that need no image: its list, its units, and what it does at its first start."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
IMAGE = ROOT / "packaging" / "image"
OWN = IMAGE / "root" / "usr" / "lib"
PATH = f"/usr/sbin:/sbin:{os.environ['PATH']}"
SFDISK = shutil.which("sfdisk", path=PATH)
UNITS = sorted((OWN / "systemd" / "system").glob("*.service"))


def test_the_list_says_of_each_package_where_it_comes() -> None:
    lines = [line for line in (IMAGE / "packages").read_text("utf-8").splitlines() if not line.startswith("#")]
    assert [line for line in lines if not re.fullmatch(r"[a-zA-Z0-9.+-]+( debian| pi)?", line)] == []
    names = [line.split()[0] for line in lines]
    assert len(names) == len(set(names))
    wanted = (ROOT / "packaging" / "debian" / "control").read_text("utf-8")
    (recommended,) = re.findall("^Recommends: (.*)$", wanted, re.MULTILINE)
    assert set(recommended.split(", ")) <= set(names), "what the package recommends"
    assert {"overlayroot", "busybox"} <= set(names), "overlayroot's script wants grep before the system is there"
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


@dataclass
class Card:
    """A card of 64 MiB with the script ``fill-card`` for it; the kernel's part is played by the folder.

    Attributes:
        asked: What ``partx`` was asked, and which file it held open meanwhile.
    """

    folder: Path
    card: Path
    asked: Path

    def partitions(self) -> dict[str, tuple[int, int]]:
        """Each one's beginning and size; sectors of 512 bytes."""
        told = subprocess.run([str(SFDISK), "--json", self.card], check=True, capture_output=True, text=True).stdout
        return {one["name"]: (one["start"], one["size"]) for one in json.loads(told)["partitiontable"]["partitions"]}

    def tell_kernel(self) -> None:
        """What the kernel knows of the card becomes what is on it."""
        start, size = self.partitions()["matches"]
        kernel = self.folder / "class" / "mmcblk0"
        part = kernel / "mmcblk0p3"
        part.mkdir(parents=True, exist_ok=True)
        known = {"partition": 3, "start": start, "size": size, "../size": self.card.stat().st_size // 512}
        for name, value in known.items():
            (part / name).write_text(f"{value}\n", encoding="utf-8")

    def fill(self) -> subprocess.CompletedProcess[str]:
        """What a start does."""
        script = (OWN / "companion-image" / "fill-card").read_text("utf-8")
        script = script.replace("findfs LABEL=companion-data", f"echo {self.folder / 'dev' / 'mmcblk0p3'}")
        script = script.replace("/sys/class/block", str(self.folder / "class" / "mmcblk0"))
        script = script.replace('"/dev/', f'"{self.folder / "dev"}/')
        return subprocess.run(
            ["sh", "-c", script],
            capture_output=True,
            text=True,
            timeout=60,
            env={**os.environ, "PATH": f"{self.folder}:{PATH}"},
        )


PARTX = """#!/bin/sh
echo "$*" "$(readlink /proc/self/fd/0)" >>"{asked}"
"""
UDEVADM = """#!/bin/sh
echo "udev was asked: $*" >>"{asked}"
"""
TABLE = """label: gpt
size=8MiB, name=start
size=16MiB, name=system
size=8MiB, name=matches
"""


@pytest.fixture
def card(tmp_path: Path) -> Card:
    if SFDISK is None:
        pytest.skip("sfdisk is not there")
    devices = tmp_path / "dev"
    devices.mkdir()
    (devices / "mmcblk0p3").touch()
    made = Card(tmp_path, devices / "mmcblk0", tmp_path / "asked")
    for name, text in (("partx", PARTX), ("udevadm", UDEVADM), ("growpart", UDEVADM)):
        program = tmp_path / name
        program.write_text(text.format(asked=made.asked), encoding="utf-8")
        program.chmod(0o755)
    made.card.touch()
    os.truncate(made.card, 34 << 20)
    subprocess.run([SFDISK, "--quiet", made.card], check=True, input=TABLE, text=True)
    os.truncate(made.card, 64 << 20)
    made.tell_kernel()
    return made


def test_the_matches_fill_the_card(card: Card) -> None:
    """The table on the card is a real one. The partition is held open, and nobody asks udev, which is not there yet."""
    before = card.partitions()
    seen = card.fill()
    assert seen.returncode == 0, seen.stderr
    after = card.partitions()
    assert {**after, "matches": before["matches"]} == before
    start, size = after["matches"]
    assert (start, (64 << 11) - start - size < 2048) == (before["matches"][0], True), after
    devices = card.folder / "dev"
    told = card.asked.read_text("utf-8")
    assert told == f"--update --nr 3 {devices / 'mmcblk0'} {devices / 'mmcblk0p3'}\n"


def test_a_card_that_is_full_already_is_left_alone(card: Card) -> None:
    assert card.fill().returncode == 0
    card.tell_kernel()
    full = card.card.read_bytes()
    card.asked.unlink()
    seen = card.fill()
    assert (seen.returncode, seen.stderr, card.asked.exists()) == (0, "", False)
    assert card.card.read_bytes() == full


def test_a_card_without_a_table_of_partitions_is_a_fault(card: Card) -> None:
    card.card.write_bytes(bytes(64 << 20))
    seen = card.fill()
    assert (seen.returncode != 0, card.asked.exists()) == (True, False), seen.stderr
