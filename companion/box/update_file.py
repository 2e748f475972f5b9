"""An update from the host: a signed package, checked here, and again by a helper with root rights.

The helper (``systemd/update``) trusts nothing that is found here: it reads the package and its signature again. The
check here only lets the host know at once.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path

from companion.box.root_helper import empty_inbox, serves, wake
from companion.errors import InputError, fault
from companion.storage.zip_file import PACKINGS, list_bytes

HELPER = Path("/usr/lib/companion/systemd/update")
KEY = Path("/usr/share/companion/update.pub")
STATUS = Path("/run/companion-update/status")
CURRENT = Path("/opt/companion/current")
INBOX = "update"
"""In the data folder: where the helper looks."""

PACKAGE, SIGNATURE = "package.deb", "package.deb.minisig"
MOST_BYTES = {PACKAGE: 500_000_000, SIGNATURE: 10_000}
"""As in the helper."""
MOST_LIST_BYTES = 1000
"""For the zip's directory: two files."""
PATIENCE_S = 120.0

FAULTS = {
    "none": "{name}: this is no update of the companion's, or one that was cut off or damaged",
    "no-key": "this companion came without a key for updates, so it takes none: install the package by hand",
    "no-minisign": "the program minisign is missing here: sudo apt-get install minisign",
    "signature": "{name}: it is not signed by the makers of this companion, or it was changed since; "
    "take the update from where this companion came from",
    "foreign": "{name}: it holds another program: choose an update of the companion",
    "architecture": "{name}: it is made for another kind of computer: choose the update for this one",
    "older": "{name}: it is not newer than the version that runs here ({now}): nothing needs to be installed",
    "large": "{name}: it is larger than any update: choose an update of the companion",
    "unread": "{name}: it could not be read: choose the file once more",
}
"""What is wrong with an update, by the helper's status word."""


def can_update(data: Path) -> bool:
    """Whether the table with this data folder can update. The update is installed for all tables."""
    return serves(HELPER, data)


def refused(word: str, name: str = "", now: str = "") -> InputError:
    """What is wrong with an update, for people."""
    key = f"update.fault.{word.replace('-', '_')}" if word in FAULTS else "update.fault.none"
    return InputError(fault(key, FAULTS.get(word, FAULTS["none"]), name=name, now=now))


def running_version(current: Path = CURRENT) -> str:
    """The running version of the package; ``0`` if none is installed."""
    try:
        return re.sub(r"-[0-9]{14}$", "", current.readlink().name)
    except OSError:
        return "0"


def unpack_update(path: Path, name: str, folder: Path, key: Path = KEY, current: Path = CURRENT) -> str:
    """Take a package and its signature out of an update, and check that it may be installed; returns its version.

    Args:
        path: The file, as ``packaging/sign`` makes it.
        name: The name to use in messages.
        folder: Gets both files; it is empty.

    Raises:
        InputError: It may not, in one sentence.
        OSError: It could not be written.
    """
    if not key.is_file():
        raise refused("no-key")
    if shutil.which("minisign") is None or shutil.which("dpkg-deb") is None:
        raise refused("no-minisign")
    try:
        with path.open("rb") as file:
            if list_bytes(file) > MOST_LIST_BYTES:
                raise refused("none", name)
        with zipfile.ZipFile(path) as archive:
            if sorted(archive.namelist()) != [PACKAGE, SIGNATURE]:
                raise refused("none", name)
            for member, most in MOST_BYTES.items():
                if archive.getinfo(member).file_size > most:
                    raise refused("large", name)
                if archive.getinfo(member).compress_type not in PACKINGS:
                    raise refused("none", name)
                with archive.open(member) as packed, (folder / member).open("xb") as plain:
                    shutil.copyfileobj(packed, plain)
    except (zipfile.BadZipFile, ValueError, RuntimeError, NotImplementedError) as wrong:
        if isinstance(wrong, InputError):
            raise
        raise refused("none", name) from wrong
    package = folder / PACKAGE
    if not _runs("minisign", "-V", "-q", "-m", str(package), "-x", str(folder / SIGNATURE), "-p", str(key)):
        raise refused("signature", name)
    if _field(package, "Package") != "companion":
        raise refused("foreign", name)
    if _field(package, "Architecture") != _output("dpkg", "--print-architecture"):
        raise refused("architecture", name)
    version, now = _field(package, "Version"), running_version(current)
    if not _runs("dpkg", "--compare-versions", version, "gt", now):
        raise refused("older", name, now)
    return version


def hand_over(folder: Path, data: Path) -> None:
    """Put the unpacked files where the helper looks, and wake the helper.

    Raises:
        OSError: It could not be written.
    """
    inbox = data / INBOX
    empty_inbox(inbox)
    for member in (PACKAGE, SIGNATURE):
        (folder / member).rename(inbox / member)
    wake(inbox)


def forget(data: Path) -> None:
    shutil.rmtree(data / INBOX, ignore_errors=True)


def _runs(*command: str) -> bool:
    try:
        return subprocess.run(command, capture_output=True, timeout=PATIENCE_S, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _output(*command: str) -> str:
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return ran.stdout.strip()


def _field(package: Path, name: str) -> str:
    return _output("dpkg-deb", "-f", str(package), name)
