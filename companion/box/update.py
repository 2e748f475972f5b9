"""Updating from the host's page: the file arrives in pieces, is checked, described, and handed to root's helper."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion.box.root_helper import last_status, status_ns
from companion.box.update_file import (
    CURRENT,
    KEY,
    MOST_BYTES,
    PACKAGE,
    STATUS,
    forget,
    hand_over,
    refused,
    running_version,
    unpack_update,
)
from companion.box.upload import HostUpload, Upload
from companion.public.results import TakenUpload, UploadProgress
from companion.public.service import Invalid, Refusal, Unavailable
from companion.public.text import Text, fault_text
from companion.storage.restore import UPDATING

HEADER_BYTES = 10_000
"""The most that an update file has besides the package and its signature."""


@dataclass(slots=True)
class _Update(Upload):
    version: str = ""


class HostUpdate(HostUpload[_Update]):
    """A ``companion.public.machine.UploadService`` of an installed box: root's helper checks the file again and
    installs it.

    Args:
        data: The data folder.
        clock: Monotonic seconds.
        key, current, status_file: The public key, the running version and the helper's status.
    """

    prefix = UPDATING
    words = "update"

    def __init__(
        self,
        data: Path,
        clock: Callable[[], float] = time.monotonic,
        *,
        key: Path = KEY,
        current: Path = CURRENT,
        status_file: Path = STATUS,
    ) -> None:
        super().__init__(data, clock)
        self._key, self._current, self._status_file = key, current, status_file
        self._known_ns = status_ns(self._status_file)  # the helper's status before it was woken

    def _new(self, folder: Path, name: str, size: int) -> _Update:
        return _Update(folder, name, size, self._clock())

    def _why_not_begin(self, name: str, size: int) -> Refusal | None:
        if not self._key.is_file():
            return Unavailable(fault_text(refused("no-key").faults[0]))
        if size > sum(MOST_BYTES.values()) + HEADER_BYTES:
            return Invalid((fault_text(refused("large", name).faults[0]),))
        return None

    def _look(self, upload: _Update) -> None:
        upload.version = unpack_update(upload.file, upload.name, upload.folder, self._key, self._current)
        upload.file.unlink()

    def _unreadable(self, name: str) -> Text | str:
        return fault_text(refused("none", name).faults[0])

    def _take(self, upload: _Update) -> TakenUpload:
        known_ns = status_ns(self._status_file)
        hand_over(upload.folder, self._data)
        upload.delete()
        self._known_ns = known_ns
        return {}

    def _is_busy(self) -> bool:
        return last_status(self._status_file)[0] == "working" or super()._is_busy()

    def _state(self) -> UploadProgress:
        word, more = last_status(self._status_file)
        upload = self._upload
        if upload is not None and upload.state == "taken":
            if word != "working" and status_ns(self._status_file) != self._known_ns:
                forget(self._data)
                self._upload = upload = None
            else:
                word = ""  # from the update before
        state: UploadProgress = {"state": "idle"} if upload is None else upload.progress()
        if word == "working":
            state["state"] = "taken"
        version = upload.version if upload is not None and state["state"] == "ready" else ""
        return {**state, "now": running_version(self._current), "version": version, "last": _last(word, more)}


def _last(word: str, more: str) -> Text | str | None:
    if word == "refused":
        return fault_text(refused(more, PACKAGE).faults[0])
    if word in ("done", "failed"):
        return Text(f"update.{word}", {"what": more})
    return None
