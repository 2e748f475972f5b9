"""First starts of a card with Raspberry Pi OS and the companion's folder, in a container."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.skipif(os.geteuid() != 0, reason="a Debian of its own needs root")
@pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="this is no Debian")
def test_a_card_with_the_companions_folder_becomes_a_companion_whatever_happens_to_it() -> None:
    done = subprocess.run(
        [ROOT / "tests/tools/raspberry-pi.sh"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
