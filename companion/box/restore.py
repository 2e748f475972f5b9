"""Restoring a backup from the host's page: it arrives in pieces, is checked as a whole, described, and used."""

from __future__ import annotations

import hashlib
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from companion.box.upload import HostUpload, Upload
from companion.errors import InputError, LogError, fault
from companion.public.results import TakenUpload, UploadProgress
from companion.public.service import Invalid, Refusal, Stale, User
from companion.public.text import Text
from companion.service.archive import may_read
from companion.service.runner import MatchRunner
from companion.storage.backup import BegunMatch, sound_counts
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.exchange import (
    DECK_FOLDER,
    GIVEN_BACK,
    TAKEN,
    TRIAL,
    begin_exchange,
    forget_outcome,
    outcome_of,
)
from companion.storage.restore import INCOMING, host_code, is_same_table
from companion.storage.settings import SETTINGS_FILE, ZONES_FILE, read_settings, read_zones
from companion.storage.snapshots import SNAPSHOT_FOLDER
from companion.storage.whole_backup import MOST_BYTES, SPARE_BYTES, Unpacked, unpack

MOST_LINES = 40
"""The most changes that are listed one by one."""
LEAVE_S = 0.5
"""Between the answer that a backup is accepted and the end of the table, so that the phone receives it."""


@dataclass(slots=True)
class _Backup(Upload):
    made: str = ""
    changes: list[Text] = field(default_factory=list)

    @property
    def unpacked(self) -> Path:
        return self.folder / "new"


