"""The door: who somebody is, what each route asks for, and what is turned away before any route runs.

This is the one place of ``web`` that enforces roles; each route says its own with ``@role``. What a seat may do among
the things that seats do is for the services to say, see ``companion.public.service``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Request, Response, current_app, g, request
from werkzeug.wrappers import Response as Answer

from companion.public.join_code import canonical_code, is_typed
from companion.public.service import SPECTATOR, Role, User
from companion.public.text import Text
from web.language import language_of
from web.middleware.context import Identity, context, current_user, identity, network_of, services
from web.middleware.hosts import reject_foreign_host, reject_foreign_site
from web.middleware.problems import Problem

COOKIE = "companion"
"""A browser keeps its code as ``companion-PORT``: cookies know no port, and two tables may be on one computer."""

PICTURE_LIMIT = 12 * 1024 * 1024
"""Bytes; what a phone's camera makes."""

RANKS = (Role.SPECTATOR, Role.HUB, Role.SEAT, Role.HOST)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class RouteAccess:
    """Who may use a route, and how many bytes its body may have; ``None`` = as many as anywhere."""

    role: Role
    body_limit: int | None = None


Route = TypeVar("Route", bound=Callable[..., Any])

_MARKED: dict[Callable[..., Any], RouteAccess] = {}


def role(least: Role, *, body_limit: int | None = None) -> Callable[[Route], Route]:
    """Says beside a route the least role that it asks for; stands directly above the function."""

    def mark(route: Route) -> Route:
        _MARKED[route] = RouteAccess(least, body_limit)
        return route

    return mark


def install(app: Flask) -> None:
    """Let nothing through that has not passed here; every route of the app is registered by now.

    Raises:
        ValueError: A route does not say who may use it, or a function that says so is no route.
    """
    routes = {rule.endpoint: app.view_functions[rule.endpoint] for rule in app.url_map.iter_rules()}
    access = {
        endpoint: RouteAccess(Role.SPECTATOR) if _is_static(endpoint) else _MARKED.get(route)
        for endpoint, route in routes.items()
    }
    without_role = [endpoint for endpoint, rule in access.items() if rule is None]
    without_route = [marked.__qualname__ for marked in _MARKED if marked not in routes.values()]
    if without_role or without_route:
        raise ValueError(
            f"routes without a role: {', '.join(without_role) or 'none'}; "
            f"roles without a route: {', '.join(without_route) or 'none'}"
        )
    app.extensions["access"] = access
    app.before_request(drop_unreadable_cookies)
    app.before_request(authorize)
    app.after_request(remember_answer)


def route_access(app: Flask, endpoint: str) -> RouteAccess:
    """Who may use a route of an installed app."""
    access: RouteAccess = app.extensions["access"][endpoint]
    return access


def _is_static(endpoint: str) -> bool:
    """Whether Flask itself serves this route: style sheets, scripts and drawings."""
    return endpoint.rpartition(".")[2] == "static"


def drop_unreadable_cookies() -> None:
    """Cookies that are no UTF-8 are none of ours, and Werkzeug cannot read them."""
    try:
        str(request.cookies)
    except UnicodeError:
        del request.environ["HTTP_COOKIE"]


def authorize() -> Response | None:
    """Who asks, and whether that role may; before each request."""
    g.language = language_of(request)
    given = bearer(request)
    code = canonical_code(kept_code(request.cookies, request.host) if given is None else given)
    g.identity = Identity(SPECTATOR, code, network_of(request.remote_addr or ""))
    changes = request.method not in SAFE_METHODS
    if request.endpoint is None:
        reject_foreign_host(request, context().hosts, public=not changes)  # a page that says sorry shows the match too
        return None
    access = route_access(current_app, request.endpoint)
    if not _is_static(request.endpoint):
        # With a code more is told even where everybody may ask, and a link is a try.
        shows_code = code or given is not None or "code" in (request.view_args or {})
        public = not changes and access.role is Role.SPECTATOR and not shows_code
        reject_foreign_host(request, context().hosts, public=public)
    if changes:
        reject_foreign_site(request)
    acts_once = changes and request.blueprint == "api"
    try:
        g.identity = replace(g.identity, user=_user(code, from_script=given is not None))
        if RANKS.index(current_user().role) < RANKS.index(access.role):
            needs = "door.host" if access.role is Role.HOST else "door.seat"
            raise Problem(403, context().translator.word(needs, g.language))
    except Problem:
        answer = context().idempotency.repeated(request, code) if acts_once else None
        if answer is None:
            raise
        return answer
    who = identity()
    context().joined.keep(code, who.joined)
    if access.body_limit is not None:
        request.max_content_length = access.body_limit
    if not acts_once:
        return None
    return context().idempotency.before(request, (True, code) if who.joined else (False, who.address))


