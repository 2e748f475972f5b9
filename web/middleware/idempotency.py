"""A request that comes twice acts once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TypeAlias

from flask import Request, Response, g

from companion.public.text import Text
from web.middleware.problems import Problem

RememberedAnswer: TypeAlias = tuple[int, bytes, list[tuple[str, str]]]
KEPT = ("Content-Type", "Set-Cookie", "Retry-After")


class IdempotencyCache:
    """Requests with an ``Idempotency-Key`` act once; whoever repeats one gets the first answer again."""

    def __init__(self, kept: int = 1024) -> None:
        self._kept = kept
        self._changed = threading.Condition()
        self._answers: OrderedDict[tuple[str, str, str], tuple[bytes, RememberedAnswer | None]] = OrderedDict()

    def before(self, asking: Request, who: str) -> Response | None:
        """The first answer, or ``None`` when this is the first; waits while the first is still being answered.

        Raises:
            Problem: The key came with another body before.
        """
        named = asking.headers.get("Idempotency-Key")
        if not named:
            return None
        key = (who, asking.path, named[:200])
        print_of = hashlib.sha256(asking.get_data()).digest()
        with self._changed:
            self._changed.wait_for(lambda: self._answers.get(key, (b"", True))[1] is not None, timeout=30)
            if key not in self._answers:
                self._answers[key] = (print_of, None)
                g.first = key
                return None
            first, answer = self._answers[key]
        if first != print_of:
            raise Problem(422, Text("problem.key_used"))
        if answer is None:
            raise Problem(409, Text("problem.key_busy"))
        status, body, headers = answer
        return Response(body, status, headers=headers)

    def after(self, response: Response) -> None:
        """Keep the first answer; what went wrong with us may be tried again."""
        key = g.pop("first", None)
        if key is None:
            return
        with self._changed:
            print_of, _ = self._answers.pop(key)
            if response.status_code < 500:
                headers = [(name, value) for name, value in response.headers if name in KEPT]
                self._answers[key] = (print_of, (response.status_code, response.get_data(), headers))
            while len(self._answers) > self._kept:
                self._answers.popitem(last=False)
            self._changed.notify_all()
