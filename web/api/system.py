"""The box over HTTP: print, draw its zones, light the lamp, be quiet, switch off."""

from __future__ import annotations

import datetime
import re

from flask import Response, g, request, send_file

from companion.errors import InputError, LogError
from companion.public.machine import PRINTABLE, PrintOrder, SystemActions, WifiService
from companion.public.service import Done, Invalid, Result, Role
from companion.public.text import JSON, Text, fault_text
from web.api.blueprint import api, to_response
from web.api.openapi.document import document
from web.doctor import findings
from web.middleware.access import role
from web.middleware.context import context, current_user, render, services
from web.middleware.problems import Problem, unknown_deed
from web.middleware.request_body import json_body


@api.get("/openapi.json")
@role(Role.SPECTATOR)
def description() -> JSON:
    """This API, described."""
    return document()


@api.get("/v1/camera.jpg")
@role(Role.HOST)
def camera() -> Response:
    """The camera's last picture; ``?straight`` = the field seen straight from above."""
    picture = services().setup.camera_picture(current_user(), "straight" in request.args)
    if picture is None:
        raise Problem(404, Text("problem.unseen"))
    return Response(picture, content_type="image/jpeg")


@api.get("/v1/health")
@role(Role.SPECTATOR)
def health() -> JSON:
    """Whether everything works, for whoever watches the box."""
    return {**services().setup.health(), "listeners": context().streams.listeners}


@api.get("/v1/stickers.pdf")
@role(Role.HOST)
def stickers() -> Response:
    """The sheets to print: ``?size=20&paper=a4``, ``&deck=ours`` for the names of a deck of this table, ``&game=`` for
    the built-in deck of another game, ``&what=``, ``&labels=`` and ``&only=C18,KEND`` as on the command line,
    ``&zones=table`` for a mat with the zones of this table, ``&mark=`` for a mark on every piece."""
    sheets = context().system.sheets
    if sheets is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    named = request.args.get("deck") or None
    typed = None if named is None else services().decks.deck(named)
    if named is not None and typed is None:
        raise Problem(404, context().translator.word("problem.404", g.language))
    size = request.args.get("size") or None
    try:
        size_mm = None if size is None else float(size)
    except ValueError:
        raise Problem(422, Text("problem.size", {"what": str(size)[:20]})) from None
    asked = request.args
    own_zones = asked.get("what") == "mat" and asked.get("zones") == "table"
    order = PrintOrder(
        table=services().setup.zones() if own_zones else None,
        what=asked.get("what") or PRINTABLE[0],
        size_mm=size_mm,
        paper=asked.get("paper") or "a4",
        labels=asked.get("labels", ""),
        language=g.language,
        only=tuple(one for one in re.split("[,\\s]+", asked.get("only", "")) if one),
        deck=typed,
        game=asked.get("game") or None,
        mark=asked.get("mark", "").strip(),
    )
    try:
        printed = sheets(order)
    except InputError as wrong:
        return to_response(Invalid.of(wrong))
    response = Response(printed, content_type="application/pdf")
    response.headers.set("Content-Disposition", "inline", filename=f"{order.what}.pdf")
    return response


@api.get("/v1/backup.zip")
@role(Role.HOST)
def backup() -> Response:
    """Everything of this table in one file, with every code; ``companion restore`` brings it back."""
    make = context().system.backup
    if make is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    if request.method == "HEAD":
        return Response(content_type="application/zip")
    try:
        made = make()
    except InputError as wrong:
        why = fault_text(wrong.faults[0])
        raise Problem(409 if isinstance(why, Text) else 503, why) from wrong
    except (LogError, OSError) as wrong:
        raise Problem(503, Text("problem.box_kept", {"what": str(wrong)})) from wrong
    name = f"companion-{datetime.date.today().isoformat()}.zip"
    return send_file(made, mimetype="application/zip", as_attachment=True, download_name=name)


@api.post("/v1/box-check")
@role(Role.HOST)
def check_box() -> Response:
    """``{"do": "begin"}`` with ``deck`` or ``game`` begins the check of a box, ``{"do": "look"}`` looks once; ``{"do":
    "see"}`` with ``game`` says what lies there, and how it is turned."""
    body = json_body(request, required={"do": str}, optional={"deck": str, "game": str})
    user, box = current_user(), services().box
    if body["do"] == "begin":
        named = body.get("deck")
        typed = None if named is None else services().decks.deck(named)
        if named is not None and typed is None:
            raise Problem(404, context().translator.word("problem.404", g.language))
        return to_response(box.begin(user, typed, body.get("game"), g.language))
    if body["do"] == "see":
        return to_response(box.see(user, body.get("game")))
    if body["do"] != "look":
        raise unknown_deed(body["do"])
    return to_response(box.look(user, g.language))


