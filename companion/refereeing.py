"""Referees recorded frames: the eye and the referee alone, as fast as the frames can be read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from companion.bundle import read_bundle
from companion.catalog import Opened, accepted, open_record
from companion.errors import InputError
from companion.evening import Evening
from companion.judging import differences
from companion.lines import encode_line


def referee_frames(frames: str, opened: Opened, record: Path) -> None:
    """Referee recorded frames as fast as they can be read, without pins or phones, and write the record.

    Raises:
        InputError: The frames cannot be read, or the record cannot be written.
    """
    from vision.sources import open_source
    from vision.watcher import watch

    with open_source(frames) as source, _writable(record) as paper:
        evening = Evening(opened.game, write=_nowhere, tell=_nowhere)
        paper.write(json.dumps({"record": 1, **opened.header}, ensure_ascii=False) + "\n")
        for look in watch(source, opened.layout, accepted(opened.game)):
            written = len(evening.record.lines)
            evening.hear(look, look.taken_s)
            for line in evening.record.lines[written:]:
                paper.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")


def referee_bundle(bundle: Path, warn: Callable[[str], None]) -> Iterator[str]:
    """Judge every entry of a bundle's record by today's rules; yields what differs, one sentence each.

    Args:
        warn: Hears that the record's last line is torn.

    Raises:
        InputError: It is no bundle, or its record cannot be read.
    """
    record = read_bundle(bundle).record
    if record.torn:
        warn(f"{bundle}: the record's last line is torn; read up to entry {len(record.entries)}")
    yield from differences(open_record(record).game, record)


def _writable(record: Path) -> TextIO:
    try:
        return record.open("w", encoding="utf-8")
    except OSError as wrong:
        raise InputError(f"{record}: cannot be written ({wrong.strerror}).") from wrong


def _nowhere(_: object) -> None:
    """Recorded frames have no log and nobody to tell; the record is written line by line."""
