"""The recording of the table: its estimated size, begin, watch, download."""

from __future__ import annotations

from typing import Annotated

from flask import Response, g
from msgspec import Meta

from companion.public.results import PlannedRecording, RecordingState
from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import one_of, route, value_of
from web.middleware.context import context, current_user, services
from web.middleware.problems import Problem, unknown_deed

USUAL_S = 60
MOST_S, MOST_RING_MINUTES = 600, 60


@route("GET", "/v1/recording", Role.HOST, problems=(404,))
def recording_state() -> RecordingState:
    """The progress of the recording, and what is ready for download."""
    return value_of(services().recording.state(current_user()))


@route("POST", "/v1/recording", Role.HOST, problems=(404,))
def ask_recording(
    do: Annotated[str, one_of("plan", "begin", "stop", "delete")],
    seconds: Annotated[int, Meta(ge=1, le=MOST_S)] | None = None,
    ring_minutes: Annotated[int, Meta(ge=1, le=MOST_RING_MINUTES)] | None = None,
) -> RecordingState | PlannedRecording:
    """Estimate the size of a recording, begin, stop or delete it.

    ``plan`` estimates its size, ``begin`` begins it; both with ``seconds`` (default 60), or with ``ring_minutes``, of
    which only the last ones are kept.

    ``begin`` deletes the recording before. 409 while one is made or taken away; 503 when the table is not seen or
    the disk has no room.
    """
    if seconds is not None and not 1 <= seconds <= MOST_S:
        raise Problem(422, Text("problem.record.seconds", {"most": MOST_S}))
    if ring_minutes is not None and not 1 <= ring_minutes <= MOST_RING_MINUTES:
        raise Problem(422, Text("problem.record.ring", {"most": MOST_RING_MINUTES}))
    ring_s = None if ring_minutes is None else 60.0 * ring_minutes
    wanted_s = None if ring_s is not None else float(seconds or USUAL_S)
    user, table = current_user(), services().recording
    match do:
        case "plan":
            return value_of(table.plan(user, wanted_s or ring_s or 0.0))
        case "begin":
            return value_of(table.begin(user, wanted_s, ring_s))
        case "stop":
            return value_of(table.stop(user))
        case "delete":
            return value_of(table.delete(user))
        case other:
            raise unknown_deed(other)


@route("GET", "/v1/recording.zip", Role.HOST, sends="application/zip", problems=(404,))
def recording_file() -> Response:
    """The finished recording; ``companion referee`` reads the folder in it."""
    file = services().recording.file(current_user())
    if file is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    name, pieces = file
    response = Response(pieces, content_type="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
