"""The lines of the list of stored matches: each is worked out once, and kept for as long as its match is the same."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from companion.errors import LogError
from companion.games.registry import GROUP
from companion.public.entry_points import entry_points_of
from companion.public.text import JSON
from companion.storage.event_log import EventLog, MatchState
from companion.storage.kept_answers import KeptAnswers
from companion.version import __version__

logger = logging.getLogger(__name__)

AT_ONCE_S = 0.3
"""How long one request works out lines; what is then lacking is worked out behind its back."""

REST_S = 0.02
"""The pause after each line that is worked out behind everybody's back, in which others have the processor."""

SAVE_EVERY_S = 20.0
_LIST, _NAME = "", "list"


@cache
def code_mark() -> str:
    """The version of everything that works out answers: the companion, its pages, and all games.

    The files' times are part of it, so that an answer of a changed checkout or of an updated game is not shown again.
    """
    doors = [door for group in (GROUP, "companion.pages") for door in entry_points_of(group).values()]
    sources = {Path(__file__).parents[1], Path(__file__).parents[2] / "web"}
    for door in doors:
        try:
            found = find_spec(door.module.partition(".")[0])
        except (ImportError, ValueError):
            continue
        if found is not None and found.origin is not None:
            # A game in one module lies among those of all others.
            sources.add(Path(found.origin) if found.submodule_search_locations is None else Path(found.origin).parent)
    files = []
    for source in sources:
        for file in source.rglob("*") if source.is_dir() else (source,):
            if file.suffix in (".py", ".html", ".po", ".toml"):
                with suppress(OSError):  # a link to nothing, with which editors mark a file that is open
                    told = file.stat()
                    files.append((str(file), told.st_size, told.st_mtime_ns))
    return f"{__version__} {hash_of(sorted(files))}"


def hash_of(value: JSON) -> str:
    """A short digest of a value that can be written as JSON."""
    import hashlib

    return hashlib.sha256(json.dumps(value, sort_keys=True, default=list).encode()).hexdigest()[:16]


def match_states(log: EventLog) -> list[MatchState]:
    """The states of all matches that can be read, newest first."""
    try:
        return log.states()
    except LogError:  # a damaged page costs the matches on it
        return [MatchState(one.id, one.began, one.over, "damaged") for one in log.each_match()]


class Summaries:
    """The lines of a log's matches.

    Args:
        summarise: Works out the line of a match; ``None`` = it is gone.
        answers: Keep the lines for the next start.
        in_play: Whether a match is at the table: its line changes with each entry, and is never worked out here.
    """

    def __init__(
        self,
        log: EventLog,
        answers: KeptAnswers,
        summarise: Callable[[str], Mapping[str, JSON] | None],
        *,
        in_play: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._log = log
        self._answers = answers
        self._summarise = summarise
        self._in_play = in_play
        self._lines: dict[str, tuple[str, Mapping[str, JSON]]] | None = None
        self._fresh = 0
        self._working_out = threading.Lock()
        self._starting = threading.Lock()
        self._worker: threading.Thread | None = None
        self._stopped = threading.Event()

    def lines(self, states: Iterable[MatchState]) -> list[Mapping[str, JSON]]:
        """The lines of these matches; those that would take too long are ``pending``, and will be there later."""
        until_s = time.monotonic() + AT_ONCE_S
        found, lacking = [], False
        for state in states:
            line = self._known(state)
            if line is None and self._plays(state):
                line = _pending(state)
            if line is None and time.monotonic() < until_s:
                line = self.line(state)
            lacking = lacking or line is None
            found.append(_pending(state) if line is None else line)
        if lacking:
            self.work_ahead()
        return found

    def line(self, state: MatchState) -> Mapping[str, JSON]:
        """The line of one match."""
        known = self._known(state)
        if known is not None:
            return known
        if self._plays(state):
            return _pending(state)
        with self._working_out:
            known = self._known(state)
            if known is not None:
                return known
            line = self._summarise(state.id)
            if line is None:
                return _pending(state)
            self._kept()[state.id] = (state.last + str(state.over), line)
            self._fresh += 1
            return line

    def forget(self, match: str) -> None:
        """Forget the line of a match that was deleted, on the disk too."""
        if self._kept().pop(match, None) is not None:
            self._fresh += 1
            self.work_ahead()

    def work_ahead(self) -> None:
        """Work out what is lacking in a thread of its own; it ends when nothing is."""
        with self._starting:
            if self._worker is None or not self._worker.is_alive():
                self._stopped.clear()
                self._worker = threading.Thread(target=self._work, name="summaries", daemon=True)
                self._worker.start()

    def stop(self) -> None:
        """End that thread, and keep what it has worked out. Safe to call twice."""
        with self._starting:
            worker, self._worker = self._worker, None
        self._stopped.set()
        if worker is not None:
            worker.join(timeout=10.0)
        self._save()

    def _work(self) -> None:
        try:
            states = self._log.states()
            due_s = time.monotonic() + SAVE_EVERY_S
            lacking = [state for state in states if self._known(state) is None and not self._plays(state)]
            if lacking:
                logger.info("the lines of %d matches are worked out, once for this version", len(lacking))
            for state in lacking:
                if self._stopped.wait(REST_S) or self._log.state(state.id) is None:
                    continue
                self.line(state)
                if time.monotonic() > due_s:
                    self._save()
                    due_s = time.monotonic() + SAVE_EVERY_S
            self._save()
        except LogError as wrong:  # the log was closed meanwhile, or its disk is gone
            logger.info("the lines of the stored matches are not worked out: %s", wrong)

    def _plays(self, state: MatchState) -> bool:
        return not state.over and self._in_play(state.id)

    def _known(self, state: MatchState) -> Mapping[str, JSON] | None:
        last, line = self._kept().get(state.id, ("", None))
        return line if last == state.last + str(state.over) else None

    def _kept(self) -> dict[str, tuple[str, Mapping[str, JSON]]]:
        lines = self._lines
        if lines is None:
            kept = self._answers.get(_LIST, _NAME, code_mark())
            stored = {} if kept is None else json.loads(kept)
            lines = {match: (last, line) for match, (last, line) in stored.items() if match not in self._log.damaged}
            self._lines = lines
        return lines

    def _save(self) -> None:
        """Keep the lines; those of damaged matches, missing games and games with a bug are worked out at each start."""
        if not self._fresh:
            return
        try:
            there = {state.id for state in self._log.states()}  # one may be deleted while its line is worked out
        except LogError as wrong:
            logger.info("the lines of the stored matches are not kept: %s", wrong)
            return
        self._fresh = 0
        sound = {
            match: kept
            for match, kept in list(self._kept().items())
            if match in there and not {"damage", "missing", "bug"} & kept[1].keys()
        }
        self._answers.keep(_LIST, _NAME, code_mark(), json.dumps(sound).encode("utf-8", "surrogatepass"))


def _pending(state: MatchState) -> Mapping[str, JSON]:
    return {
        **{"id": state.id, "game": "", "profile": "", "seats": [], "began": state.began, "over": state.over},
        **{"entries": 0, "pending": True},
    }
