"""Real media for tests: a stick is a file with a file system of its own, mounted and pulled as root."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest


class Stick:
    """A stick of ext4. It is mounted at a folder, and pulled."""

    def __init__(self, image: Path, at: Path, megabytes: int = 24) -> None:
        if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
            pytest.skip("only root can mount a stick")
        self._image, self.at = image, at
        at.mkdir(exist_ok=True)
        with image.open("wb") as file:
            file.truncate(megabytes * 1_000_000)
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", str(image)], check=True, capture_output=True)

    def plug_in(self, *, options: str = "") -> None:
        words = ["mount", "-o", f"loop{options and ','}{options}", str(self._image), str(self.at)]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            pytest.skip(f"no stick can be mounted here: {done.stderr.strip()}")

    def pull(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.at)], capture_output=True)
