"""A phone as the camera, over HTTP: its pictures come here, one a request."""

from __future__ import annotations

import re

from flask import Response, request

from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import api, to_response
from web.middleware.access import role
from web.middleware.context import current_user, services
from web.middleware.problems import Problem

EYE_LIMIT = 6 * 1024 * 1024
"""Bytes of a picture: one of 4K at the highest quality."""

_PHONE = re.compile(r"[A-Za-z0-9-]{8,64}")


@api.post("/v1/eye")
@role(Role.HOST, body_limit=EYE_LIMIT)
def look() -> Response:
    """Look at this picture: the body is a JPEG file, ``?phone=`` a name that the phone drew itself; with ``&instead``
    it takes the place of another phone."""
    phone = request.args.get("phone", "")
    if not _PHONE.fullmatch(phone):
        raise Problem(422, Text("problem.phone"))
    if request.mimetype != "image/jpeg":
        raise Problem(415, Text("problem.jpeg"))
    instead = "instead" in request.args
    return to_response(services().phone.take(current_user(), phone, request.get_data(), instead=instead))
