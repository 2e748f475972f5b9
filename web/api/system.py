"""The machine: print, set zones, light the lamp, be quiet, shut down."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, NotRequired, TypedDict, cast

from flask import Response, g, request, send_file
from msgspec import Meta

from companion.errors import InputError, LogError
from companion.public.machine import PRINTABLE, PrintOrder, SystemActions, WifiService
from companion.public.results import (
    CheckedBox,
    DrawnZone,
    Noted,
    PictureShown,
    SeenPieces,
    TableHealth,
    WifiConnection,
    WifiNetwork,
    WithoutPicture,
    ZonesInUse,
)
from companion.public.service import Invalid, Result, Role
from companion.public.text import Text, fault_text
from web.api.blueprint import one_of, problem_of, route, value_of
from web.api.openapi import document
from web.doctor import findings
from web.middleware.context import context, current_user, identity, render, services
from web.middleware.problems import Problem, unknown_deed

BOX_DOES = ("mute", "unmute", "night", "day", "lamp", "shut-down", "name", "tell-names", "keep-names", "new-number")


class CameraQuery(TypedDict, total=False):
    """How the picture is shown."""

    straight: Annotated[
        str, Meta(description="With any value: from straight above, one pixel per millimetre, with a margin of 30 mm.")
    ]


class HealthState(TableHealth):
    """Whether everything works."""

    listeners: int
    broker: Annotated[
        Literal["ok", "away", "refused", "twin"] | None,
        Meta(description="twin: another table has this one's number. null: there is no broker."),
    ]


class StickersQuery(TypedDict, total=False):
    """What to print."""

    size: Annotated[float, Meta(description="Millimetres.")]
    paper: Literal["a4", "letter", "a3", "whole"]
    what: Annotated[str, one_of(*PRINTABLE)]
    zones: Annotated[Literal["table"], Meta(description="A mat with the zones of this table.")]
    mark: Annotated[str, Meta(description="A mark on every piece.")]
    labels: Annotated[str, Meta(description="A commercial label sheet.")]
    only: Annotated[str, Meta(description="Pieces, separated by commas.")]
    deck: Annotated[str, Meta(description="A deck of this table.")]
    game: Annotated[str, Meta(description="A game with its built-in deck.")]


class ZonesState(TypedDict):
    """The zones that the camera uses, and why they may not be changed now."""

    size_mm: NotRequired[list[float]]
    zone: list[DrawnZone]
    movable: bool
    why: str | None


class ZonesBody(TypedDict):
    """New zones for this table."""

    table: Annotated[dict[str, Any] | None, Meta(description="As a match file's [table]; null: the default zones.")]


class DoctorFinding(TypedDict):
    """One result of the doctor."""

    name: str
    level: Literal["ok", "info", "warning", "trouble"]
    what: str
    to_do: Annotated[str, Meta(description="What to do about it; empty: nothing.")]


class DoctorFindings(TypedDict):
    """All results of the doctor."""

    findings: list[DoctorFinding]


class WifiState(TypedDict):
    """The Wi-Fi that the machine uses, and those in range."""

    state: Literal["idle", "working"]
    own: Annotated[bool, Meta(description="The machine provides its own Wi-Fi.")]
    now: Annotated[str | None, Meta(description="The name of the current Wi-Fi.")]
    networks: list[WifiNetwork]
    last: Annotated[str | None, Meta(description="The result of the last attempt.")]
    address: Annotated[str, Meta(description="The address of its pages in any network.")]


class BoxState(TypedDict):
    """What this machine can do, and how quiet it is."""

    can: list[str]
    night: bool
    muted: bool
    name: Annotated[str, Meta(description="The table's name; empty: none was given.")]
    names_players: Annotated[
        bool | None, Meta(description="Whether the players' names are published; null: nothing is published.")
    ]


@route("GET", "/openapi.json", Role.SPECTATOR)
def description() -> dict[str, Any]:
    """The description of this API."""
    return document()


@route("GET", "/v1/camera.jpg", Role.HOST, sends="image/jpeg", query=CameraQuery, problems=(404,))
def camera() -> Response:
    """The camera's last picture; ``?straight`` = the field from straight above."""
    picture = services().setup.camera_picture(current_user(), "straight" in request.args)
    if picture is None:
        raise Problem(404, Text("problem.unseen"))
    return Response(picture, content_type="image/jpeg")


