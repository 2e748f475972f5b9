"""The box over HTTP: print, draw its zones, light the lamp, be quiet, switch off."""

from __future__ import annotations

from dataclasses import replace

from flask import Response, g, request

from companion.errors import InputError
from companion.public.service import unusable
from companion.public.text import JSON, Text
from web.api.blueprint import api, render_fault, to_response
from web.api.blueprint import render as say
from web.api.openapi.document import document
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.middleware.request_body import json_body


@api.get("/openapi.json")
def description() -> JSON:
    """This API, described."""
    return document()


@api.get("/v1/camera.jpg")
def camera() -> Response:
    """The camera's last picture; ``?straight`` = the field seen straight from above."""
    picture = context().desk.picture(current_user(), "straight" in request.args)
    if picture is None:
        raise Problem(404, Text("problem.unseen"))
    return Response(picture, content_type="image/jpeg")


@api.get("/v1/health")
def health() -> JSON:
    """Whether everything works, for whoever watches the box."""
    return {**context().desk.health(), "listeners": context().feed.listeners}


@api.get("/v1/stickers.pdf")
def stickers() -> Response:
    """The sheets to print: ``?size=20&paper=a4``, and ``&deck=ours`` for the names of a deck of this table."""
    sheets = context().box.sheets
    if sheets is None:
        raise Problem(404, context().voice.word("box.cannot", g.language))
    named = request.args.get("deck")
    typed = None if named is None else context().desk.deck(current_user(), named)
    if named is not None and typed is None:
        raise Problem(404, context().voice.word("problem.404", g.language))
    size = request.args.get("size", "20")
    try:
        size_mm = float(size)
    except ValueError:
        raise Problem(422, Text("problem.size", {"what": size[:20]})) from None
    try:
        printed = sheets(size_mm, request.args.get("paper", "a4"), g.language, typed)
    except InputError as wrong:
        return to_response(unusable(wrong))
    response = Response(printed, content_type="application/pdf")
    response.headers.set("Content-Disposition", "inline", filename="stickers.pdf")
    return response


@api.get("/v1/zones")
def zones() -> JSON:
    """The zones that the camera goes by, and whether they may be moved now."""
    layout = context().desk.layout(current_user())
    if layout is None:
        raise Problem(404, context().voice.word("box.cannot", g.language))
    return _zones_json(layout)


@api.post("/v1/zones")
def settle_zones() -> Response:
    """Keep other zones; ``null`` = the usual ones."""
    said = json_body(request, table=dict)
    if "table" not in said:
        raise Problem(422, Text("problem.table"))
    reply = context().desk.settle_zones(current_user(), said["table"])
    return to_response(replace(reply, body=_zones_json(reply.body)) if reply.status == 200 else reply)


def _zones_json(layout: JSON) -> JSON:
    why = layout["why"]
    return {**layout, "why": why and say(why)}


@api.get("/v1/doctor")
def doctor() -> JSON:
    """Everything that ``companion doctor`` looks at, and the one thing to do about each."""
    return {"findings": findings()}


def findings() -> list[JSON]:
    """What the doctor finds now, in the reader's language.

    Raises:
        Problem: This box has no doctor.
    """
    if (examine := context().box.examine) is None:
        raise Problem(404, context().voice.word("box.cannot", g.language))
    return [{**one, "what": render_fault(one["what"]), "to_do": render_fault(one["to_do"])} for one in examine()]


@api.get("/v1/box")
def box() -> JSON:
    """What this box can do, and how quiet it is."""
    able = context().box
    return {
        "can": [name for name in ("sheets", "rest", "lamp", "shut_down", "examine") if getattr(able, name) is not None],
        "night": able.night,
        "muted": able.muted,
    }


@api.post("/v1/box")
def ask_box() -> JSON:
    """``mute``, ``unmute``, ``night``, ``day``, ``lamp`` or ``shut-down``."""
    do, able = json_body(request, "do", str)["do"], context().box
    match do:
        case "mute" | "unmute" | "night" | "day" if able.rest is not None:
            able.muted = do == "mute" if do in ("mute", "unmute") else able.muted
            able.night = do == "night" if do in ("night", "day") else able.night
            able.rest(able.night, able.muted)
        case "lamp" if able.lamp is not None:
            able.lamp()
        case "shut-down" if able.shut_down is not None:
            able.shut_down()
        case "mute" | "unmute" | "night" | "day" | "lamp" | "shut-down":
            raise Problem(404, context().voice.word("box.cannot", g.language))
        case _:
            raise Problem(422, Text("problem.box", {"what": do[:20]}))
    return box()
