"""Referees recorded frames: the eye and the referee alone, as fast as the frames can be read."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TextIO

from companion.cli.output import DONE, NO, say, say_wrong
from companion.cli.progress import Progress
from companion.cli.rejudge import differences
from companion.errors import InputError
from companion.games.registry import OpenedMatch, sticker_codes
from companion.history.codec import encode_line
from companion.referee.match import Match
from companion.storage.bundle import read_bundle
from companion.storage.record_file import open_record


def referee(said: argparse.Namespace) -> int:
    """Referee recorded frames; or a bundle's record anew, and then the answer is "no" when something differs."""
    from companion.storage.bundle import is_bundle
    from companion.storage.match_file import read_match

    if is_bundle(said.frames) and said.match is None:
        differs = False
        for line in referee_bundle(Path(said.frames), say_wrong):
            say(line)
            differs = True
        return NO if differs else DONE
    if said.match is None or said.record is None:
        raise InputError(f"{said.frames}: to referee frames, name --match match.toml and --record out.jsonl")
    referee_frames(said.frames, read_match(said.match), said.record)
    return DONE


def referee_frames(frames: str, opened: OpenedMatch, record: Path) -> None:
    """Referee recorded frames as fast as they can be read, without pins or phones, and write the record.

    Raises:
        InputError: The frames cannot be read, or the record cannot be written.
    """
    from vision.camera.sources import open_source, pictures_in
    from vision.tracking.observer import observe_frames

    with (
        open_source(frames) as source,
        _writable(record) as lines,
        Progress("Refereeing picture", pictures_in(source)) as told,
    ):
        match = Match(opened.game, write=_nowhere, publish=_nowhere)
        lines.write(json.dumps({"record": 1, **opened.header}, ensure_ascii=False) + "\n")
        for look in observe_frames(source, opened.layout, sticker_codes(opened.game), opened.game.shapes):
            told.at(look.number)
            written = len(match.record.lines)
            match.handle(look, look.taken_s)
            for line in match.record.lines[written:]:
                lines.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")


def referee_bundle(bundle: Path, warn: Callable[[str], None]) -> Iterator[str]:
    """Judge every entry of a bundle's record by today's rules; yields what differs, one sentence each.

    Args:
        warn: Hears that the record's last line is torn.

    Raises:
        InputError: It is no bundle, or its record cannot be read.
    """
    with Progress(f"Reading {bundle}"):
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