@route("GET", "/v1/table.jpg", Role.SPECTATOR, sends="image/jpeg", problems=(404,))
def table_picture() -> Response:
    """The field, small, for everybody: of a drawn table, or where the host shows it. In a silent game there is none.

    A comment in the file, ``companion {"cards": {ID: [[x, y], ...]}}``, has the cards' corners in pixels.
    """
    picture = services().setup.shown.now()
    if picture is None:
        raise Problem(404, Text("problem.unseen"))
    return Response(picture, content_type="image/jpeg", headers={"Cache-Control": "private, max-age=1"})


@route("POST", "/v1/table-picture", Role.HOST)
def show_table(shown: bool) -> PictureShown:
    """Show the picture of this table to everybody, or to nobody, until the companion ends.

    A drawn table is always shown.
    """
    return value_of(services().setup.shown.allow(current_user(), shown))


@route("POST", "/v1/without-picture", Role.HOST)
def go_without_picture(without: bool) -> WithoutPicture:
    """Go on setting up although the camera does not see the table, or wait for its picture; kept in the data folder."""
    return value_of(services().setup.go_without_picture(current_user(), without))


@route("GET", "/v1/health", Role.SPECTATOR)
def health() -> HealthState:
    """Whether everything works, for monitoring."""
    more = {"broker": None, **context().system.health(), "listeners": context().streams.listeners}
    return cast(HealthState, {**more, **services().setup.health()})


@route("GET", "/v1/stickers.pdf", Role.HOST, sends="application/pdf", query=StickersQuery, problems=(404, 422))
def stickers() -> Response:
    """Stickers, cards, tags and the mat to print.

    ``?size=20&paper=a4``, ``&deck=ours`` for the names of a deck of this table, ``&game=`` for the built-in deck of
    another game, ``&what=``, ``&labels=`` and ``&only=C18,KEND`` as on the command line, ``&zones=table`` for a mat
    with the zones of this table, ``&mark=`` for a mark on every piece.
    """
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
        raise problem_of(Invalid.of(wrong)) from wrong
    response = Response(printed, content_type="application/pdf")
    response.headers.set("Content-Disposition", "inline", filename=f"{order.what}.pdf")
    return response


@route("GET", "/v1/backup.zip", Role.HOST, sends="application/zip", problems=(404, 409, 503))
def backup() -> Response:
    """All data of this table in one file, including all codes; ``companion restore`` restores it."""
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


@route("POST", "/v1/box-check", Role.HOST, problems=(404,))
def check_box(
    do: Annotated[str, one_of("begin", "look", "see")], deck: str | None = None, game: str | None = None
) -> CheckedBox | SeenPieces:
    """Check a box of cards under the camera: begin, look once, or locate the pieces.

    ``{"do": "begin"}`` with ``deck`` or ``game`` begins the check of a box, ``{"do": "look"}`` looks once; ``{"do":
    "see"}`` with ``game`` returns the pieces on the table.

    A piece may be ``wrong``: ``doubled``, ``small`` or ``smudged``. It leads to no entry. 409 on a real table while
    a match is played and not paused.
    """
    user, box = current_user(), services().box
    if do == "begin":
        typed = None if deck is None else services().decks.deck(deck)
        if deck is not None and typed is None:
            raise Problem(404, context().translator.word("problem.404", g.language))
        return value_of(box.begin(user, typed, game, g.language))
    if do == "see":
        return value_of(box.see(user, game))
    if do != "look":
        raise unknown_deed(do)
    return value_of(box.look(user, g.language))


@route("GET", "/v1/zones", Role.HOST, problems=(404,))
def zones() -> ZonesState:
    """The zones that the camera uses, and whether they may be changed now."""
    now = services().setup.zones()
    if now is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return _zones(now)


@route("POST", "/v1/zones", Role.HOST, problems=(404,))
def settle_zones(body: ZonesBody) -> ZonesState:
    """Store new zones; ``null`` = the default zones.

    They are kept in ``zones.toml`` of the data folder. 409 while cards are being placed, on a simulated table, and
    when the match file brings its own; 422 when two overlap.
    """
    if "table" not in body:
        raise Problem(422, Text("problem.table"))
    return _zones(value_of(services().setup.set_zones(current_user(), body["table"])))


