"""The feed: hears the news and hands each open page what it has not seen, in order, once."""

from __future__ import annotations

import json
import queue
import threading
from collections import OrderedDict
from collections.abc import Iterator

from companion.public.service import Desk
from companion.public.text import JSON
from companion.public.updates import Update
from web.language import MatchContext, Translator, match_context
from web.push.serializers import latest_json, snapshot_json, update_json

STREAMS = 224
"""Open streams at most; each holds one of the server's 256 threads."""

HEARTBEAT_S = 15.0
BACKLOG = 256
"""News that a stream may lag behind before it is closed; its page then comes back and asks for what it missed."""

Subscription = queue.SimpleQueue[Update | None]


class EventStreams:
    """An outlet for any number of pages. Close it to end all streams."""

    def __init__(
        self, desk: Desk, voice: Translator, *, streams: int = STREAMS, heartbeat_s: float = HEARTBEAT_S
    ) -> None:
        self._desk, self._voice = desk, voice
        self._streams, self._heartbeat_s = streams, heartbeat_s
        self._lock = threading.Lock()
        self._open: set[Subscription] = set()
        self._evenings: OrderedDict[int, tuple[Update, MatchContext]] = OrderedDict()
        self._closed = False
        self._deafen = desk.listen(self)

    def __call__(self, news: Update) -> None:
        """Hear news; never waits for a page."""
        with self._lock:
            for waiting in tuple(self._open):
                if waiting.qsize() >= BACKLOG:
                    self._open.discard(waiting)
                    waiting.put(None)
                else:
                    waiting.put(news)

    def close(self) -> None:
        """End every stream and hear no more."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for waiting in self._open:
                waiting.put(None)
            self._open.clear()
        self._deafen()

    def open(self) -> Subscription | None:
        """A place to wait for news, or ``None`` when all are taken."""
        with self._lock:
            if self._closed or len(self._open) >= self._streams:
                return None
            waiting: Subscription = queue.SimpleQueue()
            self._open.add(waiting)
            return waiting

    def leave(self, waiting: Subscription) -> None:
        """Give the place free."""
        with self._lock:
            self._open.discard(waiting)
        waiting.put(None)

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._open)

    def events(self, waiting: Subscription, language: str, after: int | None) -> Iterator[str]:
        """Server-Sent Events: how it stands, or what was missed since entry ``after``, then all that comes.

        A page that asks for entries that this match has not had yet is from another match, and gets
        the standing. News that are no entry have no ``id``, so that a page which comes back asks
        for the last entry that it saw.
        """
        try:
            now = match_context(self._desk)
            last = latest_json(self._desk)[1]
            if after is None or after > last:
                shown = snapshot_json(self._desk, now, self._voice, language)
                last = int(shown["number"])
                yield _event(shown, name="snapshot", number=last)
            else:
                last = after
                for news in self._desk.since(after):
                    if news.number is not None and news.number > last:
                        last = news.number
                        yield _event(update_json(news, last, now, self._voice, language), number=last)
                yield _event(snapshot_json(self._desk, now, self._voice, language), name="snapshot")
            match = now.id
            while True:
                try:
                    heard = waiting.get(timeout=self._heartbeat_s)
                except queue.Empty:
                    yield ": still here\n\n"
                    continue
                if heard is None:
                    return
                now = self._evening(heard)
                if now.id != match:
                    match, last = now.id, 0
                if heard.number is None:
                    yield _event(update_json(heard, last, now, self._voice, language))
                elif heard.number > last:
                    last = heard.number
                    yield _event(update_json(heard, last, now, self._voice, language), number=last)
        finally:
            self.leave(waiting)

    def _evening(self, news: Update) -> MatchContext:
        """The match that news belong to, looked up once for all streams."""
        with self._lock:
            known = self._evenings.get(id(news))
            if known and known[0] is news:
                return known[1]
        now = match_context(self._desk)
        with self._lock:
            self._evenings[id(news)] = (news, now)
            while len(self._evenings) > 8:
                self._evenings.popitem(last=False)
        return now


def _event(shown: JSON, *, name: str | None = None, number: int | None = None) -> str:
    head = f"event: {name}\n" if name else ""
    head += f"id: {number}\n" if number is not None else ""
    return f"{head}data: {json.dumps(shown, ensure_ascii=False, separators=(',', ':'))}\n\n"
