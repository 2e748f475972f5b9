"""A hub's pages: the tables of the room, a wall to look at from afar, tournaments. They work without a script."""

from __future__ import annotations

import csv
import hmac
import io
import json
import logging
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import waitress
from flask import Flask, Response, g, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from companion.errors import CompanionError, InputError
from companion.hub.live_tables import Room, TableStatus
from companion.hub.pairing import next_round
from companion.hub.store import OvertakenError, StoreError, TournamentStore
from companion.hub.tournament import Tournament, parts, standings
from companion.public.i18n import LANGUAGES, Names, Translations
from companion.public.text import JSON, Text, fault_text
from web.language import COOKIE as LANGUAGE_COOKIE
from web.language import language_of
from web.middleware.access import cookie_name
from web.middleware.hosts import host_name, is_own, own_names

POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
BODY_LIMIT = 64 * 1024
YEAR_S = 365 * 24 * 3600

log = logging.getLogger(__name__)


def create_hub(
    tables: Room,
    store: TournamentStore,
    words: Translations,
    *,
    listening: Callable[[], bool] = lambda: True,
    hosts: frozenset[str] = frozenset(),
) -> Flask:
    """The app of a hub.

    Args:
        tables: What the tables publish.
        store: The tournaments; its code makes whoever shows it the organiser.
        listening: Whether the broker is there.
        hosts: Further names of this hub, see ``web.middleware.hosts``.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["share"] = _share
    names = own_names() | {host.lower() for host in hosts}

    def is_organiser() -> bool:
        return is_own(host_name(request.host), names) and _same(request.cookies.get(_cookie(), ""), store.code)

    def say(text: Text | str) -> str:
        return text if isinstance(text, str) else words.say(text, g.language, Names())

    def page(template: str, status: int = 200, **more: Any) -> Response:
        html = render_template(
            template,
            t=lambda key, **params: say(Text(key, params)),
            language=g.language,
            languages=LANGUAGES,
            organiser=is_organiser(),
            listening=listening(),
            **more,
        )
        return Response(html, status, content_type="text/html; charset=utf-8")

    @app.before_request
    def look() -> Response | None:
        g.language = language_of(request)
        if request.method in ("GET", "HEAD"):
            return None
        origin = request.headers.get("Origin", f"http://{request.host}").lower()
        foreign = origin not in (f"http://{request.host}".lower(), f"https://{request.host}".lower())
        foreign |= request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
        if foreign or not is_own(host_name(request.host), names):
            return page("sorry.html", 403, why=say(Text("problem.site")))
        if not is_organiser():
            return page("sorry.html", 403, why=say(Text("hub.organiser_only")))
        return None

    @app.after_request
    def finish(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cache-Control", "no-store")
        if (chosen := request.args.get("lang")) in LANGUAGES:
            response.set_cookie(LANGUAGE_COOKIE, chosen, max_age=YEAR_S, samesite="Lax")
        return response

    @app.errorhandler(HTTPException)
    def wrong(error: HTTPException) -> Response:
        return page("sorry.html", error.code or 500, why=say(Text("hub.nothing")))

    @app.errorhandler(KeyError)
    def none_such(_error: KeyError) -> Response:
        return page("sorry.html", 404, why=say(Text("hub.nothing")))

    @app.errorhandler(CompanionError)
    def refused(error: CompanionError) -> Response:
        status = 409 if isinstance(error, OvertakenError) else 503 if isinstance(error, StoreError) else 422
        why = fault_text(error.faults[0]) if isinstance(error, InputError) else str(error)
        overtaken = Text("hub.overtaken") if isinstance(error, OvertakenError) else why
        if isinstance(error, StoreError):
            log.error("%s", error)
        return page("sorry.html", status, why=say(overtaken))

    @app.get("/")
    def room() -> Response:
        return page("room.html", tables=tables.all(), tournaments=store.tournaments())

    @app.get("/wall")
    def wall() -> Response:
        newest = next(iter(store.tournaments()), None)
        now = newest[1] if newest else None
        return page("wall.html", tables=tables.all(), tournament=now, places=standings(now) if now else ())

    @app.get("/organiser/<code>")
    def become(code: str) -> Answer:
        if not _same(code, store.code):
            return page("sorry.html", 403, why=say(Text("hub.organiser_only")))
        answer = redirect(url_for("room"), 303)
        answer.set_cookie(_cookie(), store.code, max_age=YEAR_S, httponly=True, samesite="Lax")
        return answer

    @app.post("/tournaments")
    def begin() -> Answer:
        form = request.form
        number = store.open(form.get("name", ""), _whole(form, "smallest"), _whole(form, "largest"))
        return redirect(url_for("tournament", number=number), 303)

    @app.get("/tournaments/<int:number>")
    def tournament(number: int) -> Response:
        now = store.tournament(number)
        published = {
            table: result for table in (now.rounds[-1].open_tables if now.rounds else ())
            if (result := _published_result(now, table, tables.all())) is not None
        }  # fmt: skip
        return page("tournament.html", number=number, tournament=now, places=standings(now), published=published)

    @app.get("/tournaments/<int:number>/slips")
    def slips(number: int) -> Response:
        return page("slips.html", number=number, tournament=store.tournament(number))

    @app.get("/tournaments/<int:number>/players/<int:player>")
    def explained(number: int, player: int) -> Response:
        now = store.tournament(number)
        who = now.player(player)
        place = next(row for row in standings(now) if row.player.number == player)
        return page("player.html", number=number, tournament=now, who=who, place=place, parts=parts(now, player))

    @app.get("/tournaments/<int:number>/standings.csv")
    def as_csv(number: int) -> Response:
        out = io.StringIO()
        rows = csv.writer(out)
        rows.writerow(("place", "name", "total", "opposition", "part"))
        for row in standings(store.tournament(number)):
            # A name that a spreadsheet would take for a formula is written as text.
            name = f"'{row.player.name}" if row.player.name[0] in "=+-@" else row.player.name
            rows.writerow((row.place, name, *(f"{float(one):.4f}" for one in (row.total, row.opposition, row.part))))
        return Response(out.getvalue(), content_type="text/csv; charset=utf-8")

    @app.get("/tournaments/<int:number>/entries.json")
    def as_json(number: int) -> Response:
        entries = [{"number": one.number, "at": one.at, **one.what} for one in store.entries(number)]
        if not entries:
            raise KeyError(number)
        return Response(json.dumps(entries, ensure_ascii=False), content_type="application/json")

    @app.post("/tournaments/<int:number>")
    def happened(number: int) -> Answer:
        form = request.form
        entries = _entries(form, store.tournament(number))
        for entry in entries:
            # Names may come together; whatever is decided is decided on what was shown.
            store.write(number, entry, None if entry["do"] == "enter" else _whole(form, "after"))
        return redirect(url_for("tournament", number=number), 303)

    return app


def _entries(form: Mapping[str, str], now: Tournament) -> list[dict[str, JSON]]:
    """What a form says that happened."""
    do = form.get("do", "")
    match do:
        case "enter":
            names = [line.strip() for line in form.get("names", "").splitlines() if line.strip()]
            return [{"do": do, "name": name} for name in names]
        case "leave" | "return":
            return [{"do": do, "player": _whole(form, "player")}]
        case "pair":
            return [next_round(now)]
        case "result":
            count = sum(key.startswith("points-") for key in form)
            points = [_whole(form, f"points-{seat}") for seat in range(1, count + 1)]
            entry = {"do": do, "round": _whole(form, "round"), "table": _whole(form, "table"), "points": points}
            return [{**entry, "reason": form["reason"]} if form.get("reason") else entry]
        case _:
            keys: dict[str, JSON] = {key: _whole(form, key) for key in ("round", "table") if key in form}
            return [{"do": do, **keys, "reason": form.get("reason", "")}]


def _published_result(
    now: Tournament, table: int, tables: tuple[TableStatus, ...]
) -> tuple[TableStatus, tuple[int, ...]] | None:
    """The table at which just these players have played to the end, with their points in the tournament's order."""
    names = [now.player(number).name.casefold() for number in now.rounds[-1].tables[table - 1]]
    for live in tables:
        there = [name.casefold() for name in live.seats]
        if live.over and sorted(there) == sorted(names) and len(live.points) == len(there) == len(set(there)):
            return live, tuple(live.points[there.index(name)] for name in names)
    return None


def _whole(form: Mapping[str, str], key: str) -> int:
    """A number of a form; what is none is refused where the entry is looked at."""
    text = form.get(key, "").strip()
    return int(text) if text.lstrip("-").isdecimal() and len(text) < 8 else 10**9


def _share(share: Fraction | None) -> str:
    return "" if share is None else f"{float(share):.2f}"


def _cookie() -> str:
    return cookie_name(request.host).replace("-", "-hub-")


def _same(given: str, code: str) -> bool:
    return hmac.compare_digest(given.encode(), code.encode())


def serve(app: Flask, port: int) -> None:
    """Answer until somebody ends it.

    Raises:
        OSError: The port is taken or may not be used.
    """
    waitress.serve(  # type: ignore[no-untyped-call]
        app, host="0.0.0.0", port=port, threads=16, ident="companion", connection_limit=400, channel_timeout=60,  # noqa: S104 - phones come over the Wi-Fi
        max_request_body_size=2 * BODY_LIMIT, clear_untrusted_proxy_headers=True, _quiet=True,
    )  # fmt: skip
