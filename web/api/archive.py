"""Stored matches: list, record, figures, pictures, delete, restore, import, rematch."""

from __future__ import annotations

from flask import Response, request

from companion.public.service import Role
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import current_user, services
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/v1/matches")
@role(Role.SPECTATOR)
def matches() -> JSON:
    """The stored matches, newest first."""
    return {"matches": list(services().archive.matches(current_user()))}


@api.get("/v1/matches/<match_id>/record")
@role(Role.SPECTATOR)
def record(match_id: str) -> Response:
    """A match's record, one JSON value a line."""
    lines = services().archive.record(current_user(), match_id)
    if lines is None:
        raise Problem(404, Text("matches.none"))
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match_id}.jsonl")
    return response


@api.get("/v1/matches/<match_id>/figures")
@role(Role.SPECTATOR)
def figures(match_id: str) -> JSON:
    """How well a match was refereed, and which entries have pictures."""
    statistics = services().archive.statistics(current_user(), match_id)
    if statistics is None:
        raise Problem(404, Text("matches.none"))
    return statistics


@api.get("/v1/matches/<match_id>/pictures/<int:number>/<int:place>")
@role(Role.SPECTATOR)
def kept_picture(match_id: str, number: int, place: int) -> Response:
    """One of the pictures that were kept of an entry, from 1, the oldest first."""
    kept = services().archive.pictures(current_user(), match_id, number)
    if kept is None:
        raise Problem(404, Text("matches.none"))
    if not 0 < place <= len(kept):
        raise Problem(404, Text("problem.no_picture", {"number": number, "place": place, "n": len(kept)}))
    return Response(kept[place - 1], content_type="image/jpeg")


@api.post("/v1/rematch")
@role(Role.HOST)
def rematch() -> Response:
    """The same seats again, the next dealer."""
    return to_response(services().match.rematch(current_user()))


@api.post("/v1/matches/<match_id>/close")
@role(Role.HOST)
def close(match_id: str) -> Response:
    """Close an interrupted match."""
    return to_response(services().archive.close(current_user(), match_id))


@api.post("/v1/matches/<match_id>/go-on")
@role(Role.HOST)
def go_on(match_id: str) -> Response:
    """Go on with an interrupted match, instead of the one that is played."""
    return to_response(services().match.go_on(current_user(), match_id))


@api.post("/v1/matches/<match_id>/delete")
@role(Role.HOST)
def forget(match_id: str) -> Response:
    """Delete a stored match; ``restore`` brings it back."""
    return to_response(services().archive.delete(current_user(), match_id))


@api.post("/v1/matches/<match_id>/restore")
@role(Role.HOST)
def restore(match_id: str) -> Response:
    """Put a match back that was deleted since the companion started."""
    return to_response(services().archive.restore(current_user(), match_id))


@api.post("/v1/records")
@role(Role.HOST)
def take_in() -> Response:
    """Store a record as a finished match."""
    return to_response(
        services().archive.import_record(current_user(), json_body(request, required={"record": str})["record"])
    )
