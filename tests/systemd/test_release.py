"""The script that makes a release: what it refuses, and that the same commit gives the same files."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("packaging", "systemd/apt.sh", "pyproject.toml", "LICENSE", "SECURITY.md", "docs/start.md", ".gitignore")
HOME = "https://cards.example/companion"
NOTES = "# Changelog\n\n## [9.9.9]\n\n- Everything.\n\n## [9.9.8]\n\n- Less.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A small project of version 9.9.9, committed, on which the tests were green."""
    there = tmp_path / "project"
    for name in NEEDED:
        (there / name).parent.mkdir(parents=True, exist_ok=True)
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, there / name)
    text = (there / "pyproject.toml").read_text("utf-8")
    (there / "pyproject.toml").write_text(re.sub(r'(?m)^version = "[^"]*"', 'version = "9.9.9"', text), "utf-8")
    (there / "CHANGELOG.md").write_text(NOTES, "utf-8")
    git(there, "init", "-q")
    commit(there)
    return there


def git(there: Path, *words: str) -> str:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.org")
    return subprocess.run(["git", *who, *words], cwd=there, check=True, capture_output=True, text=True).stdout.strip()


def commit(there: Path) -> None:
    git(there, "add", "-A")
    git(there, "commit", "-q", "-m", "All of it")
    (there / "build").mkdir(exist_ok=True)
    (there / "build" / "green").write_text(git(there, "rev-parse", "HEAD") + "\n", "utf-8")


def release(there: Path, *words: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key != "COMPANION_RELEASE_KEY"}
    command = [there / "packaging" / "release", *words]
    return subprocess.run(command, cwd=there, env=clean, capture_output=True, text=True, check=False)


def spoil(there: Path, name: str, old: str, new: str) -> None:
    path = there / name
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    commit(there)


@pytest.mark.parametrize(
    ("name", "old", "new", "why"),
    [
        ("pyproject.toml", '"9.9.9"', '"9.9.7"', "pyproject.toml says version 9.9.7"),
        ("CHANGELOG.md", "[9.9.9]", "[Unreleased]", "CHANGELOG.md has no part"),
    ],
    ids=["version", "changelog"],
)
def test_a_release_that_its_papers_do_not_know_is_refused(
    checkout: Path, name: str, old: str, new: str, why: str
) -> None:
    spoil(checkout, name, old, new)
    made = release(checkout, "9.9.9", "--only", "source")
    assert made.returncode != 0
    assert why in made.stderr


def test_what_is_not_committed_or_not_tested_is_not_released(checkout: Path) -> None:
    (checkout / "SECURITY.md").write_text("changed", "utf-8")
    assert "not committed" in release(checkout, "9.9.9", "--only", "source").stderr
    git(checkout, "commit", "-qam", "Changed")
    assert "was not green on this commit" in release(checkout, "9.9.9", "--only", "source").stderr
    assert not (checkout / "build" / "release").exists()


def test_a_version_is_released_once(checkout: Path) -> None:
    git(checkout, "tag", "v9.9.9")
    spoil(checkout, "SECURITY.md", "# Security", "# Safety")
    assert "the tag v9.9.9 is on another commit" in release(checkout, "9.9.9", "--only", "source").stderr.lower()


def test_the_same_commit_gives_the_same_files_with_notes_and_sums_and_a_tag(checkout: Path) -> None:
    out = checkout / "build" / "release"
    sums = []
    for _ in range(2):
        made = release(checkout, "9.9.9", "--only", "source", "--home", HOME)
        assert made.returncode == 0, made.stderr
        sums.append((out / "SHA256SUMS").read_text("utf-8"))
    assert sums[0] == sums[1]
    notes, files = (out / "NOTES.md").read_text("utf-8").split("## Which file\n")
    assert notes.strip() == "- Everything."
    assert "| `companion-9.9.9-source.tar.gz` | all of the project" in files
    assert git(checkout, "rev-parse", "v9.9.9") == git(checkout, "rev-parse", "HEAD")
    assert git(checkout, "status", "--porcelain") == ""


