"""The version comes from git's tags, wherever the project is built."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(
        ["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True, timeout=60
    ).stdout


def version(folder: Path) -> str:
    """What a build of the project in this folder is called."""
    seen = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "setuptools_scm"],
        cwd=folder, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return seen.stdout.strip()


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    folder = tmp_path / "checkout"
    folder.mkdir()
    for name in ("pyproject.toml", ".git_archival.txt", ".gitattributes"):
        shutil.copy(ROOT / name, folder / name)
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    return folder


def test_a_tag_is_the_version_and_what_comes_after_it_is_on_the_way_to_the_next(checkout: Path) -> None:
    assert version(checkout).startswith("0.1.1.dev1+g"), "a checkout without tags counts from the last release"
    git(checkout, "tag", "v0.4.0")
    assert version(checkout) == "0.4.0"
    git(checkout, "commit", "-q", "--allow-empty", "-m", "second")
    assert version(checkout).startswith("0.4.1.dev1+g")


def test_an_archive_knows_its_tag_and_a_bare_copy_names_the_last_release(checkout: Path, tmp_path: Path) -> None:
    git(checkout, "tag", "v0.4.0")
    archive, copy, sdist = (tmp_path / name for name in ("archive", "copy", "sdist"))
    git(checkout, "archive", "--format=tar", "-o", str(tmp_path / "a.tar"), "HEAD")
    shutil.unpack_archive(tmp_path / "a.tar", archive, filter="data")
    assert version(archive) == "0.4.0"
    for folder in (copy, sdist):
        shutil.copytree(checkout, folder, ignore=shutil.ignore_patterns(".git"))
    assert version(copy) == "0.1.0"
    (sdist / "PKG-INFO").write_text("Metadata-Version: 2.4\nName: companion-referee\nVersion: 0.4.0\n", "utf-8")
    assert version(sdist) == "0.4.0"
