"""A backup that the host brings back from a page: it comes in pieces, is checked whole, told, and taken."""

from __future__ import annotations

import logging
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from companion.cli.restore import INCOMING, SPARE_BYTES, host_code, keeps_codes
from companion.cli.uploads import Upload
from companion.errors import CompanionError, InputError, LogError, fault
from companion.public.service import Denied, Done, Invalid, Result, Role, Stale, Unavailable, User
from companion.public.text import JSON, Text, fault_text
from companion.service.archive import may_read
from companion.service.runner import MatchRunner
from companion.storage.backup import BegunMatch, sound_counts
from companion.storage.event_log import LOG_FILE, EventLog
from companion.storage.exchange import (
    DECK_FOLDER,
    GIVEN_BACK,
    TAKEN,
    begin_exchange,
    forget_outcome,
    outcome_of,
)
from companion.storage.settings import SETTINGS_FILE, ZONES_FILE, read_settings, read_zones
from companion.storage.snapshots import SNAPSHOT_FOLDER
from companion.storage.whole_backup import MOST_BYTES, Unpacked, check_database, unpack

log = logging.getLogger(__name__)

MOST_LINES = 40
"""So many changes are told one by one."""
LEAVE_S = 0.5
"""Between the answer that a backup is taken and the end of the table, so that the phone gets it."""


@dataclass(slots=True)
class _Backup(Upload):
    made: str = ""
    changes: list[Text] = field(default_factory=list)

    @property
    def unpacked(self) -> Path:
        return self.folder / "new"


