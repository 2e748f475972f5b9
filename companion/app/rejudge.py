"""Referees a match record again, from its moves and corrections alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from companion.errors import Fault, InputError
from companion.games.protocol import Game, MoveContext
from companion.history.codec import decode_entry, encode_line
from companion.history.events import Entry, Played, Refused
from companion.history.record import Record, append, begin
from companion.public.text import JSON
from companion.storage.record_file import RecordFile


@dataclass(slots=True)
class Rejudgement:
    """A record being judged: ``record`` grows with each entry that ``go`` yields.

    Attributes:
        asserted: Entries that claim their move counted; a move marked ``refused`` claims nothing.
    """

    game: Game[Any, Any]
    file: RecordFile
    record: Record[Any]
    asserted: set[int]

    def go(self) -> Iterator[Entry]:
        """Judge one entry after the other.

        Raises:
            InputError: An entry cannot be read; names file, line and key.
        """
        for number, (line, document) in enumerate(self.file.entries, 1):
            try:
                entry = decode_entry(self.game, document, number)
                entry = self._judged(entry)
                self.record = append(self.game, self.record, entry)
            except InputError as wrong:
                raise InputError(*(_located(self.file, line, fault) for fault in wrong.faults)) from wrong
            yield entry

    def _judged(self, entry: Entry) -> Entry:
        if not isinstance(entry.event, (Played, Refused)):
            return entry
        if isinstance(entry.event, Played):
            self.asserted.add(entry.number)
        refused = entry.event if isinstance(entry.event, Refused) else Refused(entry.event.move)
        move = entry.event.move
        public = self.record.public
        unlawful = self.game.rules.judge(public, move, MoveContext(entry.number, entry.time_s))
        return replace(entry, event=replace(refused, move=move) if unlawful else Played(move))

    @property
    def holds(self) -> bool:
        """Whether every move that counts, or claims to, is free of objections or was allowed; hidden ones included."""
        acts = self.record.acts
        asserted = (acts[number] for number in self.asserted if number in acts)
        wrong = any(act.counts and act.all_objections and not act.allowed for act in acts.values())
        return not wrong and all(act.counts or act.allowed or not act.all_objections for act in asserted)


def differences(game: Game[Any, Any], file: RecordFile) -> Iterator[str]:
    """How a record differs from what would be decided now, one sentence each.

    Raises:
        InputError: An entry cannot be read; names file, line and key.
    """
    judged = rejudge(game, file)
    for entry, (_, written) in zip(judged.go(), file.entries, strict=True):
        judged_now = encode_line(judged.record.lines[-1])
        keys = [key for key in written if key in _RECOMPUTED or key == "event"]
        if "standing" in written:  # a complete line: missing keys count as empty
            keys += [key for key in judged_now if key in _RECOMPUTED and key not in written]
        for key in sorted(set(keys)):
            if _comparable(written.get(key)) != _comparable(judged_now.get(key)):
                before, now = (json.dumps(line.get(key), ensure_ascii=False) for line in (written, judged_now))
                yield f"entry {entry.number}: {key} was {before}, now {now}"


_RECOMPUTED = frozenset(("objections", "points", "failed", "held", "standing"))


def _comparable(value: JSON) -> JSON:
    """Objections are compared as a set, and empty values as missing ones."""
    if isinstance(value, list):
        return sorted(json.dumps(one, sort_keys=True) for one in value) or None
    return value or None


def rejudge(game: Game[Any, Any], file: RecordFile) -> Rejudgement:
    """A record to be judged, before its first entry."""
    return Rejudgement(game, file, begin(game), set())


def _located(file: RecordFile, line: int, fault: Fault) -> Fault:
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in fault.where)
    return Fault(f"{file.path}, line {line}: {key}: {fault.what}" if key else f"{file.path}, line {line}: {fault.what}")
