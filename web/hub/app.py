"""A hub's pages: the tables of the room, a wall to look at from afar, tournaments. They work without a script."""

from __future__ import annotations

import csv
import hmac
import io
import json
import logging
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import waitress
from flask import Flask, Response, g, redirect, render_template, request, url_for
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from companion.errors import CompanionError, InputError
from companion.hub.history import ConnectedTable, FinishedMatch, histories, recorded_result
from companion.hub.live_tables import Room, TableStatus
from companion.hub.pairing import next_round
from companion.hub.store import OvertakenError, StoreError, TournamentStore
from companion.hub.tournament import Tournament, parts, standings
from companion.public.i18n import LANGUAGES, Names, Translations, signed
from companion.public.text import JSON, Text, fault_text
from web.hub.table_client import PAGE_S, RecordCollector, TableClient
from web.language import COOKIE as LANGUAGE_COOKIE
from web.language import language_of
from web.middleware.access import cookie_name
from web.middleware.hosts import host_name, is_address, is_own, own_names

POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
BODY_LIMIT = 64 * 1024
SHARED_S = 0.5
SWITCH_S = 0.001
"""How long one thread computes while others could: what tables publish waits for no page that is being drawn."""
YEAR_S = 365 * 24 * 3600

log = logging.getLogger(__name__)


def create_hub(
    tables: Room,
    store: TournamentStore,
    words: Translations,
    *,
    listening: Callable[[], bool] = lambda: True,
    collector: RecordCollector | None = None,
    hosts: frozenset[str] = frozenset(),
) -> Flask:
    """The app of a hub.

    Args:
        tables: What the tables publish.
        store: The tournaments; its code makes whoever shows it the organiser.
        listening: Whether the broker is there.
        collector: Keeps the records of connected tables; ``None`` = nobody does.
        hosts: Further names of this hub, see ``web.middleware.hosts``.
    """
    app = Flask(__name__)
    app.config["MAX_CONTENT_LENGTH"] = BODY_LIMIT
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.filters["share"] = _share
    app.jinja_env.filters["signed"] = signed
    names = own_names() | {host.lower() for host in hosts}

    def is_organiser() -> bool:
        return is_own(host_name(request.host), names) and _same(request.cookies.get(_cookie(), ""), store.code)

    def is_referee() -> bool:
        code = request.cookies.get(_cookie(), "")
        return is_organiser() or (is_own(host_name(request.host), names) and _same(code, store.referee_code))

    def say(text: Text | str) -> str:
        return text if isinstance(text, str) else words.say(text, g.language, Names())

    def page(template: str, status: int = 200, **more: Any) -> Response:
        html = render_template(
            template,
            t=lambda key, **params: say(Text(key, params)),
            language=g.language,
            languages=LANGUAGES,
            organiser=is_organiser(),
            referee=is_referee(),
            listening=listening(),
            **more,
        )
        return Response(html, status, content_type="text/html; charset=utf-8")

    @app.before_request
    def look() -> Response | None:
        g.language = language_of(request)
        name = host_name(request.host)
        if not (is_own(name, names) or is_address(name) or request.endpoint == "static"):
            return page("sorry.html", 403, why=say(Text("problem.house", {"what": request.host[:60]})))
        if request.method in ("GET", "HEAD"):
            return None
        origin = request.headers.get("Origin", f"http://{request.host}").lower()
        foreign = origin not in (f"http://{request.host}".lower(), f"https://{request.host}".lower())
        foreign |= request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none")
        if foreign or not is_own(host_name(request.host), names):
            return page("sorry.html", 403, why=say(Text("problem.site")))
        if not (is_referee() if request.endpoint == "answer" else is_organiser()):
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
        troubles = {} if collector is None else dict(collector.troubles)
        return page(
            "room.html",
            tables=tables.all(),
            tournaments=store.tournaments(),
            connected=store.connected(),
            troubles={table: say(fault_text(trouble.faults[0])) for table, trouble in troubles.items()},
        )

    walls = {language: SharedPage() for language in LANGUAGES}

    @app.get("/wall")
    def wall() -> Response:
        return Response(walls[g.language].text(draw_wall), content_type="text/html; charset=utf-8")

    def draw_wall() -> str:
        newest = next(iter(store.tournaments()), None)
        now = newest[1] if newest else None
        drawn = page("wall.html", tables=tables.all(), tournament=now, places=standings(now) if now else ())
        return drawn.get_data(as_text=True)

    @app.get("/organiser/<code>")
    def become(code: str) -> Answer:
        if not _same(code, store.code):
            return page("sorry.html", 403, why=say(Text("hub.organiser_only")))
        return remembered(store.code)

    @app.get("/referee/<code>")
    def become_referee(code: str) -> Answer:
        if not _same(code, store.referee_code):
            return page("sorry.html", 403, why=say(Text("hub.organiser_only")))
        return remembered(store.code if is_organiser() else store.referee_code)

    def remembered(code: str) -> Answer:
        answer = redirect(url_for("room"), 303)
        answer.set_cookie(_cookie(), code, max_age=YEAR_S, httponly=True, samesite="Lax")
        return answer

    @app.post("/tables")
    def connect() -> Answer:
        store.connect(TableClient(request.form.get("address", "")).join(request.form.get("code", "")))
        if collector is not None:
            collector.wake()
        return redirect(url_for("room"), 303)

    @app.post("/tables/<table>/disconnect")
    def disconnect(table: str) -> Answer:
        store.disconnect(connected_table(table).id)
        return redirect(url_for("room"), 303)

    @app.get("/tables/<table>")
    def questions(table: str) -> Response:
        if not is_referee():
            return page("sorry.html", 403, why=say(Text("hub.organiser_only")))
        there = connected_table(table)
        client = TableClient(there.address, there.code, PAGE_S)
        asked = client.questions(g.language)
        return page("questions.html", table=there, questions=asked, may_answer=client.may_answer())

    @app.post("/tables/<table>/answers")
    def answer(table: str) -> Answer:
        there = connected_table(table)
        client = TableClient(there.address, there.code, PAGE_S)
        question, place = _whole(request.form, "question"), _whole(request.form, "answer")
        client.answer(question, place, request.form.get("match", ""), g.language)
        return redirect(url_for("questions", table=table), 303)

    def connected_table(table: str) -> ConnectedTable:
        return {one.id: one for one in store.connected()}[table]

    @app.get("/players")
    def players() -> Response:
        return page("players.html", players=histories(store.finished(), store.tournaments()).values())

    @app.get("/players/<path:name>")
    def history(name: str) -> Response:
        player = histories(store.finished(), store.tournaments())[name.casefold()]
        return page("history.html", player=player, named={one.id: one.name for one in store.connected()})

    @app.get("/records/<table>/<match>.jsonl")
    def record(table: str, match: str) -> Response:
        response = Response(store.record(table, match), content_type="application/jsonl; charset=utf-8")
        response.headers.set("Content-Disposition", "attachment", filename=f"{table}-{match}.jsonl")
        return response

    @app.post("/tournaments")
    def begin() -> Answer:
        form = request.form
        number = store.open(form.get("name", ""), _whole(form, "smallest"), _whole(form, "largest"))
        return redirect(url_for("tournament", number=number), 303)

    @app.get("/tournaments/<int:number>")
    def tournament(number: int) -> Response:
        now = store.tournament(number)
        live, finished = tables.all(), store.finished()
        named = {one.id: one.name for one in store.connected()}
        offered = {
            table: result for table in (now.rounds[-1].open_tables if now.rounds else ())
            if (result := _offered_result(now, table, live, finished, named)) is not None
        }  # fmt: skip
        return page("tournament.html", number=number, tournament=now, places=standings(now), offered=offered)

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


