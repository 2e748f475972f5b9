"""The room and the wall, and the connected tables."""

from __future__ import annotations

from flask import Blueprint, Response, g, redirect, request, send_from_directory, url_for
from werkzeug.wrappers import Response as Answer

from companion.plugins.hub.pages.access import is_code, remember
from companion.plugins.hub.pages.forms import whole
from companion.plugins.hub.pages.page import hub, page, said
from companion.plugins.hub.pages.table_client import PAGE_S, TableClient
from companion.plugins.hub.store import ConnectedTable
from companion.plugins.hub.tournament import standings
from companion.public.text import Text, fault_text
from web.language import HERE
from web.middleware.problems import Problem

room_pages = Blueprint("room", __name__)
SHARED = HERE / "static"
FACE_S = 30 * 24 * 3600
"""The face is loaded once."""


@room_pages.get("/")
def room() -> Response:
    """All tables with what they need, and the tournaments."""
    here = hub()
    troubles = {} if here.collector is None else dict(here.collector.troubles)
    return page(
        "room.html",
        tables=here.tables.all(),
        tournaments=here.store.tournaments(),
        connected=here.store.connected(),
        troubles={table: said(fault_text(trouble.faults[0])) for table, trouble in troubles.items()},
    )


@room_pages.get("/wall")
def wall() -> Response:
    """The tables and the newest tournament, for a large screen."""
    _, newest = next(iter(hub().store.tournaments()), (0, None))
    places = standings(newest) if newest else ()
    return page("wall.html", tables=hub().tables.all(), tournament=newest, places=places)


@room_pages.get("/vollkorn-bold.woff2")
def face() -> Response:
    """The face of names and points, as tables have it."""
    return send_from_directory(SHARED, "vollkorn-bold.woff2", max_age=FACE_S)


@room_pages.get("/organiser/<code>")
def become_organiser(code: str) -> Answer:
    """The link that makes a browser the organiser's."""
    if not is_code(code, hub().store.code):
        raise Problem(403, Text("hub.organiser_only"))
    return remember(code)


@room_pages.get("/referee/<code>")
def become_referee(code: str) -> Answer:
    """The link that makes a browser a referee's; an organiser's browser stays the organiser's."""
    if not is_code(code, hub().store.referee_code):
        raise Problem(403, Text("hub.organiser_only"))
    return remember(hub().store.code if g.organiser else code)


@room_pages.post("/tables")
def connect() -> Answer:
    """Connect a table with the code on its host's page."""
    hub().store.connect(TableClient(request.form.get("address", "")).join(request.form.get("code", "")))
    if (collector := hub().collector) is not None:
        collector.wake()
    return redirect(url_for("room.room"), 303)


@room_pages.post("/tables/<table>/disconnect")
def disconnect(table: str) -> Answer:
    """Forget a table's code."""
    hub().store.disconnect(_connected(table).id)
    return redirect(url_for("room.room"), 303)


@room_pages.get("/tables/<table>")
def questions(table: str) -> Response:
    """A table's open questions."""
    there = _connected(table)
    client = TableClient(there.address, there.code, PAGE_S)
    asked = client.questions(g.language)
    return page("questions.html", table=there, questions=asked, may_answer=client.may_answer())


@room_pages.post("/tables/<table>/answers")
def answer(table: str) -> Answer:
    there = _connected(table)
    client = TableClient(there.address, there.code, PAGE_S)
    question, place = whole(request.form, "question"), whole(request.form, "answer")
    client.answer(question, place, request.form.get("match", ""), g.language)
    return redirect(url_for("room.questions", table=table), 303)


@room_pages.get("/records/<table>/<match>.jsonl")
def record(table: str, match: str) -> Response:
    try:
        text = hub().store.record(table, match)
    except KeyError:
        raise Problem(404, Text("hub.nothing")) from None
    response = Response(text, content_type="application/jsonl; charset=utf-8")
    response.headers.set("Content-Disposition", "attachment", filename=f"{table}-{match}.jsonl")
    return response


def _connected(number: str) -> ConnectedTable:
    for table in hub().store.connected():
        if table.id == number:
            return table
    raise Problem(404, Text("hub.nothing"))
