"""Stored matches: list, record, statistics, pictures, delete, restore, import, rematch."""

from __future__ import annotations

import json
from typing import Annotated, Any, NotRequired, TypedDict

from flask import Response
from msgspec import Meta

from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import route, value_of
from web.api.match import MatchId
from web.api.system import GameBug
from web.middleware.context import current_key, current_user, in_turn, services
from web.middleware.problems import Problem

InPath = Annotated[str, Meta(min_length=1)]
FromOne = Annotated[int, Meta(ge=1)]


class StoredMatchLine(TypedDict):
    """A stored match; if it is neither running nor over, it was interrupted."""

    id: str
    game: str
    profile: str
    seats: list[str]
    began: str
    over: bool
    running: bool
    entries: int
    points: NotRequired[list[int]]
    winners: NotRequired[list[int]]
    missing: NotRequired[Annotated[bool, Meta(description="Its game is not installed here, or does not load.")]]
    asked: NotRequired[Annotated[bool, Meta(description="It runs, and its points hang on an open question.")]]
    provisional: NotRequired[
        Annotated[bool, Meta(description="It seems to have ended, which may still change: it has no winners yet.")]
    ]
    stopped: NotRequired[Annotated[bool, Meta(description="It runs, and stands still for a bug in its game.")]]
    bug: NotRequired[Annotated[GameBug, Meta(description="Its game has a bug: it cannot be followed.")]]
    pending: NotRequired[Annotated[bool, Meta(description="Still being worked out: names and points come later.")]]


class StoredMatches(TypedDict):
    """The stored matches, newest first."""

    matches: list[StoredMatchLine]


MARKS = "By entry the ``picture`` (from 1) that shows its card best, its ``size`` in pixels, the ``card``'s corners."


class Figures(TypedDict):
    """How well a match was refereed; unknown values are null."""

    placements: float | None
    corrections: Annotated[float | None, Meta(description="Struck, claimed, allowed, counted or misread by people.")]
    corrections_per_100: Annotated[float | None, Meta(description="For each 100 placements.")]
    taken_back: Annotated[float | None, Meta(description="Cards that players took off the table.")]
    refusals: Annotated[float | None, Meta(description="Of what the camera saw.")]
    overruled: Annotated[float | None, Meta(description="Refusals that people overruled.")]
    false_alarms: Annotated[float | None, Meta(description="Refusals that were allowed, or the camera was wrong.")]
    questions: float | None
    unexplained: float | None
    play_s: float | None
    waited_s: Annotated[float | None, Meta(description="From the hand's leaving to the verdict; the median.")]
    waits: Annotated[float | None, Meta(description="Verdicts that ``waited_s`` is of.")]
    pictures: Annotated[dict[str, int], Meta(description="Number of stored pictures, by entry.")]
    marks: NotRequired[Annotated[dict[str, Any], Meta(description=MARKS)]]


class StoredRecord(TypedDict):
    """The match that a record is stored as."""

    match: str
    already: NotRequired[Annotated[bool, Meta(description="It was here before: nothing was stored again.")]]


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
    return json.loads(statistics)


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
