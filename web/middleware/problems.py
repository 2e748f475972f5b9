"""What is answered when a request cannot be served: one sentence as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus

from flask import Response

from companion.public.text import JSON, Text


class Problem(Exception):
    """A request that is not served, and why, for the person who made it: a ``Text`` is said in his language."""

    def __init__(self, status: int, detail: str | Text, headers: dict[str, str] | None = None, **more: JSON) -> None:
        super().__init__(str(detail))
        self.status, self.detail, self.headers, self.more = status, detail, headers or {}, more


def unknown_deed(do: str) -> Problem:
    """A body whose ``do`` names nothing that this request does."""
    return Problem(422, Text("problem.box", {"what": do[:20]}))


def problem_response(problem: Problem, detail: str) -> Response:
    """The response that tells it, in this sentence."""
    title = HTTPStatus(problem.status).phrase
    body = {"type": "about:blank", "title": title, "status": problem.status, "detail": detail, **problem.more}
    response = Response(json.dumps(body), problem.status, content_type="application/problem+json")
    response.headers.update(problem.headers)
    return response