class SharedPage:
    """A page that is the same for all who look, so that a hundred of them cost what one costs: drawn by the first who
    asks, and again when it is half a second old."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._text, self._until_s = "", 0.0

    def text(self, draw: Callable[[], str]) -> str:
        """The page; whoever asks while it is drawn waits for it."""
        with self._lock:
            if time.monotonic() >= self._until_s:
                self._text, self._until_s = draw(), time.monotonic() + SHARED_S
            return self._text


@dataclass(frozen=True, slots=True)
class OfferedResult:
    """A result that only has to be looked at and entered.

    Attributes:
        table: What the table where it was played is called.
        points: In the tournament's order.
        began: When the match began, from its record; empty = the table has only published it.
    """

    table: str
    points: tuple[int, ...]
    began: str = ""


def _offered_result(
    now: Tournament,
    table: int,
    live: Sequence[TableStatus],
    finished: Sequence[FinishedMatch],
    named: Mapping[str, str],
) -> OfferedResult | None:
    """What just these players have played to the end: by a record, else by what is published."""
    names = [now.player(number).name for number in now.rounds[-1].tables[table - 1]]
    if (kept := recorded_result(names, finished)) is not None:
        match, points = kept
        return OfferedResult(named.get(match.table, match.table), points, match.began)
    small = [name.casefold() for name in names]
    for one in live:
        there = [name.casefold() for name in one.seats]
        if one.over and sorted(there) == sorted(small) and len(one.points) == len(there) == len(set(there)):
            return OfferedResult(one.name, tuple(one.points[there.index(name)] for name in small))
    return None


def _whole(form: Mapping[str, str], key: str) -> int:
    """A number of a form; what is none is refused where the entry is looked at."""
    text = form.get(key, "").strip().replace("−", "-")  # as the boards write it
    return int(text) if text.removeprefix("-").isdecimal() and len(text) < 8 else 10**9


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
    sys.setswitchinterval(SWITCH_S)
    waitress.serve(  # type: ignore[no-untyped-call]
        app, host="0.0.0.0", port=port, threads=16, ident="companion", connection_limit=400, channel_timeout=60,  # noqa: S104 - phones come over the Wi-Fi
        max_request_body_size=2 * BODY_LIMIT, clear_untrusted_proxy_headers=True, _quiet=True,
    )  # fmt: skip
