"""The script that makes a release: what it refuses, and that the same commit gives the same files."""

from __future__ import annotations

import base64
import hashlib
import io
import os
import pty
import re
import shutil
import struct
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("packaging", "systemd/apt.sh", "pyproject.toml", "LICENSE", "SECURITY.md", "docs/start.md", ".gitignore")
HOME = "https://cards.example/companion"
needs_tools = pytest.mark.skipif(
    not all(map(shutil.which, ("minisign", "dpkg-deb"))), reason="minisign or dpkg is not here"
)
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


def release(
    there: Path, *words: str, stdin: Any = subprocess.DEVNULL, **environ: str
) -> subprocess.CompletedProcess[str]:
    """Unsigned, where a test does not speak of keys."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("COMPANION_RELEASE_")}
    signed = () if {"--key", "--unsigned"} & set(words) or environ else ("--unsigned",)
    command = ["sh", there / "packaging" / "release", *words, *signed]
    return subprocess.run(
        command, cwd=there, env={**clean, **environ}, stdin=stdin, capture_output=True, text=True, check=False
    )


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


def test_the_same_commit_gives_the_same_files_with_notes_and_sums(checkout: Path) -> None:
    out = checkout / "build" / "release"
    sums = []
    for _ in range(2):
        made = release(checkout, "9.9.9", "--only", "source", "--home", HOME)
        assert made.returncode == 0, made.stderr
        sums.append((out / "SHA256SUMS").read_text("utf-8"))
    assert sums[0] == sums[1]
    notes, files = (out / "NOTES.md").read_text("utf-8").split("## Which file\n")
    assert notes.strip() == f"# companion 9.9.9\n\nThe home of this project: <{HOME}>\n\n- Everything."
    assert "| `companion-9.9.9-source.tar.gz` | all of the project" in files
    assert git(checkout, "status", "--porcelain") == ""


@pytest.mark.long
@pytest.mark.timeout(600)
def test_pip_takes_the_wheel_and_the_source_distribution_which_are_the_same_twice(
    checkout: Path, tmp_path: Path
) -> None:
    for name in ("companion", "hardware", "vision", "web"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
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
            text = member.read().decode()
            assert HOME in text, name
            assert "No release is known" not in text, name
            assert HOME not in (checkout / name).read_text("utf-8")


def test_an_address_that_is_none_is_refused(checkout: Path) -> None:
    for wrong in ("http://example.org", 'https://a"b', "https://a b"):
        assert release(checkout, "9.9.9", "--only", "source", "--home", wrong).returncode != 0


PYTHON = """#!/bin/sh
case $* in
    '-m venv '*) mkdir -p "$3/bin" && cp "$0" "$3/bin/python" ;;
    *'-m build '*)
        while [ "$1" != --outdir ]; do shift; done
        mkdir -p "$2/companion_referee-9.9.9"
        echo wheel >"$2/companion_referee-9.9.9-py3-none-any.whl"
        tar -czf "$2/companion_referee-9.9.9.tar.gz" -C "$2" companion_referee-9.9.9
        ;;
esac
"""
"""Builds in no time."""

PACKAGE = """#!/bin/sh
set -eu
tree=$(mktemp -d)
mkdir "$tree/DEBIAN"
printf '%s\\n' 'Package: companion{hub}' 'Version: 9.9.9' "Architecture: $1" 'Maintainer: N <n@example.org>' \\
    'Description: x' >"$tree/DEBIAN/control"
