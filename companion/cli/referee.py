"""Referees recorded frames: the eye and the referee alone, as fast as the frames can be read."""

from __future__ import annotations

import argparse
import json
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from companion.cli.output import DONE, NO, say, say_wrong
from companion.cli.progress import ProgressLine
from companion.cli.rejudge import differences
from companion.errors import InputError
from companion.games.protocol import Game
from companion.games.registry import OpenedMatch, sticker_codes
from companion.history.codec import encode_line
from companion.reading.frame_times import SAME_S
from companion.reading.text import parse_json
from companion.referee.command_codec import decode_command
from companion.referee.commands import Command
from companion.referee.match import Match
from companion.service.recording import BEFORE_FILE, SAID_FILE, SIDE_FILES
from companion.storage.bundle import read_bundle
from companion.storage.record_file import follow, open_record, read_record
from companion.storage.recording_zip import is_recording, unpack_recording


def referee(arguments: argparse.Namespace) -> int:
    """Referee recorded frames; or a bundle's record anew, and then the answer is "no" when something differs."""
    from companion.storage.bundle import is_bundle
    from companion.storage.match_file import read_match

    if is_bundle(arguments.frames) and arguments.match is None and is_recording(Path(arguments.frames), BEFORE_FILE):
        if arguments.record is None:
            raise InputError(f"{arguments.frames}: to referee a recording, name --record out.jsonl")
        referee_zip(Path(arguments.frames), arguments.record)
        return DONE
    if is_bundle(arguments.frames) and arguments.match is None:
        differs = False
        for line in referee_bundle(Path(arguments.frames), say_wrong):
            say(line)
            differs = True
        return NO if differs else DONE
    if arguments.match is None and arguments.record is not None and (Path(arguments.frames) / BEFORE_FILE).is_file():
        referee_recording(Path(arguments.frames), arguments.record)
        return DONE
    if arguments.match is None or arguments.record is None:
        raise InputError(f"{arguments.frames}: to referee frames, name --match match.toml and --record out.jsonl")
    referee_frames(arguments.frames, read_match(arguments.match), arguments.record)
    return DONE


def referee_frames(frames: str, opened: OpenedMatch, record: Path) -> None:
    """Referee recorded frames as fast as they can be read, without pins or phones, and write the record.

    Raises:
        InputError: The frames cannot be read, or the record cannot be written.
    """
    from companion.cli.film_sight import FilmSight
    from vision.camera.sources import open_source, pictures_in
    from vision.tracking.observer import Observer

    observer = Observer(opened.layout, sticker_codes(opened.game), shapes=opened.game.shapes)
    sight = FilmSight()

    with (
        open_source(frames) as source,
        _writable(record) as lines,
        ProgressLine("Refereeing picture", pictures_in(source)) as progress,
    ):
        match = Match(opened.game, write=_nowhere, publish=_nowhere, awaits_start=False)
        lines.write(json.dumps({"record": 1, **opened.header}, ensure_ascii=False) + "\n")
        for frame in source:
            look = observer.observe(frame)
            progress.at(look.number)
            if sight.look(look):
                sight.measured(observer.health(frame))
            written = len(match.record.lines)
            match.handle(look, look.taken_s)
            for line in match.record.lines[written:]:
                lines.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")
    for sentence in sight.lines():
        say_wrong(sentence)


def referee_recording(folder: Path, record: Path) -> None:
    """Referee what ``companion record`` wrote down: from where its match stood, with what people said meanwhile.

    Raises:
        InputError: It cannot be read, or the record cannot be written.
    """
    from companion.cli.film_sight import FilmSight
    from vision.camera.sources import open_source
    from vision.tracking.observer import Observer

    before = read_record(folder / BEFORE_FILE)
    opened = open_record(before)
    match = Match(
        opened.game,
        write=_nowhere,
        publish=_nowhere,
        entries=follow(opened.game, [value for _, value in before.entries]),
    )
    observer = Observer(opened.layout, sticker_codes(opened.game), shapes=opened.game.shapes)
    sight = FilmSight()
    requests = deque(_read_said(folder / SAID_FILE, opened.game))
    with open_source(str(folder)) as source, _writable(record) as lines:
        lines.write(json.dumps({"record": 1, **before.header}, ensure_ascii=False) + "\n")
        written = 0
        for frame in source:
            look = observer.observe(frame)
            if sight.look(look):
                sight.measured(observer.health(frame))
            while requests and requests[0].after_s < look.taken_s - SAME_S:
                word = requests.popleft()
                match.handle(word.command, word.at_s)
            match.handle(look, look.taken_s)
            for line in match.record.lines[written:]:
                lines.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")
            written = len(match.record.lines)
        for word in requests:
            match.handle(word.command, word.at_s)
        for line in match.record.lines[written:]:
            lines.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")
    for sentence in sight.lines():
        say_wrong(sentence)


def referee_zip(recording: Path, record: Path) -> None:
    """Referee a recording as the page gives it away, unpacked beside the record for as long as that takes.

    Raises:
        InputError: It cannot be unpacked or read, or the record cannot be written.
    """
    try:
        room = tempfile.TemporaryDirectory(prefix=".recording-", dir=record.parent)
    except OSError as wrong:
        raise InputError(f"{record}: nothing can be written beside it ({wrong.strerror}).") from wrong
    with room as folder:
        with ProgressLine(f"Unpacking {recording}"):
            unpacked = unpack_recording(recording, Path(folder), SIDE_FILES)
        referee_recording(unpacked, record)


@dataclass(frozen=True, slots=True)
class SpokenCommand:
    """What somebody said while a table was recorded: after the look at ``after_s``, at ``at_s``."""

    after_s: float
    at_s: float
    command: Command


def _read_said(path: Path, game: Game[Any, Any]) -> Iterator[SpokenCommand]:
    try:
        text = path.read_text("utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: this file cannot be read as text.") from None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            document = parse_json(line.encode())
            after_s, at_s = (float(document.pop(key)) / 1000 for key in ("after_ms", "at_ms"))
            yield SpokenCommand(after_s, at_s, decode_command(game, document))
        except (InputError, AttributeError, KeyError, TypeError, ValueError) as wrong:
            raise InputError(f"{path} line {number}: {wrong}") from None


def referee_bundle(bundle: Path, warn: Callable[[str], None]) -> Iterator[str]:
    """Judge every entry of a bundle's record by today's rules; yields what differs, one sentence each.

    Args:
        warn: Hears that the record's last line is torn.

    Raises:
        InputError: It is no bundle, or its record cannot be read.
    """
    with ProgressLine(f"Reading {bundle}"):
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
