"""The album: the few pictures kept with each match, written by a separate thread."""

from __future__ import annotations

import logging
import queue
import re
import shutil
import threading
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from companion.games.protocol import Game
from companion.history.codec import decode_move
from companion.public.table import Token
from companion.public.text import JSON
from companion.reading.picture_mark import HEAD_BYTES, PictureMark, read_mark

log = logging.getLogger(__name__)

SNAPSHOT_FOLDER = "pictures"
"""In the data folder."""
PER_ENTRY = 12
"""Pictures of one entry; the camera process sends up to six at a time."""
MATCH_BYTES = 100_000_000
"""Pictures of one match; an evening with many disputes has some hundred of 0.2 MB."""
ALBUM_BYTES = 500_000_000
"""All pictures; those of the oldest matches are deleted first."""
MOST_WAITING = 64
"""How many pictures may wait for a slow card; further ones are dropped, so that play never waits."""
RING_S = 20.0
"""How far back the camera process keeps pictures."""
AROUND_S = 4.0

_NAME = re.compile(r"([1-9][0-9]{0,5})-([1-9][0-9]?)\.jpg")
_MATCH = re.compile(r"[^/\\\0.][^/\\\0]{0,199}")


def deserves_snapshot(game: Game[Any, Any], entry: Mapping[str, JSON]) -> tuple[int, float] | None:
    """The entry whose pictures are kept when this one was written, and from how many seconds back.

    Pictures are kept of refusals, questions, unexplained changes, contested cards, and what people overrule. Only the
    public entry is used, so that in silent matches nothing depends on secrets.

    Args:
        entry: The public entry as in the record.
    """
    number: int = entry.get("number", 0)
    match entry:
        case {"event": "refused", "change": _} | {"event": "question" | "unexplained"}:
            return number, AROUND_S
        case {"event": "played", "move": move} if isinstance(decode_move(game, move), game.table.disputed):
            return number, RING_S
        case {"event": "allowed", "allows": earlier} | {"event": "claimed", "claims": earlier}:
            return earlier, RING_S
        case {"misread": True, "strikes": earlier} | {"misread": True, "settles": earlier}:
            return earlier, RING_S
        case _:
            return None


def disputed_token(game: Game[Any, Any], entry: Mapping[str, JSON]) -> Token | None:
    """The sticker of the card that a public entry is about; ``None`` if there is no card, or it is unknown."""
    card = entry.get("change", {}).get("card")
    if card is None and "move" in entry:
        move = decode_move(game, entry["move"])
        card = move.laid or move.subject
    return next((token for token, named in game.table.cards.items() if named == card), None)


