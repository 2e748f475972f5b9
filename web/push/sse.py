"""Event streams: each open page gets every update that it has not seen, in order, once."""

from __future__ import annotations

import json
import queue
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.public.i18n import LANGUAGES, Names
from companion.public.service import MatchService
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from web.language import MatchContext, Translator, match_context
from web.push.serializers import moment_json, newest_in_match, update_json

STREAMS = 128
"""Open streams at most; each holds one of the server's threads for as long as its page is open."""

STRANGERS = 96
"""Of these, those of pages that are neither a seat's nor the host's."""

STRANGERS_AT_AN_ADDRESS = 60
"""And of these, those of one address."""

HEARTBEAT_S = 15.0
BACKLOG = 256
"""Updates that a stream may lag behind before it is closed; its page then comes back and asks for what it missed."""


@dataclass(frozen=True, slots=True)
class ToldUpdate:
    """An update as every stream sends it.

    Attributes:
        context: The match that it belongs to.
        number: That of its entry, or ``None``.
        begins: A match begins with it.
        events: By language.
    """

    context: MatchContext
    number: int | None
    begins: bool
    events: dict[str, str]


Subscription = queue.SimpleQueue[ToldUpdate | None]


class EventStreams:
    """A subscriber for any number of pages. Close it to end all streams."""

    def __init__(
        self,
        match_service: MatchService,
        translator: Translator,
        *,
        streams: int = STREAMS,
        strangers: int = STRANGERS,
        heartbeat_s: float = HEARTBEAT_S,
    ) -> None:
        self._match_service, self._translator = match_service, translator
        self._streams, self._strangers, self._heartbeat_s = streams, strangers, heartbeat_s
        self._lock = threading.Lock()
        self._open: dict[Subscription, str | None] = {}  # and the address of each stranger
        self._hearing: set[Subscription] = set()
        self._closed = False
        self._updates: queue.SimpleQueue[Update | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._tell_all, name="streams", daemon=True)
        self._thread.start()
        self._unsubscribe = match_service.subscribe(self._updates.put)

    def close(self) -> None:
        """End every stream and take no more updates."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for subscription in self._hearing:
                subscription.put(None)
            self._hearing.clear()
            self._open.clear()
        self._unsubscribe()
        self._updates.put(None)

    def open(self, address: str = "", *, joined: bool = False) -> Subscription | None:
        """A place to wait for updates, or ``None`` when all are taken.

        Args:
            address: Where the page is.
            joined: It is a seat or the host, who find room when strangers have taken all that they may.
        """
        with self._lock:
            at = Counter(owner for owner in self._open.values() if owner is not None)
            taken = at.total() >= self._strangers or at[address] >= STRANGERS_AT_AN_ADDRESS
            if self._closed or len(self._open) >= self._streams or (taken and not joined):
                return None
            subscription: Subscription = queue.SimpleQueue()
            self._open[subscription] = None if joined else address
            self._hearing.add(subscription)
            return subscription

    def leave(self, subscription: Subscription) -> None:
        """Give the place free."""
        with self._lock:
            self._open.pop(subscription, None)
            self._hearing.discard(subscription)
        subscription.put(None)

    @property
    def listeners(self) -> int:
        """How many streams hear updates."""
        return len(self._hearing)

    def events(
        self, subscription: Subscription, language: str, after: int | None, meant: str | None = None
    ) -> Iterator[str]:
        """Server-Sent Events: how it stands, or what was missed since entry ``after``, then all that comes.

        A page that asks for entries that this match has not had yet, or that names another match by ``meant``, is from
        that other match and gets the standing. Updates that are no entry have no ``id``, so that a page which comes
        back asks for the last entry that it saw.
        """
        try:
            newest, last, now = newest_in_match(self._match_service)
            if after is None or after > last or meant not in (None, now.id):
                snapshot = moment_json((newest, last, now), self._translator, language)
                yield _event(snapshot, name="snapshot", number=last)
            else:
                last, before = after, now
                for update in self._match_service.since(after):
                    if update.number is not None and update.number > last and update.match == now.id:
                        last = update.number
                        yield _event(update_json(update, last, now, self._translator, language), number=last)
                newest, number, now = newest_in_match(self._match_service)
                if now.id != before.id:
                    last = 0  # of the match that began meanwhile nothing was told yet
                yield _event(moment_json((newest, number, now), self._translator, language), name="snapshot")
            while True:
                try:
                    told = subscription.get(timeout=self._heartbeat_s)
                except queue.Empty:
                    yield ": still here\n\n"
                    continue
                if told is None:
                    return
                if told.context.id != now.id:
                    if not told.begins:
                        continue  # the last word of a match that was over when this stream began
                    last = 0
                now = told.context
                if told.number is None or told.number > last:
                    last = told.number or last
                    yield told.events[language]
        finally:
            self.leave(subscription)

    def _tell_all(self) -> None:
        """Give every stream what the table tells, until closed."""
        now, last = MatchContext(None, Names()), 0
        while (update := self._updates.get()) is not None:
            context = match_context(self._match_service)
            if context.id != update.match:
                if now.id != update.match:
                    continue  # of a match that nobody follows any more
                context = now
            begins = update.signal is Signal.STARTED
            if update.number is not None:
                last = update.number
            elif context.id != now.id:
                last = 0 if begins else newest_in_match(self._match_service)[1]
            now = context
            told = ToldUpdate(
                now,
                update.number,
                begins,
                {
                    language: _event(update_json(update, last, now, self._translator, language), number=update.number)
                    for language in LANGUAGES
                },
            )
            with self._lock:
                for subscription in tuple(self._hearing):
                    if subscription.qsize() < BACKLOG:
                        subscription.put(told)
                    else:  # it is closed once it has sent these, and its page comes back
                        self._hearing.discard(subscription)
                        subscription.put(None)


def _event(data: JSON, *, name: str | None = None, number: int | None = None) -> str:
    head = f"event: {name}\n" if name else ""
    head += f"id: {number}\n" if number is not None else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False, separators=(',', ':'))}\n\n"
