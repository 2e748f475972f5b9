"""What every request may use: the services, the translator, and the identity of its sender."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, TypeVar

from flask import current_app, g, request

from companion.public.machine import SystemActions
from companion.public.service import FirstPhoneService, RequestKey, Role, Services, User
from companion.public.text import Text
from web.language import Translator, match_context
from web.middleware.hosts import Addresses
from web.middleware.idempotency import IdempotencyCache, request_key
from web.middleware.page_faults import PageFaults
from web.middleware.rate_limit import RateLimiter
from web.middleware.turns import Turns
from web.push.sse import EventStreams


@dataclass(frozen=True, slots=True)
class Identity:
    """The sender of a request, worked out once, before any route runs.

    Attributes:
        user: The user of the code; a spectator without a valid one.
        code: The code that was shown, as it is stored; empty = none.
        address: The sender's IPv4 address, or the network of the IPv6 address.
    """

    user: User
    code: str
    address: str

    @property
    def joined(self) -> bool:
        """Whether the code is valid."""
        return self.user.role is not Role.SPECTATOR


def network_of(address: str) -> str:
    """The addresses of one device: an IPv4 address, or the /64 network of an IPv6 address.

    >>> network_of("::ffff:192.168.1.20"), network_of("2001:db8::1")
    ('192.168.1.20', '2001:db8::/64')
    """
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
    """The valid codes that phones have shown."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._codes: OrderedDict[str, None] = OrderedDict()
        self._led_on: OrderedDict[str, float] = OrderedDict()

    def leads_on(self, address: str) -> None:
        """Note that a join link leads a browser at this address to its page now."""
        with self._lock:
            self._led_on[address] = self._clock()
            self._led_on.move_to_end(address)
            while len(self._led_on) > JOINED:
                self._led_on.popitem(last=False)

    def was_led_on(self, address: str) -> bool:
        """Whether that was a moment ago: a browser that comes without any cookie then keeps none."""
        return self._clock() - self._led_on.get(address, float("-inf")) < LED_ON_S

    def has_phone(self, code: str) -> bool:
        """Whether a phone has shown this code, and has not left since."""
        return code in self._codes

    def keep(self, code: str, opened: bool) -> None:
        """Remember a valid code, forget an invalid one."""
        with self._lock:
            self._codes.pop(code, None)
            if opened:
                self._codes[code] = None
            while len(self._codes) > JOINED:
                self._codes.popitem(last=False)


JOINED = 256
LED_ON_S = 10.0


@dataclass(frozen=True, slots=True)
class Context:
    """What every route can reach: the services and their surroundings.

    Attributes:
        addresses: Where the table's pages are found.
        first_phone: Makes a phone the host of a machine that has none; ``None`` = not possible here.
        joined: Codes of phones that joined.
        turns: Of those who read the archive.
        page_faults: What did not work on pages in people's browsers.
    """

    services: Services
    translator: Translator
    streams: EventStreams
    rate_limiter: RateLimiter
    idempotency: IdempotencyCache
    system: SystemActions
    addresses: Addresses
    first_phone: FirstPhoneService | None = None
    joined: JoinedCodes = field(default_factory=JoinedCodes)
    turns: Turns = field(default_factory=Turns)
    page_faults: PageFaults = field(default_factory=PageFaults)


def context() -> Context:
    running: Context = current_app.extensions["context"]
    return running


def services() -> Services:
    return context().services


def identity() -> Identity:
    who: Identity = g.identity
    return who


def current_user() -> User:
    return identity().user


def current_key() -> RequestKey | None:
    """The key with which the request acts once; ``None`` without one."""
    return request_key(request, identity().code)


def render(text: Text | str) -> str:
    """A text in the sender's language; a ``str`` is returned as it is."""
    if isinstance(text, str):
        return text
    return context().translator.say(text, g.language, match_context(services().match).names)


View = TypeVar("View", bound=Callable[..., Any])


def in_turn(view: View) -> View:
    """A view that works for one at a time (``web.middleware.turns``); the decorator directly above the function."""

    @wraps(view)
    def waits(**named: Any) -> Any:
        with context().turns.taken():
            return view(**named)

    return waits  # type: ignore[return-value]  # it has the same parameters
