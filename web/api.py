"""What scripts and the pages' own scripts ask for: contract, section 8."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, g, request
from werkzeug.wrappers import Response as Answer

from companion.desk import Reply, Role, Visitor
from companion.game import JSON, Offer, Text
from web.door import COOKIE, door, recognise, visitor
from web.openapi import document
from web.problems import Problem
from web.reading import parsed
from web.tongue import evening
from web.wire import latest, snapshot_json

api = Blueprint("api", __name__, url_prefix="/api")
YEAR_S = 365 * 24 * 3600


@api.get("/openapi.json")
def description() -> JSON:
    """This API, described."""
    return document()


@api.get("/v1/standing")
def standing() -> JSON:
    """How it stands."""
    return snapshot_json(door().desk, evening(door().desk), door().voice, g.language)


@api.get("/v1/events")
def events() -> Response:
    """How it stands, then everything that comes."""
    feed = door().feed
    after = request.headers.get("Last-Event-ID", request.args.get("after", ""))
    asked_match = request.args.get("match")
    resumes = after.isascii() and after.isdigit() and len(after) < 10
    if asked_match is not None and asked_match != evening(door().desk).id:
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
    return {"match": evening(door().desk).match}


@api.post("/v1/join")
def join() -> Response:
    """Become the seat or the host whose code this is."""
    code = parsed(request, "code", str)["code"]
    known = recognise(code.strip(), request)
    if known is None:
        raise Problem(403, Text("join.unknown"))
    return welcome(known, code.strip())


@api.post("/v1/leave")
def leave() -> Response:
    """Forget who this browser was."""
    response = Response(json.dumps({"role": Role.SPECTATOR.value, "seat": None}), content_type="application/json")
    response.delete_cookie(COOKIE, httponly=True, samesite="Lax")
    return response


@api.post("/v1/host")
def adopt() -> Response:
    """Become the host of a box that is still looking for one."""
    adopt_one = door().adopt
    code = adopt_one() if adopt_one else None
    known = door().desk.visitor(code) if code else None
    if known is None:
        raise Problem(403, Text("problem.host_taken"))
    return welcome(known, code or "")


def welcome(known: Visitor, given: str) -> Response:
    """The answer that makes this browser somebody."""
    code = long_code(known, given)
    body = {"role": known.role.value, "seat": known.seat, "code": code}
    response = Response(json.dumps(body), content_type="application/json")
    remember(response, code)
    return response


def remember(response: Answer, code: str) -> None:
    """Keep a code in the browser, out of its scripts' reach."""
    response.set_cookie(COOKIE, code, max_age=YEAR_S, httponly=True, samesite="Lax")


def long_code(known: Visitor, given: str) -> str:
    """The code to keep for a visitor who came with this one, which may have been the short one."""
    return next((one.code for one in door().desk.invitations(known) if one.visitor == known), given)


@api.get("/v1/seat")
def seat() -> JSON:
    """Who this is, and what he may see and do now."""
    who = visitor()
    news, number = latest(door().desk)
    return {
        "match": evening(door().desk).id,
        "number": number,
        "role": who.role.value,
        "seat": who.seat,
        "offers": [_offer_json(offer) for offer in door().desk.offers(who)],
        "view": door().desk.view(who) if news else None,
        "seats": [{**one, "why": one["why"] and spoken_to(one["why"])} for one in door().desk.seats(who)],
    }


def _offer_json(offer: Offer) -> JSON:
    return {"by": offer.by, "do": offer.do, "choices": {key: list(values) for key, values in offer.choices.items()}}


@api.post("/v1/moves")
def moves() -> Response:
    """Say that a move was made."""
    said = parsed(request, "move", dict, after=int)
    return told(door().desk.move(visitor(), _move(said["move"]), said.get("after")))


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
    said = parsed(
        request, "do", str, number=int, after=int, by=int, hands=list, stack=int, seat=int, swaps=int, name=str
    )
    return told(door().desk.correct(visitor(), {key: value for key, value in said.items() if value is not None}))


