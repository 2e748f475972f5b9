"""A recording of a table: the camera's pictures, the commands given meanwhile, and the match that it belongs to.

The camera's process writes pictures and ``frames.csv`` into a folder (``vision.process.film_writer``); this module adds
the rest, so that ``companion referee FOLDER`` can referee the match again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from companion.history.events import Entry
from companion.public.layout import Layout, encode_layout
from companion.public.table import Observation
from companion.public.text import JSON
from companion.reading.frame_times import SAME_S, read_times
from companion.referee.command_codec import encode_command
from companion.referee.commands import Input
from companion.referee.match import Match
from companion.storage.bundle import without_secrets
from companion.storage.event_log import StoredMatch
from companion.storage.record_file import record_lines
from companion.storage.toml_file import toml_text

BEFORE_FILE, RECORD_FILE, COMMANDS_FILE, ABOUT_FILE = "before.jsonl", "record.jsonl", "said.jsonl", "recording.json"
SIDE_FILES = (BEFORE_FILE, RECORD_FILE, COMMANDS_FILE, ABOUT_FILE, "match.toml", "deck.toml", "settings.json")


class Recording:
    """Collects what belongs to a recording besides the pictures, until it is finished.

    Attributes:
        folder: Gets all files.
        stored, match: The match that is recorded.

    Args:
        layout: The zones in use.
        settings: The table's settings as read; secrets are left out.
        about: Further content of ``recording.json``.
    """

    def __init__(
        self,
        folder: Path,
        stored: StoredMatch,
        match: Match,
        *,
        layout: Layout,
        settings: Mapping[str, JSON],
        about: Mapping[str, JSON],
    ) -> None:
        self.folder, self.stored, self.match = folder, stored, match
        self._layout, self._settings, self._about = layout, settings, dict(about)
        self._looked_s = float("-inf")
        self._grown: list[tuple[float, int]] = []
        self._commands: list[tuple[float, float, dict[str, JSON]]] = []
        match.on_input = self._collect

    def _collect(self, message: Input, now_s: float) -> None:
        """Called in the referee's thread."""
        if not isinstance(message, Observation):
            self._commands.append((self._looked_s, now_s, encode_command(message)))
            return
        self._looked_s = message.taken_s
        count = len(self.match.record.lines)
        if not self._grown or self._grown[-1][1] != count:
            self._grown.append((message.taken_s, count))

    def finish(self, **more: JSON) -> int:
        """Write the other files; returns the number of pictures.

        Raises:
            OSError: The disk does not take them.
        """
        self.match.on_input = None
        times = read_times(self.folder)
        if not times:
            return 0
        first_s, last_s = times[0][1], times[-1][1]
        entries = [line.entry for line in self.match.record.lines]
        before = max((count for looked_s, count in self._grown if looked_s < first_s + SAME_S), default=0)
        header = {
            **self.stored.header,
            "match": {**self.stored.header["match"], "table": encode_layout(self._layout)},
        }
        stored = StoredMatch(self.stored.id, self.stored.began, header, self.stored.over)
        self._write_record(BEFORE_FILE, stored, entries[:before])
        self._write_record(RECORD_FILE, stored, entries)
        spoken = (
            {"after_ms": looked_s * 1000, "at_ms": now_s * 1000, **what}
            for looked_s, now_s, what in self._commands
            if looked_s > first_s - SAME_S
        )
        self._write(COMMANDS_FILE, "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in spoken))
        self._write("match.toml", toml_text({**header["match"], "deck": "deck.toml"}))
        if header.get("deck") is not None:
            self._write("deck.toml", toml_text(header["deck"]))
        self._write("settings.json", json.dumps(without_secrets(self._settings), indent=1) + "\n")
        about = {
            **self._about,
            "match": stored.id,
            "frames": len(times),
            "seconds": round(last_s - first_s, 3),
            "pictures": sorted({Path(name).suffix.removeprefix(".") for name, _ in times}),
            **more,
        }
        self._write(ABOUT_FILE, json.dumps({"recording": 1, **about}, indent=1) + "\n")
        return len(times)

    def _write_record(self, name: str, stored: StoredMatch, entries: list[Entry]) -> None:
        self._write(name, "".join(line + "\n" for line in record_lines(stored, self.match.game, entries)))

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
