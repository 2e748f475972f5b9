"""The Debian package and ./run --install, from installing to purging, under a systemd of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="a Debian of its own needs root"),
    pytest.mark.skipif(not shutil.which("dpkg-deb"), reason="this is no Debian"),
]


def run(folder: Path, *command: str) -> None:
    """A script of tests/tools ends well."""
    heard = folder / "heard"
    with heard.open("wb") as out:
        status = subprocess.run(
            [ROOT / "tests/tools" / command[0], *command[1:]],
            cwd=ROOT,
            stdout=out,
            stderr=out,
            stdin=subprocess.DEVNULL,
            check=False,
        ).returncode
    assert status == 0, heard.read_text("utf-8", "replace")[-3000:]


@pytest.mark.timeout(3600)
@pytest.mark.skipif(not shutil.which("systemd-nspawn"), reason="systemd-nspawn is not here")
@pytest.mark.parametrize("suite", ["bookworm", "trixie"])
@pytest.mark.parametrize("script", ["package.sh", "install.sh"])
def test_it_is_installed_upgraded_broken_and_removed(script: str, suite: str, tmp_path: Path) -> None:
    run(tmp_path, script, suite)
