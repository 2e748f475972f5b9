"""Whoever makes and signs packages, with real keys, and a box that is sent them."""

from __future__ import annotations

import io
import subprocess
import threading
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.box.root_helper import READY
from companion.box.update import HostUpdate
from companion.box.update_file import INBOX, PACKAGE, SIGNATURE
from companion.public.service import Done, Role, User

ROOT = Path(__file__).parents[2]
HELPER = ROOT / "systemd" / "update"
HOST = User(Role.HOST)
PATIENCE_S = 60.0


DPKG = """#!/bin/sh
case $* in
    *' -i '*)
        for package; do :; done
        cp "$package" "${0%/*}/installed"
        stat -c %i "$package" >"${0%/*}/inode"
        ;;
    *) exec /usr/bin/dpkg "$@" ;;
esac
"""
"""Installs nothing, and keeps what it was given."""


@dataclass
class Maker:
    """Whoever makes packages and signs them with a key of his own."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        self.public, self.secret = self.folder / "update.pub", self.folder / "update.key"
        # -W: a secret key without a password
        made = ("minisign", "-G", "-W", "-p", str(self.public), "-s", str(self.secret))
        subprocess.run(made, check=True, capture_output=True, timeout=PATIENCE_S)

    def package(self, version: str, name: str = "companion", kind: str = "") -> Path:
        tree = self.folder / f"{name}-{version}-{kind}"
        (tree / "DEBIAN").mkdir(parents=True)
        (tree / "content").write_text(f"{name} {version}\n" * 200, "utf-8")
        kind = kind or run("dpkg", "--print-architecture")
        lines = {"Package": name, "Version": version, "Architecture": kind, "Maintainer": "x <x@x>", "Description": "x"}
        (tree / "DEBIAN" / "control").write_text("".join(f"{key}: {value}\n" for key, value in lines.items()), "utf-8")
        package = self.folder / f"{name}_{version}_{kind}.deb"
        for one in (tree, *tree.rglob("*")):  # whatever this process keeps to itself, a package may be read by all
            one.chmod(0o755 if one.is_dir() else 0o644)
        run("dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(package))
        return package

    def update(self, version: str, **more: str) -> Path:
        """As a release maintainer makes one."""
        package = self.package(version, **more)
        run(str(ROOT / "packaging" / "sign"), str(package), str(self.secret))
        return package.with_suffix(".update")


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE_S).stdout.strip()


class Box:
    """A box on which version 1.2.0 runs, with the maker's key; what the helper says there, and what the page does."""

    def __init__(self, folder: Path, key: Path) -> None:
        self.data, self.own, self.run, self.bin = (folder / name for name in ("data", "own", "run", "bin"))
        for one in (self.data, self.own, self.run, self.bin):
            one.mkdir()
        (self.bin / "dpkg").write_text(DPKG, "utf-8")
        (self.bin / "dpkg").chmod(0o755)
        self.key, self.current = key, folder / "current"
        self.current.symlink_to("versions/1.2.0-20261101120000")
        self.page = HostUpdate(self.data, key=key, current=self.current, status_file=self.run / "status")

    def send(self, file: bytes, piece: int = 50_000) -> Any:
        begun = self.page.begin(HOST, "new.update", len(file))
        assert isinstance(begun, Done), begun
        for at in range(0, len(file), piece):
            assert isinstance(self.page.add(HOST, at, file[at : at + piece]), Done)
        for thread in threading.enumerate():
            if thread.name == "check-upload":
                thread.join(PATIENCE_S)
        return self.state()

    def state(self) -> Any:
        result = self.page.state(HOST)
        assert isinstance(result, Done)
        return result.value

    def helper(self, reader: str = "root") -> str:
        """What it says at the end."""
        return self._runs(HELPER, reader)

    def install(self) -> str:
        """What the second unit says at the end; dpkg's part is played, and told in ``bin``."""
        return self._runs(HELPER.with_name("update-install"))

    def said(self) -> str:
        """The last word."""
        return (self.run / "status").read_text("utf-8").strip()

    def _runs(self, helper: Path, reader: str = "root") -> str:
        subprocess.run(
            [helper],
            env={
                **{"PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin", "STATE_DIRECTORY": str(self.own)},
                **{"RUNTIME_DIRECTORY": str(self.run), "COMPANION_UPDATE_INBOX": str(self.data / INBOX)},
                **{"COMPANION_UPDATE_KEY": str(self.key), "COMPANION_UPDATE_READER": reader},
                "COMPANION_UPDATE_CURRENT": str(self.current),
            },
            check=False,
            capture_output=True,
            timeout=PATIENCE_S,
            umask=0o077,
        )
        return self.said()

    def plant(self, package: bytes, signature: bytes) -> None:
        """As a companion that somebody has taken over might."""
        inbox = self.data / INBOX
        inbox.mkdir()
        (inbox / PACKAGE).write_bytes(package)
        (inbox / SIGNATURE).write_bytes(signature)
        (inbox / READY).touch()


def parts(update: bytes) -> tuple[bytes, bytes]:
    with zipfile.ZipFile(io.BytesIO(update)) as whole:
        return whole.read(PACKAGE), whole.read(SIGNATURE)


def packed(package: bytes, signature: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as whole:
        whole.writestr(SIGNATURE, signature)
        whole.writestr(PACKAGE, package)
    return out.getvalue()