@pytest.mark.long
@pytest.mark.timeout(600)
def test_pip_takes_the_wheel_and_the_source_distribution_which_are_the_same_twice(
    checkout: Path, tmp_path: Path
) -> None:
    for name in ("companion", "hardware", "vision", "web"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", checkout)
    commit(checkout)
    out = checkout / "build" / "release"
    sums = []
    for _ in range(2):
        made = release(checkout, "9.9.9", "--only", "python")
        assert made.returncode == 0, made.stderr
        sums.append((out / "SHA256SUMS").read_text("utf-8"))
    assert sums[0] == sums[1]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    for file in ("companion_referee-9.9.9.tar.gz", "companion_referee-9.9.9-py3-none-any.whl"):
        pip = [tmp_path / "venv/bin/python", "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", out / file]
        installed = subprocess.run(pip, capture_output=True, text=True, check=False)
        assert installed.returncode == 0, installed.stderr


def test_the_address_goes_into_every_paper_and_not_into_the_checkout(checkout: Path) -> None:
    assert release(checkout, "9.9.9", "--only", "source", "--home", HOME).returncode == 0
    with tarfile.open(checkout / "build" / "release" / "companion-9.9.9-source.tar.gz") as archive:
        for name in (
            "pyproject.toml",
            "packaging/debian/control",
            "packaging/debian-hub/control",
            "SECURITY.md",
            "docs/start.md",
        ):
            member = archive.extractfile(f"companion-9.9.9/{name}")
            assert member is not None
            assert HOME in member.read().decode(), name
            assert HOME not in (checkout / name).read_text("utf-8")


def test_an_address_that_is_none_is_refused(checkout: Path) -> None:
    for wrong in ("http://example.org", 'https://a"b', "https://a b"):
        assert release(checkout, "9.9.9", "--only", "source", "--home", wrong).returncode != 0


STANDS_IN = """#!/bin/sh
set -eu
file="$2/companion_9.9.9_{kind}$1.{end}"
printf '%s\\n' "$*" >"$file"
printf '%s\\n' "$file"
"""


def test_the_archive_for_a_card_is_made_of_the_package_of_the_same_release(checkout: Path) -> None:
    (checkout / "packaging" / "deb").write_text(STANDS_IN.format(kind="", end="deb"), "utf-8")
    (checkout / "packaging" / "bundle").write_text(STANDS_IN.format(kind="raspberry-pi_", end="zip"), "utf-8")
    commit(checkout)
    made = release(checkout, "9.9.9", "--only", "bundle", "--only", "deb")
    assert made.returncode == 0, made.stderr
    out = checkout / "build" / "release"
    archive = "companion_9.9.9_raspberry-pi_arm64.zip"
    assert (out / archive).read_text("utf-8").split() == ["arm64", str(out), str(out / "companion_9.9.9_arm64.deb")]
    assert archive in (out / "SHA256SUMS").read_text("utf-8")
    assert f"| `{archive}` | a Raspberry Pi, without a terminal" in (out / "NOTES.md").read_text("utf-8")


APT = """#!/bin/sh
case $* in
    *--print-uris*)
        case $* in *tesseract*) more=tesseract-ocr ;; esac
        printf "'http://deb.example/%s_1_arm64.deb' x\\n" apt ${more-}
        ;;
    *download*) for last; do :; done && echo "$last" >"${last}_1_arm64.deb" ;;
esac
"""
"""An archive of two packages, of which Raspberry Pi OS has one."""


@pytest.mark.skipif(
    not shutil.which("zip") or not shutil.which("dpkg-deb"), reason="without zip or dpkg-deb none is made"
)
def test_the_archive_for_a_card_is_the_same_whoever_makes_it(checkout: Path, tmp_path: Path) -> None:
    tools, tree = tmp_path / "tools", tmp_path / "tree"
    tools.mkdir()
    for name, text in (("apt-get", APT), ("dpkg-scanpackages", "#!/bin/sh\nls\n")):
        (tools / name).write_text(text, "utf-8")
        (tools / name).chmod(0o755)
    (tree / "DEBIAN").mkdir(parents=True)
    control = "Package: companion\nVersion: 9.9.9\nArchitecture: arm64\nMaintainer: Nobody <nobody@example.org>\n"
    (tree / "DEBIAN" / "control").write_text(control + "Description: stands in\n", "utf-8")
    package = tmp_path / "companion_9.9.9_arm64.deb"
    subprocess.run(["dpkg-deb", "--build", tree, package], check=True, capture_output=True)
    archives = []
    for name, umask, zone in (("one", 0o022, "UTC"), ("other", 0o077, "Asia/Tokyo")):
        subprocess.run(
            [checkout / "packaging" / "bundle", "arm64", tmp_path / name, package],
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "TZ": zone},
            umask=umask,
            check=True,
            capture_output=True,
        )
        archives.append((tmp_path / name / "companion_9.9.9_raspberry-pi_arm64.zip").read_bytes())
    assert archives[0] == archives[1]
    assert b"companion/packages/tesseract-ocr_1_arm64.deb" in archives[0]
    assert b"companion/packages/apt_1_arm64.deb" not in archives[0]
