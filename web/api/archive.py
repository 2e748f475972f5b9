"""Stored matches: list, record, figures, pictures, delete, restore, import, rematch."""

from __future__ import annotations

from flask import Response, request

from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/v1/matches")
def matches() -> JSON:
    """The stored matches, newest first."""
    return {"matches": list(context().desk.matches(current_user()))}


@api.get("/v1/matches/<match_id>/record")
def record(match_id: str) -> Response:
    """A match's record, one JSON value a line."""
    lines = context().desk.record(current_user(), match_id)
    if lines is None:
        raise Problem(404, Text("matches.none"))
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match_id}.jsonl")
    return response


@api.get("/v1/matches/<match_id>/figures")
def figures(match_id: str) -> JSON:
    """How well a match was refereed, and which entries have pictures."""
    told = context().desk.figures(current_user(), match_id)
    if told is None:
        raise Problem(404, Text("matches.none"))
    return told


@api.get("/v1/matches/<match_id>/pictures/<int:number>/<int:place>")
def kept_picture(match_id: str, number: int, place: int) -> Response:
    """One of the pictures that were kept of an entry, from 1, the oldest first."""
    kept = context().desk.pictures(current_user(), match_id, number)
    if kept is None:
        raise Problem(404, Text("matches.none"))
    if not 0 < place <= len(kept):
        raise Problem(404, Text("problem.no_picture", {"number": number, "place": place, "n": len(kept)}))
    return Response(kept[place - 1], content_type="image/jpeg")


@api.post("/v1/rematch")
def rematch() -> Response:
    """The same seats again, the next dealer."""
    return to_response(context().desk.rematch(current_user()))


@api.post("/v1/matches/<match_id>/delete")
def forget(match_id: str) -> Response:
    """Take a stored match off the shelf; ``restore`` brings it back."""
    return to_response(context().desk.forget(current_user(), match_id))


@api.post("/v1/matches/<match_id>/restore")
def restore(match_id: str) -> Response:
    """Put a match back that was deleted since the companion started."""
    return to_response(context().desk.restore(current_user(), match_id))


@api.post("/v1/records")
def take_in() -> Response:
    """Store a record as a finished match."""
    return to_response(context().desk.take_in(current_user(), json_body(request, "record", str)["record"]))