dpkg-deb --root-owner-group --build "$tree" "$2/companion{hub}_9.9.9_$1.deb" >/dev/null
"""

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
    kind, _, package = (out / archive).read_text("utf-8").split()
    assert (kind, package) == ("arm64", str(out / "companion_9.9.9_arm64.deb"))
    assert archive in (out / "SHA256SUMS").read_text("utf-8")
    assert f"| `{archive}` | a Raspberry Pi, without a terminal" in (out / "NOTES.md").read_text("utf-8")


@pytest.fixture
def quick(checkout: Path, tmp_path: Path) -> Path:
    """A checkout each of whose parts is made in no time."""
    packaging = checkout / "packaging"
    (packaging / "deb").write_text(PACKAGE.format(hub=""), "utf-8")
    (packaging / "deb-hub").write_text(PACKAGE.format(hub="-hub"), "utf-8")
    (packaging / "bundle").write_text(STANDS_IN.format(kind="raspberry-pi_", end="zip"), "utf-8")
    (tmp_path / "python").write_text(PYTHON, "utf-8")
    (tmp_path / "python").chmod(0o755)
    commit(checkout)
    return checkout


@needs_tools
def test_parts_add_up_and_the_tag_comes_with_the_last(quick: Path, tmp_path: Path) -> None:
    python = {"COMPANION_PYTHON": str(tmp_path / "python")}
    out = quick / "build" / "release"
    made: list[str] = []
    for part in ("source", "deb", "python", "hub", "bundle"):
        assert not git(quick, "tag"), f"tagged before {part} was made"
        done = release(quick, "9.9.9", "--unsigned", "--only", part, **python)
        assert done.returncode == 0, done.stderr
        made.append(part)
        sums, notes = ((out / name).read_text("utf-8") for name in ("SHA256SUMS", "NOTES.md"))
        for name, file in FILES.items():
            assert (file in sums, f"`{file}`" in notes) == (name in made, name in made), (part, name)
    assert git(quick, "rev-parse", "v9.9.9") == git(quick, "rev-parse", "HEAD")


FILES = {
    "source": "companion-9.9.9-source.tar.gz",
    "python": "companion_referee-9.9.9.tar.gz",
    "deb": "companion_9.9.9_arm64.deb",
    "hub": "companion-hub_9.9.9_amd64.deb",
    "bundle": "companion_9.9.9_raspberry-pi_arm64.zip",
}


@needs_tools
def test_what_was_made_of_another_commit_is_no_part_of_the_release(quick: Path) -> None:
    assert release(quick, "9.9.9", "--only", "deb").returncode == 0
    spoil(quick, "SECURITY.md", "# Security", "# Safety")
    assert release(quick, "9.9.9", "--only", "source").returncode == 0
    names = {path.name for path in (quick / "build" / "release").iterdir()}
    assert names == {FILES["source"], "NOTES.md", "SHA256SUMS"}


def test_a_folder_without_git_is_not_taken_for_clean(checkout: Path, tmp_path: Path) -> None:
    """An unpacked archive, also one that lies in somebody's checkout of something else."""
    shutil.rmtree(checkout / ".git")
    assert "no checkout of git" in release(checkout, "9.9.9", "--only", "source").stderr
    git(tmp_path, "init", "-q")
    assert "no checkout of git" in release(checkout, "9.9.9", "--only", "source").stderr
    assert not (checkout / "build" / "release").exists()


def test_the_notes_stand_alone(checkout: Path) -> None:
    """They are read where the release is, and no file of the project lies beside them."""
    news = "# Changelog\n\n## [9.9.9]\n\n- More ([what](docs/a.md#b), [who](https://a.example), ![how](docs/a.png)).\n"
    (checkout / "CHANGELOG.md").write_text(news, "utf-8")
    commit(checkout)
    notes = checkout / "build" / "release" / "NOTES.md"
    assert release(checkout, "9.9.9", "--only", "source", "--home", HOME).returncode == 0
    assert "- More (what, [who](https://a.example), how)." in notes.read_text("utf-8")
    assert "sha256sum --check" in notes.read_text("utf-8")
    assert "not signed" in notes.read_text("utf-8")
    assert "FFmpeg with x264 and x265 among them is under the GNU General Public License, version 3" in notes.read_text(
        "utf-8"
    )
    github = "https://github.com/some/body"
    assert release(checkout, "9.9.9", "--only", "source", "--home", github).returncode == 0
    assert f"- More ([what]({github}/blob/v9.9.9/docs/a.md#b), [who]" in notes.read_text("utf-8")


@needs_tools
def test_the_notes_say_for_which_python_wheel_and_sources_are(quick: Path, tmp_path: Path) -> None:
    done = release(quick, "9.9.9", "--unsigned", "--only", "python", COMPANION_PYTHON=str(tmp_path / "python"))
    assert done.returncode == 0, done.stderr
    rows = [
        row
        for row in (quick / "build/release/NOTES.md").read_text("utf-8").splitlines()
        if "Python 3.11 to 3.14" in row
    ]
    assert len(rows) == 2


