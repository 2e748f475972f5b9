"""A large file that the host sends from a page: it arrives in pieces, is checked as a whole, described, and used."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Generic, TypeVar

from companion.errors import CompanionError, InputError, LogError
from companion.public.results import TakenUpload, UploadProgress
from companion.public.service import Denied, Done, Invalid, Refusal, Result, Role, Stale, Unavailable, User
from companion.public.text import Text, fault_text
from companion.storage.whole_backup import SPARE_BYTES

log = logging.getLogger(__name__)

IDLE_S = 3600.0
"""An upload without activity is deleted after this time: it may hold codes, and takes space."""


@dataclass(slots=True)
class Upload:
    """A file being sent: in order, each piece once, and never more than announced.

    Attributes:
        folder: Its own folder, deleted with it.
        name: The browser's name for it.
        size: The number of bytes announced.
        active_s: The time of the last activity, in monotonic seconds.
        state: ``coming``, ``checking``, ``ready``, ``refused`` or ``taken``.
        received: The number of bytes so far.
        why: Why it was refused.
    """

    folder: Path
    name: str
    size: int
    active_s: float
    state: str = "coming"
    received: int = 0
    why: Text | str | None = None

    @property
    def file(self) -> Path:
        """The part received so far."""
        return self.folder / "upload.zip"

    @property
    def is_busy(self) -> bool:
        """Whether it is being checked or used, so that no other upload can begin."""
        return self.state in ("checking", "taken")

    def add(self, at: int, piece: bytes, now_s: float) -> Refusal | None:
        """Add the piece that begins at byte ``at``; after the last one the state is ``checking``.

        Returns:
            Why it was not added; ``None`` = it was, or it had been added before.
        """
        if self.state != "coming" or at != self.received:
            return None if at + len(piece) <= self.received else Stale(Text("upload.gap"))
        if not piece or at + len(piece) > self.size:
            return Invalid((Text("upload.more_than_said"),))
        try:
            with self.file.open("r+b") as file:
                file.seek(at)
                file.write(piece)
        except OSError as wrong:
            return Unavailable(wrong.strerror or str(wrong))
        self.received += len(piece)
        self.active_s = now_s
        if self.received == self.size:
            self.state = "checking"
        return None

    def is_forgotten(self, now_s: float) -> bool:
        return self.state != "checking" and now_s - self.active_s > IDLE_S

    def delete(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def progress(self) -> UploadProgress:
        return {
            "state": self.state,
            "name": self.name,
            "bytes": self.size,
            "received": self.received,
            "why": self.why,
        }


U = TypeVar("U", bound=Upload)


class HostUpload(ABC, Generic[U]):
    """Receives such files, one at a time; the subclass defines their use.

    Args:
        data: The data folder, which holds the file meanwhile.
        clock: Monotonic seconds.

    Attributes:
        prefix: Name prefix of the folders that hold files.
        words: Prefix of its text keys: ``busy``, and ``none`` if nothing can be accepted.
    """

    prefix: ClassVar[str]
    words: ClassVar[str]

    def __init__(self, data: Path, clock: Callable[[], float]) -> None:
        self._data = data
        self._clock = clock
        self._lock = threading.Lock()
        self._upload: U | None = None

    # -- requests --------------------------------------------------------------------------------

    def state(self, user: User) -> Result[UploadProgress]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._upload is not None and self._upload.is_forgotten(self._clock()):
                self._forget()
            return Done(self._state())

    def begin(self, user: User, name: str, size: int) -> Result[UploadProgress]:
        """Start receiving a file of this size in bytes; an earlier one is discarded."""
        no = self._why_not(user) or self._why_not_begin(name, size)
        if no is not None:
            return no
        with self._lock:
            if self._is_busy():
                return Stale(Text(f"{self.words}.busy"))
            self._forget()
            # Room for the file and its content: most of the content is compressed already, so both are about as large.
            if shutil.disk_usage(self._data).free < 2 * size + SPARE_BYTES:
                return Unavailable(Text("restore.fault.room", {"name": name, "n": max(1, 2 * size // 10**6)}))
            try:
                upload = self._new(Path(tempfile.mkdtemp(prefix=self.prefix, dir=self._data)), name, size)
                upload.file.touch(0o600)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            self._upload = upload
            return Done(self._state())

    def add(self, user: User, at: int, piece: bytes) -> Result[UploadProgress]:
        """Add a piece; after the last one the file is checked. A repeated piece counts once."""
        if (no := self._why_not(user)) is not None:
            return no
        with self._lock:
            upload = self._upload
            if upload is None:
                return Stale(Text("upload.gap"))
            before = upload.state
            no = upload.add(at, piece, self._clock())
            if before == "coming" and upload.state == "checking":
                threading.Thread(target=self._check, args=(upload,), name="check-upload", daemon=True).start()
            return no or Done(self._state())

    def take(self, user: User) -> Result[UploadProgress]:
        """Use the file; the answer may hold more than the state."""
        if (no := self._why_not(user)) is not None:
            return no
        with self._lock:
            upload = self._upload
            if upload is None or upload.state != "ready":
                return Stale(Text(f"{self.words}.none"))
            try:
                more = self._take(upload)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            except LogError as wrong:
                return Unavailable(str(wrong))
            upload.state = "taken"
            return Done({**self._state(), **more})

    def drop(self, user: User) -> Result[UploadProgress]:
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._is_busy():
                return Stale(Text(f"{self.words}.busy"))
            self._forget()
            try:
                self._forget_outcome()
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            return Done(self._state())

    # -- for subclasses --------------------------------------------------------------------------

    @abstractmethod
    def _new(self, folder: Path, name: str, size: int) -> U: ...

    @abstractmethod
    def _why_not_begin(self, name: str, size: int) -> Refusal | None:
        """Why such a file is refused at once."""

    @abstractmethod
    def _look(self, upload: U) -> None:
        """Check the file, and note what to display.

        Raises:
            InputError: It cannot be used.
        """

    @abstractmethod
    def _unreadable(self, name: str) -> Text | str: ...

    @abstractmethod
    def _take(self, upload: U) -> TakenUpload:
        """Use the file; returns further keys of the answer.

        Raises:
            LogError, OSError: It failed.
        """

    @abstractmethod
    def _state(self) -> UploadProgress:
        """The progress, and the result of the last file."""

    def _why_not(self, user: User) -> Refusal | None:
        """Why this user may not, or not now."""
        return None if user.role is Role.HOST else Denied(Text("desk.host_only"))

    def _is_busy(self) -> bool:
        return self._upload is not None and self._upload.is_busy

    def _forget_outcome(self) -> None:
        """Delete the stored result of the last file, if there is one."""

    # -- common to all uploads -------------------------------------------------------------------

    def _forget(self) -> None:
        if self._upload is not None:
            self._upload.delete()
        self._upload = None

    def _check(self, upload: U) -> None:
        why: Text | str | None = None
        try:
            self._look(upload)
        except InputError as wrong:
            why = fault_text(wrong.faults[0])
        except (CompanionError, OSError) as wrong:
            why = str(wrong)
        except Exception:  # no file may stop the table
            log.exception("%s could not be looked at", upload.name)
            why = self._unreadable(upload.name)
        with self._lock:
            upload.active_s = self._clock()
            upload.why = why
            upload.state = "ready" if why is None else "refused"
            if why is not None:
                upload.delete()
