"""Match records as JSON Lines, read and written."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import CompanionError, GameFault, InputError, fault
from companion.games.protocol import Game
from companion.games.registry import OpenedMatch, demo_deck, match_module, open_match
from companion.history.codec import decode_entry, encode_line
from companion.history.events import Entry
from companion.history.record import Record, Replay, replay
from companion.public.text import JSON
from companion.reading.text import MOST_ENTRIES, MOST_RECORD_BYTES, check_holders, parse_json, read_text
from companion.storage.event_log import EventLog, StoredMatch
from companion.storage.losses import Damage

log = logging.getLogger(__name__)
FOLLOW_S = 20.0
"""How long replaying an imported record may take; an ordinary one takes one or two seconds."""


@dataclass(frozen=True, slots=True)
class RecordFile:
    """A match record as read: the header, the entries with their line numbers, and whether the last line is cut off."""

    path: Path
    header: Mapping[str, JSON]
    entries: tuple[tuple[int, JSON], ...]
    torn: bool


def read_record(path: Path) -> RecordFile:
    """Read a match record (JSON Lines), without a last line that was cut off.

    Raises:
        InputError: The file does not exist, a line before the last is not JSON, or the first is not a header.
    """
    return parse_record(path, read_text(path, MOST_RECORD_BYTES))


def parse_record(path: Path, text: str) -> RecordFile:
    """Parse a match record's text; ``path`` is only named in faults.

    Raises:
        InputError: A line before the last is not JSON, or the first is not a header.
    """
    lines = text.split("\n")
    rows = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise InputError(f"{path}: is empty; a record begins with a header line")
    if len(rows) > MOST_ENTRIES + 1:
        raise InputError(f"{path}: holds {len(rows)} lines; a record has at most {MOST_ENTRIES} entries")
    try:
        check_holders(text)
    except InputError as wrong:
        raise InputError(f"{path}: {wrong}") from wrong
    parsed: list[tuple[int, JSON]] = []
    torn = False
    for number, line in rows:
        try:
            parsed.append((number, parse_json(line)))
        except InputError as wrong:
            if number != rows[-1][0] or number == rows[0][0] or wrong.faults[0].key != "input.fault.json":
                raise InputError(f"{path}, line {number}: {wrong}") from wrong
            torn = True
    header = parsed[0][1]
    if not isinstance(header, Mapping) or not isinstance(header.get("match"), Mapping):
        raise InputError(f"{path}, line {rows[0][0]}: match: the first line is a header with record, match and deck")
    if header.get("record") != 1:
        version = f"record: {header.get('record')!r} is not a version that this companion reads (1): update it"
        raise InputError(f"{path}, line {rows[0][0]}: {version}")
    return RecordFile(path, header, tuple(parsed[1:]), torn)


def open_record(file: RecordFile) -> OpenedMatch:
    """The match in a record's header. A record without a deck was played with the demo deck.

    Raises:
        InputError: With every fault, naming the file and its first line.
    """
    try:
        match = file.header["match"]
        return open_match(match, file.header.get("deck") or demo_deck(match_module(match)))
    except InputError as wrong:
        raise InputError(*(f"{file.path}, line 1: {line}" for line in str(wrong).splitlines())) from wrong


def stored_entries(event_log: EventLog, match: str, game: Game[Any, Any]) -> list[Entry]:
    """A stored match's entries, up to the first damaged one."""
    return sound_entries(event_log, match, game)[0]


def sound_entries(
    event_log: EventLog, match: str, game: Game[Any, Any], *, faults: bool = False
) -> tuple[list[Entry], Damage | None]:
    """A stored match's entries up to the first that is damaged or does not fit the game, and the damage.

    Args:
        faults: Raise ``GameFault`` if the game has a bug, instead of calling the entry damaged.
    """
    record, damage = sound_record(event_log, match, game, faults=faults)
    return [line.entry for line in record.lines], damage


def sound_record(
    event_log: EventLog, match: str, game: Game[Any, Any], *, faults: bool = False
) -> tuple[Record[Any], Damage | None]:
    """The record of a stored match's entries up to the first that is damaged or does not fit, and the damage."""
    bodies, damage = event_log.sound(match)
    played = Replay(game)
    for number, body in enumerate(bodies, 1):
        try:
            played.append(decode_entry(game, body, number))
        except Exception as wrong:  # bad data affects this match only
            if faults and isinstance(wrong, GameFault):
                raise
            log.info("entry %d of %s cannot be followed: %r", number, match, wrong)
            kept = number - 1
            later = len(bodies) - kept
            return played.record, Damage(kept, later + (0 if damage is None else damage.lost))
    return played.record, damage


def follow(game: Game[Any, Any], values: Sequence[JSON]) -> list[Entry]:
    """Replay a record's entries, so that only a record that can be shown later is accepted.

    Raises:
        InputError: The game cannot replay them (names the line), or not within ``FOLLOW_S``.
    """
    until_s = time.monotonic() + FOLLOW_S
    entries: list[Entry] = []
    played = Replay(game)
    for number, value in enumerate(values, 1):
        try:
            entry = decode_entry(game, value, number)
            played.append(entry)
        except CompanionError as wrong:
            sentence = "line {line}: the match cannot be replayed up to here: {why}"
            raise InputError(fault("record.fault.follow", sentence, line=number + 1, why=str(wrong))) from wrong
        if time.monotonic() > until_s:
            sentence = "line {line}: replaying the match up to here takes more than {limit} seconds"
            raise InputError(fault("record.fault.slow", sentence, line=number + 1, limit=int(FOLLOW_S)))
        entries.append(entry)
    return entries


def is_secret(event_log: EventLog, stored: StoredMatch, game: Game[Any, Any]) -> bool:
    """Whether a match holds secrets: a silent one in play whose host also plays.

    Raises:
        LogError: It cannot be read.
    """
    if not game.silent or stored.over or stored.header["match"].get("host") == "outside":
        return False
    return not replay(game, stored_entries(event_log, stored.id, game)).standing.final


def record_lines(stored: StoredMatch, game: Game[Any, Any], entries: Sequence[Entry]) -> Iterator[str]:
    """A match's record as JSON Lines; points and standings are worked out again."""
    return recorded_lines(stored, replay(game, entries))


def recorded_lines(stored: StoredMatch, record: Record[Any]) -> Iterator[str]:
    """The same of a match that was played again already."""
    yield json.dumps({"record": 1, **stored.header}, ensure_ascii=False)
    for line in record.lines:
        yield json.dumps(encode_line(line), ensure_ascii=False)
