"""Sixty phones, a backup that is brought back in the middle of the evening, and phones that slept meanwhile."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from support.reopened_table import Table, table

from companion.storage.backup import make_copy
from companion.storage.event_log import LOG_FILE, EventLog, Generation
from companion.storage.restore import replace_log

pytestmark = pytest.mark.long

PATIENCE_S = 60.0
Number: TypeAlias = tuple[str, str, int]
"""Match, generation and number: what a page knows an entry by."""


class Phone:
    """A page that follows the table over HTTP, as ``live.js`` does; it notes what it was told under each number.

    Attributes:
        told: Each entry that it was told of, and its number.
        unannounced: How often another generation came in the middle of a stream instead of as a snapshot.
        missed: How often an entry was followed by another than the next one.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.match, self.generation, self.number = "", "", 0
        self.told: list[tuple[Number, str]] = []
        self.unannounced = self.missed = 0
        self._last_id = ""
        self._line: socket.socket | None = None
        self._awake = True
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def sleep(self) -> None:
        """The screen goes dark: the stream ends, and the page stays as it is."""
        self._awake = False
        with suppress(OSError):  # it is just opening another one
            if self._line is not None:
                self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join(PATIENCE_S)

    def wake(self) -> None:
        self._awake = True
        self._last_id = ""  # the page opens its stream itself, and says in its address what it knows
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while self._awake:
            try:
                with socket.create_connection(("127.0.0.1", self._port), timeout=PATIENCE_S) as self._line:
                    self._listen(self._line)
            except OSError:
                pass
            time.sleep(0.05)  # a browser waits longer before it connects again

    def _listen(self, line: socket.socket) -> None:
        known = f"&after={self.number}&generation={self.generation}" if self.number else ""
        again = f"Last-Event-ID: {self._last_id}\r\n" if self._last_id else ""
        request = f"GET /api/v1/events?match={self.match}{known} HTTP/1.1\r\nHost: 127.0.0.1\r\n{again}\r\n"
        line.sendall(request.encode())
        rest = b""
        while came := line.recv(1 << 16):
            *events, rest = (rest + came).split(b"\n\n")
            for event in events:
                self._hear(dict(field.partition(": ")[::2] for field in event.decode().split("\n")))

    def _hear(self, fields: dict[str, str]) -> None:
        if "data" not in fields or fields.get("event") not in (None, "snapshot"):
            return
        update, whole = json.loads(fields["data"]), "event" in fields
        self._last_id = fields.get("id", self._last_id)
        if (update["match"], update["generation"]) != (self.match, self.generation):
            self.unannounced += not whole
            self.match, self.generation, self.number = update["match"], update["generation"], 0
        entry = update["entry"]
        if entry is not None and entry.get("number") == update["number"]:
            deed = json.dumps([entry.get("event"), entry.get("move")], sort_keys=True)
            self.told.append(((self.match, self.generation, update["number"]), deed))
            self.missed += not whole and update["number"] > self.number + 1
        self.number = max(self.number, update["number"])


def told_for_different_entries(phones: Iterable[Phone]) -> int:
    """How many numbers stood for more than one entry, over all phones."""
    known = Counter(number for number, _ in {told for phone in phones for told in phone.told})
    return sum(1 for entries in known.values() if entries > 1)


def evening(folder: Path, crowd: int) -> list[Phone]:
    """Phones at a table played to entry 9; a backup of entry 4 is brought back, and other entries follow.

    A third of them is awake all the time, a third sleeps while the backup is brought back, and a third from entry 6
    until the restored table has gone further than that.
    """
    with ExitStack() as ends:
        with table(folder, 0) as now:
            assert now.server is not None
            port = now.server.port
            now.play(4)
            make_copy(folder / LOG_FILE, folder / "early.sqlite")
            phones = [Phone(port) for _ in range(crowd)]
            for phone in phones:
                ends.callback(phone.sleep)
            awake, asleep, long_asleep = phones[::3], phones[1::3], phones[2::3]
            heard(phones, now)
            now.play(2)
            heard(phones, now)
            for phone in long_asleep:
                phone.sleep()
            now.play(3)
            heard([*awake, *asleep], now)
            for phone in asleep:
                phone.sleep()
        replace_log(folder, folder / "early.sqlite")
        with table(folder, port) as now:
            heard(awake, now)
            for phone in asleep:
                phone.wake()
            heard([*awake, *asleep], now)
            for _ in range(3):
                now.lay()
            for phone in long_asleep:
                phone.wake()
            heard(phones, now)
            now.lay()
            heard(phones, now)
            return phones


def heard(phones: Iterable[Phone], now: Table) -> None:
    """Waits until these phones have heard of the table's last entry."""
    standing = now.standing()
    last, telling = standing["number"], (standing["match"], standing["generation"])
    eventually(lambda: all((phone.match, phone.generation) == telling and phone.number >= last for phone in phones))


def eventually(done: Callable[[], Any]) -> None:
    until_s = time.monotonic() + PATIENCE_S
    while not done():
        assert time.monotonic() < until_s, "a phone is not where the table is"
        time.sleep(0.02)


def test_no_number_was_told_for_two_entries(tmp_path: Path):
    """ "60 phones, restore in the middle, phones asleep during it: numbers told twice for different entries 0"."""
    phones = evening(tmp_path, 60)
    entries = {number for phone in phones for (_, _, number), _ in phone.told}
    assert {5, 6, 7, 8, 9, 12} <= entries, "both evenings were told"
    assert told_for_different_entries(phones) == 0
    assert [phone.unannounced for phone in phones] == [0] * 60
    assert [phone.missed for phone in phones] == [0] * 60


def test_the_count_sees_a_table_that_tells_the_same_numbers_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(EventLog, "generation", lambda *_: Generation("always", went_back=False))
    assert told_for_different_entries(evening(tmp_path, 6)) > 0
