"""The Flask app of one table: pages, API and event streams on top of its services."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from flask import Flask, Response, current_app, g, request
from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader
from werkzeug.exceptions import HTTPException, InternalServerError

from companion.errors import GameFault, LogError
from companion.public.entry_points import entry_points_of
from companion.public.i18n import LANGUAGES, Translations
from companion.public.machine import SystemActions
from companion.public.service import FirstPhoneService, Services
from companion.public.text import Text, signed
from companion.version import HOME
from web.api.blueprint import api
from web.language import Translator, match_context, remember_language
from web.middleware.access import COOKIE, install
from web.middleware.compression import compress
from web.middleware.context import Context, context
from web.middleware.hosts import Addresses
from web.middleware.idempotency import IdempotencyCache
from web.middleware.problems import Problem, problem_response
from web.middleware.rate_limit import RateLimiter
from web.middleware.security_headers import secure
from web.middleware.turns import readers_in_turn
from web.pages.archive import library
from web.pages.file_mark import MARKED, install_mark
from web.pages.game_pages import install_games
from web.pages.page import apology, elsewhere, pages
from web.pages.plain import pages_of_games
from web.pages.setup import setup
from web.pages.sprites import sprites
from web.push.sse import EventStreams

BODY_LIMIT = 256 * 1024
"""Bytes; a match file with its deck has about 15 kB."""

LARGE_TEMPLATES = ("report.html", "_report.html")
"""Translated to Python when they are first asked for: a second on a small computer."""
SETTLED_S = 5.0
"""From the start until its first pages are drawn."""

FRAMED = ("pages.television", "pages.overlay")
"""Endpoints that another site may show in a frame, if the settings name it: nothing can be pressed on these pages."""

POLICY = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'"

log = logging.getLogger(__name__)


def create_app(
    services: Services,
    words: Translations,
    *,
    addresses: Addresses = Addresses(),  # noqa: B008 - a value that never changes
    games: Mapping[str, int] | None = None,
    system: SystemActions | None = None,
    first_phone: FirstPhoneService | None = None,
    streams: EventStreams | None = None,
    rate_limiter: RateLimiter | None = None,
) -> Flask:
    """The app of one table. It subscribes to the services' updates until it is closed, which ``web.server.Server``
    does.

    >>> from web.language import LOCALE_FOLDER
    >>> app = create_app(services, Translations((LOCALE_FOLDER,)), addresses=Addresses("http://192.168.1.20:8080"))
    >>> app.test_client().get("/api/v1/match").status_code
    200
    >>> close(app)

    Args:
        services: What users may see, ask and do.
        words: All catalogs, including those in ``web.language.LOCALE_FOLDER``.
        addresses: Where the table's pages are found.
        games: The seats of the games that are played here, by name; ``None`` = all games that bring their pages.
        system: What the machine itself can do: print stickers, light its lamp, be quiet, shut down.
        first_phone: Makes a phone the host while the machine has none; ``None`` = no phone can become host so.
        streams: Replaces the default event streams.
        rate_limiter: Replaces the default limit of wrong codes.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.json.sort_keys = False  # type: ignore[attr-defined]
    translator = Translator(words)
    app.extensions["context"] = Context(
        services,
        translator,
        streams or EventStreams(services.match, translator),
        rate_limiter or RateLimiter(),
        IdempotencyCache(),
        system or SystemActions(),
        addresses,
        first_phone,
    )
    here = Path(__file__).parent
    with_pages = pages_of_games(dict.fromkeys(entry_points_of("companion.pages"), 0) if games is None else games)
    of_games = PrefixLoader({name: FileSystemLoader(game.folder) for name, game in with_pages.items()})
    app.jinja_loader = ChoiceLoader([FileSystemLoader(here / "templates"), of_games])
    install_mark(app, (here / "static", *(game.folder / "static" for game in with_pages.values())))
    app.jinja_env.filters["signed"] = signed
    app.jinja_env.globals["home"] = HOME
    app.jinja_env.globals["sprites"] = sprites(here, with_pages.values())
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    for blueprint in (api, pages, library, setup):
        app.register_blueprint(blueprint)
    app.register_error_handler(Problem, _problem)
    app.register_error_handler(PermissionError, _not_now)
    app.register_error_handler(LogError, _no_log)
    app.register_error_handler(GameFault, _game_fault)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(InternalServerError, _server_error)
    install_games(app, with_pages)
    install(app)
    app.after_request(_finish)
    turns = app.extensions["context"].turns
    app.wsgi_app = readers_in_turn(app.wsgi_app, turns, f"{COOKIE}-")  # type: ignore[assignment, method-assign]  # as Flask says
    return app


