"""The zip of a recording: unpacked within limits, and nothing of it anywhere else."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from companion.cli.main import main
from companion.errors import InputError
from companion.service.recording import BEFORE_FILE, SIDE_FILES
from companion.storage import recording_zip
from companion.storage.recording_zip import is_recording, unpack_recording

GOOD = {"film/frames.csv": b"times", "film/before.jsonl": b"{}", "film/00012.png": b"picture"}


def packed(path: Path, files: Mapping[str, bytes], kind: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def unpack(path: Path, tmp_path: Path) -> dict[str, bytes]:
    room = tmp_path / "room" / "in"
    room.mkdir(parents=True)
    folder = unpack_recording(path, room, SIDE_FILES)
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_pictures_times_and_what_belongs_to_them_are_unpacked_and_nothing_else(tmp_path: Path) -> None:
    strange = {"film/run.sh": b"#", "__MACOSX/film/00012.png": b"x", "film/deep/00013.png": b"x", "00014.png": b"x"}
    path = packed(tmp_path / "a.zip", GOOD | strange)
    assert is_recording(path, BEFORE_FILE)
    assert unpack(path, tmp_path) == {"frames.csv": b"times", "before.jsonl": b"{}", "00012.png": b"picture"}


@pytest.mark.parametrize(
    "name", ["../00012.png", "/tmp/00012.png", "film/../../00012.png", "film\\..\\00012.png", "C:/film/00012.png"]
)
def test_no_name_leads_out_of_the_folder(name: str, tmp_path: Path) -> None:
    path = packed(tmp_path / "a.zip", {"film/frames.csv": b"", "film/before.jsonl": b"", name: b"out"})
    unpack(path, tmp_path)
    files = {str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()}
    assert files == {"a.zip", "room/in/frames.csv", "room/in/before.jsonl"}


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_what_is_too_much_or_no_recording_is_refused_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(files: Mapping[str, bytes], match: str, kind: int = zipfile.ZIP_STORED) -> None:
        path = packed(tmp_path / f"{match[:5]}.zip", files, kind)
        with pytest.raises(InputError, match=match):
            unpack(path, tmp_path / f"{len(match)}-{match[:9]}")

    refused({"film/a.png": b""}, "no recording of the companion's: it has 0 files frames.csv")
    refused({**GOOD, "other/frames.csv": b""}, "2 files frames.csv")
    bomb = {**GOOD, "film/said.jsonl": b"\0" * 9_000_000}
    refused(bomb, "said.jsonl in it is too large", zipfile.ZIP_DEFLATED)
    refused(GOOD, "is packed in a way", zipfile.ZIP_LZMA)
    twice = tmp_path / "twice.zip"
    with zipfile.ZipFile(twice, "w") as archive:
        for name in ("film/frames.csv", "film/1.png", "film/1.png"):
            archive.writestr(name, b"x")
    with pytest.raises(InputError, match=r"holds 1.png twice"):
        unpack(twice, tmp_path / "two")
    monkeypatch.setattr(recording_zip, "MOST_FILES", 2)
    refused(GOOD, "holds 3 files; a recording has at most 2")
    monkeypatch.setattr(recording_zip, "MOST_FILES", 10)
    monkeypatch.setattr(recording_zip, "MOST_BYTES", 5)
    refused(GOOD, "holds more than 0 GB")
    monkeypatch.setattr(recording_zip, "MOST_BYTES", 10**9)
    monkeypatch.setattr(recording_zip, "SPARE_BYTES", 1 << 60)
    refused(GOOD, "make room there")
    monkeypatch.setattr(recording_zip, "MOST_LIST_BYTES", 20)
    refused(GOOD, "lists too many files")


def test_a_list_of_contents_that_lies_about_a_size_is_not_believed(tmp_path: Path) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**GOOD, "film/00012.png": b"\0" * 100_000}.items():
            archive.writestr(name, content)
    raw = bytearray(made.getvalue())
    at = raw.rfind(b"PK\1\2")  # the last file in the list is the picture
    raw[at + 24 : at + 28] = struct.pack("<L", 7)
    path = tmp_path / "a.zip"
    path.write_bytes(raw)
    with pytest.raises(InputError):
        unpack(path, tmp_path)
    assert all(file.stat().st_size <= 7 for file in tmp_path.rglob("00012.png"))


def test_torn_and_foreign_files_are_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = packed(tmp_path / "whole.zip", GOOD).read_bytes()
    for number, content in enumerate((b"", b"no zip", whole[:-30], whole[:40])):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(content)
        assert not is_recording(path, BEFORE_FILE)
        assert main(["referee", str(path), "--record", str(tmp_path / "out.jsonl")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["referee", str(tmp_path / "whole.zip")]) == 2
    assert "name --record out.jsonl" in capsys.readouterr().err
    assert not (tmp_path / "out.jsonl").exists()
