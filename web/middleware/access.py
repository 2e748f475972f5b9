"""The door: who somebody is, what each route asks for, and what is turned away before any route runs.

Roles are enforced here and nowhere else in this wing; what a seat may do among the things that seats do
is the desk's to say.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Flask, Request, Response, g, request
from werkzeug.wrappers import Response as Answer

from companion.public.service import SPECTATOR, Role, User
from companion.public.text import Text
from web.language import language_of
from web.middleware.context import context
from web.middleware.problems import Problem

COOKIE = "companion"
SHORT = 6
"""Characters of a code that people type; only those can be guessed, so only those are counted."""

REQUIRED_ROLE: dict[str, Role] = {
    "static": Role.SPECTATOR,
    "discovery.static": Role.SPECTATOR,
    "api.standing": Role.SPECTATOR,
    "api.events": Role.SPECTATOR,
    "api.match": Role.SPECTATOR,
    "api.join": Role.SPECTATOR,
    "api.leave": Role.SPECTATOR,
    "api.adopt": Role.SPECTATOR,
    "api.health": Role.SPECTATOR,
    "api.matches": Role.SPECTATOR,
    "api.record": Role.SPECTATOR,
    "api.figures": Role.SPECTATOR,
    "api.kept_picture": Role.SPECTATOR,
    "api.description": Role.SPECTATOR,
    "api.seat": Role.SEAT,
    "api.moves": Role.SEAT,
    "api.corrections": Role.SEAT,
    "api.answers": Role.SEAT,
    "api.invitations": Role.SEAT,
    "api.box": Role.HOST,
    "api.ask_box": Role.HOST,
    "api.stickers": Role.HOST,
    "api.doctor": Role.HOST,
    "api.rematch": Role.HOST,
    "api.forget": Role.HOST,
    "api.restore": Role.HOST,
    "api.take_in": Role.HOST,
    "api.decks": Role.HOST,
    "api.save_deck": Role.HOST,
    "api.portrait": Role.SEAT,
    "api.keep_portrait": Role.HOST,
    "api.forget_portrait": Role.HOST,
    "setup.wizard": Role.HOST,
    "setup.doctor": Role.HOST,
    "setup.decks": Role.HOST,
    "setup.deck": Role.HOST,
    "api.camera": Role.HOST,
    "api.zones": Role.HOST,
    "api.settle_zones": Role.HOST,
    "api.start": Role.HOST,
    "pages.scoreboard": Role.SPECTATOR,
    "pages.television": Role.SPECTATOR,
    "pages.overlay": Role.SPECTATOR,
    "pages.join": Role.SPECTATOR,
    "pages.type_code": Role.SPECTATOR,
    "pages.follow_link": Role.SPECTATOR,
    "library.matches": Role.SPECTATOR,
    "library.match_report": Role.SPECTATOR,
    "pages.manifest": Role.SPECTATOR,
    "pages.seat": Role.SEAT,
    "pages.qr": Role.SEAT,
    "pages.host": Role.HOST,
}
"""Every route and the least role that it asks for; the app does not start with a route that is missing here."""

PICTURE_LIMIT = 12 * 1024 * 1024
"""Bytes; what a phone's camera makes."""

LIMITS = {"api.keep_portrait": PICTURE_LIMIT}
"""Routes that take larger bodies than all others."""

RANKS = (Role.SPECTATOR, Role.SEAT, Role.HOST)
SAFE = ("GET", "HEAD", "OPTIONS")


def install(app: Flask) -> None:
    """Let nothing through that has not passed here.

    Raises:
        ValueError: A route says nowhere who may use it.
    """
    routes = {rule.endpoint for rule in app.url_map.iter_rules()}
    if strange := routes ^ set(REQUIRED_ROLE):
        raise ValueError(f"the table of roles and the routes differ: {', '.join(sorted(strange))}")
    app.before_request(authorize)
    app.after_request(remember_answer)


def authorize() -> Response | None:
    """Who asks, and whether that role may; before each request."""
    g.language = language_of(request)
    g.visitor = SPECTATOR
    if request.endpoint is None:
        return None
    if request.method not in SAFE:
        _reject_foreign_site(request, context().hosts)
    g.visitor = _who(request)
    asked_for = REQUIRED_ROLE[request.endpoint]
    if RANKS.index(g.visitor.role) < RANKS.index(asked_for):
        raise Problem(403, context().voice.word("door.host" if asked_for is Role.HOST else "door.seat", g.language))
    request.max_content_length = LIMITS.get(request.endpoint, request.max_content_length)
    if request.method not in SAFE and request.blueprint == "api":
        return context().once.before(request, _client_key(request))
    return None


def remember_answer(response: Response) -> Response:
    """Keep the answer of a request that changed something, for its repetition."""
    if request.method not in SAFE and request.blueprint == "api":
        context().once.after(response)
    return response


def _who(asking: Request) -> User:
    code = bearer(asking)
    if code is None:
        code = asking.cookies.get(COOKIE, "")
        # A cookie is set by us and holds a long code; a short one in it was put there to guess.
        return (context().desk.visitor(code) if len(code) > SHORT else None) or SPECTATOR
    if found := recognise(code, asking):
        return found
    raise Problem(403, context().voice.word("join.unknown", g.language))


def _client_key(asking: Request) -> str:
    return bearer(asking) or asking.cookies.get(COOKIE) or asking.remote_addr or ""


def bearer(asking: Request) -> str | None:
    """The code that a script shows."""
    scheme, _, code = asking.headers.get("Authorization", "").partition(" ")
    return code.strip() if scheme.lower() == "bearer" else None


def recognise(code: str, asking: Request) -> User | None:
    """Whose code this is; a short one counts against the five tries a minute of the address when it is wrong.

    Raises:
        Problem: Too many wrong codes came from there.
    """
    address = asking.remote_addr or ""
    if len(code) > 2 * SHORT:
        return context().desk.visitor(code)
    if (wait_s := context().tries.wait_s(address)) > 0:
        raise Problem(429, Text("problem.tries", {"n": wait_s}), {"Retry-After": str(wait_s)})
    tidy = "".join(code.split()).replace("-", "").upper()
    found = context().desk.visitor(tidy) if tidy else None
    if found is None:
        context().tries.count(address)
    return found


HOME = (".local", ".lan", ".home", ".internal", ".home.arpa", ".fritz.box", ".box")
"""Endings that no public name server hands out."""


def _reject_foreign_site(asking: Request, hosts: Iterable[str]) -> None:
    """Turn away what another site's page sends, and pages that came here under a foreign name (DNS rebinding)."""
    host = (urlsplit(f"//{asking.host}").hostname or "").rstrip(".").lower()
    if not (_is_address(host) or (host and "." not in host) or host.endswith(HOME) or host in hosts):
        raise Problem(403, Text("problem.house", {"what": host[:60]}))
    origin = asking.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc.lower() != asking.host.lower():
        raise Problem(403, Text("problem.site"))
    if asking.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        raise Problem(403, Text("problem.site"))


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


YEAR_S = 365 * 24 * 3600


def remember_code(response: Answer, code: str) -> None:
    """Keep a code in the browser, out of its scripts' reach."""
    response.set_cookie(COOKIE, code, max_age=YEAR_S, httponly=True, samesite="Lax")


def long_code(known: User, given: str) -> str:
    """The code to keep for a visitor who came with this one, which may have been the short one."""
    return next((one.code for one in context().desk.invitations(known) if one.visitor == known), given)
