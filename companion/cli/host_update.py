"""An update that the host sends from a page: it comes in pieces, is looked at, told, and handed to root's helper."""

from __future__ import annotations

import logging
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.cli.restore import SPARE_BYTES, UPDATING
from companion.cli.uploads import Upload
from companion.errors import CompanionError, InputError
from companion.public.service import Denied, Done, Invalid, Result, Role, Stale, Unavailable, User
from companion.public.text import JSON, Text, fault_text
from companion.system.update import (
    CURRENT,
    KEY,
    MOST_BYTES,
    PACKAGE,
    STATUS,
    forget,
    hand_over,
    refused,
    running_version,
    status,
    unpack_update,
)

log = logging.getLogger(__name__)


class HostUpdate:
    """A ``companion.public.service.UpdateService`` of an installed box.

    Args:
        data: The data folder.
        clock: Monotonic seconds.
        key, current, said: Where the public key, the running version and the helper's word are.
    """

    def __init__(
        self,
        data: Path,
        clock: Callable[[], float] = time.monotonic,
        *,
        key: Path = KEY,
        current: Path = CURRENT,
        said: Path = STATUS,
    ) -> None:
        self._data, self._clock = data, clock
        self._key, self._current, self._said = key, current, said
        self._lock = threading.Lock()
        self._upload: Upload | None = None
        self._version = ""
        self._heard = self._last_heard()  # what the helper had said before it was woken

    def state(self, user: User) -> Result:
        """How far it is, what runs, and what came of the last one."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._upload is not None and self._upload.is_forgotten(self._clock()):
                self._forget()
            return Done(self._state())

    def begin(self, user: User, name: str, size: int) -> Result:
        """An update of so many bytes is about to come; one that came before is forgotten."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        if not self._key.is_file():
            return Unavailable(fault_text(refused("no-key").faults[0]))
        if size > sum(MOST_BYTES.values()) + 10_000:
            return Invalid((fault_text(refused("large", name).faults[0]),))
        with self._lock:
            if self._is_busy():
                return Stale(Text("update.busy"))
            self._forget()
            if shutil.disk_usage(self._data).free < 2 * size + SPARE_BYTES:
                return Unavailable(Text("restore.fault.room", {"name": name, "n": max(1, 2 * size // 10**6)}))
            try:
                upload = Upload(Path(tempfile.mkdtemp(prefix=UPDATING, dir=self._data)), name, size, self._clock())
                upload.file.touch(0o600)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            self._upload = upload
            return Done(self._state())

    def add(self, user: User, at: int, piece: bytes) -> Result:
        """The next piece; after the last one the update is looked at."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            upload = self._upload
            no = Stale(Text("upload.gap")) if upload is None else upload.add(at, piece, self._clock())
            if upload is None or no is not None:
                return Done(self._state()) if isinstance(no, Done) else no or Done(self._state())
            if upload.state == "checking":
                threading.Thread(target=self._check, args=(upload,), name="check-update", daemon=True).start()
            return Done(self._state())

    def take(self, user: User) -> Result:
        """Hand it to root's helper, which looks at it anew, and installs it."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            upload = self._upload
            if upload is None or upload.state != "ready":
                return Stale(Text("update.none"))
            heard = self._last_heard()
            try:
                hand_over(upload.folder, self._data)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            upload.delete()
            upload.state, self._heard = "taken", heard
            return Done(self._state())

    def drop(self, user: User) -> Result:
        """Forget what came."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._is_busy():
                return Stale(Text("update.busy"))
            self._forget()
            return Done(self._state())

    def _last_heard(self) -> int:
        try:
            return self._said.stat().st_mtime_ns
        except OSError:
            return 0

    def _is_busy(self) -> bool:
        working = status(self._said)[0] == "working"
        return working or (self._upload is not None and self._upload.state in ("checking", "taken"))

    def _state(self) -> dict[str, JSON]:
        word, more = status(self._said)
        upload = self._upload
        if upload is not None and upload.state == "taken":
            if word != "working" and self._last_heard() != self._heard:
                forget(self._data)
                self._upload = upload = None
            else:
                word = ""  # of the one before
        told: dict[str, JSON] = {"state": "idle"} if upload is None else upload.told()
        if word == "working":
            told["state"] = "taken"
        version = self._version if told["state"] == "ready" else ""
        return {**told, "now": running_version(self._current), "version": version, "last": _last(word, more)}

    def _forget(self) -> None:
        if self._upload is not None:
            self._upload.delete()
        self._upload = None

    def _check(self, upload: Upload) -> None:
        why: Text | str | None = None
        version = ""
        try:
            version = unpack_update(upload.file, upload.name, upload.folder, self._key, self._current)
            upload.file.unlink()
        except InputError as wrong:
            why = fault_text(wrong.faults[0])
        except (CompanionError, OSError) as wrong:
            why = str(wrong)
        except Exception:  # whatever a file from elsewhere holds, the table goes on
            log.exception("the update %s could not be looked at", upload.name)
            why = fault_text(refused("none", upload.name).faults[0])
        with self._lock:
            upload.heard_s = self._clock()
            upload.why, self._version = why, version
            upload.state = "ready" if why is None else "refused"
            if why is not None:
                upload.delete()


def _last(word: str, more: str) -> Text | str | None:
    if word == "refused":
        return fault_text(refused(more, PACKAGE).faults[0])
    if word in ("done", "failed"):
        return Text(f"update.{word}", {"what": more})
    return None
