"""A zip as it comes back from a Mac: Safari unpacked it, and Finder packed the folder again."""

from __future__ import annotations

import unicodedata
import zipfile
from pathlib import Path


def as_a_mac_packs(file: Path, folder: str = "bk") -> None:
    """Pack a zip anew, with a folder on top, files of the Mac's own, and accents apart from their letters."""
    with zipfile.ZipFile(file) as packed:
        members = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{folder}/", b"")
        packed.writestr(f"{folder}/.DS_Store", b"\0\0\0\1Bud1")
        for name, content in members.items():
            apart = unicodedata.normalize("NFD", name)
            packed.writestr(f"{folder}/{apart}", content)
            above, _, last = f"{folder}/{apart}".rpartition("/")
            packed.writestr(f"__MACOSX/{above}/._{last}", b"\0\5\x16\7Mac OS X")
