"""The phones' bench: how long an entry is on its way to 1 and to 50 phones, over real sockets of this machine."""

from __future__ import annotations

import json
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.errors import CompanionError
from companion.games import registry
from companion.public.codes import StickerCodes
from companion.public.i18n import Translations
from companion.referee.commands import Pause, Resume
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog, wall_clock

CROWDS = (1, 50)
MATCH = {**registry.demo_match(), "seat": [{"name": "Ana"}, {"name": "Ben"}], "dealer": 2}
ROUNDS = 4
PAUSE_S = 0.02
"""Between entries, so that one phone is measured over as many seconds as many are."""
LATEST_S = 20.0
"""What has not come by then is lost."""
STARTING_S = 60.0
"""An eye needs two seconds to start and draw its film, and much longer on a machine that has other work."""


def phones(long: bool) -> Iterator[str]:
    """Entries on their way to crowds of phones: the 99th of a hundred, as a multiple of a single phone's.

    An eye reads drawn pictures beside it, as fast as a camera takes them.

    Raises:
        CompanionError: Something was lost or came twice, or the eye did not look.
    """
    from tests.bench.memory import Busy
    from vision.process.supervisor import VisionProcess
    from vision.synthetic.films import DECK, LAYOUT

    entries = 400 if long else 100
    looks: list[float] = []
    with (
        TemporaryDirectory() as folder,
        VisionProcess(
            Busy, LAYOUT, StickerCodes.of(DECK), lambda look: None if look.lost else looks.append(look.taken_s)
        ),
        Table(Path(folder)) as table,
    ):
        _wait(lambda: len(looks) > 1)
        delays: dict[int, list[float]] = {crowd: [] for crowd in CROWDS}
        seen = dict.fromkeys(CROWDS, 0)
        for _ in range(ROUNDS):  # in turns, so that what else the machine does is met by all crowds alike
            for crowd in CROWDS:
                before = len(looks)
                delays[crowd] += table.tried(crowd, entries // ROUNDS)
                seen[crowd] += len(looks) - before
        alone_s = 0.0
        for crowd in CROWDS:
            delays_s = sorted(delays[crowd])
            p99_s = delays_s[int(len(delays_s) * 0.99)]
            alone_s = alone_s or p99_s
            if not seen[crowd]:
                raise CompanionError("phones: the eye beside them did not look")
            yield (
                f"phones: {crowd} phones, {entries} entries, {len(delays_s)} arrivals, none lost or doubled; "
                f"p99 {p99_s * 1000:.1f} ms, median {delays_s[len(delays_s) // 2] * 1000:.1f} ms; "
                f"ratio {p99_s / alone_s:.1f} to one phone, {seen[crowd]} looks beside"
            )


class Table:
    """A host with pages, on a free port of this machine alone.

    Attributes:
        port: Where it is served.
        services: What it serves.
        app: Its pages.
        host: Runs the match.
    """

    def __init__(self, folder: Path, *, proxy: str | None = None) -> None:
        self._folder, self._proxy = folder, proxy

    def __enter__(self) -> Table:
        from web.app import create_app
        from web.language import LOCALE_FOLDERS
        from web.server import Server

        self._paper = EventLog(self._folder / LOG_FILE)
        self.host = MatchRunner(
            self._paper, lambda head: registry.open_match(head["match"], head["deck"]).game, wall_clock=wall_clock
        )
        self.host.begin({"match": MATCH, "deck": registry.demo_deck()})
        self._thread = threading.Thread(target=self.host.run, name="referee")
        self._thread.start()
        self.services = TableService(
            self.host, source="bench", version="0", picture=lambda: None, complete=lambda match: match
        )
        self.app = create_app(self.services, Translations((*registry.locale_folders(), *LOCALE_FOLDERS)))
        self._streams = self.app.extensions["context"].streams
        self._server = Server(self.app, 0, "127.0.0.1", proxy=self._proxy)
        self.port = self._server.port
        return self

    def __exit__(self, *_: Any) -> None:
        self._server.close()
        self.host.stop()
        self._thread.join()
        self._paper.close()

    def last_entry(self) -> int:
        """The number of the last entry."""
        match = self.host.match
        return 0 if match is None else len(match.record.lines)

    def tried(self, crowd: int, entries: int) -> list[float]:
        """Seconds from saying to each arrival, for every phone and entry.

        Raises:
            CompanionError: Something was lost or came twice.
        """
        match = self.host.match
        assert match is not None
        first = len(match.record.lines) + 1
        listening = [_Phone(self.port, first - 1) for _ in range(crowd)]
        try:
            with selectors.DefaultSelector() as ready:
                for phone in listening:
                    ready.register(phone.line, selectors.EVENT_READ, phone)
                _read(ready, lambda: all(phone.greeted for phone in listening))
                said_s = {}
                for number in range(first, first + entries):
                    time.sleep(PAUSE_S)
                    said_s[number] = time.perf_counter()
                    self._turn()
                    _read(ready, lambda: all(phone.seen and phone.seen[-1][0] >= number for phone in listening))  # noqa: B023
        finally:
            for phone in listening:
                phone.line.close()
            self._emptied()
        wanted = list(said_s)
        for phone in listening:
            if [number for number, _ in phone.seen] != wanted:
                raise CompanionError("phones: an entry was lost or came twice on its way to a phone")
        return [at_s - said_s[number] for phone in listening for number, at_s in phone.seen]

    def _emptied(self) -> None:
        """The server learns that a phone has gone when it next writes to it; the next crowd needs the places."""
        until_s = time.perf_counter() + LATEST_S
        while self._streams.listeners and time.perf_counter() < until_s:
            self._turn()
            time.sleep(0.05)

    def _turn(self) -> None:
        """Something that everybody is told, whichever way it stands."""
        match = self.host.match
        assert match is not None
        self.host.post(Resume() if match.record.paused else Pause())


class _Phone:
    """An open page, as far as the server can tell."""

    def __init__(self, port: int, after: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=LATEST_S)
        request = f"GET /api/v1/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
        self.line.sendall(request.encode())
        self.greeted = False
        self.seen: list[tuple[int, float]] = []
        self._rest = b""

    def hear(self) -> None:
        """Take in what has come."""
        *events, self._rest = (self._rest + self.line.recv(1 << 16)).split(b"\n\n")
        now_s = time.perf_counter()
        for event in events:
            self.greeted |= b"event: snapshot" in event
            data = event.rpartition(b"data: ")[2]
            if b"event: snapshot" not in event and b"id: " in event:
                self.seen.append((int(json.loads(data.split(b"\n")[0])["number"]), now_s))


def _wait(done: Callable[[], bool]) -> None:
    until_s = time.perf_counter() + STARTING_S
    while not done():
        if time.perf_counter() > until_s:
            raise CompanionError(f"phones: the eye beside them did not look within {STARTING_S:.0f} s")
        time.sleep(0.05)


def _read(ready: selectors.BaseSelector, enough: Any) -> None:
    until_s = time.perf_counter() + LATEST_S
    while not enough():
        if time.perf_counter() > until_s:
            raise CompanionError("phones: an entry did not reach every phone within 20 s")
        for key, _ in ready.select(timeout=0.5):
            key.data.hear()
