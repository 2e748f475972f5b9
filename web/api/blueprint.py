"""The blueprint of the API, and how answers and faults are said in the reader's language."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, g

from companion.public.service import Reply
from companion.public.text import Text
from web.language import match_context
from web.middleware.context import context
from web.middleware.problems import Problem
from web.push.serializers import snapshot_json

api = Blueprint("api", __name__, url_prefix="/api")


def to_response(reply: Reply) -> Response:
    """The desk's answer as HTTP's; a refusal says why, a stale one how it stands now."""
    body: Any = reply.body
    if 200 <= reply.status < 300:
        return Response(json.dumps(body), reply.status, content_type="application/json")
    if isinstance(body, Text):
        body = render(body)
    more = dict(body) if isinstance(body, Mapping) else {}
    detail = body if isinstance(body, str) else more.pop("detail", None)
    if isinstance(detail, Text):
        detail = render(detail)
    if faults := more.pop("faults", None):
        detail = " ".join(render_fault(fault) for fault in faults)
    for key in ("type", "title", "status"):
        more.pop(key, None)
    if reply.status == 409:
        more = {**more, **snapshot_json(context().desk, match_context(context().desk), context().voice, g.language)}
    raise Problem(
        reply.status, str(detail or context().voice.word(f"problem.{reply.status}", g.language)), None, **more
    )


def render_fault(fault: Text | str) -> str:
    """What is wrong, in the reader's language where there are words for it."""
    return fault if isinstance(fault, str) else render(fault)


def render(text: Text) -> str:
    """What the desk answered, in the reader's language."""
    return context().voice.say(text, g.language, match_context(context().desk).names)
