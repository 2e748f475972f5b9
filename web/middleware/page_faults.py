"""What did not work on pages in people's browsers, for the host's check-up."""

from __future__ import annotations

import threading

from companion.public.text import Text
from web.middleware.idempotency import Visitor

MOST = 20
"""Kept until the next start, of people who joined and of strangers each."""
EACH = 4
"""Of one sender."""
MOST_SIGNS = 200


class PageFaults:
    """Each fault of each page once.

    Anybody may send some: so one sender takes no other one's places, and strangers take none of those who joined.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: dict[bool, dict[str, dict[tuple[str, str], None]]] = {True: {}, False: {}}

    def keep(self, page: str, what: str, who: Visitor) -> None:
        """Note a fault; the words come from a browser, so they are cut and cleaned."""
        joined, sender = who
        with self._lock:
            senders = self._faults[joined]
            own = senders.setdefault(sender, {})
            own[_plain(page), _plain(what)] = None
            if len(own) > EACH:
                own.popitem()
            elif sum(map(len, senders.values())) > MOST:
                most = max(senders.values(), key=len)
                (most if len(most) > len(own) else own).popitem()
            if not own:
                del senders[sender]

    def findings(self) -> list[dict[str, Text | str]]:
        """As lines of ``companion doctor``."""
        with self._lock:
            faults = dict.fromkeys(
                fault for senders in self._faults.values() for own in senders.values() for fault in own
            )
        return [
            {
                "name": "pages",
                "level": "warning",
                "what": Text("doctor.pages", {"page": page, "what": what}),
                "to_do": Text("doctor.pages.do"),
            }
            for page, what in faults
        ]


def _plain(words: str) -> str:
    return "".join(sign if sign.isprintable() else " " for sign in words[:MOST_SIGNS])
