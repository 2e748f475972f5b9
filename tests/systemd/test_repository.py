"""A signed apt repository, made by ``packaging/repository`` and read by a real apt with folders of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support.signed_updates import Maker

ROOT = Path(__file__).parents[2]
PATIENCE_S = 120.0
PROGRAMS = ("gpg", "dpkg-scanpackages", "apt-get", "minisign")
pytestmark = pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason=f"wants {', '.join(PROGRAMS)}")


def run(*command: str | Path, **more: str) -> str:
    ran = subprocess.run(
        [str(word) for word in command],
        env={**os.environ, "LC_ALL": "C", **more},
        capture_output=True, text=True, timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def apt(folder: Path, key: Path, repository: Path) -> list[str]:
    """The options that give apt folders of its own, and this repository alone."""
    for name in ("state/lists/partial", "cache/archives/partial", "etc"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    (folder / "etc" / "list").write_text(f"deb [signed-by={key}] file:{repository} ./\n", "utf-8")
    options = {
        **{"Dir::State": folder / "state", "Dir::Cache": folder / "cache", "Dir::State::status": folder / "status"},
        **{"Dir::Etc::sourcelist": folder / "etc" / "list", "Dir::Etc::sourceparts": "-", "APT::Sandbox::User": "root"},
    }
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]


def test_apt_takes_the_newest_from_a_signed_repository_and_nothing_from_one_that_was_changed(tmp_path: Path) -> None:
    maker = Maker(tmp_path / "maker")
    home = tmp_path / "gpg"
    home.mkdir(mode=0o700)
    gpg = {"GNUPGHOME": str(home)}
    run("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "maker@example.org", "ed25519", "sign", **gpg)
    there = tmp_path / "repository"
    script = ROOT / "packaging" / "repository"
    run(script, there, "maker@example.org", maker.package("1.2.0"), **gpg)
    run(script, there, "maker@example.org", maker.package("1.3.0"), **gpg)
    options = apt(tmp_path / "apt", there / "companion.asc", there)
    run("apt-get", *options, "update")
    offered = run("apt-cache", *options, "policy", "companion")
    assert "Candidate: 1.3.0" in offered
    assert "1.2.0" in offered, "the older one is kept, to go back to"
    with (there / "InRelease").open("r+", encoding="utf-8") as release:
        text = release.read().replace("Label: companion", "Label: stranger")
        release.seek(0)
        release.write(text)
    again = apt(tmp_path / "again", there / "companion.asc", there)
    refused = subprocess.run(
        ["apt-get", *again, "update"], capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert refused.returncode != 0
    assert "Candidate: 1.3.0" not in run("apt-cache", *again, "policy", "companion")
    run("gpgconf", "--kill", "all", **gpg)
