"""Access control: who sends a request, which role each route needs, and what is refused before any route runs.

This is the only place in ``web`` that enforces roles; each route states its own with ``@role``. What a seat may do in
the match is decided by the services, see ``companion.public.service``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlsplit

from flask import Flask, Request, Response, after_this_request, current_app, g, request
from werkzeug.wrappers import Response as Answer

from companion.public.join_code import can_be_typed_code, canonical_code, is_typed
from companion.public.service import SPECTATOR, Role, User
from companion.public.text import Text
from web.language import language_of
from web.middleware.context import Identity, context, current_user, identity, network_of, services
from web.middleware.hosts import reject_foreign_host, reject_foreign_site
from web.middleware.problems import Problem

COOKIE = "companion"
"""The cookie is named ``companion-PORT``: cookies know no ports, and one computer may run two tables."""

PICTURE_LIMIT = 12 * 1024 * 1024
"""Bytes; enough for a photo of a phone."""

RANKS = (Role.SPECTATOR, Role.HUB, Role.SEAT, Role.HOST)
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


@dataclass(frozen=True, slots=True)
class RouteAccess:
    """The role that a route needs, and the most bytes in its body; ``None`` = the app's limit."""

    role: Role
    body_limit: int | None = None


Route = TypeVar("Route", bound=Callable[..., Any])

_MARKED: dict[Callable[..., Any], RouteAccess] = {}


def role(least: Role, *, body_limit: int | None = None) -> Callable[[Route], Route]:
    """States the least role that a route needs; the decorator directly above the function."""

    def mark(route: Route) -> Route:
        _MARKED[route] = RouteAccess(least, body_limit)
        return route

    return mark


def install(app: Flask) -> None:
    """Check every request with this module; all routes of the app must be registered before.

    Raises:
        ValueError: A route states no role, or a function with ``@role`` is not a route.
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
    access: RouteAccess = app.extensions["access"][endpoint]
    return access


def _is_static(endpoint: str) -> bool:
    """Whether Flask itself serves this endpoint: style sheets, scripts and drawings."""
    return endpoint.rpartition(".")[2] == "static"


def drop_unreadable_cookies() -> None:
    """Cookies that are not UTF-8 are not ours, and Werkzeug cannot read them."""
    try:
        str(request.cookies)
    except UnicodeError:
        del request.environ["HTTP_COOKIE"]


def authorize() -> Response | None:
    """Identify the sender and check the role, before each request."""
    g.language = language_of(request)
    given = bearer(request)
    code = canonical_code(kept_code(request.cookies, request.host) if given is None else given)
    g.identity = Identity(SPECTATOR, code, network_of(request.remote_addr or ""))
    changes = request.method not in SAFE_METHODS
    if request.endpoint is None:
        # The error page shows the match too.
        reject_foreign_host(request, context().addresses.names, public=not changes)
        return None
    access = route_access(current_app, request.endpoint)
    if not _is_static(request.endpoint):
        # A code shows more even on public routes, and a link with a code is an attempt to guess one.
        shows_code = code or given is not None or "code" in (request.view_args or {})
        public = not changes and access.role is Role.SPECTATOR and not shows_code
        reject_foreign_host(request, context().addresses.names, public=public)
    if changes:
        here = context().addresses
        reject_foreign_site(request, [one for one in (here.https, here.phones) if one is not None])
    acts_once = changes and request.blueprint == "api"
    try:
        g.identity = replace(g.identity, user=_user(code, from_script=given is not None))
        if given is None and not changes and request.blueprint != "api" and not _may(access):
            turn_to_other_role()  # the host who plays opens a page of the host's
        if not _may(access):
            needs = "door.host" if access.role is Role.HOST else "door.seat"
            if given is None and not request.cookies and context().joined.was_led_on(identity().address):
                needs = "door.cookies"
            raise Problem(403, context().translator.word(needs, g.language))
    except Problem:
        answer = context().idempotency.repeated(request, code) if acts_once else None
        if answer is None:
            raise
        return answer
    who = identity()
    context().joined.keep(who.code, who.joined)
    if access.body_limit is not None:
        request.max_content_length = access.body_limit
    if not acts_once:
        return None
    return context().idempotency.before(request, (True, code) if who.joined else (False, who.address))


def remember_answer(response: Response) -> Response:
    """Keep the answer to a request that changed something, in case the request is repeated."""
    if request.method not in SAFE_METHODS and request.blueprint == "api":
        context().idempotency.after(response)
    return response


def _user(code: str, *, from_script: bool) -> User:
    """The user whose code the request shows.

    Raises:
        Problem: A script showed an unknown code, or too many wrong codes came from its address.
    """
    if from_script:
        if user := recognise(code):
            return user
        raise Problem(403, context().translator.word("join.unknown", g.language))
    if not code:
        return SPECTATOR
    if is_typed(code):
        # Our own cookies hold long codes; a short one was put there to guess, so it is never answered.
        context().rate_limiter.begin_try(identity().address)
        return SPECTATOR
    user = services().match.user(code) or SPECTATOR
    return SPECTATOR if user.role is Role.HUB else user  # a hub is a program; no browser becomes one


def bearer(asking: Request) -> str | None:
    """The code in a script's ``Authorization`` header."""
    scheme, _, code = asking.headers.get("Authorization", "").partition(" ")
    return code if scheme.lower() == "bearer" else None


