"""What every request may use: the services, the translator, and who asks."""

from __future__ import annotations

import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from flask import current_app, g

from companion.public.machine import SystemActions
from companion.public.service import Role, Services, User
from companion.public.text import Text
from web.language import Translator, match_context
from web.middleware.idempotency import IdempotencyCache
from web.middleware.rate_limit import RateLimiter
from web.push.sse import EventStreams


@dataclass(frozen=True, slots=True)
class Identity:
    """Who makes a request, worked out once, before any route runs.

    Attributes:
        user: Whose code was shown; a spectator without one, or with one that opens nothing.
        code: The code that was shown, as it is kept; empty = none.
        address: Where the request comes from: an IPv4 address, or the network of an IPv6 address.
    """

    user: User
    code: str
    address: str

    @property
    def joined(self) -> bool:
        """Whether the code opened something."""
        return self.user.role is not Role.SPECTATOR


def network_of(address: str) -> str:
    """What one device owns: an IPv4 address, or the /64 of an IPv6 address."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)


class JoinedCodes:
    """Codes that a phone has shown, and that opened something when it did."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._codes: OrderedDict[str, None] = OrderedDict()

    def has_phone(self, code: str) -> bool:
        """Whether a phone has shown this code, and has not left since."""
        return code in self._codes

    def keep(self, code: str, opened: bool) -> None:
        """Remember a code that opened something, forget one that did not."""
        with self._lock:
            self._codes.pop(code, None)
            if opened:
                self._codes[code] = None
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
        https: Where phones reach this table over HTTPS by a front of its owner's; ``None`` = there is none.
        tls_port: Where the table's own HTTPS listens; ``None`` = it has none.
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
    tls_port: int | None = None


def context() -> Context:
    """The context of the running app."""
    running: Context = current_app.extensions["context"]
    return running


def services() -> Services:
    """What the app serves."""
    return context().services


def identity() -> Identity:
    """Who makes this request."""
    who: Identity = g.identity
    return who


def current_user() -> User:
    """Who makes this request, as the services know him."""
    return identity().user


def render(text: Text | str) -> str:
    """A text in the language of whoever makes this request; a sentence stays as it is."""
    if isinstance(text, str):
        return text
    return context().translator.say(text, g.language, match_context(services().match).names)
