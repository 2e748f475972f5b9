"""Phones become seats or the host, and leave again."""

from __future__ import annotations

import json

from flask import Response, request

from companion.public.service import Role, User
from companion.public.text import JSON, Text
from web.api.blueprint import api
from web.middleware.access import COOKIE, long_code, recognise, remember_code
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.post("/v1/join")
def join() -> Response:
    """Become the seat or the host whose code this is."""
    code = json_body(request, "code", str)["code"]
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
    adopt_one = context().adopt
    code = adopt_one() if adopt_one else None
    known = context().desk.visitor(code) if code else None
    if known is None:
        raise Problem(403, Text("problem.host_taken"))
    return welcome(known, code or "")


def welcome(known: User, given: str) -> Response:
    """The answer that makes this browser somebody."""
    code = long_code(known, given)
    body = {"role": known.role.value, "seat": known.seat, "code": code}
    response = Response(json.dumps(body), content_type="application/json")
    remember_code(response, code)
    return response


@api.get("/v1/invitations")
def invitations() -> JSON:
    """The codes that this visitor may hand out."""
    found = context().desk.invitations(current_user())
    return {
        "invitations": [
            {"role": one.visitor.role.value, "seat": one.visitor.seat, "code": one.code, "short": one.short}
            for one in found
        ]
    }