@api.get("/v1/zones")
@role(Role.HOST)
def zones() -> JSON:
    """The zones that the camera goes by, and whether they may be moved now."""
    now = services().setup.zones()
    if now is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return _zones_json(now)


@api.post("/v1/zones")
@role(Role.HOST)
def settle_zones() -> Response:
    """Keep other zones; ``null`` = the usual ones."""
    body = json_body(request, optional={"table": dict})
    if "table" not in body:
        raise Problem(422, Text("problem.table"))
    result = services().setup.set_zones(current_user(), body["table"])
    return to_response(Done(_zones_json(result.value)) if isinstance(result, Done) else result)


def _zones_json(zones: JSON) -> JSON:
    why = zones["why"]
    return {**zones, "why": why and render(why)}


@api.get("/v1/doctor")
@role(Role.HOST)
def doctor() -> JSON:
    """Everything that ``companion doctor`` looks at, and the one thing to do about each."""
    return {"findings": findings()}


@api.get("/v1/wifi")
@role(Role.HOST)
def wifi() -> Response:
    """The Wi-Fi that the box is in, and those in reach."""
    return _wifi_response(_wifi().state(current_user()))


@api.post("/v1/wifi")
@role(Role.HOST)
def join_wifi() -> Response:
    """``name`` and, where it wants one, ``password``: the box joins this Wi-Fi once the answer is on its way."""
    body = json_body(request, required={"name": str}, optional={"password": str})
    return _wifi_response(_wifi().join(current_user(), body["name"], body.get("password", "")))


def _wifi() -> WifiService:
    service = context().system.wifi
    if service is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return service


def _wifi_response(result: Result) -> Response:
    if isinstance(result, Done):
        result = Done({**result.value, "last": result.value["last"] and render(result.value["last"])})
    return to_response(result)


@api.get("/v1/box")
@role(Role.HOST)
def box() -> JSON:
    """What this box can do, and how quiet it is."""
    able = context().system
    actions = {
        "sheets": able.sheets,
        "rest": able.set_quiet,
        "lamp": able.lamp,
        "shut_down": able.shut_down,
        "examine": able.examine,
        "name": able.rename,
        "backup": able.backup,
        "restore": able.restore,
        "update": able.update,
        "wifi": able.wifi,
    }
    return {
        "can": [name for name, action in actions.items() if action is not None],
        "night": able.night,
        "muted": able.muted,
        "name": able.name,
        "names_players": able.names_players,
    }


@api.post("/v1/box")
@role(Role.HOST)
def ask_box() -> JSON:
    """``mute``, ``unmute``, ``night``, ``day``, ``lamp``, ``shut-down``, ``tell-names``, ``keep-names``, or ``name``
    with a ``name``."""
    body, able = json_body(request, required={"do": str}, optional={"name": str}), context().system
    do = body["do"]
    match do:
        case "name" if able.rename is not None:
            if "name" not in body:
                raise Problem(422, Text("problem.box_name", {"example": '{"do": "name", "name": "Kitchen"}'}))
            _rename(able, body["name"], bool(able.names_players))
        case "tell-names" | "keep-names" if able.rename is not None and able.names_players is not None:
            _rename(able, able.name, do == "tell-names")
        case "mute" | "unmute" | "night" | "day" if able.set_quiet is not None:
            able.muted = do == "mute" if do in ("mute", "unmute") else able.muted
            able.night = do == "night" if do in ("night", "day") else able.night
            able.set_quiet(able.night, able.muted)
        case "lamp" if able.lamp is not None:
            able.lamp()
        case "shut-down" if able.shut_down is not None:
            able.shut_down()
        case "mute" | "unmute" | "night" | "day" | "lamp" | "shut-down" | "name" | "tell-names" | "keep-names":
            raise Problem(404, context().translator.word("box.cannot", g.language))
        case _:
            raise unknown_deed(do)
    return box()


def _rename(able: SystemActions, name: str, names_players: bool) -> None:
    """Give the table a name; what is wrong with it is said."""
    assert able.rename is not None
    try:
        able.rename(name, names_players)
    except InputError as wrong:
        raise Problem(422, fault_text(wrong.faults[0])) from wrong
    except OSError as wrong:
        raise Problem(503, Text("problem.box_kept", {"what": wrong.strerror or str(wrong)})) from wrong
