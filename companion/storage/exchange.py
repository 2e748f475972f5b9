"""Replaces the content of a data folder by a backup, in steps that can be repeated after a power cut.

The backup lies complete in a folder inside the data folder before a marker is written. From then on, the holder of the
folder's lock finishes the exchange, however often it is interrupted: first all current files are moved aside, then the
files of the backup are moved in. Until a companion has started with the backup it is on trial, and can be undone.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
from dataclasses import asdict, dataclass
from pathlib import Path

from companion.errors import LogError
from companion.public.text import JSON
from companion.storage.event_log import LOG_FILE
from companion.storage.settings import SETTINGS_FILE, ZONES_FILE
from companion.storage.snapshots import SNAPSHOT_FOLDER

log = logging.getLogger(__name__)

DECK_FOLDER = "decks"
LOG_PARTS = (LOG_FILE, f"{LOG_FILE}-wal", f"{LOG_FILE}-shm")
"""What a backup of the matches alone replaces. The witness stays, so that entries missing since are reported."""
EXCHANGED = (*LOG_PARTS, "matches.last", SETTINGS_FILE, ZONES_FILE, DECK_FOLDER, SNAPSHOT_FOLDER)
"""What a full backup replaces, in this order. What concerns this machine only (locks, older backups) stays."""
MARK_FILE = ".exchange.json"
OUTCOME_FILE = "restored.json"
MOST_STARTS = 3
"""How often a companion may try to start with a backup before the earlier state comes back."""

TRIAL, TAKEN, GIVEN_BACK = "trial", "taken", "given back"


@dataclass(frozen=True, slots=True)
class PendingExchange:
    """An exchange that has begun.

    Attributes:
        incoming: The folder, inside the data folder, with the new files.
        aside: The folder, inside the data folder, for the current files.
        cleared: Whether all current files have been moved aside.
        becomes: The outcome to note when it is finished; empty = none.
        name: What the backup is called.
        made: When it was made, as a label.
        why: What was wrong with a backup that is undone.
        parts: The files and folders that are moved.
    """

    incoming: str
    aside: str
    becomes: str
    name: str = ""
    made: str = ""
    why: str = ""
    cleared: bool = False
    parts: tuple[str, ...] = EXCHANGED

    @property
    def keeps_codes(self) -> bool:
        """Whether the codes that are valid now stay valid: true when an older state is restored."""
        return self.becomes in (TRIAL, TAKEN)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the last restored backup turned out.

    Attributes:
        state: ``trial``: no companion has started with it yet; ``taken``; ``given back``: no companion could start.
        aside: The folder, inside the data folder, with the files from before.
        starts: How often a companion has tried to start with it.
    """

    state: str
    name: str = ""
    made: str = ""
    aside: str = ""
    why: str = ""
    starts: int = 0


def begin_exchange(
    data: Path, incoming: Path, *, becomes: str = "", name: str = "", made: str = "", parts: tuple[str, ...] = EXCHANGED
) -> PendingExchange:
    """Mark a folder inside the data folder as the new content; ``finish_exchange`` does the rest.

    Args:
        incoming: Holds at least the matches, complete and checked.
        becomes: ``TRIAL``: undone if no companion starts with it; or ``TAKEN``; empty = no outcome is noted.
        parts: The files and folders to move.

    Raises:
        LogError: The marker could not be written; nothing has changed.
    """
    aside = _free(data, "replaced")
    begun = PendingExchange(str(incoming.relative_to(data)), aside, becomes, name=name, made=made, parts=parts)
    try:
        for folder, _, files in os.walk(incoming):
            for path in (*(Path(folder, file) for file in files), Path(folder)):
                _force_to_disk(path)
        _write(data, MARK_FILE, asdict(begun))
    except OSError as wrong:
        raise LogError(f"{data}: the backup cannot be put there ({wrong}); nothing was changed") from wrong
    return begun


def pending_exchange(data: Path) -> PendingExchange | None:
    """The unfinished exchange of a data folder, if any.

    Raises:
        LogError: Its marker cannot be read.
    """
    content = _read(data, MARK_FILE)
    if content is None:
        return None
    return PendingExchange(**{**content, "parts": tuple(content.get("parts", EXCHANGED))})


