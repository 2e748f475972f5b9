"""A damaged log is repaired from the backups, or replaced by the newest that can be used."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from companion.errors import LogError
from companion.storage.backup import backups
from companion.storage.event_log import LOG_FILE, EventLog, insert_match
from companion.storage.log_file import NotWritable, why_unusable
from companion.storage.restore import replace_log

log = logging.getLogger(__name__)


def open_or_recover(data: Path, folders: Sequence[Path]) -> EventLog:
    """Open a data folder's log; if it is unusable, the newest usable backup replaces it, with a warning in the log.

    Raises:
        LogError: Neither can be used, or the log is intact but not this user's to write; nothing was changed.
    """
    path = data / LOG_FILE
    _check_reach(path)
    try:
        why = why_unusable(path)
        if why is None:
            opened = EventLog(path)
            try:
                opened.file.check_writable()
                mend(opened, folders)
            except LogError:
                opened.close()
                raise
            return opened
    except LogError as wrong:
        if "newer companion" in str(wrong) or isinstance(wrong, NotWritable):
            raise
        why = str(wrong)
    for backup in (backup for folder in folders for backup in backups(folder)):
        try:
            aside = replace_log(data, backup)
        except LogError as wrong:
            log.error("%s", wrong)
            continue
        log.error("%s; %s was brought back instead of it, and it lies in %s", why, backup, aside)
        opened = EventLog(path)
        if aside is not None:
            _gain(opened, aside)
        return opened
    if not path.is_file() or path.stat().st_size == 0:
        return EventLog(path)  # there was no log, so nothing is lost by starting one
    raise LogError(
        f"{why}; there is no backup: move {path} away to begin with an empty one, and keep it to have it looked at"
    )


def _check_reach(path: Path) -> None:
    """Refuse to replace a log that may be intact but cannot be reached.

    Raises:
        LogError: It lies on a medium that is not there, or belongs to another user.
    """
    for part in (path.with_name(path.name + end) for end in ("", "-wal", "-shm")):
        if part.is_symlink() and not part.exists():
            target = part.readlink()
            raise LogError(f"the log {part} is a link to {target}, which is not there: is its medium plugged in?")
        if part.exists() and not os.access(part, os.R_OK | os.W_OK, effective_ids=True):
            owner = part.stat().st_uid
            raise LogError(
                f"the log {part} may not be written by this user, it belongs to user {owner}: "
                f"give it back with sudo chown {os.geteuid()} {part}"
            )


def _gain(event_log: EventLog, aside: Path) -> None:
    """Add what can still be read of the replaced log and continues what the backup holds."""
    try:
        with closing(EventLog(aside, reading=True, witness=False)) as other:
            readable = [stored.id for stored in other.each_match() if stored.readable]
        for match in reversed(readable):
            if mend_match(event_log, match, aside):
                log.error("%s is kept up to entry %d, as %s had it", match, event_log.last_number(match), aside)
    except LogError as wrong:
        log.warning("nothing more could be read of %s (%s)", aside, wrong)


def mend(event_log: EventLog, folders: Sequence[Path]) -> None:
    """Repair what is damaged in a log from the backups, as far as they hold it, and log what was repaired."""
    for match in (*(match for match, _ in list(event_log.damages())), *event_log.losses.gone()):
        before = len(event_log.entries(match))
        for backup in (backup for folder in folders for backup in backups(folder)):
            try:
                if not mend_match(event_log, match, backup):
                    continue
            except LogError as wrong:
                log.warning("%s: %s", backup, wrong)
                continue
            damage = event_log.sound(match)[1]
            state = "it is whole again" if damage is None else f"it {damage}"
            log.error("%s was damaged after entry %d and was mended from %s: %s", match, before, backup, state)
            if damage is None:
                break


def set_aside(event_log: EventLog, match: str, kept: int) -> None:
    """Move the entries after ``kept`` out of a match, so that it can go on; they stay in the file.

    Raises:
        LogError: It could not be written.
    """
    _, damage = event_log.sound(match)
    lost = 0 if damage is None else damage.lost
    with event_log.file.transaction() as connection:
        last = event_log.last_number(match)
        connection.execute(
            "INSERT INTO set_aside SELECT match, number, body FROM entry WHERE match = ? AND number > ?", (match, kept)
        )
        connection.execute("DELETE FROM entry WHERE match = ? AND number > ?", (match, kept))
        event_log.losses.set(connection, match, kept, max(lost, last - kept))
        event_log.draw_lineage(connection)
    event_log.acknowledge(match, kept)


class _NothingGained(Exception):
    """A backup holds no more than the log itself."""


def mend_match(event_log: EventLog, match: str, backup: Path) -> bool:
    """Repair a match from a backup of this log; returns whether more of it can be read than before.

    Entries written after the backup was made are kept if their checksums continue it.

    Raises:
        LogError: The backup cannot be read, or the log cannot be written.
    """
    with closing(EventLog(backup, reading=True, witness=False)) as other:
        stored, bodies = other.match(match), other.entries(match)
        if stored is None or not stored.readable:
            return False
        row = other.file.rows("SELECT id, began, header, over, checksum FROM match WHERE id = ?", match)[0]
        rows = other.file.rows("SELECT number, body, checksum FROM entry WHERE match = ? ORDER BY number", match)
        codes = other.table.codes(match)
    readable = event_log.match(match)
    before = (readable is not None and readable.readable, len(event_log.entries(match)))
    own = event_log.file.rows("SELECT number, checksum FROM entry WHERE match = ? ORDER BY number", match)
    if any(one != (two[0], two[2]) for one, two in zip(own[: before[1]], rows, strict=False)):
        return False  # the match went on differently after the loss: its later entries count
    try:
        with event_log.file.transaction() as connection:
            if readable is None:
                insert_match(connection, row)
                connection.executemany(
                    "INSERT OR IGNORE INTO invitation VALUES (?, ?, ?, ?)", [(match, *code) for code in codes]
                )
            else:
                connection.execute(
                    "UPDATE match SET began = ?, header = ?, checksum = ?, over = max(over, ?) WHERE id = ?",
                    (row[1], row[2], row[4], row[3], match),
                )
            connection.executemany(
                "INSERT OR REPLACE INTO entry (match, number, body, checksum) VALUES (?, ?, ?, ?)",
                [(match, *kept) for kept in rows[: len(bodies)]],
            )
            after = len(event_log.entries(match))
            if (True, after) <= before:
                raise _NothingGained
            loss = event_log.losses.of(match)
            left = 0 if loss is None else (loss.kept or 0) + loss.lost - after
            event_log.losses.set(connection, match, after, left)
    except _NothingGained:
        return False
    return True