@api.post("/v1/answers")
def answers() -> Response:
    """Answer an open question, by the answer's place in its list."""
    said = parsed(request, "question", int, "answer", int)
    return told(door().desk.answer(visitor(), said["question"], said["answer"]))


@api.post("/v1/matches")
def start() -> Response:
    """Begin a match; the running one, if any, is closed."""
    return told(door().desk.start(visitor(), parsed(request, "match", dict)["match"]))


@api.get("/v1/matches")
def matches() -> JSON:
    """The stored matches, newest first."""
    return {"matches": list(door().desk.matches(visitor()))}


@api.get("/v1/matches/<match_id>/record")
def record(match_id: str) -> Response:
    """A match's record, one JSON value a line."""
    lines = door().desk.record(visitor(), match_id)
    if lines is None:
        raise Problem(404, Text("matches.none"))
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=f"{match_id}.jsonl")
    return response


@api.get("/v1/matches/<match_id>/figures")
def figures(match_id: str) -> JSON:
    """How well a match was refereed, and which entries have pictures."""
    told = door().desk.figures(visitor(), match_id)
    if told is None:
        raise Problem(404, Text("matches.none"))
    return told


@api.get("/v1/matches/<match_id>/pictures/<int:number>/<int:place>")
def kept_picture(match_id: str, number: int, place: int) -> Response:
    """One of the pictures that were kept of an entry, from 1, the oldest first."""
    kept = door().desk.pictures(visitor(), match_id, number)
    if kept is None:
        raise Problem(404, Text("matches.none"))
    if not 0 < place <= len(kept):
        raise Problem(404, Text("problem.no_picture", {"number": number, "place": place, "n": len(kept)}))
    return Response(kept[place - 1], content_type="image/jpeg")


@api.get("/v1/camera.jpg")
def camera() -> Response:
    """The camera's last picture; ``?straight`` = the field seen straight from above."""
    picture = door().desk.picture(visitor(), "straight" in request.args)
    if picture is None:
        raise Problem(404, Text("problem.unseen"))
    return Response(picture, content_type="image/jpeg")


@api.get("/v1/invitations")
def invitations() -> JSON:
    """The codes that this visitor may hand out."""
    found = door().desk.invitations(visitor())
    return {
        "invitations": [
            {"role": one.visitor.role.value, "seat": one.visitor.seat, "code": one.code, "short": one.short}
            for one in found
        ]
    }


@api.get("/v1/health")
def health() -> JSON:
    """Whether everything works, for whoever watches the box."""
    return {**door().desk.health(), "listeners": door().feed.listeners}


def told(reply: Reply) -> Response:
    """The desk's answer as HTTP's; a refusal says why, a stale one how it stands now."""
    body: Any = reply.body
    if 200 <= reply.status < 300:
        return Response(json.dumps(body), reply.status, content_type="application/json")
    if isinstance(body, Text):
        body = said(body)
    more = dict(body) if isinstance(body, Mapping) else {}
    detail = body if isinstance(body, str) else more.pop("detail", None)
    if isinstance(detail, Text):
        detail = said(detail)
    if faults := more.pop("faults", None):
        detail = " ".join(spoken_to(fault) for fault in faults)
    for key in ("type", "title", "status"):
        more.pop(key, None)
    if reply.status == 409:
        more = {**more, **snapshot_json(door().desk, evening(door().desk), door().voice, g.language)}
    raise Problem(reply.status, str(detail or door().voice.word(f"problem.{reply.status}", g.language)), None, **more)


def spoken_to(fault: Text | str) -> str:
    """What is wrong, in the reader's language where there are words for it."""
    return fault if isinstance(fault, str) else said(fault)


def said(text: Text) -> str:
    """What the desk answered, in the reader's language."""
    return door().voice.say(text, g.language, evening(door().desk).names)
