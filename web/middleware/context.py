"""What every request may use: the services, the translator, and who asks."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app, g

from companion.public.machine import SystemActions
from companion.public.service import Services, User
from companion.public.text import Text
from web.language import Translator, match_context
from web.middleware.idempotency import IdempotencyCache
from web.middleware.rate_limit import RateLimiter
from web.push.sse import EventStreams


class JoinedCodes:
    """Codes that open something, or did when they were last shown: known without asking anybody who might be busy."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: OrderedDict[str, bool] = OrderedDict()  # and whether a phone has shown it

    def __contains__(self, code: str) -> bool:
        return code in self._codes

    def has_phone(self, code: str) -> bool:
        """Whether a phone has shown this code, and has not left since."""
        return self._codes.get(code, False)

    def expect(self, code: str) -> None:
        """A code that opens something: whoever shows it is known from the first request on."""
        with self._lock:
            self._codes.setdefault(code, False)
            self._forget_oldest()

    def keep(self, code: str, opened: bool) -> None:
        """Remember a code that opened something, forget one that did not."""
        with self._lock:
            self._codes.pop(code, None)
            if opened:
                self._codes[code] = True
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        while len(self._codes) > JOINED:
            self._codes.popitem(last=False)


JOINED = 256


@dataclass(frozen=True, slots=True)
class Context:
    """What every route reaches: the services and what stands beside them.

    Attributes:
        address: Where phones reach this table, for QR codes.
        joined: Codes of phones that joined.
        hosts: Names of this table beside those that every table has, see ``web.middleware.hosts``.
        frames: The origins whose pages may show the television and the overlay in a frame.
        https: Where phones reach this table over HTTPS; ``None`` = nowhere that anybody knows.
        claim_host: Makes whoever asks the host and returns the host's code; ``None`` = nobody can become host this way.
        can_claim_host: Whether that is possible now.
    """

    services: Services
    translator: Translator
    streams: EventStreams
    rate_limiter: RateLimiter
    idempotency: IdempotencyCache
    system: SystemActions
    joined: JoinedCodes = field(default_factory=JoinedCodes)
    address: str | None = None
    hosts: frozenset[str] = frozenset()
    frames: tuple[str, ...] = ()
    claim_host: Callable[[], str | None] | None = None
    can_claim_host: Callable[[], bool] = field(default=lambda: False)
    https: str | None = None


def context() -> Context:
    """The context of the running app."""
    running: Context = current_app.extensions["context"]
    return running


def services() -> Services:
    """What the app serves."""
    return context().services


def current_user() -> User:
    """Who makes this request."""
    user: User = g.user
    return user


def render(text: Text | str) -> str:
    """A text in the language of whoever makes this request; a sentence stays as it is."""
    if isinstance(text, str):
        return text
    return context().translator.say(text, g.language, match_context(services().match).names)
