"""Referees recorded frames, as fast as they can be read."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from companion.errors import InputError
from companion.games.protocol import Game
from companion.games.registry import OpenedMatch, sticker_codes
from companion.history.codec import encode_line
from companion.public.print_sizes import LEAST_MODULE_PX
from companion.public.table import Observation
from companion.public.text import JSON
from companion.reading.frame_times import SAME_S
from companion.reading.text import parse_json
from companion.referee.command_codec import decode_command
from companion.referee.commands import Command
from companion.referee.match import Match
from companion.service.recording import BEFORE_FILE, COMMANDS_FILE
from companion.storage.record_file import follow, open_record, read_record

if TYPE_CHECKING:  # OpenCV is loaded where frames are read
    from vision.camera.frame import FrameSource
    from vision.messages import ViewQuality

MEASURED_S = 5.0
"""How often the quality of the view is measured."""

NOT_SEEN = {
    "camera": "without a fresh picture",
    "table": "without its corner tags",
    "dark": "too dark or too bright",
    "mirrored": "mirrored by an app",
}
"""By ``ViewLost``."""


def referee_frames(
    frames: FrameSource, opened: OpenedMatch, record: Path, at: Callable[[int], None] = lambda _: None
) -> FilmSight:
    """Referee the frames of a match from its beginning, and write the record.

    Args:
        frames: Already open.
        at: Called with the number of each picture.

    Raises:
        InputError: The frames cannot be read, or the record cannot be written.
    """
    match = Match(opened.game, write=_nowhere, publish=_nowhere, awaits_start=False)
    return _referee(frames, opened, opened.header, match, (), record, at)


def referee_recording(
    frames: FrameSource, folder: Path, record: Path, at: Callable[[int], None] = lambda _: None
) -> FilmSight:
    """Referee a folder of ``companion record``, from the state of its match at the start, with its commands.

    Args:
        frames: Those of the folder; already open.

    Raises:
        InputError: It cannot be read, or the record cannot be written.
    """
    before = read_record(folder / BEFORE_FILE)
    opened = open_record(before)
    entries = follow(opened.game, [value for _, value in before.entries])
    match = Match(opened.game, write=_nowhere, publish=_nowhere, entries=entries)
    commands = _read_commands(folder / COMMANDS_FILE, opened.game)
    return _referee(frames, opened, before.header, match, commands, record, at)


def _referee(
    frames: FrameSource,
    opened: OpenedMatch,
    header: Mapping[str, JSON],
    match: Match,
    commands: Iterable[TimedCommand],
    record: Path,
    at: Callable[[int], None],
) -> FilmSight:
    from vision.tracking.observer import Observer

    observer = Observer(opened.layout, sticker_codes(opened.game), shapes=opened.game.table.shapes)
    sight, waiting, written = FilmSight(), deque(commands), 0
    with _writable(record) as lines:
        lines.write(json.dumps({"record": 1, **header}, ensure_ascii=False) + "\n")

        def write_down() -> None:
            nonlocal written
            for line in match.record.lines[written:]:
                lines.write(json.dumps(encode_line(line), ensure_ascii=False) + "\n")
            written = len(match.record.lines)

        for frame in frames:
            look = observer.observe(frame)
            at(look.number)
            if sight.look(look):
                sight.measured(observer.health(frame))
            while waiting and waiting[0].after_s < look.taken_s - SAME_S:
                word = waiting.popleft()
                match.handle(word.command, word.at_s)
            match.handle(look, look.taken_s)
            write_down()
        for word in waiting:
            match.handle(word.command, word.at_s)
        write_down()
    return sight


@dataclass
class FilmSight:
    """How well a film could be seen, updated with each look.

    Attributes:
        looks: The number of pictures.
        lost: The number of pictures in which the table could not be judged, by reason.
        unread: The sides of the field with something unreadable.
        wrong: Faults of the view, each once.
        module_px: The narrowest module of a code.
    """

    looks: int = 0
    lost: Counter[str] = field(default_factory=Counter)
    unread: dict[str, None] = field(default_factory=dict)
    wrong: dict[str, None] = field(default_factory=dict)
    module_px: float | None = None
    _measured_s: float = float("-inf")

    def look(self, look: Observation) -> bool:
        """Take in one look; returns whether the view should be measured now."""
        self.looks += 1
        if look.lost is not None:
            self.lost[look.lost.value] += 1
        self.unread |= dict.fromkeys(place.side for place in look.unread)
        if not look.settled or look.taken_s - self._measured_s < MEASURED_S:
            return False
        self._measured_s = look.taken_s
        return True

    def measured(self, view: ViewQuality | None) -> None:
        for finding in view.findings if view is not None else ():
            if finding.name == "module_px":
                self.module_px = min(finding.value, self.module_px or finding.value)
            elif not finding.good:
                where = " ".join(filter(None, (finding.about, finding.side)))
                self.wrong[f"{finding.name} ({where})" if where else finding.name] = None

    def lines(self) -> Iterator[str]:
        unseen = ", ".join(f"{count} {NOT_SEEN[why]}" for why, count in sorted(self.lost.items()))
        seen = self.looks - sum(self.lost.values())
        yield f"the table could be seen in {seen} of {self.looks} pictures" + (f" ({unseen})" if unseen else "")
        if self.module_px is not None:
            small = self.module_px < LEAST_MODULE_PX
            needed = f"; below {LEAST_MODULE_PX} some are not read: larger stickers, or a lower camera" if small else ""
            yield f"the squares of the smallest codes are {self.module_px:.2f} pixels wide{needed}"
        if self.unread:
            yield f"something lay there that could not be read: {', '.join(self.unread)}"
        if self.wrong:
            yield f"the picture was not good: {', '.join(self.wrong)}"


@dataclass(frozen=True, slots=True)
class TimedCommand:
    """A command given while a table was recorded: after the look at ``after_s``, at ``at_s``."""

    after_s: float
    at_s: float
    command: Command


def _read_commands(path: Path, game: Game[Any, Any]) -> Iterator[TimedCommand]:
    try:
        text = path.read_text("utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError):
        raise InputError(f"{path}: this file cannot be read as text.") from None
    for number, line in enumerate(text.splitlines(), 1):
        try:
            document = parse_json(line.encode())
            after_s, at_s = (float(document.pop(key)) / 1000 for key in ("after_ms", "at_ms"))
            yield TimedCommand(after_s, at_s, decode_command(game, document))
        except (InputError, AttributeError, KeyError, TypeError, ValueError) as wrong:
            raise InputError(f"{path} line {number}: {wrong}") from None


def _writable(record: Path) -> TextIO:
    try:
        return record.open("w", encoding="utf-8")
    except OSError as wrong:
        raise InputError(f"{record}: cannot be written ({wrong.strerror}).") from wrong


def _nowhere(_: object) -> None:
    """Recorded frames have no log and no listeners; the record is written line by line."""