def recognise(given: str) -> User | None:
    """The user of a code, however it was sent; a wrong one that could be a guess counts towards the limit.

    The long codes of links do not count: 128 bits cannot be guessed, and a phone with the code of an old evening must
    not keep others at its address from typing theirs. Nor does what no code for typing looks like, such as one with a
    sign too many.

    Raises:
        Problem: Too many wrong codes came from this address, or from all together.
    """
    code = canonical_code(given)
    if not is_typed(code):
        return services().match.user(code)
    if not can_be_typed_code(code):
        return None
    address = identity().address
    if (wait_s := context().rate_limiter.begin_try(address)) > 0:
        raise Problem(429, Text("problem.tries", {"n": wait_s}), {"Retry-After": str(wait_s)})
    user = services().match.user(code)
    if user is not None:
        context().rate_limiter.was_right(address)
    return user


YEAR_S = 365 * 24 * 3600


def cookie_name(netloc: str) -> str:
    """The name of this table's cookie in a browser that reaches it as ``companion.local:8080``.

    >>> cookie_name("companion.local:8080")
    'companion-8080'
    """
    try:
        port = urlsplit(f"//{netloc}").port
    except ValueError:
        port = None
    return f"{COOKIE}-{port or 80}"


def kept_code(cookies: Mapping[str, str], netloc: str) -> str:
    """The code in this table's cookie; empty when there is none."""
    return cookies.get(cookie_name(netloc), "")


def remember_code(response: Answer, user: User, code: str) -> None:
    """Keep a code in the browser, hidden from scripts.

    A host who takes a seat, or a player who becomes host, keeps the code of before as the other one. Who takes another
    seat has left the first.
    """
    before = current_user()
    if before.seat is not None and user.seat not in (None, before.seat):
        services().seat_requests.left(before)
    if before.role in (Role.SEAT, Role.HOST) and before.role is not user.role:
        _keep_cookie(response, other_name(request.host), identity().code)
    _keep_cookie(response, cookie_name(request.host), code)


def forget_code(response: Answer) -> None:
    """Forget this browser's code; from then on it has its other role, if it has one."""
    other, user = _other()
    if user is None:
        response.delete_cookie(cookie_name(request.host), httponly=True, samesite="Lax")
    else:
        _keep_cookie(response, cookie_name(request.host), other)
    response.delete_cookie(other_name(request.host), httponly=True, samesite="Lax")


def _keep_cookie(response: Answer, name: str, code: str) -> None:
    response.set_cookie(name, code, max_age=YEAR_S, httponly=True, samesite="Lax")


def other_name(netloc: str) -> str:
    """The name of the cookie with the code of this browser's other role.

    >>> other_name("companion.local:8080")
    'companion-8080-other'
    """
    return f"{cookie_name(netloc)}-other"


def other_role() -> Role | None:
    """What this browser can be besides: the host who plays is a seat and the host."""
    user = _other()[1]
    return None if user is None else user.role


def _other() -> tuple[str, User | None]:
    """The code of this browser's other role, and whose it is; ``None`` = nobody's, or the same role."""
    code = canonical_code(request.cookies.get(other_name(request.host), ""))
    user = services().match.user(code) if code and not is_typed(code) else None
    return code, user if user and user.role in (Role.SEAT, Role.HOST) and user.role is not current_user().role else None


def turn_to_other_role() -> bool:
    """From this request on this browser is what it can be besides; false if it is nothing else."""
    (code, user), before = _other(), identity()
    if user is None:
        return False
    g.identity = replace(before, user=user, code=code)

    @after_this_request
    def swap(response: Response) -> Response:
        _keep_cookie(response, cookie_name(request.host), code)
        _keep_cookie(response, other_name(request.host), before.code)
        return response

    return True


def _may(access: RouteAccess) -> bool:
    return RANKS.index(current_user().role) >= RANKS.index(access.role)


def announce(user: User, code: str) -> None:
    """Tell the table that another phone has joined, unless this phone already had the code; ``code``: the long one."""
    if context().joined.has_phone(code) and identity().code != code:
        services().match.announce(user)


def long_code(user: User, given: str) -> str:
    """The long code of a user who joined with this code, long or short."""
    return next((one.code for one in services().match.join_codes(user) if one.user == user), canonical_code(given))
