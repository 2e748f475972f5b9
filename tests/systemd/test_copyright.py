"""What is passed on has its licences with it: packages, the folder for a card, the container."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LICENCES = ROOT / "packaging/licences"


def written(*places: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, ROOT / "packaging/copyright.py", "companion 9.9.9", *places]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def wheel(folder: Path, *, licence: bool = True, compiled: tuple[str, ...] = ()) -> Path:
    made = folder / "toy-1.0-py3-none-any.whl"
    files = {"toy-1.0.dist-info/METADATA": "Metadata-Version: 2.4\nName: toy\nVersion: 1.0\nLicense-Expression: MIT\n"}
    if licence:
        files["toy-1.0.dist-info/licenses/LICENSE"] = "Whoever toys with it may.\r\n"
    files |= {f"toy.libs/{name}": "" for name in compiled}
    files["toy-1.0.dist-info/RECORD"] = "".join(f"{name},,\n" for name in files)
    with zipfile.ZipFile(made, "w") as whole:
        for name, text in files.items():
            whole.writestr(name, text)
    return made


@pytest.fixture(scope="module")
def whole() -> str:
    """What is said of the libraries that a package carries, as they are installed here."""
    spec = importlib.util.spec_from_file_location("copyright", ROOT / "packaging/copyright.py")
    assert spec
    assert spec.loader
    papers = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = papers  # dataclasses look themselves up there
    spec.loader.exec_module(papers)
    number = f"{sys.version_info.major}.{sys.version_info.minor}"
    named = {
        name
        for lock in (f"{number}.txt", f"hub-{number}.txt")
        for name in re.findall(r"(?m)^([a-z0-9._-]+)==", (ROOT / "packaging/locks" / lock).read_text("utf-8"))
    }
    assert len(named) > 25
    text: str = papers.whole("companion 9.9.9", [distribution(name) for name in sorted(named)])
    return text


def test_every_library_that_a_package_carries_has_its_papers(whole: str) -> None:
    assert re.search(r"\n[Ff]lask 3", whole)
    assert "\npsycopg-binary 3" in whole
    assert "PostgreSQL's client (libpq)" in whole
    assert "ZOPE PUBLIC LICENSE" in whole.upper()


def test_ffmpeg_is_passed_on_under_the_gpl_with_its_text_and_the_way_to_its_source(whole: str) -> None:
    named = r"\nav [\d.]+ holds FFmpeg with x264 and x265\..*?General Public License, version 3"
    assert re.search(named, whole, re.DOTALL)
    assert "https://ffmpeg.org/releases" in whole
    assert (LICENCES / "GPL-3.txt").read_text("utf-8").strip() in whole


def test_a_library_without_a_licence_is_not_passed_on(tmp_path: Path) -> None:
    said = written(wheel(tmp_path, licence=False))
    assert (said.returncode, said.stdout) == (2, "")
    assert "toy 1.0 brings no licence" in said.stderr


def test_a_compiled_part_that_nobody_knows_is_not_passed_on(tmp_path: Path) -> None:
    said = written(wheel(tmp_path, compiled=("libx264-0a1b2c3d.so.165", "libsecret-0a1b2c3d.so.1.2.3")))
    assert (said.returncode, said.stdout) == (2, "")
    assert "libsecret in toy 1.0 is unknown" in said.stderr
    assert "libx264" not in said.stderr


def test_what_a_wheel_says_itself_is_not_said_again(tmp_path: Path) -> None:
    said = written(tmp_path / wheel(tmp_path).name).stdout
    assert "Whoever toys with it may.\n" in said
    assert "GNU" not in said


def test_every_text_is_used_and_there() -> None:
    known = tomllib.loads((LICENCES / "parts.toml").read_text("utf-8"))["part"]
    used = {text for part in known for text in part.get("texts", ())}
    assert used == {path.stem for path in LICENCES.glob("*.txt")}