class Snapshots:
    """Pictures by match and entry, as ``MATCH/ENTRY-k.jpg`` files. May be used from any thread.

        >>> import tempfile, pathlib
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     album = Snapshots(pathlib.Path(folder))
        ...     album.put("friday", 3, b"a JPEG")
        ...     album.counts("friday")
        True
        {3: 1}

    Args:
        folder: Is created with the first picture.
        matches: The existing matches; pictures of others are deleted. ``None`` = delete none.
    """

    def __init__(
        self,
        folder: Path,
        matches: Collection[str] | None = None,
        *,
        match_bytes: int = MATCH_BYTES,
        album_bytes: int = ALBUM_BYTES,
    ) -> None:
        self._folder = folder
        self._match_bytes = match_bytes
        self._album_bytes = album_bytes
        self._waiting: queue.Queue[tuple[str, int, bytes] | None] = queue.Queue(MOST_WAITING)
        self._worker: threading.Thread | None = None
        self._starting = threading.Lock()
        if matches is not None:
            for stray in self._kept():
                if stray not in matches:
                    self.forget(stray)

    def keep(self, match: str, number: int, jpeg: bytes) -> None:
        """Queue a picture of an entry for writing; never waits, never raises."""
        with self._starting:
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="album", daemon=True)
                self._worker.start()
        try:
            self._waiting.put_nowait((match, number, jpeg))
        except queue.Full:
            log.warning("a picture of entry %d of %s was not kept: the disk is too slow", number, match)

    def close(self) -> None:
        """Write what is queued and stop. Safe to call twice."""
        with self._starting:
            worker, self._worker = self._worker, None
        if worker is not None:
            self._waiting.put(None)
            worker.join(timeout=10.0)

    def pictures(self, match: str, number: int) -> tuple[bytes, ...]:
        """An entry's pictures as JPEG, oldest first, without unreadable ones."""
        own = (path for (entry, _), path in sorted(self._of(match).items()) if entry == number)
        return tuple(jpeg for path in own if (jpeg := _read(path)))

    def counts(self, match: str) -> dict[int, int]:
        """The number of pictures of each entry that has any."""
        counted: dict[int, int] = {}
        for entry, _ in sorted(self._of(match)):
            counted[entry] = counted.get(entry, 0) + 1
        return counted

    def marks(self, match: str) -> dict[int, tuple[int, PictureMark]]:
        """For each entry, the newest picture in which the card is marked: its place, from 1, and the mark."""
        newest: dict[int, tuple[int, PictureMark]] = {}
        places: dict[int, int] = {}
        for (entry, _), path in sorted(self._of(match).items()):
            places[entry] = places.get(entry, 0) + 1
            mark = read_mark(_read(path, HEAD_BYTES))
            if mark is not None:
                newest[entry] = places[entry], mark
        return newest

    def forget(self, match: str) -> None:
        if _MATCH.fullmatch(match):
            shutil.rmtree(self._folder / match, ignore_errors=True)

    def put(self, match: str, number: int, jpeg: bytes) -> bool:
        """Write a picture now; returns whether there was room for it.

        Raises:
            OSError: The disk does not take it.
        """
        there = self._of(match)
        own = [place for entry, place in there if entry == number]
        if not _MATCH.fullmatch(match) or len(own) >= PER_ENTRY or not 0 < number < 1_000_000:
            return False
        if _bytes(there.values()) + len(jpeg) > self._match_bytes or not self._room(match, len(jpeg)):
            return False
        folder = self._folder / match
        folder.mkdir(parents=True, exist_ok=True)
        written = folder / "new"
        written.write_bytes(jpeg)
        written.replace(folder / f"{number}-{max(own, default=0) + 1}.jpg")
        return True

    def _work(self) -> None:
        while (picture := self._waiting.get()) is not None:
            match, number, _ = picture
            try:
                if not self.put(*picture):
                    log.info("no more room for pictures of entry %d of %s", number, match)
            except OSError as wrong:
                log.warning(
                    "a picture of entry %d of %s could not be kept (%s); is the disk full?", number, match, wrong
                )

    def _room(self, match: str, wanted: int) -> bool:
        """Make room by deleting the oldest matches' pictures; returns whether there is enough now."""
        sizes = {kept: _bytes(self._of(kept).values()) for kept in self._kept()}
        for oldest in sorted(sizes, key=self._age):
            if sum(sizes.values()) + wanted <= self._album_bytes:
                break
            if oldest != match:
                self.forget(oldest)
                del sizes[oldest]
        return sum(sizes.values()) + wanted <= self._album_bytes

    def _age(self, match: str) -> float:
        return (self._folder / match).stat().st_mtime

    def _kept(self) -> list[str]:
        return sorted(path.name for path in self._folder.iterdir() if path.is_dir()) if self._folder.is_dir() else []

    def _of(self, match: str) -> dict[tuple[int, int], Path]:
        """A match's pictures by entry and place."""
        folder = self._folder / match
        if not _MATCH.fullmatch(match) or not folder.is_dir():
            return {}
        named = ((_NAME.fullmatch(path.name), path) for path in folder.iterdir())
        return {(int(name[1]), int(name[2])): path for name, path in named if name and path.is_file()}


def _read(path: Path, most: int = -1) -> bytes:
    """A file, or its first bytes; empty if the disk is bad or the file was just deleted to make room."""
    try:
        with path.open("rb") as file:
            return file.read(most)
    except OSError as wrong:
        log.warning("a kept picture cannot be read: %s", wrong)
        return b""


def _bytes(paths: Collection[Path]) -> int:
    return sum(path.stat().st_size for path in paths)
