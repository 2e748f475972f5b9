"""Event streams: each open page gets every update that it has not seen, in order, once."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Iterator

from companion.public.i18n import Names
from companion.public.service import MatchService
from companion.public.text import JSON
from companion.public.updates import Signal, Update
from web.language import MatchContext, Translator, match_context
from web.push.serializers import moment_json, newest_in_match, update_json

STREAMS = 224
"""Open streams at most; each holds one of the server's 256 threads."""

HEARTBEAT_S = 15.0
TEXTS = 2048
"""Events that are kept as they are sent; a long match has 400, in each language that somebody reads."""
BACKLOG = 256
"""Updates that a stream may lag behind before it is closed; its page then comes back and asks for what it missed."""

HEAD_START_S = 0.01
"""By so much seats, the host and whoever's answer brought an update about have it before strangers' streams."""

SENDERS = 2
"""Streams of strangers that send at the same moment; two hundred that were woken at once would all be before the
player whose answer comes next."""

SENDING_S = 0.005
"""How long the next ones wait for these; who reads slowly is not waited for any longer."""

PIECE = 32 * 1024
"""Characters from which on what a page missed is sent; each sending by itself costs more than making the text."""

Subscription = queue.SimpleQueue[Update | None]
NO_MATCH = MatchContext(None, Names())