class HostRestore(HostUpload[_Backup]):
    """A ``companion.public.machine.UploadService`` over a data folder in which a companion plays.

    Args:
        restart: Ends the table, and starts it again with the folder's new content.
        clock: Monotonic seconds.
    """

    prefix = INCOMING
    words = "restore"

    def __init__(
        self, runner: MatchRunner, data: Path, restart: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(data, clock)
        self._runner = runner
        self._restart = restart

    def _new(self, folder: Path, name: str, size: int) -> _Backup:
        return _Backup(folder, name, size, self._clock())

    def _why_not(self, user: User) -> Refusal | None:
        """A player must not abort a silent match, nor learn how much of it is stored."""
        if (no := super()._why_not(user)) is not None:
            return no
        match = self._runner.match
        if match is not None and not may_read(user, match.game.silent and not match.over):
            return Stale(Text("restore.silent"))
        return None

    def _why_not_begin(self, name: str, size: int) -> Refusal | None:
        if size <= MOST_BYTES:
            return None
        return Invalid((Text("restore.fault.large", {"name": name, "n": MOST_BYTES // 10**9}),))

    def _take(self, upload: _Backup) -> TakenUpload:
        """Restart with it; ``code``: the new host code, if it changes."""
        database, incoming = self._data / LOG_FILE, upload.unpacked / LOG_FILE
        code = None if is_same_table(database, incoming) else host_code(incoming)
        begin_exchange(self._data, upload.unpacked, becomes=TRIAL, name=upload.name, made=upload.made)
        leaving = threading.Timer(LEAVE_S, self._restart)
        leaving.daemon = True
        leaving.start()
        return {"code": code}

    def _forget_outcome(self) -> None:
        forget_outcome(self._data)

    # -- state -----------------------------------------------------------------------------------

    def _state(self) -> UploadProgress:
        upload = self._upload
        state: UploadProgress = {"state": "idle", "last": self._last()}
        if upload is not None:
            state |= {**upload.progress(), "made": upload.made, "changes": list(upload.changes)}
        return state

    def _last(self) -> Text | None:
        try:
            outcome = outcome_of(self._data)
        except LogError:
            return None
        if outcome is not None and outcome.state == TAKEN:
            return Text("restore.taken", {"name": outcome.name, "made": outcome.made, "folder": outcome.aside})
        if outcome is not None and outcome.state == GIVEN_BACK:
            return Text("restore.given_back", {"name": outcome.name, "why": outcome.why})
        return None

    # -- the check -------------------------------------------------------------------------------

    def _look(self, upload: _Backup) -> None:
        made, changes = self._read(upload)
        os.sync()  # so that restarting with it is quick
        upload.made, upload.changes = made, changes

    def _unreadable(self, name: str) -> Text:
        return Text("restore.fault.none", {"name": name})

    def _read(self, upload: _Backup) -> tuple[str, list[Text]]:
        upload.unpacked.mkdir(mode=0o700)
        with upload.file.open("rb") as opened:
            unpacked = unpack(Path(upload.name), opened, upload.unpacked, spare_bytes=SPARE_BYTES)
        upload.file.unlink()
        for read in (read_settings, read_zones):
            try:
                read(unpacked.folder)
            except InputError as wrong:
                what = "{name}: its settings cannot be used here ({part}); nothing was changed"
                part = wrong.faults[0].what
                raise InputError(fault("restore.fault.settings", what, name=upload.name, part=part)) from wrong
        return unpacked.made[:16], list(self._changes(unpacked))

    def _changes(self, unpacked: Unpacked) -> Iterator[Text]:
        """What is gained and what is lost; losses first."""
        lines = [
            *self._at_the_table(unpacked.database),
            *_match_changes(self._data / LOG_FILE, unpacked.database),
            *_deck_changes(self._data, unpacked.folder),
        ]
        for name, key in ((SETTINGS_FILE, "restore.settings"), (ZONES_FILE, "restore.zones")):
            if _content(self._data / name) != _content(unpacked.folder / name):
                lines.append(Text(key))
        now, then = (sum(1 for _ in folder.rglob("*.jpg")) for folder in _pictures(self._data, unpacked.folder))
        if now != then:
            lines.append(Text("restore.pictures", {"now": now, "n": then}))
        yield from lines[:MOST_LINES]
        if len(lines) > MOST_LINES:
            yield Text("restore.and_more", {"n": len(lines) - MOST_LINES})
        if not lines:
            yield Text("restore.same")

    def _at_the_table(self, incoming: Path) -> Iterator[Text]:
        """Whether the match in play goes on with the backup's part of it, or ends."""
        stored, match = self._runner.stored, self._runner.match
        if stored is not None and match is not None and not match.over:
            goes_on = BegunMatch(stored.id, stored.began) in sound_counts(incoming)
            yield Text("restore.goes_on" if goes_on else "restore.ends")


def _match_changes(database: Path, incoming: Path) -> Iterator[Text]:
    """One line for each match that changes; losses first."""
    try:
        now = sound_counts(database)
    except LogError:
        now = {}
    then = sound_counts(incoming)
    names = {**_names(incoming), **_names(database)}
    lines: dict[str, list[Text]] = {"lost": [], "fewer": [], "more": [], "gained": []}
    for match in {**now, **then}:
        here, there = now.get(match), then.get(match)
        if here != there:
            kind = "gained" if here is None else "lost" if there is None else "more" if there > here else "fewer"
            parameters: dict[str, object] = {
                "match": match.id,
                "names": names.get(match, ""),
                "began": match.began[11:16],
            }
            parameters |= {"n": abs((there or 0) - (here or 0))}
            lines[kind].append(Text(f"restore.match.{kind}", parameters))
    for some in lines.values():
        yield from some


def _names(database: Path) -> dict[BegunMatch, str]:
    try:
        with closing(EventLog(database, reading=True, witness=False)) as paper:
            matches = [
                (BegunMatch(one.id, one.began), one.header["match"]["seat"]) for one in paper.matches() if one.readable
            ]
            return {match: ", ".join(seat["name"] for seat in seats) for match, seats in matches}
    except (LogError, KeyError, TypeError):
        return {}


def _deck_changes(data: Path, incoming: Path) -> Iterator[Text]:
    now, then = (
        {path.stem: _content(path) for path in (folder / DECK_FOLDER).glob("*.toml")} for folder in (data, incoming)
    )
    for name in sorted({**now, **then}):
        if now.get(name) != then.get(name):
            kind = "gained" if name not in now else "lost" if name not in then else "other"
            yield Text(f"restore.deck.{kind}", {"what": name})


def _content(path: Path) -> bytes | None:
    """The hash of a file's content, because this table's files may have any size."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _pictures(*folders: Path) -> tuple[Path, ...]:
    return tuple(folder / SNAPSHOT_FOLDER for folder in folders)
