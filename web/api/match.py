"""What scripts and the pages' own scripts ask for: contract, section 8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, g, request

from companion.public.service import Role
from companion.public.standing import AvailableMove
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.language import match_context
from web.middleware.access import role
from web.middleware.context import context, current_user, identity, render, services
from web.middleware.problems import Problem
from web.middleware.request_body import json_body
from web.push.serializers import newest_in_match, snapshot_json


@api.get("/v1/standing")
@role(Role.SPECTATOR)
def standing() -> JSON:
    """How it stands."""
    return snapshot_json(services().match, context().translator, g.language)


@api.get("/v1/events")
@role(Role.SPECTATOR)
def events() -> Response:
    """How it stands, then everything that comes."""
    streams = context().streams
    after = request.headers.get("Last-Event-ID", request.args.get("after", ""))
    resumes = after.isascii() and after.isdigit() and len(after) < 10
    subscription = streams.open(identity().address)
    if subscription is None:
        raise Problem(503, Text("problem.screens"), {"Retry-After": "15"})
    events = streams.events(subscription, g.language, int(after) if resumes else None, request.args.get("match"))
    response = Response(events, content_type="text/event-stream; charset=utf-8")
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(lambda: streams.leave(subscription))
    return response


@api.get("/v1/match")
@role(Role.SPECTATOR)
def match() -> JSON:
    """The running match: seats, options and the deck with its names."""
    return {"match": match_context(services().match).match}


@api.get("/v1/seat")
@role(Role.SEAT)
def seat() -> JSON:
    """Who this is, and what he may see and do now."""
    user = current_user()
    match_service = services().match
    while True:
        update, number, now = newest_in_match(match_service)
        offers, seats = match_service.available_moves(user), match_service.seats(user)
        view = match_service.view(user) if update else None
        if match_context(match_service).id == now.id:
            break  # else another match began meanwhile
    return {
        "match": now.id,
        "number": number,
        "role": user.role.value,
        "seat": user.seat,
        "offers": [_available_move_json(move) for move in offers],
        "view": view,
        "seats": [{**one, "why": one["why"] and render(one["why"])} for one in seats],
    }


def _available_move_json(move: AvailableMove) -> JSON:
    return {"by": move.by, "do": move.do, "choices": {key: list(values) for key, values in move.choices.items()}}


@api.post("/v1/moves")
@role(Role.SEAT)
def moves() -> Response:
    """Say that a move was made."""
    body = json_body(request, required={"move": dict}, optional={"after": int, "match": str})
    move = _move(body["move"])
    return to_response(services().match.move(current_user(), move, body.get("after"), body.get("match")))


def _move(move: Mapping[str, Any]) -> Mapping[str, Any]:
    do, by = move.get("do"), move.get("by")
    if not isinstance(do, str) or not do:
        raise Problem(422, Text("problem.move", {"example": '{"do": "end_turn", "by": 1}'}))
    if not isinstance(by, int) or isinstance(by, bool) or not 0 <= by <= 9:
        raise Problem(422, Text("problem.by"))
    return move


@api.post("/v1/corrections")
@role(Role.SEAT)
def corrections() -> Response:
    """Put right what the referee believes."""
    numbers = dict.fromkeys(("number", "after", "by", "stack", "seat", "swaps"), int)
    body = json_body(request, required={"do": str}, optional={**numbers, "hands": list, "name": str, "match": str})
    return to_response(
        services().match.correct(current_user(), {key: value for key, value in body.items() if value is not None})
    )


@api.post("/v1/answers")
@role(Role.HUB)
def answers() -> Response:
    """Answer an open question, by the answer's place in its list."""
    body = json_body(request, required={"question": int, "answer": int}, optional={"match": str})
    user, question = current_user(), body["question"]
    return to_response(services().match.answer(user, question, body["answer"], body.get("match")))


@api.post("/v1/matches")
@role(Role.HOST)
def start() -> Response:
    """Begin a match; the running one, if any, is closed."""
    return to_response(services().match.start(current_user(), json_body(request, required={"match": dict})["match"]))
