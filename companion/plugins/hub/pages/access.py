"""Access control of a hub: organiser, referee or visitor, and what is refused before a route runs."""

from __future__ import annotations

import hmac

from flask import g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from companion.plugins.hub.pages.page import hub
from companion.public.text import Text
from web.language import language_of
from web.middleware.access import SAFE_METHODS, YEAR_S, cookie_name
from web.middleware.hosts import host_name, is_own, reject_foreign_host, reject_foreign_site
from web.middleware.problems import Problem

REFEREE = ("room.questions", "room.answer")
"""The routes that a referee may use too. All other changes are the organiser's; everyone may look."""


def authorize() -> None:
    """Check each request.

    Raises:
        Problem: It came under a foreign name or from another site's page, or needs another role.
    """
    g.language = language_of(request)
    changes = request.method not in SAFE_METHODS
    if request.endpoint != "static":
        reject_foreign_host(request, hub().hosts, public=not changes)
    if changes:
        reject_foreign_site(request, [one for one in (hub().address,) if one is not None])
    code = _kept_code()
    g.organiser = is_code(code, hub().store.code)
    g.referee = g.organiser or is_code(code, hub().store.referee_code)
    allowed = g.referee if request.endpoint in REFEREE else g.organiser or not changes
    if not allowed:
        raise Problem(403, Text("hub.organiser_only"))


def is_code(given: str, code: str) -> bool:
    """Whether they are equal, compared in constant time."""
    return hmac.compare_digest(given.encode(), code.encode())


def remember(code: str) -> Answer:
    """Keep a code in the browser, and go to the room."""
    answer = redirect(url_for("room.room"), 303)
    answer.set_cookie(_cookie(), code, max_age=YEAR_S, httponly=True, samesite="Lax")
    return answer


def _kept_code() -> str:
    """The code in the browser's cookie; empty under a foreign name."""
    return request.cookies.get(_cookie(), "") if is_own(host_name(request.host), hub().hosts) else ""


def _cookie() -> str:
    return cookie_name(request.host).replace("-", "-hub-")
