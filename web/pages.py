"""The pages: drawn once by the server, kept up by small scripts."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import segno
from flask import Blueprint, Response, g, redirect, render_template, request

from companion.desk import SPECTATOR, Role, Visitor
from companion.game import JSON, Text
from companion.words import LANGUAGES
from web.api import long_code, remember
from web.door import door, recognise, visitor
from web.problems import Problem
from web.tongue import Evening, evening
from web.wire import latest, snapshot_json

pages = Blueprint("pages", __name__)

LOG = 12
"""Pieces of news that a page tells of when it is opened."""

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def page(template: str, status: int = 200, **more: JSON) -> Response:
    """A page with everything that its scripts begin with."""
    desk, voice = door().desk, door().voice
    now = evening(desk)
    shown = snapshot_json(desk, now, voice, g.language)
    who: Visitor = g.get("visitor", SPECTATOR)
    start = {
        "now": shown,
        "log": _log(now),
        "match": _told(now),
        "me": {"role": who.role.value, "seat": who.seat},
        "words": voice.script_words(g.language),
        "language": g.language,
    }
    drawn = render_template(
        template,
        t=_words(g.language),
        language=g.language,
        languages=LANGUAGES,
        match=start["match"],
        now=shown,
        me=who,
        roles=Role,
        start=start,
        adoptable=door().adoptable(),
        simulated=bool(now.match["simulated"] if now.match else desk.health().get("simulated")),
        **more,
    )
    return Response(drawn, status, content_type="text/html; charset=utf-8")


def _words(language: str) -> Any:
    def say(key: str, **params: JSON) -> str:
        return door().voice.word(key, language, **params)

    return say


def _told(now: Evening) -> Mapping[str, JSON] | None:
    """The match as scripts need it: in one language."""
    if now.match is None:
        return None
    wanted = ("id", "game", "profile", "silent", "simulated", "seats", "options", "host")
    cards = [
        {**card, "name": now.names.card(str(card["id"]), g.language)}
        for card in now.match.get("deck", {}).get("card", ())
    ]
    who: Visitor = g.get("visitor", SPECTATOR)
    own = now.match.get("pictures")
    pictured = list(door().desk.portraits(who, own)) if own else []
    return {**{key: now.match.get(key) for key in wanted}, "cards": cards, "pictures": own, "pictured": pictured}


def _log(now: Evening) -> list[JSON]:
    """What was said lately, oldest first."""
    number = latest(door().desk)[1]
    return [
        {
            "number": news.number,
            "signal": news.signal.value,
            "texts": [door().voice.say(text, g.language, now.names) for text in news.texts],
            "entry": {key: value for key, value in (news.entry or {}).items() if key != "standing"},
        }
        for news in door().desk.since(max(0, number - LOG))
    ]


def apology(problem: Problem, detail: str) -> Response:
    """A page for a request that is not served: what is wrong and where to go."""
    template = "join.html" if problem.status in (403, 429) else "sorry.html"
    response = page(template, problem.status, detail=detail)
    response.headers.update(problem.headers)
    return response


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
    if visitor().seat is None:
        return redirect("/host")
    return page("seat.html")


@pages.get("/host")
def host() -> Response:
    """The host's page."""
    return page(
        "host.html",
        invitations=door().desk.invitations(visitor()),
        link=_link,
        decks=door().desk.decks(visitor()),
        box=door().box,
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
        raise Problem(403, door().voice.word("join.unknown", g.language))
    response = redirect("/host" if known.role is Role.HOST else "/seat", 303)
    remember(response, long_code(known, code.strip()))
    return response


@pages.get("/qr/<int:place>.svg")
def qr(place: int) -> Response:
    """The link of an invitation, by its place in the list of those that the visitor may hand out, as a QR code."""
    invitations = door().desk.invitations(visitor())
    if place >= len(invitations):
        raise Problem(404, Text("problem.no_code"))
    drawn = io.BytesIO()
    code = segno.make(_link(invitations[place].code), error="m")
    code.save(drawn, kind="svg", xmldecl=False, border=2, scale=8, light="#fff")
    return Response(drawn.getvalue(), content_type="image/svg+xml")


def _link(code: str) -> str:
    """Where a phone joins: as this browser reached the table, unless that is the table itself."""
    own = request.host.rsplit(":", 1)[0] in LOOPBACK
    start = (door().address if own else None) or request.host_url
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
