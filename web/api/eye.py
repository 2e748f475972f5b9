"""A phone as the camera: it sends one picture per request."""

from __future__ import annotations

import re
from typing import Annotated, Required, TypedDict

from flask import request
from msgspec import Meta

from companion.public.results import Looked
from companion.public.service import Role
from companion.public.text import Text
from web.api.blueprint import Media, route, value_of
from web.middleware.context import current_user, services
from web.middleware.problems import Problem

EYE_LIMIT = 6 * 1024 * 1024
"""Bytes of a picture: 4K at the highest quality."""

_PHONE = re.compile(r"[A-Za-z0-9-]{8,64}")


class FromPhone(TypedDict, total=False):
    """The phone that sends."""

    phone: Required[
        Annotated[str, Meta(pattern=f"^{_PHONE.pattern}$", description="A random name that the phone chooses.")]
    ]
    instead: Annotated[str, Meta(description="With any value: replaces another phone.")]


@route(
    "POST",
    "/v1/eye",
    Role.HOST,
    takes=Media("JPEG; 6 MB at most.", ("image/jpeg",), EYE_LIMIT),
    query=FromPhone,
    problems=(404,),
)
def look() -> Looked:
    """Use this picture as the camera's.

    With ``--source phone``. The phone draws its name itself. 409 while another phone sends, unless ``instead``;
    after 5 seconds without a picture anybody may. 503 for more than 15 a second, 404 with another source. It leads
    to no entry, and the answer does not depend on what the picture shows.
    """
    phone = request.args.get("phone", "")
    if not _PHONE.fullmatch(phone):
        raise Problem(422, Text("problem.phone"))
    if request.mimetype != "image/jpeg":
        raise Problem(415, Text("problem.jpeg"))
    instead = "instead" in request.args
    return value_of(services().phone.take(current_user(), phone, request.get_data(), instead=instead))
