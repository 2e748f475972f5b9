"""A hub's app: the tables of the room, a wall screen, tournaments. Its pages work without scripts."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable

import waitress
from flask import Flask, Response, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException

from companion.errors import CompanionError, InputError
from companion.plugins.hub.live_tables import Room
from companion.plugins.hub.pages import access
from companion.plugins.hub.pages.page import Hub, page, said, share
from companion.plugins.hub.pages.room import room_pages
from companion.plugins.hub.pages.table_client import RecordCollector
from companion.plugins.hub.pages.tournaments import tournament_pages
from companion.plugins.hub.store import OvertakenError, StoreError, TournamentStore
from companion.public.i18n import Translations
from companion.public.text import Text, fault_text, signed
from web.language import HERE, Translator, remember_language
from web.middleware.hosts import host_name, own_names
from web.middleware.problems import Problem
from web.middleware.security_headers import secure

POLICY = (
    "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self';"
    " base-uri 'none'"
)
BODY_LIMIT = 64 * 1024
SYMBOLS = HERE / "static" / "symbols.svg"
SHAPE = re.compile(r'<symbol id="(?:s\d|turn|trump)".*?</symbol>', re.DOTALL)
"""The seats' shapes, and the signs of a turn and of a win."""

log = logging.getLogger(__name__)


def create_hub(
    tables: Room,
    store: TournamentStore,
    words: Translations,
    *,
    listening: Callable[[], bool] = lambda: True,
    collector: RecordCollector | None = None,
    hosts: frozenset[str] = frozenset(),
    address: str | None = None,
) -> Flask:
    """The app of a hub.

    Args:
        tables: What the tables publish.
        store: The tournaments; its code gives access as the organiser.
        listening: Whether the broker is connected.
        collector: Keeps the records of connected tables, if any.
        hosts: Additional names of this hub, see ``web.middleware.hosts``.
        address: Where browsers reach this hub, as the settings name it; ``None`` = as they do.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.extensions["hub"] = Hub(
        tables,
        store,
        Translator(words),
        listening,
        collector,
        own_names() | {host.lower() for host in hosts} | {host_name((address or "").partition("//")[2])} - {""},
        address,
    )
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals["shapes"] = Markup("".join(SHAPE.findall(SYMBOLS.read_text("utf-8"))))  # noqa: S704  # our own file
    app.jinja_env.filters["share"] = share
    app.jinja_env.filters["signed"] = signed
    app.register_blueprint(room_pages)
    app.register_blueprint(tournament_pages)
    app.before_request(access.authorize)
    app.after_request(_finish)
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(CompanionError, _refused)
    return app


def serve(app: Flask, port: int) -> None:
    """Serve until the process is stopped.

    Raises:
        OSError: The port is taken or may not be used.
    """
    waitress.serve(  # type: ignore[no-untyped-call]
        app, host="0.0.0.0", port=port, threads=16, ident="companion", connection_limit=400, channel_timeout=60,  # noqa: S104 - phones come over the Wi-Fi
        max_request_body_size=2 * BODY_LIMIT, clear_untrusted_proxy_headers=True, _quiet=True,
    )  # fmt: skip


def _problem(problem: Problem) -> Response:
    return page("sorry.html", problem.status, why=said(problem.detail))


def _http(error: HTTPException) -> Response:
    return page("sorry.html", error.code or 500, why=said(Text("hub.nothing")))


def _refused(error: CompanionError) -> Response:
    if isinstance(error, OvertakenError):
        return page("sorry.html", 409, why=said(Text("hub.overtaken")))
    if isinstance(error, StoreError):
        log.error("%s", error)
        return page("sorry.html", 503, why=str(error))
    why = fault_text(error.faults[0]) if isinstance(error, InputError) else str(error)
    return page("sorry.html", 422, why=said(why))


def _finish(response: Response) -> Response:
    secure(response, POLICY)
    response.headers.setdefault("Cache-Control", "no-store")
    remember_language(request, response)
    return response
