"""Error answers: one sentence as ``application/problem+json`` (RFC 9457)."""

from __future__ import annotations

import json
from http import HTTPStatus

from flask import Response

from companion.public.text import JSON, Text


class Problem(Exception):
    """A request that is not served, and the reason for the user; a ``Text`` is translated."""

    def __init__(self, status: int, detail: str | Text, headers: dict[str, str] | None = None, **more: JSON) -> None:
        super().__init__(str(detail))
        self.status, self.detail, self.headers, self.more = status, detail, headers or {}, more


def unknown_deed(do: str) -> Problem:
    """The error for a body whose ``do`` is not an action of this route."""
    return Problem(422, Text("problem.box", {"what": do[:20]}))


def problem_response(problem: Problem, detail: str) -> Response:
    title = HTTPStatus(problem.status).phrase
    body = {"type": "about:blank", "title": title, "status": problem.status, "detail": detail, **problem.more}
    response = Response(json.dumps(body), problem.status, content_type="application/problem+json")
    response.headers.update(problem.headers)
    return response
