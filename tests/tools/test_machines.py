"""Scripts that make a Debian of their own and try the companion in it, as root."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from platform import machine

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.skipif(os.geteuid() != 0, reason="a Debian of its own needs root")
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="this is no Debian")
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(
            "camera.sh",
            id="a match is refereed through picamera2 and libcamera",
            marks=pytest.mark.skipif(machine() != "x86_64", reason="its virtual machine is one for amd64"),
        ),
        pytest.param("container.sh", id="the container's pages open"),
        pytest.param("release.sh", id="the recipe for a release makes one whose update a box takes"),
        pytest.param("raspberry-pi.sh", id="a card with the folder becomes a companion"),
    ],
)
def test_all_is_well_in_a_debian_of_its_own(script: str) -> None:
    done = subprocess.run(
        [ROOT / "tests/tools" / script],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
