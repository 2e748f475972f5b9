"""The version stands in pyproject.toml alone, and whatever is built or installed says the same."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
SHOWN = """
import sys
from setuptools.build_meta import prepare_metadata_for_build_wheel
prepare_metadata_for_build_wheel("built")
sys.path[:0] = ["built", "."]
from companion.version import __version__
print(__version__)
"""


def test_what_is_built_shows_the_version_of_pyproject(tmp_path: Path) -> None:
    """A wheel's metadata is what an installed companion reads; it is built without git, as from an archive."""
    (tmp_path / "packaging").mkdir()
    for name in ("pyproject.toml", "packaging/description.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "built").mkdir()
    shutil.copytree(ROOT / "companion", tmp_path / "companion", ignore=shutil.ignore_patterns("__pycache__"))
    ran = subprocess.run(
        [sys.executable, "-c", SHOWN], cwd=tmp_path, capture_output=True, text=True, check=True, timeout=60
    )
    assert ran.stdout.splitlines()[-1] == VERSION


def test_no_other_file_of_the_project_says_which_version_this_is() -> None:
    own = re.compile(rf"(?<![\d.]){re.escape(VERSION)}(?![\d.])")
    folders = ("companion", "hardware", "packaging", "systemd", "vision", "web")
    files = [
        path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".sh", ".toml", "")
    ]
    assert [path for path in files if path.is_file() and own.search(path.read_text("utf-8", "ignore"))] == []
