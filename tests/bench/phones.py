"""The phones' bench: how long a press and its entry take with one phone, and with fifty and ten more pages."""

from __future__ import annotations

import json
import re
import selectors
import socket
import threading
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from support.idle_services import IDLE

from companion.errors import CompanionError
from companion.games import registry
from companion.public.codes import StickerCodes
from companion.public.i18n import Translations
from companion.public.service import Role, User
from companion.public.table import Seat
from companion.referee.commands import Pause, Resume
from companion.service.runner import MatchRunner
from companion.service.table_service import TableService
from companion.storage.event_log import LOG_FILE, EventLog, wall_clock
from vision.camera.frame import Frame, make_frame

CROWDS = ((1, 0), (50, 10))
"""So many phones of seats, and so many open pages of guests beside them."""
LIMIT_MS = 150.0
"""What a press may take until its answer, and its entry until a page has it, the 99th of a hundred, in the largest
crowd on a machine that has nothing else to do."""
MATCH = {**registry.demo_match(), "seat": [{"name": "Ana"}, {"name": "Ben"}], "dealer": 2}
ROUNDS = 4
PAUSE_S = 0.02
"""Between entries, so that one phone is measured over as many seconds as many are."""
LATEST_S = 20.0
"""What has not come by then is lost."""
STARTING_S = 60.0
"""An eye needs two seconds to start and draw its film, and much longer on a machine that has other work."""