def _zones(zones: ZonesInUse) -> ZonesState:
    return {**zones, "why": None if zones["why"] is None else render(zones["why"])}


@route("GET", "/v1/doctor", Role.HOST, problems=(404,))
def doctor() -> DoctorFindings:
    """All findings of ``companion doctor``, and what to do about each."""
    return {"findings": findings()}


@route("POST", "/v1/page-faults", Role.SPECTATOR)
def page_faults(page: str, what: str) -> Noted:
    """Tell the host's check-up that a part of a page did not work in this browser."""
    who = identity()
    context().page_faults.keep(page, what, (True, who.code) if who.joined else (False, who.address))
    return {}


@route("GET", "/v1/wifi", Role.HOST, problems=(404,))
def wifi() -> WifiState:
    """The Wi-Fi that the machine uses, and those in range."""
    return _rendered_wifi(_wifi().state(current_user()))


@route("POST", "/v1/wifi", Role.HOST, problems=(404,))
def join_wifi(
    name: Annotated[str, Meta(description="1 to 32 bytes.")],
    password: Annotated[
        str | None, Meta(description="8 to 63 characters or 64 hexadecimal digits; none = an open network.")
    ] = None,
) -> WifiState:
    """Join a Wi-Fi after this answer was sent; if that fails, everything stays as it was.

    409 while it joins one; 422 for what can be no name or no password.
    """
    return _rendered_wifi(_wifi().join(current_user(), name, password or ""))


def _wifi() -> WifiService:
    service = context().system.wifi
    if service is None:
        raise Problem(404, context().translator.word("box.cannot", g.language))
    return service


def _rendered_wifi(result: Result[WifiConnection]) -> WifiState:
    state = value_of(result)
    return {**state, "last": None if state["last"] is None else render(state["last"])}


@route("GET", "/v1/box", Role.HOST)
def box() -> BoxState:
    """What this machine can do, and how quiet it is."""
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


@route("POST", "/v1/box", Role.HOST, problems=(404,))
def ask_box(do: Annotated[str, one_of(*BOX_DOES)], name: Annotated[str, Meta(max_length=40)] | None = None) -> BoxState:
    """Light the lamp, be quiet, shut down, name the table.

    ``lamp`` shows the best of lamp and buzzer once; ``tell-names`` and ``keep-names`` say whether the players' names
    are published; ``name`` with an empty name takes the table's away; ``new-number`` tells two tables apart whose
    cards are copies. 404 where the machine cannot.
    """
    able = context().system
    match do:
        case "name" if able.rename is not None:
            if name is None:
                raise Problem(422, Text("problem.box_name", {"example": '{"do": "name", "name": "Kitchen"}'}))
            _rename(able, name, bool(able.names_players))
        case "tell-names" | "keep-names" if able.rename is not None and able.names_players is not None:
            _rename(able, able.name, do == "tell-names")
        case "new-number" if able.renumber is not None:
            _kept(able.renumber)
        case "mute" | "unmute" | "night" | "day" if able.set_quiet is not None:
            able.muted = do == "mute" if do in ("mute", "unmute") else able.muted
            able.night = do == "night" if do in ("night", "day") else able.night
            able.set_quiet(able.night, able.muted)
        case "lamp" if able.lamp is not None:
            able.lamp()
        case "shut-down" if able.shut_down is not None:
            able.shut_down()
        case _ if do in BOX_DOES:
            raise Problem(404, context().translator.word("box.cannot", g.language))
        case _:
            raise unknown_deed(do)
    return box()


def _rename(able: SystemActions, name: str, names_players: bool) -> None:
    """Give the table a name, or report what is wrong with it."""
    assert able.rename is not None
    try:
        _kept(partial(able.rename, name, names_players))
    except InputError as wrong:
        raise Problem(422, fault_text(wrong.faults[0])) from wrong


def _kept(change: Callable[[], None]) -> None:
    """Change what this table is called, or report that it could not be saved."""
    try:
        change()
    except OSError as wrong:
        raise Problem(503, Text("problem.box_kept", {"what": wrong.strerror or str(wrong)})) from wrong