# -- keys -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Keys:
    """A secret key with a password, whose other half is in the checkout."""

    secret: Path
    password: str = "horse"  # pragma: allowlist secret

    def make(self, public: Path) -> None:
        """As ``minisign -G`` makes them, but for the second of scrypt that each use of its password costs."""
        command = ["minisign", "-G", "-W", "-p", public, "-s", self.secret]
        subprocess.run(command, check=True, capture_output=True)
        comment, key = self.secret.read_text("utf-8").splitlines()
        kind, halves = base64.b64decode(key)[:2], base64.b64decode(key)[54:126]
        secret = halves + hashlib.blake2b(kind + halves, digest_size=32).digest()
        salt = bytes(range(32))
        mask = hashlib.scrypt(self.password.encode(), salt=salt, n=1024, r=8, p=1, dklen=len(secret))
        locked = bytes(one ^ other for one, other in zip(secret, mask, strict=True))
        limits = struct.pack("<QQ", 32768, 16 << 20)  # for libsodium's scrypt, as they stand in the file
        self.secret.write_text(f"{comment}\n{base64.b64encode(kind + b'ScB2' + salt + limits + locked).decode()}\n")


@pytest.fixture
def keys(quick: Path, tmp_path: Path) -> Keys:
    keys = Keys(tmp_path / "companion.key")
    keys.make(quick / "packaging" / "update.pub")
    commit(quick)
    return keys


def refused(there: Path, *words: str, **environ: str) -> str:
    """Why nothing was made."""
    done = release(there, "9.9.9", "--only", "deb", *words, **environ)
    assert done.returncode != 0
    assert not (there / "build" / "release").exists(), "something was made before it was asked for"
    assert not git(there, "tag")
    return done.stderr


@needs_tools
def test_whoever_forgets_the_key_is_asked_for_it_before_anything_is_made(quick: Path, tmp_path: Path) -> None:
    assert "--key FILE, or --unsigned" in refused(quick, COMPANION_RELEASE_KEY="")
    assert "There is no key" in refused(quick, "--key", "nowhere.key")
    (tmp_path / "some.key").touch()
    assert "update.pub is not committed" in refused(quick, "--key", str(tmp_path / "some.key"))


@needs_tools
def test_a_key_that_does_not_open_or_that_no_box_knows_is_found_out_before_anything_is_made(
    quick: Path, keys: Keys, tmp_path: Path
) -> None:
    key = ("--key", str(keys.secret))
    assert "asked for at a terminal" in refused(quick, *key)
    assert "does not open" in refused(quick, *key, COMPANION_RELEASE_PASSWORD="house")  # pragma: allowlist secret
    other = Keys(tmp_path / "other.key")
    other.make(tmp_path / "other.pub")
    said = refused(quick, "--key", str(other.secret), COMPANION_RELEASE_PASSWORD=keys.password)
    assert "not the secret half of packaging/update.pub" in said


@needs_tools
def test_the_password_is_asked_for_once_at_the_terminal_and_what_is_made_is_signed(quick: Path, keys: Keys) -> None:
    ours, theirs = pty.openpty()
    os.write(ours, f"{keys.password}\n".encode())
    done = release(quick, "9.9.9", "--only", "deb", "--only", "source", "--key", str(keys.secret), stdin=theirs)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Password of ") == 1
    assert keys.password not in done.stderr + done.stdout
    out = quick / "build" / "release"
    for name in ("SHA256SUMS", "companion_9.9.9_amd64.deb", "companion_9.9.9_arm64.deb"):
        verify = ["minisign", "-Vq", "-p", quick / "packaging/update.pub", "-m", out / name]
        subprocess.run(verify, check=True, capture_output=True)
    public = (quick / "packaging/update.pub").read_text("utf-8").split()[-1]
    notes = (out / "NOTES.md").read_text("utf-8")
    assert f"minisign -Vm SHA256SUMS -P {public}" in notes
    assert "`companion_9.9.9_arm64.update`" in notes
    assert "companion_9.9.9_arm64.update" in (out / "SHA256SUMS").read_text("utf-8")


