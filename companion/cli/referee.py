"""``companion referee``: recorded frames, a recording, or the record in a bundle."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from companion.app.film import referee_frames, referee_recording
from companion.app.rejudge import differences
from companion.cli.output import DONE, NO, print_error, print_line
from companion.cli.progress import ProgressLine
from companion.errors import InputError
from companion.service.recording import BEFORE_FILE, SIDE_FILES
from companion.storage.bundle import is_bundle, read_bundle
from companion.storage.match_file import read_match
from companion.storage.record_file import open_record
from companion.storage.recording_zip import is_recording, unpack_recording


def referee(arguments: argparse.Namespace) -> int:
    """Referee recorded frames; or a bundle's record again: then the answer is "no" if something differs."""
    frames, match, record = Path(arguments.frames), arguments.match, arguments.record
    if match is None and is_bundle(arguments.frames):
        if not is_recording(frames, BEFORE_FILE):
            return _referee_bundle(frames)
        if record is None:
            raise InputError(f"{arguments.frames}: to referee a recording, name --record out.jsonl")
        _referee_zip(frames, record)
    elif match is None and record is not None and (frames / BEFORE_FILE).is_file():
        _referee_film(arguments.frames, None, record)
    elif match is None or record is None:
        raise InputError(f"{arguments.frames}: to referee frames, name --match match.toml and --record out.jsonl")
    else:
        _referee_film(arguments.frames, match, record)
    return DONE


def _referee_film(frames: str, match: Path | None, record: Path) -> None:
    """The frames of a match, or without a match the folder of a recording."""
    from vision.camera.sources import open_source, pictures_in, remarks_on

    opened = None if match is None else read_match(match)
    with open_source(frames) as source, ProgressLine("Refereeing picture", pictures_in(source)) as progress:
        if opened is None:
            sight = referee_recording(source, Path(frames), record, progress.at)
        else:
            sight = referee_frames(source, opened, record, progress.at)
    for sentence in (*remarks_on(source), *sight.lines()):
        print_error(sentence)


def _referee_zip(recording: Path, record: Path) -> None:
    """A recording downloaded from the page, unpacked beside the record meanwhile."""
    try:
        room = tempfile.TemporaryDirectory(prefix=".recording-", dir=record.parent)
    except OSError as wrong:
        raise InputError(f"{record}: nothing can be written beside it ({wrong.strerror}).") from wrong
    with room as folder:
        with ProgressLine(f"Unpacking {recording}"):
            unpacked = unpack_recording(recording, Path(folder), SIDE_FILES)
        _referee_film(str(unpacked), None, record)


def _referee_bundle(bundle: Path) -> int:
    """Judge every entry of a bundle's record by the present rules, and print the differences."""
    with ProgressLine(f"Reading {bundle}"):
        record = read_bundle(bundle).record
    if record.torn:
        print_error(f"{bundle}: the record's last line is torn; read up to entry {len(record.entries)}")
    answer = DONE
    for line in differences(open_record(record).game, record):
        print_line(line)
        answer = NO
    return answer
