"""The blueprint of the API, and the one place where the services' results become HTTP."""

from __future__ import annotations

import json

from flask import Blueprint, Response, g

from companion.public.service import Denied, Done, Invalid, NotFound, Result, Stale, Unavailable
from companion.public.text import JSON, Text
from web.middleware.context import context, render, services
from web.middleware.problems import Problem
from web.push.serializers import snapshot_json

api = Blueprint("api", __name__, url_prefix="/api")


def to_response(result: Result) -> Response:
    """The result as HTTP.

    Raises:
        Problem: It was not done: 403, 404, 409 (with how it stands now), 422 or 503, and why in the reader's language.
    """
    match result:
        case Done(value):
            return Response(json.dumps(value), 200, content_type="application/json")
        case Denied(reason):
            raise _problem(403, reason)
        case NotFound(reason):
            raise _problem(404, reason)
        case Stale(reason):
            raise _problem(409, reason, **snapshot_json(services().match, context().translator, g.language))
        case Invalid(faults, zones):
            sentences = " ".join(render(fault) for fault in faults)
            raise _problem(422, sentences, **({"zones": list(zones)} if zones else {}))
        case Unavailable(reason):
            raise _problem(503, reason)


def _problem(status: int, reason: Text | str | None, **more: JSON) -> Problem:
    """The problem with its reason; without one, with what a problem of this kind says of itself."""
    detail = render(reason) if reason else context().translator.word(f"problem.{status}", g.language)
    return Problem(status, detail, None, **more)