APT = """#!/bin/sh
case $* in
    *--print-uris*)
        case $* in *tesseract*) more=tesseract-ocr ;; esac
        printf "'http://deb.example/%s_1_arm64.deb' x\\n" apt ${more-}
        ;;
    *download*) for last; do :; done && cp "${0%/*}/package.deb" "${last}_1_arm64.deb" ;;
esac
"""
"""An archive of two packages, of which Raspberry Pi OS has one."""


@needs_tools
def test_the_archive_for_a_card_is_the_same_whoever_makes_it(checkout: Path, tmp_path: Path) -> None:
    tools, tree = tmp_path / "tools", tmp_path / "tree"
    tools.mkdir()
    (tools / "apt-get").write_text(APT, "utf-8")
    (tools / "apt-get").chmod(0o755)
    (tree / "DEBIAN").mkdir(parents=True)
    papers = tree / "usr/share/doc/companion"
    papers.mkdir(parents=True)
    (papers / "copyright").write_text("Everybody may.\n", "utf-8")
    control = "Package: companion\nVersion: 9.9.9\nArchitecture: arm64\nMaintainer: Nobody <nobody@example.org>\n"
    (tree / "DEBIAN" / "control").write_text(control + "Description: stands in\n", "utf-8")
    package = tmp_path / "companion_9.9.9_arm64.deb"
    subprocess.run(["dpkg-deb", "--build", tree, package], check=True, capture_output=True)
    shutil.copy(package, tools / "package.deb")
    archives = []
    for name, umask, zone in (("one", 0o022, "UTC"), ("other", 0o077, "Asia/Tokyo")):
        subprocess.run(
            ["sh", checkout / "packaging" / "bundle", "arm64", tmp_path / name, package],
            env={**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "TZ": zone},
            umask=umask,
            check=True,
            capture_output=True,
        )
        archives.append((tmp_path / name / "companion_9.9.9_raspberry-pi_arm64.zip").read_bytes())
    assert archives[0] == archives[1]
    with zipfile.ZipFile(io.BytesIO(archives[0])) as archive:
        names = set(archive.namelist())
        index = archive.read("companion/packages/Packages").decode()
        packed = archive.read("companion/packages/tesseract-ocr_1_arm64.deb")
        licences = archive.read("companion/licences.txt").decode()
    assert {"vendor-data", "companion/first-start", "companion/companion_9.9.9_arm64.deb"} <= names
    assert "companion/packages/apt_1_arm64.deb" not in names
    assert licences == "Everybody may.\n"
    assert "Version: 9.9.9\n" in index
    assert f"SHA256: {hashlib.sha256(packed).hexdigest()}\n" in index


PACK = """
set -eu
. systemd/apt.sh
work=$1
. packaging/wheels.sh
pack "$1/tree" amd64 9.9.9 'python3 (>= 3.11)' packaging/debian/control "$1/made.deb"
"""


@needs_tools
def test_a_package_is_the_same_however_the_disk_laid_its_files_out(checkout: Path, tmp_path: Path) -> None:
    """A full or busy disk lays a file out in more pieces, and the size that a package names counted them."""
    (checkout / "packaging/copyright.py").write_text("print('Everybody may.')", "utf-8")
    commit(checkout)
    for name in ("one", "other"):
        wheels = tmp_path / name / "tree/usr/lib/companion/wheels"
        wheels.mkdir(parents=True)
        (tmp_path / name / "tree/DEBIAN").mkdir()
        with (wheels / "large.whl").open("wb") as file:
            if name == "one":
                file.truncate(3_000_000)  # of which the disk holds nothing
            else:
                file.write(bytes(3_000_000))
        done = subprocess.run(
            ["sh", "-c", PACK, "sh", tmp_path / name],
            cwd=checkout,
            env={**os.environ, "COMPANION_PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    one, other = ((tmp_path / name / "made.deb").read_bytes() for name in ("one", "other"))
    assert one == other
    size = subprocess.run(
        ["dpkg-deb", "-f", tmp_path / "one/made.deb", "Installed-Size"], capture_output=True, check=True
    )
    assert 2930 < int(size.stdout) < 2960, "in kB, with the papers"
