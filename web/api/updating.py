"""A newer version of the program over HTTP: it is sent in pieces, looked at, and installed by the box."""

from __future__ import annotations

from flask import Response, g, request

from companion.public.service import Done, Result, Role, UpdateService
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.api.restoring import PIECE_BYTES, plain_name
from web.middleware.access import role
from web.middleware.context import context, current_user, render
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/v1/update")
@role(Role.HOST)
def update_state() -> Response:
    """How far it is, which version runs, and what came of the last one."""
    return _answer(_service().state(current_user()))


@api.post("/v1/update")
@role(Role.HOST)
def ask_update() -> Response:
    """``{"do": "begin", "bytes": N, "name": "x.update"}``; after the last piece ``take``; ``drop`` forgets it."""
    body = json_body(request, required={"do": str}, optional={"bytes": int, "name": str})
    user, service = current_user(), _service()
    match body["do"]:
        case "begin":
            size = body.get("bytes")
            if size is None or size < 1:
                raise Problem(422, Text("problem.restore.bytes", {"example": '{"do": "begin", "bytes": 1000}'}))
            return _answer(service.begin(user, plain_name(body.get("name") or "", "companion.update"), size))
        case "take":
            return _answer(service.take(user))
        case "drop":
            return _answer(service.drop(user))
        case other:
            raise Problem(422, Text("problem.box", {"what": other[:20]}))


@api.post("/v1/update/<int:at>")
@role(Role.HOST, body_limit=PIECE_BYTES)
def add_to_update(at: int) -> Response:
    """The body is the piece of the file that begins at this byte."""
    return _answer(_service().add(current_user(), at, request.get_data()))


def _service() -> UpdateService:
    service = context().system.update
    if service is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return service


def _answer(result: Result) -> Response:
    return to_response(Done(_said(result.value)) if isinstance(result, Done) else result)


def _said(state: JSON) -> JSON:
    """In the reader's language."""
    return {**state, **{key: render(state[key]) if state.get(key) else None for key in ("why", "last")}}
