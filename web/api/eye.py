"""A phone as the camera, over HTTP: its pictures come here, one a request."""

from __future__ import annotations

import re
from typing import Annotated, Required, TypedDict

from flask import request
from msgspec import Meta

from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import Media, route, value_of
from web.middleware.context import current_user, services
from web.middleware.problems import Problem

EYE_LIMIT = 6 * 1024 * 1024
"""Bytes of a picture: one of 4K at the highest quality."""

_PHONE = re.compile(r"[A-Za-z0-9-]{8,64}")


class FromPhone(TypedDict, total=False):
    """Which phone sends."""

    phone: Required[
        Annotated[str, Meta(pattern=f"^{_PHONE.pattern}$", description="A name that the phone draws itself.")]
    ]
    instead: Annotated[str, Meta(description="With any value: in the place of another phone.")]


class Looked(TypedDict):
    """How large the picture was, and how many a second came lately."""

    size_px: Annotated[list[int], Meta(min_length=2, max_length=2)]
    rate_hz: float


@route(
    "POST",
    "/v1/eye",
    Role.HOST,
    takes=Media("JPEG; 6 MB at most.", ("image/jpeg",), EYE_LIMIT),
    query=FromPhone,
    problems=(404,),
)
def look() -> Looked:
    """Be the camera: look at this picture."""
    phone = request.args.get("phone", "")
    if not _PHONE.fullmatch(phone):
        raise Problem(422, Text("problem.phone"))
    if request.mimetype != "image/jpeg":
        raise Problem(415, Text("problem.jpeg"))
    instead = "instead" in request.args
    return value_of(services().phone.take(current_user(), phone, request.get_data(), instead=instead))
