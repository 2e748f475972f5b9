"""What scripts and the pages' own scripts ask for: contract, section 8."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, g, request

from companion.public.standing import AvailableMove
from companion.public.text import JSON, Text
from web.api.blueprint import api, render_fault, to_response
from web.language import match_context
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.middleware.request_body import json_body
from web.push.serializers import latest_json, snapshot_json


@api.get("/v1/standing")
def standing() -> JSON:
    """How it stands."""
    return snapshot_json(context().desk, match_context(context().desk), context().voice, g.language)


@api.get("/v1/events")
def events() -> Response:
    """How it stands, then everything that comes."""
    feed = context().feed
    after = request.headers.get("Last-Event-ID", request.args.get("after", ""))
    asked_match = request.args.get("match")
    resumes = after.isascii() and after.isdigit() and len(after) < 10
    if asked_match is not None and asked_match != match_context(context().desk).id:
        resumes = False
    waiting = feed.open()
    if waiting is None:
        raise Problem(503, Text("problem.screens"), {"Retry-After": "15"})
    told = feed.events(waiting, g.language, int(after) if resumes else None)
    response = Response(told, content_type="text/event-stream; charset=utf-8")
    response.headers.update({"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
    response.call_on_close(lambda: feed.leave(waiting))
    return response


@api.get("/v1/match")
def match() -> JSON:
    """The running match: seats, options and the deck with its names."""
    return {"match": match_context(context().desk).match}


@api.get("/v1/seat")
def seat() -> JSON:
    """Who this is, and what he may see and do now."""
    who = current_user()
    news, number = latest_json(context().desk)
    return {
        "match": match_context(context().desk).id,
        "number": number,
        "role": who.role.value,
        "seat": who.seat,
        "offers": [_offer_json(offer) for offer in context().desk.offers(who)],
        "view": context().desk.view(who) if news else None,
        "seats": [{**one, "why": one["why"] and render_fault(one["why"])} for one in context().desk.seats(who)],
    }


def _offer_json(offer: AvailableMove) -> JSON:
    return {"by": offer.by, "do": offer.do, "choices": {key: list(values) for key, values in offer.choices.items()}}


@api.post("/v1/moves")
def moves() -> Response:
    """Say that a move was made."""
    said = json_body(request, "move", dict, after=int)
    return to_response(context().desk.move(current_user(), _move(said["move"]), said.get("after")))


def _move(move: Mapping[str, Any]) -> Mapping[str, Any]:
    do, by = move.get("do"), move.get("by")
    if not isinstance(do, str) or not do:
        raise Problem(422, Text("problem.move", {"example": '{"do": "end_turn", "by": 1}'}))
    if not isinstance(by, int) or isinstance(by, bool) or not 0 <= by <= 9:
        raise Problem(422, Text("problem.by"))
    return move


@api.post("/v1/corrections")
def corrections() -> Response:
    """Put right what the referee believes."""
    said = json_body(
        request, "do", str, number=int, after=int, by=int, hands=list, stack=int, seat=int, swaps=int, name=str
    )
    return to_response(
        context().desk.correct(current_user(), {key: value for key, value in said.items() if value is not None})
    )


@api.post("/v1/answers")
def answers() -> Response:
    """Answer an open question, by the answer's place in its list."""
    said = json_body(request, "question", int, "answer", int)
    return to_response(context().desk.answer(current_user(), said["question"], said["answer"]))


@api.post("/v1/matches")
def start() -> Response:
    """Begin a match; the running one, if any, is closed."""
    return to_response(context().desk.start(current_user(), json_body(request, "match", dict)["match"]))
