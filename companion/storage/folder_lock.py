"""One companion for each data folder: a lock that the system frees however the program ends."""

from __future__ import annotations

import datetime
import fcntl
import json
import os
from pathlib import Path
from types import TracebackType

from companion.errors import LogError

LOCK_FILE = "companion.lock"


class FolderLock:
    """Held while a companion plays in a data folder. Reading needs no lock.

    Args:
        name: The file; a hub has one of its own, for it may share the folder with a table.

    Raises:
        LogError: Another companion has it; says which, and since when. Or the folder cannot be written to.
    """

    def __init__(self, folder: Path, name: str = LOCK_FILE) -> None:
        path = folder / name
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except FileExistsError:
            raise LogError(f"{folder} is no folder: move it away, or choose another with --data") from None
        except OSError as wrong:
            raise LogError(f"{folder} cannot be made ({wrong.strerror}): choose another with --data") from wrong
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as wrong:
            raise LogError(f"{path} cannot be opened ({wrong.strerror}): may this user write there?") from wrong
        self._folder = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if name == LOCK_FILE:
                # The file may be deleted while it is held, and another made; the folder is the same one.
                fcntl.flock(self._folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.pread(self._file, 200, 0))
            self._close()
            raise LogError(
                f"{folder} is in use by another companion ({holder}): stop it, or choose another folder with --data"
            ) from None
        except OSError:  # a file system without locks
            return
        since = datetime.datetime.now().astimezone().isoformat(" ", timespec="seconds")
        try:
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, json.dumps({"process": os.getpid(), "since": since}).encode(), 0)
        except OSError:  # a full disk: the lock works all the same
            pass

    def __enter__(self) -> FolderLock:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, wrong: BaseException | None, where: TracebackType | None
    ) -> None:
        self._close()

    def _close(self) -> None:
        os.close(self._file)
        os.close(self._folder)


def _holder(content: bytes) -> str:
    try:
        holder = json.loads(content)
        return f"process {int(holder['process'])}, since {holder['since']}"
    except (ValueError, KeyError, TypeError):
        return "which one is not known"
