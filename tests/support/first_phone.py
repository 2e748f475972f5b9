"""A machine that looks for its host, for tests of what the first phone is offered."""

from __future__ import annotations

from collections.abc import Callable


class LooksForHost:
    """A ``FirstPhoneService`` with codes of its own.

    Args:
        code: What the phone that asks is given.
        looks: Whether it still looks for its host.
    """

    def __init__(self, code: Callable[[], str | None], looks: bool = True) -> None:
        self.claim = code
        self._looks = looks

    def is_open(self) -> bool:
        return self._looks
