"""The recording of the table over HTTP: how large it would be, begin, watch, take away."""

from __future__ import annotations

from flask import Response, g, request

from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import context, current_user, services
from web.middleware.problems import Problem, unknown_deed
from web.middleware.request_body import json_body

USUAL_S = 60
MOST_S, MOST_RING_MINUTES = 600, 60


@api.get("/v1/recording")
@role(Role.HOST)
def recording_state() -> Response:
    """How far the recording is, and what is ready to be taken away."""
    return to_response(services().recording.state(current_user()))


@api.post("/v1/recording")
@role(Role.HOST)
def ask_recording() -> Response:
    """``{"do": "plan"}`` says how large it would be, ``begin`` begins one; both with ``seconds`` or ``ring_minutes``.
    ``stop`` and ``delete`` do so."""
    body = json_body(request, required={"do": str}, optional={"seconds": int, "ring_minutes": int})
    seconds, ring_minutes = body.get("seconds"), body.get("ring_minutes")
    if seconds is not None and not 1 <= seconds <= MOST_S:
        raise Problem(422, Text("problem.record.seconds", {"most": MOST_S}))
    if ring_minutes is not None and not 1 <= ring_minutes <= MOST_RING_MINUTES:
        raise Problem(422, Text("problem.record.ring", {"most": MOST_RING_MINUTES}))
    ring_s = None if ring_minutes is None else 60.0 * ring_minutes
    wanted_s = None if ring_s is not None else float(seconds or USUAL_S)
    user, table = current_user(), services().recording
    match body["do"]:
        case "plan":
            return to_response(table.plan(user, wanted_s or ring_s or 0.0))
        case "begin":
            return to_response(table.begin(user, wanted_s, ring_s))
        case "stop":
            return to_response(table.stop(user))
        case "delete":
            return to_response(table.delete(user))
        case other:
            raise unknown_deed(other)


@api.get("/v1/recording.zip")
@role(Role.HOST)
def recording_file() -> Response:
    """The finished recording; ``companion referee`` takes the folder that is in it."""
    file = services().recording.file(current_user())
    if file is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    name, pieces = file
    response = Response(pieces, content_type="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