def finish_exchange(data: Path) -> Outcome | None:
    """Finish the unfinished exchange, if any. The caller holds the folder's lock.

    Raises:
        LogError: Something could not be moved; the next call continues.
    """
    begun = pending_exchange(data)
    if begun is None:
        return None
    incoming, aside = data / begun.incoming, data / begun.aside
    try:
        if not begun.cleared:
            if not (incoming / LOG_FILE).is_file():
                log.error("%s is gone: what is in %s stays", incoming, data)
                (data / MARK_FILE).unlink()
                return None
            _move(data, aside, begun.parts)
            _write(data, MARK_FILE, {**asdict(begun), "cleared": True})
        _move(incoming, data, begun.parts)
        came_back = begun.becomes == GIVEN_BACK
        kept = "" if came_back or not aside.is_dir() else begun.aside
        outcome = Outcome(begun.becomes, begun.name, begun.made, kept, begun.why)
        if begun.becomes:
            _write(data, OUTCOME_FILE, asdict(outcome))
        (data / MARK_FILE).unlink()
        shutil.rmtree(incoming, ignore_errors=True)
        if came_back:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as wrong:
        raise LogError(
            f"{data}: the backup could not be put there ({wrong}); what was there lies in {aside}. "
            "The next start goes on with it"
        ) from wrong
    return outcome


def outcome_of(data: Path) -> Outcome | None:
    """How the last restored backup turned out; ``None`` if none was restored.

    Raises:
        LogError: It cannot be read.
    """
    content = _read(data, OUTCOME_FILE)
    return None if content is None else Outcome(**content)


def begin_start(data: Path) -> None:
    """Count a companion's start; after too many failed starts, undo the backup that is on trial.

    Raises:
        LogError: It could not be written down or moved.
    """
    now = outcome_of(data)
    if now is None or now.state != TRIAL:
        return
    if now.starts >= MOST_STARTS:
        give_back(data, f"no companion could start with it, {now.starts} times")
        return
    _note(data, now, TRIAL, now.starts + 1)


def confirm_start(data: Path) -> None:
    """Accept the backup on trial, because a companion has started with it.

    Raises:
        LogError: It could not be written down.
    """
    now = outcome_of(data)
    if now is not None and now.state == TRIAL:
        _note(data, now, TAKEN, now.starts)


def give_back(data: Path, why: str) -> bool:
    """Undo a backup that is on trial. The caller holds the folder's lock.

    Returns:
        Whether one was on trial.

    Raises:
        LogError: Something could not be moved; the next start continues.
    """
    now = outcome_of(data)
    if now is None or now.state != TRIAL or not now.aside:
        return False
    back = PendingExchange(now.aside, _free(data, "refused"), GIVEN_BACK, now.name, now.made, why)
    try:
        _write(data, MARK_FILE, asdict(back))
    except OSError as wrong:
        raise LogError(f"{data}: what was there before the backup cannot be brought back ({wrong})") from wrong
    finish_exchange(data)
    return True


def forget_outcome(data: Path) -> None:
    """Stop reporting the last backup's outcome; the files that were moved aside stay."""
    (data / OUTCOME_FILE).unlink(missing_ok=True)


def _note(data: Path, now: Outcome, state: str, starts: int) -> None:
    try:
        _write(data, OUTCOME_FILE, {**asdict(now), "state": state, "starts": starts})
    except OSError as wrong:
        raise LogError(f"{data / OUTCOME_FILE} cannot be written ({wrong}); is the disk full?") from wrong


def _move(source: Path, target: Path, parts: tuple[str, ...]) -> None:
    """Move what exists of these parts; anything moved before a power cut is no longer at the source."""
    for name in parts:
        if (source / name).exists():
            target.mkdir(exist_ok=True, mode=0o700)
            (source / name).rename(target / name)
    for folder in (source, target):
        if folder.is_dir():
            _force_to_disk(folder)


def _free(data: Path, begins: str) -> str:
    return next(name for n in range(1, 10_000) if not (data / (name := f"{begins}-{n}")).exists())


def _read(data: Path, name: str) -> JSON | None:
    try:
        content = json.loads((data / name).read_text("utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as wrong:
        raise LogError(f"{data / name} cannot be read ({wrong}): move it away, and look what lies beside it") from wrong
    return content


def _write(data: Path, name: str, content: JSON) -> None:
    """Atomic, even when the power is cut."""
    fresh = data / f"{name}.new"
    fresh.write_text(json.dumps(content), "utf-8")
    _force_to_disk(fresh)
    fresh.replace(data / name)
    _force_to_disk(data)


def _force_to_disk(path: Path) -> None:
    opened = os.open(path, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