class HostRestore:
    """A ``companion.public.service.RestoreService`` over a data folder in which a companion plays.

    Args:
        restart: Ends the table, and starts it anew with what is in the folder then.
        clock: Monotonic seconds.
    """

    def __init__(
        self, runner: MatchRunner, data: Path, restart: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._runner = runner
        self._data = data
        self._restart = restart
        self._clock = clock
        self._lock = threading.Lock()
        self._upload: _Backup | None = None

    # -- what is asked for -----------------------------------------------------------------------

    def state(self, user: User) -> Result:
        """How far it is, and what came of the last one."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._upload is not None and self._upload.is_forgotten(self._clock()):
                self._forget()
            return Done(self._state())

    def begin(self, user: User, name: str, size: int) -> Result:
        """A backup of so many bytes is about to come; one that came before is forgotten."""
        if (no := self._why_not(user)) is not None:
            return no
        if size > MOST_BYTES:
            return Invalid((Text("restore.fault.large", {"name": name, "n": MOST_BYTES // 10**9}),))
        with self._lock:
            if self._upload is not None and self._upload.state in ("checking", "taken"):
                return Stale(Text("restore.busy"))
            self._forget()
            # The file, and what is in it: that a backup is packed helps little, since pictures are packed already.
            if shutil.disk_usage(self._data).free < 2 * size + SPARE_BYTES:
                return Unavailable(Text("restore.fault.room", {"name": name, "n": max(1, 2 * size // 10**6)}))
            try:
                folder = Path(tempfile.mkdtemp(prefix=INCOMING, dir=self._data))
                upload = _Backup(folder, name, size, self._clock())
                upload.file.touch(0o600)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            self._upload = upload
            return Done(self._state())

    def add(self, user: User, at: int, piece: bytes) -> Result:
        """The next piece; after the last one the backup is checked. One that came already counts once."""
        if (no := self._why_not(user)) is not None:
            return no
        with self._lock:
            upload = self._upload
            no = Stale(Text("upload.gap")) if upload is None else upload.add(at, piece, self._clock())
            if upload is None or no is not None:
                return Done(self._state()) if isinstance(no, Done) else no or Done(self._state())
            if upload.state == "checking":
                threading.Thread(target=self._check, args=(upload,), name="check-backup", daemon=True).start()
            return Done(self._state())

    def take(self, user: User) -> Result:
        """Start anew with the backup that was checked; ``code``: the host's from then on, where it is another one."""
        if (no := self._why_not(user)) is not None:
            return no
        with self._lock:
            upload = self._upload
            if upload is None or upload.state != "ready":
                return Stale(Text("restore.none"))
            database, incoming = self._data / LOG_FILE, upload.unpacked / LOG_FILE
            code = None if keeps_codes(database, incoming) else host_code(incoming)
            try:
                begin_exchange(self._data, upload.unpacked, name=upload.name, made=upload.made, trial=True)
            except LogError as wrong:
                return Unavailable(str(wrong))
            upload.state = "taken"
            leaving = threading.Timer(LEAVE_S, self._restart)
            leaving.daemon = True
            leaving.start()
            return Done({**self._state(), "code": code})

    def drop(self, user: User) -> Result:
        """Forget what came, and what came of the last one."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        with self._lock:
            if self._upload is not None and self._upload.state in ("checking", "taken"):
                return Stale(Text("restore.busy"))
            self._forget()
            try:
                forget_outcome(self._data)
            except OSError as wrong:
                return Unavailable(wrong.strerror or str(wrong))
            return Done(self._state())

    # -- what there is ---------------------------------------------------------------------------

    def _state(self) -> dict[str, JSON]:
        upload = self._upload
        state: dict[str, JSON] = {"state": "idle", "last": self._last()}
        if upload is not None:
            state |= {**upload.told(), "made": upload.made, "changes": list(upload.changes)}
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

    def _forget(self) -> None:
        if self._upload is not None:
            self._upload.delete()
        self._upload = None

    def _why_not(self, user: User) -> Result | None:
        """A silent match is not broken off by one who plays in it, and nobody learns how much of it is written."""
        if user.role is not Role.HOST:
            return Denied(Text("desk.host_only"))
        match = self._runner.match
        if match is not None and not may_read(user, match.game.silent and not match.over):
            return Stale(Text("restore.silent"))
        return None

    # -- the check -------------------------------------------------------------------------------

    def _check(self, upload: _Backup) -> None:
        why: Text | str | None = None
        made = ""
        changes: list[Text] = []
        try:
            made, changes = self._read(upload)
            os.sync()  # taken is taken at once, then
        except InputError as wrong:
            why = fault_text(wrong.faults[0])
        except (CompanionError, OSError) as wrong:
            why = str(wrong)
        except Exception:  # whatever a file from elsewhere holds, the table goes on
            log.exception("the backup %s could not be checked", upload.name)
            why = Text("restore.fault.none", {"name": upload.name})
        with self._lock:
            upload.heard_s = self._clock()
            upload.made, upload.changes, upload.why = made, changes, why
            upload.state = "ready" if why is None else "refused"
            if why is not None:
                upload.delete()

    def _read(self, upload: _Backup) -> tuple[str, list[Text]]:
        upload.unpacked.mkdir(mode=0o700)
        with upload.file.open("rb") as opened:
            unpacked = unpack(Path(upload.name), opened, upload.unpacked, spare_bytes=SPARE_BYTES)
        upload.file.unlink()
        check_database(unpacked.database, upload.name)
        for read in (read_settings, read_zones):
            try:
                read(unpacked.folder)
            except InputError as wrong:
                what = "{name}: its settings cannot be used here ({part}); nothing was changed"
                part = wrong.faults[0].what
                raise InputError(fault("restore.fault.settings", what, name=upload.name, part=part)) from wrong
        return unpacked.made[:16], list(self._changes(unpacked))

    def _changes(self, unpacked: Unpacked) -> Iterator[Text]:
        """What is gained and what is lost; what is lost first."""
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
        """Whether the match that is played goes on with what the backup has of it, or ends."""
        stored, match = self._runner.stored, self._runner.match
        if stored is not None and match is not None and not match.over:
            goes_on = BegunMatch(stored.id, stored.began) in sound_counts(incoming)
            yield Text("restore.goes_on" if goes_on else "restore.ends")


def _match_changes(database: Path, incoming: Path) -> Iterator[Text]:
    """A line for each match that is not the same; the lost ones first."""
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
            told: dict[str, object] = {"match": match.id, "names": names.get(match, ""), "began": match.began[11:16]}
            told |= {"n": abs((there or 0) - (here or 0))}
            lines[kind].append(Text(f"restore.match.{kind}", told))
    for some in lines.values():
        yield from some


def _names(database: Path) -> dict[BegunMatch, str]:
    """Who played in each match."""
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
    return path.read_bytes() if path.is_file() else None


def _pictures(*folders: Path) -> tuple[Path, ...]:
    return tuple(folder / SNAPSHOT_FOLDER for folder in folders)