class EventStreams:
    """A subscriber for any number of pages. Close it to end all streams."""

    def __init__(
        self,
        match_service: MatchService,
        translator: Translator,
        *,
        streams: int = STREAMS,
        heartbeat_s: float = HEARTBEAT_S,
        head_start_s: float = HEAD_START_S,
    ) -> None:
        self._match_service, self._translator = match_service, translator
        self._streams, self._heartbeat_s = streams, heartbeat_s
        self._head_start_s = head_start_s
        self._lock = threading.Lock()
        self._open: dict[Subscription, tuple[str, bool]] = {}  # in the order in which they came
        self._contexts: OrderedDict[int, tuple[Update, MatchContext]] = OrderedDict()
        self._encoding, self._catching_up = threading.Lock(), threading.Lock()
        self._texts: OrderedDict[tuple[JSON, ...], tuple[Update, str]] = OrderedDict()
        self._closed = False
        self._outbox: queue.SimpleQueue[tuple[Update, tuple[Subscription, ...]] | None] = queue.SimpleQueue()
        self._sending: set[Subscription] = set()
        self._sent = threading.Condition()
        self._handing_on: threading.Thread | None = None
        self._unsubscribe = match_service.subscribe(self)

    def __call__(self, update: Update) -> None:
        """Take an update; never waits for a page."""
        if update.signal is Signal.STARTED:
            with self._encoding:
                self._texts.clear()
            self._context_of(update, NO_MATCH)  # while this match is sure to lie on the table
        with self._lock:
            strangers = []
            for subscription, (_, joined) in tuple(self._open.items()):
                if joined:
                    self._put(subscription, update)
                else:
                    strangers.append(subscription)
            if strangers:
                if self._handing_on is None:
                    self._handing_on = threading.Thread(target=self._hand_on, name="streams", daemon=True)
                    self._handing_on.start()
                self._outbox.put((update, tuple(strangers)))

    def _put(self, subscription: Subscription, update: Update) -> None:
        """Let a stream have an update, under the lock; one that has fallen far behind is ended."""
        if subscription not in self._open:
            return
        if subscription.qsize() >= BACKLOG:
            del self._open[subscription]
            subscription.put(None)
        else:
            subscription.put(update)

    def _hand_on(self) -> None:
        """Let strangers have the updates after those who joined, a few streams at a time, until closed."""
        while (waiting := self._outbox.get()) is not None:
            update, strangers = waiting
            if self._outbox.empty():
                time.sleep(self._head_start_s)
            for subscription in strangers:
                with self._sent:
                    keeps_up = subscription.empty()  # who has not taken the one before is not waited for
                    if keeps_up:
                        if not self._sent.wait_for(lambda: len(self._sending) < SENDERS, timeout=SENDING_S):
                            self._sending.clear()
                        self._sending.add(subscription)
                with self._lock:
                    self._put(subscription, update)

    def _done(self, subscription: Subscription) -> None:
        """A stream has sent what it had."""
        if subscription in self._sending:
            with self._sent:
                self._sending.discard(subscription)
                self._sent.notify()

    def close(self) -> None:
        """End every stream and take no more updates."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for subscription in self._open:
                subscription.put(None)
            self._open.clear()
            self._outbox.put(None)
        self._unsubscribe()

    def open(self, address: str = "", *, joined: bool = False) -> Subscription | None:
        """A place to wait for updates, or ``None`` when all are taken.

        Args:
            address: Where the page is. When all places are taken, the address whose strangers have the most gives
                its oldest up to one that has fewer, and to every seat and host.
            joined: It is a seat or the host, who keeps his place.
        """
        with self._lock:
            if self._closed:
                return None
            if len(self._open) >= self._streams and not self._give_up_one(address, joined=joined):
                return None
            subscription: Subscription = queue.SimpleQueue()
            self._open[subscription] = (address, joined)
            return subscription

    def _give_up_one(self, address: str, *, joined: bool) -> bool:
        held = Counter(owner for owner, is_joined in self._open.values() if not is_joined)
        if not held:
            return False
        greedy, most = held.most_common(1)[0]
        if not joined and most <= held[address] + 1:
            return False
        oldest = next(one for one, owner in self._open.items() if owner == (greedy, False))
        del self._open[oldest]
        oldest.put(None)
        return True

    def leave(self, subscription: Subscription) -> None:
        """Give the place free."""
        with self._lock:
            self._open.pop(subscription, None)
        subscription.put(None)
        self._done(subscription)

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._open)

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
                yield _event(self._snapshot(newest, last, now, language), name="snapshot", number=last)
            else:
                last = after
                for number, events in self._missed(after, now, language):
                    last = number
                    yield events
                before = now
                newest, number, now = newest_in_match(self._match_service)
                if now.id != before.id:
                    last = 0  # of the match that began meanwhile nothing was told yet
                yield _event(self._snapshot(newest, number, now, language), name="snapshot")
            while True:
                if subscription.empty():
                    self._done(subscription)
                try:
                    update = subscription.get(timeout=self._heartbeat_s)
                except queue.Empty:
                    yield ": still here\n\n"
                    continue
                if update is None:
                    return
                if update.match != now.id and update.signal is not Signal.STARTED:
                    continue  # the last word of a match that was over when this stream began
                context = self._context_of(update, now)
                if context is None:
                    continue
                if context.id != now.id:
                    last = 0
                now = context
                if update.number is None:
                    yield _event(self._text(update, last, now, language))
                elif update.number > last:
                    last = update.number
                    yield _event(self._text(update, last, now, language), number=last)
        finally:
            self.leave(subscription)

    def _missed(self, after: int, now: MatchContext, language: str) -> Iterator[tuple[int, str]]:
        """The entries after this one, in order, many in one piece, each with the number of the last in it."""
        with self._catching_up:  # of a crowd that comes at once the first has old updates made, and all find them
            missed = self._match_service.since(after)
        piece, size = list[str](), 0
        for update in missed:
            if update.number is not None and update.number > after and update.match == now.id:
                after = update.number
                piece.append(_event(self._text(update, after, now, language), number=after))
                size += len(piece[-1])
                if size >= PIECE:
                    yield after, "".join(piece)
                    piece, size = [], 0
        if piece:
            yield after, "".join(piece)

    def _snapshot(self, newest: Update | None, last: int, now: MatchContext, language: str) -> str:
        if newest is None:
            return _json(moment_json((None, last, now), self._translator, language))
        return self._text(newest, last, now, language)

    def _text(self, update: Update, number: int, now: MatchContext, language: str) -> str:
        """An update as JSON, made once for all streams that send it."""
        key = (id(update), now.id, number, language, now.names.seats)
        with self._encoding:
            if key not in self._texts:
                # Kept together with its update, so that no other gets the same id.
                self._texts[key] = update, _json(update_json(update, number, now, self._translator, language))
                while len(self._texts) > TEXTS:
                    self._texts.popitem(last=False)
            return self._texts[key][1]

    def _context_of(self, update: Update, before: MatchContext) -> MatchContext | None:
        """The match that an update belongs to, looked up once for all streams; ``None``: nobody knows it any more.

        Args:
            update: What is told next.
            before: The match of which the stream told last.
        """
        with self._lock:
            cached = self._contexts.get(id(update))
            if cached and cached[0] is update:
                return cached[1]
            known = [before, *(context for _, context in self._contexts.values())]
        now = match_context(self._match_service)
        if now.id != update.match:  # another match has begun since
            return next((one for one in reversed(known) if one.id == update.match), None)
        with self._lock:
            self._contexts[id(update)] = (update, now)
            while len(self._contexts) > 8:
                self._contexts.popitem(last=False)
        return now


def _event(data: str, *, name: str | None = None, number: int | None = None) -> str:
    head = f"event: {name}\n" if name else ""
    head += f"id: {number}\n" if number is not None else ""
    return f"{head}data: {data}\n\n"


def _json(data: JSON) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
