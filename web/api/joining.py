"""Phones become seats or the host, and leave again."""

from __future__ import annotations

import json

from flask import Response, request

from companion.public.service import Done, Role, User
from companion.public.table import Seat
from companion.public.text import JSON, Text
from web.api.blueprint import api, to_response
from web.api.openapi.document import HUB_DOES
from web.middleware.access import announce, forget_code, long_code, recognise, remember_code, role
from web.middleware.context import context, current_user, identity, services
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.post("/v1/join")
@role(Role.SPECTATOR)
def join() -> Response:
    """Become the seat or the host whose code this is."""
    code = json_body(request, required={"code": str})["code"]
    user = recognise(code)
    if user is None or user.role is Role.HUB:
        raise Problem(403, Text("join.unknown"))
    return welcome(user, code)


@api.post("/v1/leave")
@role(Role.SPECTATOR)
def leave() -> Response:
    """Forget who this browser was."""
    response = Response(json.dumps({"role": Role.SPECTATOR.value, "seat": None}), content_type="application/json")
    # Who comes back is no further phone.
    context().joined.keep(identity().code, False)
    forget_code(response)
    return response


@api.post("/v1/host")
@role(Role.SPECTATOR)
def adopt() -> Response:
    """Become the host of a box that is still looking for one."""
    claim_host = context().claim_host
    code = claim_host() if claim_host else None
    user = services().match.user(code) if code else None
    if user is None:
        raise Problem(403, Text("problem.host_taken"))
    return welcome(user, code or "")


def welcome(user: User, given: str) -> Response:
    """The answer that makes this browser somebody."""
    code = long_code(user, given)
    announce(user, code)
    body = {"role": user.role.value, "seat": user.seat, "code": code}
    response = Response(json.dumps(body), content_type="application/json")
    remember_code(response, code)
    return response


@api.get("/v1/invitations")
@role(Role.SEAT)
def invitations() -> JSON:
    """The codes that this user may hand out."""
    codes = services().match.join_codes(current_user())
    return {
        "invitations": [
            {"role": one.user.role.value, "seat": one.user.seat, "code": one.code, "short": one.short} for one in codes
        ]
    }


@api.post("/v1/invitations")
@role(Role.HOST)
def renew_invitations() -> Response:
    """New codes for ``seat`` N, the ``host`` or ``all``; whoever joined with an old one joins again, but who asks."""
    body = json_body(request, required={"renew": str}, optional={"seat": int})
    match body["renew"], body.get("seat"):
        case "seat", int(number):
            whose: User | None = User(Role.SEAT, Seat(number))
        case "host", None:
            whose = User(Role.HOST)
        case "all", None:
            whose = None
        case _:
            raise Problem(422, Text("problem.renew", {"example": '{"renew": "seat", "seat": 2}'}))
    match_service = services().match
    result = match_service.renew_join_codes(current_user(), whose)
    if not isinstance(result, Done):
        return to_response(result)
    response = to_response(Done(invitations()))
    if whose is None or whose.role is Role.HOST:
        remember_code(response, long_code(current_user(), ""))
    return response


@api.post("/v1/hub/join")
@role(Role.SPECTATOR)
def join_hub() -> JSON:
    """The code that a hub shows from now on, for the one that somebody typed there, and which table this is."""
    user = recognise(json_body(request, required={"code": str})["code"])
    code = None if user is None or user.role is not Role.HUB else services().match.hub_long_code()
    if code is None:
        raise Problem(403, Text("join.unknown"))
    return {"code": code, "id": context().system.id, "name": context().system.name}


@api.get("/v1/hub")
@role(Role.HUB)
def hub() -> JSON:
    """Whether a referee may answer from a hub; and for the host the code to type there."""
    match = services().match
    return {"id": context().system.id, "answers": match.hub_answers(), "code": match.hub_code(current_user())}


@api.post("/v1/hub")
@role(Role.HOST)
def set_hub() -> Response:
    """``open`` draws a code for a hub, ``close`` takes it back; ``allow`` and ``forbid``: to answer from there."""
    do = json_body(request, required={"do": str})["do"]
    if do not in HUB_DOES:
        raise Problem(422, Text("problem.hub", {"what": do[:20]}))
    result = services().match.set_hub(current_user(), do)
    return to_response(Done(hub()) if isinstance(result, Done) else result)
