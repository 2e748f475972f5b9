"""A backup that comes back over HTTP: it is sent in pieces, looked at, and taken."""

from __future__ import annotations

from flask import Response, g, request

from companion.public.service import Done, RestoreService, Result, Role
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import context, current_user, render
from web.middleware.problems import Problem
from web.middleware.request_body import json_body

PIECE_BYTES = 4 * 1024 * 1024
"""A piece has so many bytes at most: seconds of a Wi-Fi, and lost is only the piece."""
LONGEST_NAME = 80


@api.get("/v1/restore")
@role(Role.HOST)
def restore_state() -> Response:
    """How far it is, and what came of the last one."""
    return _answer(_service().state(current_user()))


@api.post("/v1/restore")
@role(Role.HOST)
def ask_restore() -> Response:
    """``{"do": "begin", "bytes": N, "name": "all.zip"}``; after the last piece ``take``; ``drop`` forgets it."""
    body = json_body(request, required={"do": str}, optional={"bytes": int, "name": str})
    user, service = current_user(), _service()
    match body["do"]:
        case "begin":
            size = body.get("bytes")
            if size is None or size < 1:
                raise Problem(422, Text("problem.restore.bytes", {"example": '{"do": "begin", "bytes": 1000}'}))
            return _answer(service.begin(user, plain_name(body.get("name") or "", "backup.zip"), size))
        case "take":
            return _answer(service.take(user))
        case "drop":
            return _answer(service.drop(user))
        case other:
            raise Problem(422, Text("problem.box", {"what": other[:20]}))


@api.post("/v1/restore/<int:at>")
@role(Role.HOST, body_limit=PIECE_BYTES)
def add_to_restore(at: int) -> Response:
    """The body is the piece of the file that begins at this byte."""
    return _answer(_service().add(current_user(), at, request.get_data()))


def _service() -> RestoreService:
    service = context().system.restore
    if service is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return service


def plain_name(name: str, usual: str) -> str:
    """What a browser calls a file, fit for a sentence."""
    plain = "".join(sign for sign in name.replace("\\", "/").rpartition("/")[2] if sign.isprintable()).strip()
    return plain[:LONGEST_NAME] or usual


def _answer(result: Result) -> Response:
    return to_response(Done(_said(result.value)) if isinstance(result, Done) else result)


def _said(state: JSON) -> JSON:
    """In the reader's language."""
    said = {**state, "last": state["last"] and render(state["last"])}
    if "changes" in state:
        said |= {"changes": [render(line) for line in state["changes"]], "why": state["why"] and render(state["why"])}
    return said