def phones(long: bool) -> Iterator[str]:
    """Presses of a seat, and their entries on the way to crowds of phones and guests' pages, over real sockets.

    Of each the 99th of a hundred; that of the entries also as a multiple of a single phone's.

    An eye reads drawn pictures beside it, as fast as a camera takes them.

    Raises:
        CompanionError: Something was lost or came twice, or the eye did not look.
    """
    from vision.process.supervisor import VisionProcess
    from vision.synthetic.films import DECK, LAYOUT

    entries = 400 if long else 100
    looks: list[float] = []
    with (
        TemporaryDirectory() as folder,
        VisionProcess(
            FilmRound, LAYOUT, StickerCodes.of(DECK), lambda look: None if look.lost else looks.append(look.taken_s)
        ),
        Table(Path(folder)) as table,
    ):
        _wait(lambda: len(looks) > 1)
        delays: dict[tuple[int, int], list[float]] = {crowd: [] for crowd in CROWDS}
        presses: dict[tuple[int, int], list[float]] = {crowd: [] for crowd in CROWDS}
        seen = dict.fromkeys(CROWDS, 0)
        for _ in range(ROUNDS):  # in turns, so that what else the machine does is met by all crowds alike
            for crowd in CROWDS:
                before = len(looks)
                answered, arrived = table.tried(*crowd, entries // ROUNDS)
                presses[crowd] += answered
                delays[crowd] += arrived
                seen[crowd] += len(looks) - before
        alone_s = 0.0
        for crowd in CROWDS:
            pressed_s, delays_s = sorted(presses[crowd]), sorted(delays[crowd])
            press_s, p99_s = (one[int(len(one) * 0.99)] for one in (pressed_s, delays_s))
            alone_s = alone_s or p99_s
            if not seen[crowd]:
                raise CompanionError("phones: the eye beside them did not look")
            yield (
                f"phones: {crowd[0]} phones and {crowd[1]} guests' pages, {entries} entries, {len(delays_s)} arrivals, "
                f"none lost or doubled; press p99 {press_s * 1000:.1f} ms (at most {LIMIT_MS:.0f}), "
                f"median {pressed_s[len(pressed_s) // 2] * 1000:.1f} ms; "
                f"entry p99 {p99_s * 1000:.1f} ms (at most {LIMIT_MS:.0f}), "
                f"median {delays_s[len(delays_s) // 2] * 1000:.1f} ms; "
                f"ratio {p99_s / alone_s:.1f} to one phone, {seen[crowd]} looks beside"
            )


class FilmRound:
    """A frame source that never ends: a short film with a hand, round and round at a camera's pace."""

    name = "a film that goes round"
    live = True

    def __enter__(self) -> Self:
        from vision.synthetic.films import CAMERA_MODES, LAYOUT, Scenario
        from vision.synthetic.scene import Scene
        from vision.synthetic.textures import CardPrint

        camera, sticker_mm, self._rate_hz = CAMERA_MODES["2304x1296"]
        scene = Scene(LAYOUT, camera, printed=CardPrint(sticker_mm=sticker_mm))
        shown = islice(Scenario(1, 44, self._rate_hz).play(1), 0, 24, 3)
        self._shots = [scene.render(pieces, hands) for (pieces, hands), _ in shown]
        return self

    def __exit__(self, *trouble: object) -> None:
        self._shots = []

    def __iter__(self) -> Iterator[Frame]:
        for shot in cycle(self._shots):
            yield make_frame(shot, time.monotonic())
            time.sleep(1 / self._rate_hz)


class Table:
    """A host with pages, on a free port of this machine alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def __enter__(self) -> Table:
        from web.app import create_app, prepare
        from web.language import LOCALE_FOLDER
        from web.server import Server

        self._paper = EventLog(self._folder / LOG_FILE)
        self.host = MatchRunner(
            self._paper, lambda head: registry.open_match(head["match"], head["deck"]).game, wall_clock=wall_clock
        )
        self.host.begin({"match": MATCH, "deck": registry.demo_deck()})
        self._thread = threading.Thread(target=self.host.run, name="referee")
        self._thread.start()
        self.services = TableService(
            self.host, **IDLE, source="bench", version="0", picture=lambda: None, complete=lambda match: match
        )
        app = create_app(self.services, Translations((*registry.locale_folders(), LOCALE_FOLDER)))
        self._streams = app.extensions["context"].streams
        self._server = Server(app, 0, "127.0.0.1")
        self._end_preparing = prepare(app, 0.0)
        self.port = self._server.port
        return self

    def __exit__(self, *_: Any) -> None:
        self._end_preparing()
        self._server.close()
        self.host.stop()
        self._thread.join()
        self._paper.close()

    def last_entry(self) -> int:
        """The number of the last entry."""
        match = self.host.match
        return 0 if match is None else len(match.record.lines)

    def tried(self, phones: int, guests: int, entries: int) -> tuple[list[float], list[float]]:
        """Seconds from each press of a seat to its answer, and to each arrival, for every page and entry.

        Raises:
            CompanionError: Something was lost or came twice, or a press was not taken.
        """
        match = self.host.match
        assert match is not None
        self._resumed()
        codes = {one.user.seat: one.code for one in self.services.match.join_codes(User(Role.HOST))}
        first = len(match.record.lines) + 1
        pressing = _Seat(self.port)
        listening = [_Phone(self.port, first - 1, codes[Seat(number % 2 + 1)]) for number in range(phones)]
        listening += [_Phone(self.port, first - 1) for _ in range(guests)]
        try:
            with selectors.DefaultSelector() as ready:
                for phone in (pressing, *listening):
                    ready.register(phone.line, selectors.EVENT_READ, phone)
                _read(ready, lambda: all(phone.greeted for phone in listening))
                said_s = {}
                for number in range(first, first + entries):
                    time.sleep(PAUSE_S)
                    seat = match.standing.turn
                    assert seat is not None
                    said_s[number] = time.perf_counter()
                    pressing.press(seat, codes[seat])
                    _read(
                        ready,
                        lambda: (
                            len(pressing.answered_s) == len(said_s)
                            and all(phone.seen and phone.seen[-1][0] >= number for phone in listening)  # noqa: B023
                        ),
                    )
        finally:
            for phone in (pressing, *listening):
                phone.line.close()
            self._emptied()
        wanted = list(said_s)
        for phone in listening:
            if [number for number, _ in phone.seen] != wanted:
                raise CompanionError("phones: an entry was lost or came twice on its way to a phone")
        answers = [at_s - from_s for from_s, at_s in zip(said_s.values(), pressing.answered_s, strict=True)]
        return answers, [at_s - said_s[number] for phone in listening for number, at_s in phone.seen]

    def _resumed(self) -> None:
        """Whoever has gone may have left the clock standing."""
        match = self.host.match
        assert match is not None
        if match.record.paused:
            self.host.post(Resume())
        until_s = time.perf_counter() + LATEST_S
        while match.record.paused and time.perf_counter() < until_s:
            time.sleep(0.01)

    def _emptied(self) -> None:
        """The server learns that a phone has gone when it next writes to it; the next crowd needs the places."""
        until_s = time.perf_counter() + LATEST_S
        while self._streams.listeners and time.perf_counter() < until_s:
            match = self.host.match
            assert match is not None
            self.host.post(Resume() if match.record.paused else Pause())
            time.sleep(0.05)


class _Phone:
    """An open page, of a guest or with a seat's code, as far as the server can tell."""

    def __init__(self, port: int, after: int, code: str = "") -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=LATEST_S)
        bearer = f"Authorization: Bearer {code}\r\n" if code else ""
        request = f"GET /api/v1/events?after={after} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}\r\n"
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


class _Seat:
    """The phone that presses; ``answered_s``: when each press was answered."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), timeout=LATEST_S)
        self.answered_s: list[float] = []
        self._rest = b""

    def press(self, seat: int, code: str) -> None:
        """End the turn."""
        body = json.dumps({"move": {"do": "end_turn", "by": seat}})
        self.line.sendall(
            f"POST /api/v1/moves HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {code}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        )

    def hear(self) -> None:
        """Take in what has come; raises CompanionError if a press was not taken."""
        self._rest += self.line.recv(1 << 16)
        now_s = time.perf_counter()
        head, _, body = self._rest.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", head)
        if length is None or len(body) < int(length[1]):
            return
        if b" 200 " not in head.split(b"\r\n")[0]:
            raise CompanionError(f"phones: a press was answered with {body.decode()}")
        self.answered_s.append(now_s)
        self._rest = b""


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
