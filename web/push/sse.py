"""Event streams: each open page gets every new update, in order, once."""

from __future__ import annotations

import json
import queue
import threading
from collections.abc import Iterator
from dataclasses import dataclass

from companion.public.i18n import LANGUAGES
from companion.public.service import MatchService
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from web.language import MatchContext, Translator, match_context
from web.push.serializers import moment_json, newest_in_match, update_json

STREAMS = 128
"""Open streams at most; each one holds a thread of the server."""

STREAMS_AT_AN_ADDRESS = 64
"""The most streams of one address, so that one greedy client leaves room for sixty phones."""

HEARTBEAT_S = 2.0
"""A page that hears nothing for a little longer asks whether the table is still there, and says so at once if not."""

BACKLOG = 256
"""A stream that lags behind by this many updates is closed; its page reconnects and asks for what it missed."""


@dataclass(frozen=True, slots=True)
class StreamedUpdate:
    """An update as every stream sends it.

    Attributes:
        match: The match that it belongs to.
        last: Number of the last entry.
        is_entry: Whether the update is about that entry.
        begins: Whether a match begins with it.
        events: By language.
    """

    match: str | None
    last: int
    is_entry: bool
    begins: bool
    events: dict[str, str]


Subscription = queue.SimpleQueue[StreamedUpdate | None]


class EventStreams:
    """Sends updates to any number of pages. Close it to end all streams."""

    def __init__(
        self,
        match_service: MatchService,
        translator: Translator,
        *,
        streams: int = STREAMS,
        streams_at_an_address: int = STREAMS_AT_AN_ADDRESS,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._match_service, self._translator = match_service, translator
        self._streams, self._streams_at_an_address = streams, streams_at_an_address
        self._heartbeat_s = heartbeat_s
        self._lock = threading.Lock()
        self._open: dict[Subscription, str] = {}  # and the address of its page
        self._following: set[Subscription] = set()
        self._closed = False
        _, self._last, _ = newest_in_match(match_service)
        self._unsubscribe = match_service.subscribe(self)

    def __call__(self, update: Update) -> None:
        """Queue an update for every stream, in the writer's thread; never waits for a page."""
        if update.number is not None:
            self._last = update.number
        elif update.signal is Signal.STARTED:
            self._last = 0
        if not self._following:
            return
        now, last = match_context(self._match_service), self._last
        events = {
            language: _event(update_json(update, last, now, self._translator, language), number=update.number)
            for language in LANGUAGES
        }
        streamed = StreamedUpdate(
            update.match, last, update.number is not None, update.signal is Signal.STARTED, events
        )
        with self._lock:
            for subscription in tuple(self._following):
                if subscription.qsize() < BACKLOG:
                    subscription.put(streamed)
                else:  # it ends after its queue is sent, and its page reconnects
                    self._following.discard(subscription)
                    subscription.put(None)

    def close(self) -> None:
        """End every stream and unsubscribe."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for subscription in self._following:
                subscription.put(None)
            self._following.clear()
            self._open.clear()
        self._unsubscribe()

    def open(self, address: str = "") -> Subscription | None:
        """A queue of updates, or ``None`` when all streams are taken, or all that one address may have."""
        with self._lock:
            at_address = sum(other == address for other in self._open.values())
            if self._closed or len(self._open) >= self._streams or at_address >= self._streams_at_an_address:
                return None
            subscription: Subscription = queue.SimpleQueue()
            self._open[subscription] = address
            self._following.add(subscription)
            return subscription

    def leave(self, subscription: Subscription) -> None:
        """Release the stream."""
        with self._lock:
            self._open.pop(subscription, None)
            self._following.discard(subscription)
        subscription.put(None)

    @property
    def listeners(self) -> int:
        """The number of open streams."""
        return len(self._following)

    def events(
        self,
        subscription: Subscription,
        language: str,
        after: int | None,
        meant: str | None = None,
        generation: str | None = None,
    ) -> Iterator[str]:
        """Server-Sent Events: the current state, or the updates since entry ``after``, then all new ones.

        A page that asks for entries that this match does not have yet, or that names another match in ``meant`` or
        another generation, knows numbers that mean other entries now, and gets the current state. So does a client
        that names no generation of a match that went back. Updates without an entry have no ``id``, so that a page that
        reconnects asks for the last entry that it saw.
        """
        try:
            newest, last, now = newest_in_match(self._match_service)
            # Before its first event, as a comment: the generation that all numbers of this stream belong to.
            stream = f": generation {now.generation}\n"
            if after is None or after > last or meant not in (None, now.id) or _went_back(now, generation):
                snapshot = moment_json((newest, last, now), self._translator, language)
                yield stream + _event(snapshot, name="snapshot", number=last)
            else:
                last, before = after, now
                for update in self._match_service.since(after):
                    if update.number is not None and update.number > last and update.match == now.id:
                        last = update.number
                        yield stream + _event(update_json(update, last, now, self._translator, language), number=last)
                        stream = ""
                newest, number, now = newest_in_match(self._match_service)
                if now.id != before.id:
                    last = 0  # nothing of the match that has just begun was sent yet
                yield stream + _event(moment_json((newest, number, now), self._translator, language), name="snapshot")
            match = now.id
            while True:
                try:
                    received = subscription.get(timeout=self._heartbeat_s)
                except queue.Empty:
                    yield "event: here\ndata: {}\n\n"
                    continue
                if received is None:
                    return
                if received.match != match:
                    if not received.begins:
                        continue  # a late update of a match that was over when this stream began
                    match, last = received.match, 0
                if received.last > last or (received.last == last and not received.is_entry):
                    last = received.last
                    yield received.events[language]
        finally:
            self.leave(subscription)


def _went_back(now: MatchContext, generation: str | None) -> bool:
    """Whether the numbers that a client knows may mean other entries now."""
    return now.match is not None and (
        bool(now.match.get("went_back")) if generation is None else generation != now.generation
    )


def _event(data: JSON, *, name: str | None = None, number: int | None = None) -> str:
    head = f"event: {name}\n" if name else ""
    head += f"id: {number}\n" if number is not None else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