def remember_answer(response: Response) -> Response:
    """Keep the answer of a request that changed something, for its repetition."""
    if request.method not in SAFE_METHODS and request.blueprint == "api":
        context().idempotency.after(response)
    return response


def _user(code: str, *, from_script: bool) -> User:
    """Whose code a request shows.

    Raises:
        Problem: A script showed a code that is nobody's, or too many wrong codes came from there.
    """
    if from_script:
        if user := recognise(code):
            return user
        raise Problem(403, context().translator.word("join.unknown", g.language))
    if not code:
        return SPECTATOR
    if is_typed(code):
        # A cookie is set by us and holds a long code; a typed one in it was put there to guess, and tells nothing.
        context().rate_limiter.begin_try(identity().address)
        return SPECTATOR
    user = services().match.user(code) or SPECTATOR
    return SPECTATOR if user.role is Role.HUB else user  # a hub is a program; no browser becomes one


def bearer(asking: Request) -> str | None:
    """The code that a script shows."""
    scheme, _, code = asking.headers.get("Authorization", "").partition(" ")
    return code if scheme.lower() == "bearer" else None


def recognise(given: str) -> User | None:
    """Whose code this is, wherever it was shown; a wrong one that could be a guess counts.

    Codes of links are not counted: nobody guesses 128 bits, and a phone that still has the code of an evening long
    past must not keep its neighbours from typing theirs.

    Raises:
        Problem: Too many wrong codes came from there, or from everywhere.
    """
    code = canonical_code(given)
    if not is_typed(code):
        return services().match.user(code)
    address = identity().address
    if (wait_s := context().rate_limiter.begin_try(address)) > 0:
        raise Problem(429, Text("problem.tries", {"n": wait_s}), {"Retry-After": str(wait_s)})
    user = services().match.user(code) if code else None
    if user is not None:
        context().rate_limiter.was_right(address)
    return user


YEAR_S = 365 * 24 * 3600


def cookie_name(netloc: str) -> str:
    """What the cookie is called that this table keeps in a browser which reaches it as ``companion.local:8080``."""
    try:
        port = urlsplit(f"//{netloc}").port
    except ValueError:
        port = None
    return f"{COOKIE}-{port or 80}"


def kept_code(cookies: Mapping[str, str], netloc: str) -> str:
    """The code that a browser kept for this table, as it stands in its cookie; empty when there is none."""
    return cookies.get(cookie_name(netloc), "")


def remember_code(response: Answer, code: str) -> None:
    """Keep a code in the browser, out of its scripts' reach."""
    response.set_cookie(cookie_name(request.host), code, max_age=YEAR_S, httponly=True, samesite="Lax")


def forget_code(response: Answer) -> None:
    """Take this table's code out of the browser."""
    response.delete_cookie(cookie_name(request.host), httponly=True, samesite="Lax")


def announce(user: User, code: str) -> None:
    """Tell the table that a further phone has become somebody, unless it was the same; ``code``: the long one."""
    if context().joined.has_phone(code) and identity().code != code:
        services().match.announce(user)


def long_code(user: User, given: str) -> str:
    """The code to keep for a user who came with this one, which may have been the short one."""
    return next((one.code for one in services().match.join_codes(user) if one.user == user), canonical_code(given))
