"""Both packages on Ubuntu, by apt's own solver, without its archive: its releases have what is written here."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
VERSION = "1.0"
PACKAGES = {
    "companion": ("packaging/deb", "packaging/debian"),
    "companion-hub": ("packaging/deb-hub", "packaging/debian-hub"),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not shutil.which("apt-get") or not shutil.which("dpkg-deb"), reason="this is no Debian"),
]

# What is installed on a fresh one. The versions that our packages compare are the releases' own.
INSTALLED = {
    "22.04": {"python3": "3.10.6-1~22.04", "init-system-helpers": "1.62", "passwd": "1"},
    "24.04": {"python3": "3.12.3-0ubuntu2", "init-system-helpers": "1.66ubuntu1", "passwd": "1"},
    "26.04": {"python3": "3.14.3-0ubuntu2", "init-system-helpers": "1.69", "passwd": "1"},
}
# What its archive has besides. 24.04 renamed libzbar0, as Debian 13 did.
READER = {"22.04": "libzbar0", "24.04": "libzbar0t64", "26.04": "libzbar0t64"}
RECOMMENDED = ("avahi-daemon", "caddy", "network-manager", "iw", "polkitd", "minisign")


def stanza(name: str, version: str, *lines: str) -> str:
    head = (f"Package: {name}", f"Version: {version}", "Architecture: amd64", "Maintainer: Ubuntu", "Description: one")
    return "\n".join((*head, *lines)) + "\n\n"


def build_package(name: str, folder: Path) -> Path:
    """A package that holds nothing, with the control file of ours."""
    script, control = PACKAGES[name]
    locks = re.search(r"^locks='([\d. ]+)'$", (ROOT / script).read_text(), re.MULTILINE)
    assert locks is not None
    words = subprocess.run(
        ["sh", "-c", f'. systemd/apt.sh; . packaging/wheels.sh; pythons {locks[1]}'],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.strip()  # fmt: skip
    text = (ROOT / control / "control").read_text()
    for mark, value in {"PYTHONS": words, "VERSION": VERSION, "ARCHITECTURE": "amd64", "SIZE": "1"}.items():
        text = text.replace(f"@{mark}@", value)
    tree = folder / name
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text(text)
    file = folder / f"{name}_{VERSION}_amd64.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", tree, file], check=True, capture_output=True)
    return file


def install(release: str, files: list[Path], folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """What apt says that it would do on this release."""
    python = INSTALLED[release]["python3"]
    offered = {"python3-venv": python, READER[release]: "0.23.93", **dict.fromkeys(RECOMMENDED, "1.0")}
    archive = folder / "archive"
    archive.mkdir()
    venv = f"Depends: python3 (= {python})"
    (archive / "Packages").write_text(
        "".join(
            stanza(
                name,
                version,
                f"Filename: {name}.deb",
                "Size: 1",
                f"SHA256: {0:064}",
                *([venv] * (name == "python3-venv")),
            )
            for name, version in offered.items()
        )
    )
    there = "".join(
        stanza(name, version, "Status: install ok installed") for name, version in INSTALLED[release].items()
    )
    (folder / "status").write_text(there)
    for needed in (
        "state/lists/partial",
        "cache/archives/partial",
        "etc/preferences.d",
        "etc/sources.d",
        "etc/trusted.d",
    ):
        (folder / needed).mkdir(parents=True)
    (folder / "etc/sources.list").write_text(f"deb [trusted=yes] file:{archive} ./\n")
    own = folder / "apt.conf"
    own.write_text(
        f'Dir::State "{folder}/state"; Dir::State::status "{folder}/status"; Dir::Cache "{folder}/cache";\n'
        f'Dir::Etc "{folder}/etc"; Dir::Etc::sourcelist "sources.list"; Dir::Etc::sourceparts "sources.d";\n'
        'APT::Architecture "amd64"; APT::Architectures { "amd64"; }; APT::Install-Recommends "true";\n'
        f'APT::Sandbox::User "{"root" if os.geteuid() == 0 else ""}";\n'
    )
    env = {"PATH": os.environ["PATH"], "LC_ALL": "C", "APT_CONFIG": str(own)}
    subprocess.run(["apt-get", "-q", "update"], env=env, check=True, capture_output=True)
    words = ["apt-get", "-q", "-s", "install", *more, *map(str, files)]
    return subprocess.run(words, env=env, check=False, capture_output=True, text=True)


@pytest.mark.parametrize("release", ["24.04", "26.04"])
def test_apt_finds_what_both_packages_want(release: str, tmp_path: Path) -> None:
    """ "Packages for … Ubuntu 24.04 and 26.04 …: show it by the dependency solver with made-up status files." """
    done = install(release, [build_package(name, tmp_path) for name in PACKAGES], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    new = set(re.findall(r"^Inst (\S+)", done.stdout, re.MULTILINE))
    assert new == {*PACKAGES, "python3-venv", READER[release], *RECOMMENDED}
    assert "Remv" not in done.stdout


def test_apt_takes_it_without_what_is_only_recommended(tmp_path: Path) -> None:
    done = install("26.04", [build_package("companion", tmp_path)], tmp_path, "--no-install-recommends")
    assert done.returncode == 0, done.stdout + done.stderr
    new = set(re.findall(r"^Inst (\S+)", done.stdout, re.MULTILINE))
    assert new == {"companion", "python3-venv", "libzbar0t64"}


def test_apt_says_which_python_is_too_old(tmp_path: Path) -> None:
    """Ubuntu 22.04 has Python 3.10."""
    done = install("22.04", [build_package("companion", tmp_path)], tmp_path)
    assert done.returncode != 0
    assert "Depends: python3 (>= 3.11)" in done.stdout + done.stderr
