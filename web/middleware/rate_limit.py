"""Limits wrong codes for each address and for all together: codes of six characters can be guessed."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable

ADDRESSES = 4096
"""Addresses whose attempts are remembered; an attacker with more of them meets the limit for all."""


class RateLimiter:
    """Five wrong codes per minute and address (see ``Identity.address``), sixty for all.

    An attempt is counted before the code is checked, and removed if it was right, so that a hundred attempts at the
    same moment count as a hundred.

        >>> limiter = RateLimiter(allowed=1)
        >>> limiter.begin_try("192.168.1.20")
        0
        >>> limiter.begin_try("192.168.1.20") > 0
        True
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        allowed: int = 5,
        allowed_in_all: int = 60,
        per_s: float = 60.0,
    ) -> None:
        self._clock, self._allowed, self._allowed_in_all, self._per_s = clock, allowed, allowed_in_all, per_s
        self._lock = threading.Lock()
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._all_tries: deque[float] = deque()

    def begin_try(self, address: str) -> int:
        """Count an attempt and return 0, or return the seconds until one is allowed and count nothing."""
        with self._lock:
            now = self._clock()
            tries = self._recent(address, now)
            wait_s = max(
                self._wait_s(tries, self._allowed, now), self._wait_s(self._all_tries, self._allowed_in_all, now)
            )
            if wait_s == 0:
                tries.append(now)
                self._all_tries.append(now)
            return wait_s

    def was_right(self, address: str) -> None:
        """Remove the last attempt from this address: the code was right."""
        with self._lock:
            for tries in (self._recent(address, self._clock()), self._all_tries):
                if tries:
                    tries.pop()

    def _wait_s(self, tries: deque[float], allowed: int, now: float) -> int:
        return 0 if len(tries) < allowed else max(1, int(tries[0] + self._per_s - now) + 1)

    def _recent(self, address: str, now: float) -> deque[float]:
        tries = self._tries.setdefault(address, deque())
        self._tries.move_to_end(address)
        while len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)
        for one in (tries, self._all_tries):
            while one and one[0] <= now - self._per_s:
                one.popleft()
        return tries
