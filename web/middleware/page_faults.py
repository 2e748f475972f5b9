"""What did not work on pages in people's browsers, for the host's check-up."""

from __future__ import annotations

import threading

from companion.public.text import Text

MOST = 20
"""Different ones until the next start; whoever sends more is no page."""
MOST_SIGNS = 200


class PageFaults:
    """Each fault of each page once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._faults: dict[tuple[str, str], None] = {}

    def keep(self, page: str, what: str) -> None:
        """Note a fault; the words come from a browser, so they are cut and cleaned."""
        with self._lock:
            if len(self._faults) < MOST:
                self._faults[_plain(page), _plain(what)] = None

    def findings(self) -> list[dict[str, Text | str]]:
        """As lines of ``companion doctor``."""
        with self._lock:
            faults = list(self._faults)
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