def close(app: Flask) -> None:
    """End the app's streams and unsubscribe it."""
    app.extensions["context"].streams.close()


def prepare(app: Flask, after_s: float = SETTLED_S) -> Callable[[], None]:
    """Read in the background what the first page of a stored match would wait for; returns the function that ends it.

    Args:
        after_s: Seconds until it begins, so that it delays no start.
    """
    ended = threading.Event()

    def read() -> None:
        for name in LARGE_TEMPLATES:
            if not ended.wait(after_s):
                app.jinja_env.get_template(name)

    reader = threading.Thread(target=read, name="templates", daemon=True)
    reader.start()

    def end() -> None:
        ended.set()
        reader.join()

    return end


def _problem(problem: Problem) -> Response:
    reads_pages = request.method in ("GET", "HEAD") or "text/html" in request.headers.get("Accept", "")
    detail = problem.detail
    if isinstance(detail, Text):
        here = context()
        language = g.get("language", LANGUAGES[0])
        detail = here.translator.say(detail, language, match_context(here.services.match).names)
    if not reads_pages or request.path.startswith("/api/"):
        return problem_response(problem, detail)
    try:
        return elsewhere(problem, detail) if g.get("foreign_host") else apology(problem, detail)
    except Problem as later:  # too many wait for a page
        return _problem(later)


def _not_now(error: PermissionError) -> Response:
    why = error.args[0] if error.args else Text("problem.not_now")
    return _problem(Problem(403, why if isinstance(why, Text) else str(why)))


def _no_log(error: LogError) -> Response:
    log.error("%s", error)
    return _problem(Problem(503, Text("problem.log")))


def _game_fault(error: GameFault) -> Response:
    log.error("%s", error, exc_info=error.__cause__ or error)
    names = {"game": error.game, "function": error.function, "place": error.place}
    return _problem(Problem(503, Text("problem.game", names)))


def _http(error: HTTPException) -> Response:
    status = error.code or 500
    headers = {name: value for name, value in error.get_headers() if name in ("Allow", "Location", "Retry-After")}
    if status in (301, 302, 303, 307, 308):
        return Response(status=status, headers=headers)
    sentences = {
        404: Text("problem.nothing", {"what": request.path}),
        405: Text("problem.method", {"what": request.path, "method": request.method}),
        413: _too_much(request.max_content_length or BODY_LIMIT),
    }
    return _problem(Problem(status, sentences.get(status, error.description or error.name), headers))


def _too_much(most: int) -> Text:
    if most >= 1 << 20:
        return Text("problem.much_mb", {"most": most >> 20})
    return Text("problem.much_kb", {"most": most >> 10})


def _server_error(error: InternalServerError) -> Response:
    log.error("request %s %s failed", request.method, request.path, exc_info=error.original_exception or error)
    return _problem(Problem(500, Text("problem.stumbled")))


def _finish(response: Response) -> Response:
    headers = response.headers
    secure(response, POLICY, " ".join(context().addresses.frames) if request.endpoint in FRAMED else "")
    if (request.endpoint or "").rpartition(".")[2] == "static":
        marked = "v" in request.args or request.environ.get(MARKED) == current_app.config["FILE_MARK"]
        if marked and response.status_code in (200, 304):
            headers["Cache-Control"] = "public, max-age=31536000, immutable"
    else:
        headers.setdefault("Cache-Control", "no-store")
        headers.setdefault("Vary", "Accept-Language, Cookie")
    if response.mimetype == "text/html":
        remember_language(request, response)
    return compress(request, response)
