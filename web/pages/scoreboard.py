"""The pages: drawn once by the server, kept up by small scripts."""

from __future__ import annotations

import io
import json
from typing import Any

import segno
from flask import Response, g, redirect, request

from companion.public.service import Role
from companion.public.text import Text
from web.middleware.access import long_code, recognise, remember_code
from web.middleware.context import context, current_user
from web.middleware.problems import Problem
from web.pages.page import _words, page, pages

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


@pages.get("/")
def scoreboard() -> Response:
    """The scoreboard for everybody."""
    return page("scoreboard.html")


@pages.get("/tv")
def television() -> Response:
    """The scoreboard to be read from four metres."""
    return page("tv.html")


@pages.get("/overlay")
def overlay() -> Response:
    """Scores and verdict on nothing, for a stream."""
    return page("overlay.html")


@pages.get("/seat")
def seat() -> Response | Any:
    """A seat's own page."""
    if current_user().seat is None:
        return redirect("/host")
    return page("seat.html")


@pages.get("/host")
def host() -> Response:
    """The host's page."""
    return page(
        "host.html",
        invitations=context().desk.invitations(current_user()),
        link=_link,
        decks=context().desk.decks(current_user()),
        box=context().box,
    )


@pages.get("/join")
def join() -> Response:
    """Where a code is typed."""
    return page("join.html")


@pages.post("/join")
def type_code() -> Response | Any:
    """A typed code, from a browser without scripts too."""
    return _enter(request.form.get("code", ""))


@pages.get("/join/<code>")
def follow_link(code: str) -> Response | Any:
    """The link in a seat's QR code."""
    return _enter(code)


def _enter(code: str) -> Response | Any:
    known = recognise(code.strip(), request)
    if known is None:
        raise Problem(403, context().voice.word("join.unknown", g.language))
    response = redirect("/host" if known.role is Role.HOST else "/seat", 303)
    remember_code(response, long_code(known, code.strip()))
    return response


@pages.get("/qr/<int:place>.svg")
def qr(place: int) -> Response:
    """The link of an invitation, by its place in the list of those that the visitor may hand out, as a QR code."""
    invitations = context().desk.invitations(current_user())
    if place >= len(invitations):
        raise Problem(404, Text("problem.no_code"))
    drawn = io.BytesIO()
    code = segno.make(_link(invitations[place].code), error="m")
    code.save(drawn, kind="svg", xmldecl=False, border=2, scale=8, light="#fff")
    return Response(drawn.getvalue(), content_type="image/svg+xml")


def _link(code: str) -> str:
    """Where a phone joins: as this browser reached the table, unless that is the table itself."""
    own = request.host.rsplit(":", 1)[0] in LOOPBACK
    start = (context().address if own else None) or request.host_url
    return f"{start.rstrip('/')}/join/{code}"


@pages.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a phone needs to keep the scoreboard on its home screen."""
    say = _words(g.language)
    icons = [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": "any"}]
    told = {
        "name": say("page.title"),
        "short_name": say("page.title"),
        "start_url": "/",
        "display": "standalone",
        "background_color": "#faf6ee",
        "theme_color": "#faf6ee",
        "lang": g.language,
        "icons": icons,
    }
    return Response(json.dumps(told), content_type="application/manifest+json")
