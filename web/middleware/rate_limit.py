"""Codes of six characters can be guessed, so guessing is slow."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable


class RateLimiter:
    """Five wrong codes a minute and address; an IPv6 address is its network, which one phone owns whole."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, allowed: int = 5, per_s: float = 60.0) -> None:
        self._clock, self._allowed, self._per_s = clock, allowed, per_s
        self._lock = threading.Lock()
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()

    def wait_s(self, address: str) -> int:
        """Whole seconds until the next try is free; 0 = now."""
        with self._lock:
            wrong = self._recent(address)
            return 0 if len(wrong) < self._allowed else max(1, int(wrong[0] + self._per_s - self._clock()) + 1)

    def count(self, address: str) -> None:
        """One more wrong code."""
        with self._lock:
            self._recent(address).append(self._clock())
            while len(self._wrong) > 4096:
                self._wrong.popitem(last=False)

    def _recent(self, address: str) -> deque[float]:
        key = _network(address)
        wrong = self._wrong.setdefault(key, deque(maxlen=self._allowed))
        self._wrong.move_to_end(key)
        while wrong and wrong[0] <= self._clock() - self._per_s:
            wrong.popleft()
        return wrong


def _network(address: str) -> str:
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if parsed.version == 4 else str(ipaddress.ip_network((parsed, 64), strict=False))
