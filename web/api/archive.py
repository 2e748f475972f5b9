"""Stored matches: list, record, statistics, pictures, delete, restore, import, rematch."""

from __future__ import annotations

import json
from typing import Annotated, TypedDict

from flask import Response
from msgspec import Meta

from companion.public.results import Figures, MatchId, StoredMatchLine, StoredRecord
from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import route, value_of
from web.middleware.context import current_key, current_user, in_turn, services
from web.middleware.problems import Problem

InPath = Annotated[str, Meta(min_length=1)]
FromOne = Annotated[int, Meta(ge=1)]


class StoredMatches(TypedDict):
    """The stored matches, newest first."""

    matches: list[StoredMatchLine]


@route("GET", "/v1/matches", Role.SPECTATOR)
@in_turn
def matches() -> StoredMatches:
    """The stored matches, newest first."""
    return {"matches": list(services().archive.matches(current_user()))}


@route("GET", "/v1/matches/<match_id>/record", Role.SPECTATOR, sends="application/jsonl", problems=(404, 503))
@in_turn
def record(match_id: InPath) -> Response:
    """A match's record, one JSON value per line."""
    archive, user = services().archive, current_user()

    def lines() -> bytes:
        return "".join(f"{line.rstrip()}\n" for line in archive.record(user, match_id) or ()).encode()

    text = archive.kept(user, match_id, "record", lines)
    if text is None:
        raise Problem(404, Text("matches.none"))
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match_id}.jsonl")
    return response


@route("GET", "/v1/matches/<match_id>/figures", Role.SPECTATOR, problems=(404, 503))
@in_turn
def figures(match_id: InPath) -> Figures:
    """How well a match was refereed, and which entries have pictures."""
    archive, user = services().archive, current_user()
    statistics = archive.kept(
        user, match_id, "figures", lambda: json.dumps(archive.statistics(user, match_id)).encode()
    )
    if statistics is None:
        raise Problem(404, Text("matches.none"))
    found: Figures = json.loads(statistics)
    return found


@route(
    "GET",
    "/v1/matches/<match_id>/pictures/<int:number>/<int:place>",
    Role.SPECTATOR,
    sends="image/jpeg",
    problems=(404,),
)
def kept_picture(match_id: InPath, number: FromOne, place: FromOne) -> Response:
    """A stored picture of an entry; they are numbered from 1, oldest first."""
    kept = services().archive.pictures(current_user(), match_id, number)
    if kept is None:
        raise Problem(404, Text("matches.none"))
    if not 0 < place <= len(kept):
        raise Problem(404, Text("problem.no_picture", {"place": place, "n": len(kept)}))
    return Response(kept[place - 1], content_type="image/jpeg")


@route("POST", "/v1/rematch", Role.HOST, problems=(404,))
def rematch() -> MatchId:
    """Begin a match with the same seats and the next dealer."""
    return value_of(services().match.rematch(current_user(), request=current_key()))


@route("POST", "/v1/matches/<match_id>/close", Role.HOST, problems=(404,))
def close(match_id: InPath) -> MatchId:
    """Close an interrupted match."""
    return value_of(services().archive.close(current_user(), match_id, request=current_key()))


@route("POST", "/v1/matches/<match_id>/go-on", Role.HOST, problems=(404,))
def go_on(match_id: InPath) -> MatchId:
    """Continue an interrupted match instead of the running one."""
    return value_of(services().match.go_on(current_user(), match_id, request=current_key()))


@route("POST", "/v1/matches/<match_id>/delete", Role.HOST, problems=(404,))
def forget(match_id: InPath) -> MatchId:
    """Delete a stored match; ``restore`` brings it back."""
    return value_of(services().archive.delete(current_user(), match_id, request=current_key()))


@route("POST", "/v1/matches/<match_id>/restore", Role.HOST, problems=(404,))
def restore(match_id: InPath) -> MatchId:
    """Restore a match that was deleted since the companion started."""
    return value_of(services().archive.undelete(current_user(), match_id, request=current_key()))


@route("POST", "/v1/records", Role.HOST)
def take_in(record: str) -> StoredRecord:
    """Store a record as a finished match, unless the same one is here already."""
    return value_of(services().archive.import_record(current_user(), record, request=current_key()))
