"""A request that is sent twice acts once."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from typing import TypeAlias

from flask import Request, Response, g

from companion.public.service import RequestKey
from companion.public.text import Text
from web.middleware.problems import Problem

RememberedAnswer: TypeAlias = tuple[int, bytes, list[tuple[str, str]]]
Visitor: TypeAlias = tuple[bool, str]
"""Whether the visitor joined, and the code or else the address: joined users and strangers are remembered
separately."""

LONGEST_KEY = 200
KEPT = ("Content-Type", "Set-Cookie", "Retry-After")
VISITORS = 128


def request_key(asking: Request, code: str) -> RequestKey | None:
    """What the table keeps of a request with an ``Idempotency-Key``, besides what it writes; ``None`` without one."""
    named = asking.headers.get("Idempotency-Key")
    if not named:
        return None
    asks = "\0".join((code, asking.path, named[:LONGEST_KEY])).encode(errors="surrogateescape")
    return RequestKey(hashlib.sha256(asks).hexdigest(), hashlib.sha256(asking.get_data()).hexdigest())


class IdempotencyCache:
    """Requests with an ``Idempotency-Key`` act once; a repetition gets the first answer again.

    It is lost when the table is started anew. What writes an entry or begins a match is answered from the record then,
    see ``request_key``.

    Each visitor has a separate cache, and strangers can only push out the caches of strangers.

    Args:
        kept: Answers kept for each visitor.
        visitors: Visitors remembered, joined users and strangers each.
        wait_s: How long a repetition waits for the first answer.
    """

    def __init__(self, kept: int = 64, visitors: int = VISITORS, wait_s: float = 30.0) -> None:
        self._kept, self._visitors, self._wait_s = kept, visitors, wait_s
        self._changed = threading.Condition()
        self._memories: dict[bool, OrderedDict[str, Answers]] = {True: OrderedDict(), False: OrderedDict()}

    def before(self, asking: Request, who: Visitor) -> Response | None:
        """The first answer, or ``None`` if this request is the first; waits while the first is still being answered.

        Raises:
            Problem: The same key came with another body before, or the first is not answered in time.
        """
        return self._answer(asking, who, begins=True)

    def repeated(self, asking: Request, code: str) -> Response | None:
        """The answer to the same request while this code was still valid, or ``None``.

        A phone that made its own code invalid and lost the answer asks again with the old code.
        """
        return self._answer(asking, (True, code), begins=False)

    def _answer(self, asking: Request, who: Visitor, *, begins: bool) -> Response | None:
        named = asking.headers.get("Idempotency-Key")
        if not named:
            return None
        key = (asking.path, named[:LONGEST_KEY])
        with self._changed:
            if not begins and key not in self._memories[who[0]].get(who[1], {}):
                return None
        body_hash = hashlib.sha256(asking.get_data()).digest()
        with self._changed:
            answers = self._memory(who)
            self._changed.wait_for(lambda: answers.get(key, (b"", True))[1] is not None, timeout=self._wait_s)
            if key not in answers:
                answers[key] = (body_hash, None)
                g.first = (answers, key)
                return None
            first, answer = answers[key]
        if first != body_hash:
            raise Problem(422, Text("problem.key_used"))
        if answer is None:
            raise Problem(409, Text("problem.key_busy"))
        status, body, headers = answer
        return Response(body, status, headers=headers)

    def after(self, response: Response) -> None:
        """Keep the first answer, unless the server failed: such a request may be tried again."""
        answers, key = g.pop("first", (None, None))
        if key is None:
            return
        with self._changed:
            body_hash, _ = answers.pop(key)
            if response.status_code < 500:
                headers = [(name, value) for name, value in response.headers if name in KEPT]
                answers[key] = (body_hash, (response.status_code, response.get_data(), headers))
            done = [one for one, (_, answer) in answers.items() if answer is not None]
            for one in done[: max(0, len(done) - self._kept)]:
                del answers[one]
            self._changed.notify_all()

    def _memory(self, who: Visitor) -> Answers:
        joined, name = who
        memories = self._memories[joined]
        answers = memories.setdefault(name, {})
        memories.move_to_end(name)
        while len(memories) > self._visitors:
            memories.popitem(last=False)
        return answers


Answers: TypeAlias = dict[tuple[str, str], tuple[bytes, RememberedAnswer | None]]
