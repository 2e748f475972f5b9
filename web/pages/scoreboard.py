"""The pages at the table: rendered once by the server, updated by small scripts."""

from __future__ import annotations

import io
import json
from typing import Any

import segno
from flask import Response, g, redirect, request

from companion.public.machine import OwnWifi
from companion.public.service import Role
from companion.public.text import Text
from web.middleware.access import announce, long_code, recognise, remember_code, role, turn_to_other_role
from web.middleware.context import context, current_user, identity, render, services
from web.middleware.hosts import host_name, is_address, is_own
from web.middleware.problems import Problem
from web.pages.page import game_asked, page, pages, translations

FRONT_WORDS = frozenset(
    ("alert", "by", "end", "link", "over", "refused", "stale", "stop.about", "unsaid", "why", "won")
)
"""What the scripts of a first page with a picture use, keys or their first parts: all words are a third of a page."""

LOOPBACK = ("localhost", "127.0.0.1", "::1")


@pages.get("/")
@role(Role.SPECTATOR)
def scoreboard() -> Response:
    """What this is and how it stands, with the picture of the table where everybody may see it, else with its map."""
    pictured = services().setup.shown.shown and services().match.current() is not None
    words = FRONT_WORDS if pictured else None
    return page(
        "scoreboard.html",
        words=words,
        every_game=False,
        pictured=pictured,
        watching=False,
        can_play=services().visiting.can_take(),
    )


@pages.get("/watch")
@role(Role.SPECTATOR)
def watch() -> Response:
    """The whole board."""
    return page("scoreboard.html", every_game=False, pictured=False, watching=True, can_play=False)


@pages.get("/tv")
@role(Role.SPECTATOR)
def television() -> Response:
    """The scoreboard, readable from four metres."""
    return page("tv.html", every_game=False, wifi=_wifi_of_asker())


@pages.get("/overlay")
@role(Role.SPECTATOR)
def overlay() -> Response:
    """Scores and verdict on a transparent background, for a video stream."""
    return page("overlay.html", every_game=False)


@pages.get("/seat")
@role(Role.SEAT)
def seat() -> Response | Any:
    if current_user().seat is None and not turn_to_other_role():
        return redirect("/host")
    return page("seat.html", every_game=False)


@pages.get("/host")
@role(Role.HOST)
def host() -> Response:
    return page(
        "host.html",
        wanted=game_asked(),
        invitations=services().match.join_codes(current_user()),
        link=_link,
        decks=services().decks.summaries(),
        system=context().system,
        hub_code=services().match.hub_code(current_user()),
        hub_answers=services().match.hub_answers(),
        shows_table=services().setup.shown.allowed,
        damage=(services().match.current() or {}).get("damage"),
        notes=[{"text": render(one.text), "renumbers": one.renumbers} for one in context().system.notes()],
    )


@pages.get("/join")
@role(Role.SPECTATOR)
def join() -> Response:
    """The free seats, and the form for a code; ``?lost``: the phone's old code is no longer valid."""
    return page("join.html", lost="lost" in request.args)


@pages.post("/join")
@role(Role.SPECTATOR)
def type_code() -> Response | Any:
    """A code from the form, also without scripts."""
    return _enter(request.form.get("code", ""))


@pages.get("/join/<code>")
@role(Role.SPECTATOR)
def follow_link(code: str) -> Response | Any:
    """The link in a seat's QR code; ``?to=eye``: this phone is to be the camera."""
    return _enter(code)


def _enter(code: str) -> Response | Any:
    user = recognise(code)
    if user is None or user.role is Role.HUB:
        raise Problem(403, context().translator.word("join.unknown", g.language))
    wanted = request.values.get("to")
    own = "/host" if user.role is Role.HOST else "/seat"
    response = redirect("/eye" if wanted == "eye" and user.role is Role.HOST else own, 303)
    context().joined.leads_on(identity().address)
    kept = long_code(user, code)
    announce(user, kept)
    remember_code(response, user, kept)
    return response


@pages.get("/qr/<int:place>.svg")
@role(Role.SEAT)
def qr(place: int) -> Response:
    """An invitation's link as a QR code; ``place``: its place in the list of those that the user may hand out."""
    invitations = services().match.join_codes(current_user())
    if place >= len(invitations):
        raise Problem(404, Text("problem.no_code"))
    return qr_code(_link(invitations[place].code))


@pages.get("/qr/here.svg")
@role(Role.SPECTATOR)
def qr_here() -> Response:
    """The address for joining as a QR code, without any seat's code."""
    return qr_code(_address("join"))


@pages.get("/qr/wifi.svg")
@role(Role.SPECTATOR)
def qr_wifi() -> Response:
    """The machine's own Wi-Fi with its password as a QR code."""
    wifi = _wifi_of_asker()
    if wifi is None:
        raise Problem(404, Text("problem.no_code"))
    return qr_code(wifi.code)


@pages.get("/how")
@role(Role.SPECTATOR)
def how_to_play() -> Response:
    """The game in two minutes, and what this table does for it: ``?game=``, else the one that is played."""
    return page("how.html", told=game_asked())


def _wifi_of_asker() -> OwnWifi | None:
    """The machine's own Wi-Fi, only for devices that are in it already.

    Not for this computer's own address: requests through an HTTPS proxy come from there too.
    """
    wifi = context().system.own_wifi()
    return wifi if wifi is not None and wifi.holds(identity().address) else None


def qr_code(link: str) -> Response:
    """The QR code as SVG."""
    drawn = io.BytesIO()
    segno.make(link, error="m").save(drawn, kind="svg", xmldecl=False, border=2, scale=8, light="#fff")
    return Response(drawn.getvalue(), content_type="image/svg+xml")


def _link(code: str) -> str:
    return _address(f"join/{code}")


def secure_address() -> str | None:
    """The table's HTTPS address, with the host name that this browser used; ``None`` = there is none."""
    here = context().addresses
    if here.https is not None or here.tls_port is None:
        return here.https
    name = host_name(here.phones.partition("//")[2] if here.phones is not None else request.host)
    certified = is_address(name) or {name, name.partition(".")[0]} & here.names
    if (name in LOOPBACK or not certified) and here.table is not None:
        name = host_name(here.table.partition("//")[2])
    return f"https://{name}:{here.tls_port}"


def _address(path: str) -> str:
    """The address for phones: the one that the settings name, or else as this browser reached the table, unless that is
    a loopback or a foreign name.
    """
    known = context().addresses
    if known.phones is not None:
        return f"{known.phones}/{path}"
    name = host_name(request.host)
    usable = name not in LOOPBACK and is_own(name, known.names)
    https = known.https
    # A proxy that does HTTPS for this table sends plain HTTP.
    here = https if https is not None and https.partition("//")[2] == request.host else request.host_url
    start = here if usable else known.table or here
    return f"{start.rstrip('/')}/{path}"


@pages.get("/manifest.webmanifest")
@role(Role.SPECTATOR)
def manifest() -> Response:
    """The web app manifest: a phone needs it to keep the scoreboard on its home screen."""
    say = translations(g.language)
    icons = [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"},
        *({"src": f"/static/icon-{px}.png", "sizes": f"{px}x{px}", "type": "image/png"} for px in (192, 512)),
        {"src": "/static/icon-maskable.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ]
    content = {
        "name": say("page.title"),
        "short_name": say("page.title"),
        "start_url": "/",
        "display": "standalone",
        "background_color": "#faf6ee",
        "theme_color": "#faf6ee",
        "lang": g.language,
        "icons": icons,
    }
    return Response(json.dumps(content), content_type="application/manifest+json")
